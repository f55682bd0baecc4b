"""What every output must be, whatever text is in it: one document, one line a row, nothing that a terminal obeys."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any

import yaml

from kubectl_llmfit.cluster.yaml_text import load_all
from safety.strings import obeyed


def document(text: str, form: str) -> Any:
    """The one document in ``text``, by every reader of ``form``; they must agree."""
    assert obeyed(text) == []
    if form == "json":
        return json.loads(text)
    [plain] = list(yaml.load_all(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)))
    [kubernetes] = load_all(text)
    assert plain == kubernetes
    return plain


def leaves(value: Any) -> Iterator[Any]:
    """All keys and scalars of a document."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from leaves(item)
    elif isinstance(value, list):
        for item in value:
            yield from leaves(item)
    else:
        yield value


def shape(value: Any, given: Collection[str]) -> Counter[tuple[str, ...]]:
    """How often each path of keys leads to something, and to what type; keys that were ``given`` count as one.

    It is the same for two documents that differ in what was given.
    """
    return Counter(_paths(value, frozenset(given), ()))


def _paths(value: Any, given: frozenset[str], path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _paths(item, given, (*path, "*" if key in given else key))
    elif isinstance(value, list):
        for item in value:
            yield from _paths(item, given, (*path, "[]"))
    else:
        yield (*path, type(value).__name__)


def written(text: str) -> str:
    """``text`` as Go reads it: no half of a surrogate pair."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def lines(text: str) -> list[str]:
    """The lines of ``text``."""
    assert obeyed(text) == [], text
    assert text == "" or text.endswith("\n")
    return text.split("\n")[:-1]


def refusal(status: int, stdout: str, stderr: str, statuses: tuple[int, ...] = (2,)) -> None:
    """One line that says what is wrong, perhaps a hint, and no answer."""
    assert status in statuses, stderr
    assert stdout == ""
    first, *rest = lines(stderr)
    assert first.startswith("error: "), stderr
    assert "fault of kubectl-llmfit" not in first
    assert len(rest) <= 1, stderr
    assert all(line.startswith("hint: ") for line in rest), stderr
