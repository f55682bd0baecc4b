"""Strings that are not quite text: Go's hold any bytes.

Owns how such a string is kept (a byte that is no UTF-8 as a lone surrogate, Python's surrogateescape) and the ways in
which Go looks at one: as bytes, or as characters, each bad byte being U+FFFD. Only URLs have such strings. All that
is here costs next to nothing for others.
"""

from __future__ import annotations

import re
from typing import Final

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_FIRST_BYTE: Final = 0xDC80
_LAST_BYTE: Final = 0xDCFF


def is_broken(text: str) -> bool:
    """Whether some of its bytes are no UTF-8."""
    return not text.isascii() and _SURROGATE.search(text) is not None


def stray_byte(character: str) -> int | None:
    """The byte that a character of a broken string stands for; None for a true character."""
    code = ord(character)
    return code & 0xFF if _FIRST_BYTE <= code <= _LAST_BYTE else None


def encoded(text: str) -> bytes:
    """Its bytes."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        # Surrogates that no byte made can only come from elsewhere; Go would not have let them in.
        kept = (char if stray_byte(char) is not None else "\ufffd" for char in _SURROGATE.findall(text))
        return _SURROGATE.sub(lambda _: next(kept), text).encode(errors="surrogateescape")


def decoded(data: bytes) -> str:
    """The string of these bytes."""
    return data.decode(errors="surrogateescape")


def joined(text: str) -> str:
    """A string put together from others: bytes that make up a character now are that character."""
    return decoded(encoded(text)) if is_broken(text) else text


def characters(text: str) -> str:
    """The string with U+FFFD for each byte that is no UTF-8 (Go: []rune)."""
    return _SURROGATE.sub("\ufffd", text) if is_broken(text) else text
