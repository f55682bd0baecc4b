"""Kubernetes' regular expressions: find and findAll; and patterns that are known beforehand.

Owns both functions (apiserver 0.37: pkg/cel/library/regex.go). Must not search: regex.py does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ..errors import CelRuntimeError, no_such_overload
from ..functions import Function, Implementation, Overload
from ..regex import Regex, compile_regex
from ..types import INT, STRING, ListType
from .standard import matcher, text_inside


def _compiled(pattern: str) -> Regex:
    try:
        return compile_regex(pattern)
    except ValueError as error:
        raise CelRuntimeError(f"Illegal regex: {error}") from None


def find(text: str, pattern: str) -> str:
    """The first match; nothing when there is none. CelRuntimeError for what is no pattern."""
    return _compiled(pattern).first(text)


def find_all(text: str, pattern: str, limit: int = -1) -> list[str]:
    """All matches that do not overlap, ``limit`` of them at most when it is not negative."""
    return _compiled(pattern).all(text, limit)


def finder(pattern: str) -> Implementation:
    """``find`` for one pattern, compiled beforehand; CelRuntimeError when it is none."""
    regex = _known(pattern)

    def _run(value: object) -> object:
        text = text_inside(value)
        if text is None:
            raise no_such_overload()
        return regex.first(text)

    return _run


def finder_of_all(pattern: str) -> Implementation:
    """``findAll`` for one pattern, compiled beforehand; CelRuntimeError when it is none."""
    regex = _known(pattern)

    def _run(value: object, limit: object = -1) -> object:
        text = text_inside(value)
        if text is None or type(limit) is not int:
            raise no_such_overload()
        return regex.all(text, limit)

    return _run


def _known(pattern: str) -> Regex:
    try:
        return compile_regex(pattern)
    except ValueError as error:
        raise CelRuntimeError(str(error)) from None


# By function, what makes the code for one pattern; it gets the other arguments
# (cel-go: interpreter/optimizations.go; apiserver: FindRegexOptimization).
PREPARED: Final[dict[str, Callable[[str], Implementation]]] = {
    "matches": matcher,
    "find": finder,
    "findAll": finder_of_all,
}
_STRINGS: Final = ListType(STRING)

FUNCTIONS: Final = (
    Function("find", (Overload("string_find_string", (STRING, STRING), STRING, member=True, run=find),)),
    Function(
        "findAll",
        (
            Overload("string_find_all_string", (STRING, STRING), _STRINGS, member=True, run=find_all),
            Overload("string_find_all_string_int", (STRING, STRING, INT), _STRINGS, member=True, run=find_all),
        ),
    ),
)
