"""The engine against recorded answers of the real allocator's CEL package, expression by expression.

The file says which version answered. Every entry has the first compile error, or one result per device.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from cel.devices import environment, variables
from kubectl_llmfit.cel import CelCompileError, CelRuntimeError

_RECORDED = json.loads((Path(__file__).parent / "kubernetes_answers.json").read_text(encoding="utf-8"))
_DEVICES = [variables(device) for device in _RECORDED["devices"]]
_ENVIRONMENTS = {stored: environment(stored) for stored in (False, True)}


def _answer(expression: str, stored: bool) -> dict[str, Any]:
    try:
        program = _ENVIRONMENTS[stored].compile(expression)
    except CelCompileError as error:
        return {"error": _comparable(str(error).split("\n")[0])}
    results: list[str] = []
    for device in _DEVICES:
        try:
            results.append("true" if program.matches(device) else "false")
        except CelRuntimeError as error:
            results.append(f"error: {error}")
    return {"results": results}


def _comparable(message: str) -> str:
    """Type variables are numbered in the order of the checker's inner workings; of a syntax error the place
    counts, not the grammar tool's list of what it expected.
    """
    return re.sub(r"_var\d+", "_var", re.sub(r"(Syntax error): .*", r"\1", message))


def _expected(answer: dict[str, Any]) -> dict[str, Any]:
    if "error" in answer:
        return {"error": _comparable(answer["error"])}
    return {"results": answer["results"]}


@pytest.mark.parametrize("answer", _RECORDED["answers"], ids=lambda answer: answer["expression"])
def test_a_new_expression_means_what_it_means_to_kubernetes(answer: dict[str, Any]) -> None:
    assert _answer(answer["expression"], stored=False) == _expected(answer)


@pytest.mark.parametrize("answer", _RECORDED["answers"], ids=lambda answer: answer["expression"])
def test_a_stored_expression_means_what_it_means_to_kubernetes(answer: dict[str, Any]) -> None:
    assert _answer(answer["expression"], stored=True) == _expected(answer.get("stored", answer))


def test_the_record_covers_every_kind_of_answer() -> None:
    answers = _RECORDED["answers"]
    results = [result for answer in answers for result in answer.get("results", [])]
    assert sum("error" in answer for answer in answers) > 200
    assert results.count("true") > 200
    assert results.count("false") > 50
    assert sum(result.startswith("error") for result in results) > 200
