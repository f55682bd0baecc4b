r"""Regular expressions as Go's regexp package has them: RE2.

Owns the only use of google-re2, imported when an expression first needs it. Go refuses ``\C``, which the
C++ library accepts; otherwise the two agree on syntax. Must not know which function asks.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final

from .text import characters, is_broken

# The words of the C++ library (re2.cc: CodeToString) and Go's for the same fault (regexp/syntax: ErrorCode).
_GO_WORDS: Final = {
    "missing ]": "missing closing ]",
    "missing )": "missing closing )",
    "trailing \\": "trailing backslash at end of expression",
    "no argument for repetition operator": "missing argument to repetition operator",
    "invalid repetition size": "invalid repeat count",
    "bad repetition operator": "invalid nested repetition operator",
    "invalid perl operator": "invalid or unsupported Perl syntax",
    "invalid named capture group": "invalid named capture",
}
_ANY_BYTE: Final = re.compile(r"(?:[^\\]|\\[^C])*\\C", re.DOTALL)


class Regex:
    """A compiled pattern. In texts that are not quite, a byte that is no UTF-8 is U+FFFD, as in Go."""

    __slots__ = ("_compiled",)

    def __init__(self, compiled: Any) -> None:
        self._compiled = compiled

    def occurs_in(self, text: str) -> bool:
        """Whether there is a match."""
        return self._compiled.search(characters(text)) is not None

    def first(self, text: str) -> str:
        """The first match; nothing when there is none."""
        match = self._compiled.search(characters(text))
        return "" if match is None else text[slice(*match.span())]

    def all(self, text: str, limit: int) -> list[str]:
        """All matches that do not overlap, ``limit`` of them at most when it is not negative.

        An empty match right behind another match does not count (Go: regexp.allMatches).
        """
        found: list[str] = []
        previous_end = -1
        for match in self._compiled.finditer(characters(text)):
            if 0 <= limit <= len(found):
                break
            start, end = match.span()
            if end > start or start != previous_end:
                found.append(text[start:end])
            previous_end = end
        return found


@lru_cache(maxsize=256)
def compile_regex(pattern: str) -> Regex:
    """A compiled pattern; ValueError, in Go's manner, when it is none."""
    import re2

    if is_broken(pattern):
        start = next(place for place, character in enumerate(pattern) if is_broken(character))
        raise ValueError(f"error parsing regexp: invalid UTF-8: `{pattern[start:]}`")
    if _ANY_BYTE.match(pattern):
        raise ValueError(r"error parsing regexp: invalid escape sequence: `\C`")
    options = re2.Options()
    options.log_errors = False
    # Nobody asks for groups, and looking for thousands of them takes minutes.
    options.never_capture = True
    try:
        return Regex(re2.compile(pattern, options))  # type: ignore[no-untyped-call]  # re2 has no annotations
    except re2.error as error:
        words = error.args[0] if error.args else error
        if isinstance(words, bytes):
            words = words.decode(errors="replace")
        fault, _, where = str(words).partition(": ")
        raise ValueError(f"error parsing regexp: {_GO_WORDS.get(fault, fault)}: `{where}`") from None
