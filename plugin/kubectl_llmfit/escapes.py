"""Text of unknown origin on one line, with nothing in it that a terminal or a reader would obey."""

from __future__ import annotations


def one_line(text: str) -> str:
    """``text`` with every character that is not printable written as an escape (``\\u202e``).

    Not printable (``str.isprintable``) are controls, line and paragraph separators, the marks that reorder or
    hide text, and lone surrogates.
    """
    return text if text.isprintable() else "".join(map(shown, text))


def shown(character: str) -> str:
    """One character, or its escape: four hexadecimal digits, eight beyond the first plane."""
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
