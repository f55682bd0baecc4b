"""Every library function against recorded answers of the real allocator's CEL package."""

from __future__ import annotations

from typing import Any

import pytest

from cel.recorded import Record

RECORD = Record("library_answers.json")


@pytest.mark.parametrize("answer", RECORD.answers, ids=lambda answer: answer["expression"])
def test_a_new_expression_means_what_it_means_to_kubernetes(answer: dict[str, Any]) -> None:
    assert RECORD.ours(answer, stored=False) == RECORD.theirs(answer, stored=False)


@pytest.mark.parametrize("answer", RECORD.answers, ids=lambda answer: answer["expression"])
def test_a_stored_expression_means_what_it_means_to_kubernetes(answer: dict[str, Any]) -> None:
    assert RECORD.ours(answer, stored=True) == RECORD.theirs(answer, stored=True)
