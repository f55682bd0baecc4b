"""Characters that must not reach a terminal or a reader as they stand."""

from __future__ import annotations

import re

# C0 and C1 controls, line and paragraph separators, the marks that reorder or hide text (Unicode UAX #9,
# zero-width characters, the byte order mark), and lone surrogates, which no encoding can write.
_HARMFUL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")


def harmless(text: str) -> str:
    """``text`` on one line, harmful characters written as escapes (``\\u202e``)."""
    return _HARMFUL.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match.group()):04x}"
