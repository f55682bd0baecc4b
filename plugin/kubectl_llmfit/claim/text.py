"""Strings as scalars that every reader of YAML takes for the same strings."""

from __future__ import annotations

import re

from ..escapes import shown

# What every YAML reader takes for a string. Kubernetes' reader takes more words and numbers for something else than
# PyYAML does (y, 1e3), so everything outside this is quoted.
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9./-]*\Z")
_RESERVED = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
_SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def is_plain(text: str) -> bool:
    """Whether ``text`` may stand without quotes."""
    return _PLAIN.match(text) is not None and text.lower() not in _RESERVED


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
