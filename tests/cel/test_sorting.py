"""Go's sort, where no comparison with Kubernetes reaches: its last resort, and orders that are none."""

from __future__ import annotations

import random

import pytest

from kubectl_llmfit.cel import sorting
from kubectl_llmfit.cel.sorting import sort_as_go

LENGTHS = [0, 1, 2, 12, 13, 49, 50, 51, 200, 1000]


def keys_of(length: int) -> list[int]:
    """Keys of which many are equal."""
    draw = random.Random(length)
    return [draw.randrange(length // 3 + 1) for _ in range(length)]


@pytest.mark.parametrize("length", LENGTHS)
def test_keys_are_put_in_order(length: int) -> None:
    keys, items = keys_of(length), list(range(length))
    sort_as_go(items, lambda left, right: keys[left] < keys[right])
    assert [keys[item] for item in items] == sorted(keys)
    assert sorted(items) == list(range(length))


@pytest.mark.parametrize("length", LENGTHS)
def test_keys_are_put_in_order_when_no_pivot_is_any_good(length: int) -> None:
    keys, items = keys_of(length), list(range(length))
    sorting._Sorting(items, lambda left, right: keys[left] < keys[right]).sort(0, length, bad_pivots=0)
    assert [keys[item] for item in items] == sorted(keys)


@pytest.mark.parametrize("length", [13, 60, 300])
def test_what_is_no_order_comes_to_an_end_and_loses_nothing(length: int) -> None:
    for answer in (lambda *_: True, lambda *_: False, lambda left, right: (left * 7 + right * 3) % 5 < 2):
        items = list(range(length))
        sort_as_go(items, answer)
        assert sorted(items) == list(range(length))
