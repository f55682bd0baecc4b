"""Text of unknown origin, made so that no terminal obeys it and no reader takes it for something else."""

from __future__ import annotations

import re

# C0 and C1 controls, line and paragraph separators, the marks that reorder or hide text (Unicode UAX #9,
# zero-width characters, the byte order mark), and lone surrogates, which no encoding can write.
_HARMFUL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")

# What every YAML reader takes for a string. Kubernetes' reader takes more words and numbers for something else than
# PyYAML does (y, 1e3), so everything outside this is quoted.
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9./-]*\Z")
_RESERVED = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})

_LONGEST_VALUE = 60


def one_line(text: str) -> str:
    """``text`` with every character that is not printable (``str.isprintable``) written as an escape, ``\\u202e``."""
    return text if text.isprintable() else "".join(map(escaped, text))


def escaped(character: str) -> str:
    """One character, or its escape: four hexadecimal digits, eight beyond the first plane."""
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def harmless(text: str) -> str:
    """``text`` with its harmful characters as escapes that JSON and YAML both read inside double quotes."""
    return _HARMFUL.sub(lambda match: escaped(match.group()), text)


def spaced(text: str) -> str:
    """``text`` with its harmful characters, line breaks among them, turned into single spaces."""
    return " ".join(_HARMFUL.sub(" ", text).split())


def as_json(value: object) -> str:
    """``value`` as JSON on one line for a message, cut when long; characters that are not printable as escapes."""
    import json  # only where something is wrong

    text = json.dumps(value, default=str, ensure_ascii=False)
    if not text.isprintable():
        text = json.dumps(value, default=str)
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 1]}…"


def is_plain(text: str) -> bool:
    """Whether ``text`` may stand in YAML without quotes: every reader takes it for this string."""
    return _PLAIN.match(text) is not None and text.lower() not in _RESERVED
