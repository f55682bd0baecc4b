"""The table of functions beside Kubernetes' own: names and signatures, in both environments."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from kubectl_llmfit.cel.libraries import functions

Overloads = Callable[[bool], list[dict[str, Any]]]

# cel-go's own, behind macros; no expression can call them. The engine gives two of them other names or places.
INTERNAL = {"__not_strictly_false__", "_in_", "in", "@sortByAssociatedKeys"}


def signature(function: str, args: Iterable[str], result: str, member: bool) -> str:
    """One overload as a line, its type parameters named in their order."""
    given = list(args)
    receiver = f"{given.pop(0)}." if member else ""
    line = f"{receiver}{function}({', '.join(given)}) -> {result}"
    names: dict[str, str] = {}
    return re.sub(r"\b[A-Z]\b", lambda found: names.setdefault(found[0], f"T{len(names)}"), line)


@pytest.mark.parametrize("stored", [False, True])
def test_the_functions_and_their_signatures_are_those_of_kubernetes(
    stored: bool, overloads_of_kubernetes: Overloads
) -> None:
    theirs = {
        signature(one["function"], one["args"], one["result"], one["member"])
        for one in overloads_of_kubernetes(stored)
        if one["function"] not in INTERNAL
    }
    ours = {
        signature(name, map(str, overload.args), str(overload.result), overload.member)
        for name, function in functions(stored).items()
        for overload in function.overloads
        if name not in INTERNAL
    }
    assert sorted(theirs - ours) == []
    assert sorted(ours - theirs) == []


def test_kubernetes_answers_are_recorded_for_every_function() -> None:
    answers = [answer for path in Path(__file__).parent.glob("*_answers.json") for answer in _entries(path)]
    texts = [one["expression"] for one in answers if "results" in one or "results" in one.get("stored", {})]
    words = {word for text in texts for word in re.findall(r"[\w.]+", text)}
    called = {part for word in words for part in (word, word.rpartition(".")[2])}
    named = {name for name in functions(stored=True) if re.fullmatch(r"[\w.]+", name)}
    assert sorted(named - called) == []


def _entries(path: Path) -> list[dict[str, Any]]:
    answers: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["answers"]
    return answers
