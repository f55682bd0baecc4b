"""What hardly anybody writes, against recorded answers of the real allocator's CEL package.

Bytes that are no text, keys of maps that Go tells apart by where they lie in memory, the order in which sortBy leaves
equal keys, the lowest number subtracted, conditionals that cost less than nothing.
"""

from __future__ import annotations

from typing import Any

import pytest

from cel.recorded import Record

RECORD = Record("rare_answers.json")


@pytest.mark.parametrize("answer", RECORD.answers, ids=lambda answer: answer["expression"][:80])
def test_a_rare_new_expression_means_what_it_means_to_kubernetes(answer: dict[str, Any]) -> None:
    assert RECORD.ours(answer, stored=False) == RECORD.theirs(answer, stored=False)


@pytest.mark.parametrize("answer", RECORD.answers, ids=lambda answer: answer["expression"][:80])
def test_a_rare_stored_expression_means_what_it_means_to_kubernetes(answer: dict[str, Any]) -> None:
    assert RECORD.ours(answer, stored=True) == RECORD.theirs(answer, stored=True)
