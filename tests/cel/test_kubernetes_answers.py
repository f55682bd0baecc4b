"""The engine against recorded answers of the real allocator's CEL package, expression by expression."""

from __future__ import annotations

from typing import Any

import pytest

from cel.recorded import Record

RECORD = Record("kubernetes_answers.json")


@pytest.mark.parametrize("answer", RECORD.answers, ids=lambda answer: answer["expression"])
def test_a_new_expression_means_what_it_means_to_kubernetes(answer: dict[str, Any]) -> None:
    assert RECORD.ours(answer, stored=False) == RECORD.theirs(answer, stored=False)


@pytest.mark.parametrize("answer", RECORD.answers, ids=lambda answer: answer["expression"])
def test_a_stored_expression_means_what_it_means_to_kubernetes(answer: dict[str, Any]) -> None:
    assert RECORD.ours(answer, stored=True) == RECORD.theirs(answer, stored=True)


def test_the_record_covers_every_kind_of_answer() -> None:
    results = [result for answer in RECORD.answers for result in answer.get("results", [])]
    assert sum("error" in answer for answer in RECORD.answers) > 200
    assert results.count("true") > 200
    assert results.count("false") > 50
    assert sum(result.startswith("error") for result in results) > 200
