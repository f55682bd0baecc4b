"""Kubernetes' regular expressions: find and findAll; and patterns that are known beforehand.

Owns both functions (apiserver 0.37: pkg/cel/library/regex.go) and Go's rules for going through a text
(regexp: allMatches). Must not compile patterns: regex.py does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ..errors import CelRuntimeError, no_such_overload
from ..functions import Function, Implementation, Overload
from ..regex import compile_regex
from ..types import INT, STRING, ListType
from .standard import matcher, text_inside


def _compiled(pattern: str) -> Any:
    try:
        return compile_regex(pattern)
    except ValueError as error:
        raise CelRuntimeError(f"Illegal regex: {error}") from None


def find(text: str, pattern: str) -> str:
    """The first match; nothing when there is none."""
    return _first(_compiled(pattern), text)


def find_all(text: str, pattern: str, limit: int = -1) -> list[str]:
    """All matches that do not overlap, ``limit`` of them at most when it is not negative."""
    return _all(_compiled(pattern), text, limit)


def _first(regex: Any, text: str) -> str:
    match = regex.search(text)
    return "" if match is None else str(match[0])


def _all(regex: Any, text: str, limit: int) -> list[str]:
    """An empty match right behind another match does not count."""
    found: list[str] = []
    position, previous_end = 0, -1
    while position <= len(text) and (limit < 0 or len(found) < limit):
        match = regex.search(text, position)
        if match is None:
            break
        start, end = match.span()
        if end > position or start != previous_end:
            found.append(match[0])
        position = end if end > position else position + 1
        previous_end = end
    return found


def finder(pattern: str) -> Implementation:
    """``find`` for one pattern, compiled beforehand; CelRuntimeError when it is none."""
    regex = _known(pattern)

    def run(value: object) -> object:
        text = text_inside(value)
        if text is None:
            raise no_such_overload()
        return _first(regex, text)

    return run


def finder_of_all(pattern: str) -> Implementation:
    """``findAll`` for one pattern, compiled beforehand; CelRuntimeError when it is none."""
    regex = _known(pattern)

    def run(value: object, limit: object = -1) -> object:
        text = text_inside(value)
        if text is None or type(limit) is not int:
            raise no_such_overload()
        return _all(regex, text, limit)

    return run


def _known(pattern: str) -> Any:
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
