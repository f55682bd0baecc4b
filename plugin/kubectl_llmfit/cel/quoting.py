"""Texts between quotes, as Go's messages show them.

Owns Go's ``%q`` and protobuf's text format. Needs nothing of the language, so that values can use it in their own
messages.
"""

from __future__ import annotations

from typing import Final

from .text import decoded, stray_byte

_ESCAPES: Final = {
    "\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v", "\\": "\\\\", '"': '\\"',
}  # fmt: skip


def quoted(text: str) -> str:
    """A text as Go's ``%q`` prints it."""
    return '"' + "".join(map(_quoted_character, text)) + '"'


def _quoted_character(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable():
        return character
    byte = stray_byte(character)
    if byte is not None:
        return f"\\x{byte:02x}"
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


_TEXT_ESCAPES: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def text_format(value: str | bytes) -> str:
    """A text or bytes as protobuf's text format has them (internal/encoding/text/encode.go: appendString)."""
    text = decoded(value) if isinstance(value, bytes) else value
    return '"' + "".join(map(_text_format_character, text)) + '"'


def _text_format_character(character: str) -> str:
    code = ord(character)
    if character in _TEXT_ESCAPES:
        return _TEXT_ESCAPES[character]
    if code < 0x20 or code == 0x7F or stray_byte(character) is not None:
        return f"\\x{code & 0xFF:02x}"
    return f"\\u{code:04x}" if 0x80 <= code <= 0x9F else character
