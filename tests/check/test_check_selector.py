"""Label selectors choose as kubectl -l does."""

from __future__ import annotations

import pytest

from kubectl_llmfit.check.selector import parse_selector
from kubectl_llmfit.errors import UsageError

LABELS = {"gpu": "h100", "zone": "a", "example.com/pool": "train", "cards": "8", "empty": ""}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "gpu",
        "gpu=h100",
        "gpu==h100",
        "gpu = h100 , zone = a",
        "gpu!=a100",
        "absent!=a100",
        "gpu in (h100, a100)",
        "gpu notin (a100)",
        "absent notin (a100)",
        "!absent",
        "! absent,gpu",
        "example.com/pool=train",
        "empty=",
        "empty in (,x)",
        "cards>4",
        "cards < 9",
        "gpu in (in,h100)",
    ],
)
def test_it_matches(text: str) -> None:
    assert parse_selector(text).matches(LABELS)


@pytest.mark.parametrize(
    "text",
    [
        "gpu=a100",
        "gpu!=h100",
        "absent",
        "!gpu",
        "absent=x",
        "gpu in (a100)",
        "gpu notin (h100,a100)",
        "absent in (x)",
        "cards>8",
        "zone>1",
        "gpu=h100,zone=b",
    ],
)
def test_it_does_not_match(text: str) -> None:
    assert not parse_selector(text).matches(LABELS)


@pytest.mark.parametrize(
    "text",
    [
        ",gpu",
        "gpu,",
        "gpu,,zone",
        "gpu=h100=x",
        "gpu in h100",
        "gpu in (h100",
        "gpu in h100)",
        "=h100",
        "gpu like h100",
        "gpu=-x",
        "-gpu",
        "a/b/c=x",
        "Example.com/pool",
        "gpu>x",
        "gpu>",
        f"gpu={'x' * 64}",
        "!gpu=h100",
    ],
)
def test_it_is_refused_with_what_was_expected(text: str) -> None:
    with pytest.raises(UsageError, match=r"invalid label selector .*: found .*, expected"):
        parse_selector(text)


def test_the_message_says_what_was_found() -> None:
    with pytest.raises(UsageError) as refused:
        parse_selector("gpu like h100")
    assert refused.value.message == (
        "invalid label selector 'gpu like h100': found 'like', expected one of '=', '==', '!=', 'in', 'notin', '<', '>'"
    )
