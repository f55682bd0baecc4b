r"""Regular expressions as Go's regexp package has them: RE2.

Owns the only use of google-re2, imported when an expression first needs it. Go refuses ``\C``, which the
C++ library accepts; otherwise the two agree on syntax. Must not know which function asks.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final

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


@lru_cache(maxsize=256)
def compile_regex(pattern: str) -> Any:
    """A compiled pattern (re2's object); ValueError, in Go's manner, when it is none."""
    import re2

    if _ANY_BYTE.match(pattern):
        raise ValueError(r"error parsing regexp: invalid escape sequence: `\C`")
    options = re2.Options()
    options.log_errors = False
    # Nobody asks for groups, and looking for thousands of them takes minutes.
    options.never_capture = True
    try:
        return re2.compile(pattern, options)  # type: ignore[no-untyped-call]  # re2 has no annotations
    except re2.error as error:
        words = error.args[0] if error.args else error
        if isinstance(words, bytes):
            words = words.decode(errors="replace")
        fault, _, where = str(words).partition(": ")
        raise ValueError(f"error parsing regexp: {_GO_WORDS.get(fault, fault)}: `{where}`") from None
