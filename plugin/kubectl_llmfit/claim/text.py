"""Strings as scalars that every reader of YAML takes for the same strings."""

from __future__ import annotations

from ..escapes import is_plain, shown

_SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def scalar(value: object) -> str:
    """``value`` as a YAML scalar: an int or bool as it is, a string plain or in double quotes."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    text = str(value)
    return text if is_plain(text) else quoted(text)


def quoted(text: str) -> str:
    """``text`` in double quotes with the escapes that JSON and YAML share, and ``\\U`` beyond the first plane."""
    return '"' + "".join(_SHORT_ESCAPES.get(character) or shown(character) for character in text) + '"'
