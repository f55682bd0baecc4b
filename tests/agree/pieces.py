"""Expressions as trees of text, which can be made smaller.

Owns the tree of a generated expression and the smaller texts that can be tried for it or for any other text.
Must not know what an expression means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

TOKEN = re.compile(
    r"\s+|//[^\n]*|[rRbB]{0,2}(?:'''.*?'''|\"\"\".*?\"\"\"|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\")"
    r"|0[xX][0-9a-fA-F]+u?|[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?u?|[A-Za-z_][A-Za-z_0-9]*"
    r"|\.\?|\[\?|&&|\|\||[<>=!]=|.",
    re.DOTALL,
)
_SIMPLE = ("true", "1", "'a'", "[]", "{}")
_MOST_TOKENS = 60


@dataclass(frozen=True, slots=True)
class Piece:
    """Text with smaller pieces in it. ``atom``: it can stand as an operand or receiver without parentheses."""

    parts: tuple[str | Piece, ...]
    atom: bool = True

    def __str__(self) -> str:
        return "".join(map(str, self.parts))

    def operand(self) -> Piece:
        """Itself, or itself in parentheses."""
        return self if self.atom else Piece(("(", self, ")"))

    def descendants(self) -> Iterator[Piece]:
        """Every piece below it."""
        for part in self.parts:
            if isinstance(part, Piece):
                yield part
                yield from part.descendants()

    def smaller(self) -> Iterator[Piece]:
        """Trees with one piece replaced by something smaller."""
        yield from self.descendants()
        if len(str(self)) > 6:
            yield from (Piece((text,)) for text in _SIMPLE)
        for place, part in enumerate(self.parts):
            if isinstance(part, Piece):
                for other in part.smaller():
                    yield Piece((*self.parts[:place], other.operand(), *self.parts[place + 1 :]), self.atom)


def leaf(text: str, atom: bool = True) -> Piece:
    """A piece that is all text."""
    return Piece((text,), atom)


def separated(pieces: list[Piece], sign: str = ", ") -> list[str | Piece]:
    """The pieces with a sign between them."""
    parts: list[str | Piece] = []
    for piece in pieces:
        parts += [sign, piece] if parts else [piece]
    return parts


def tokens(text: str) -> list[str]:
    """The text cut at the borders of tokens; nothing is lost."""
    return TOKEN.findall(text)


def with_spans_left_out(text: str) -> Iterator[str]:
    """The text without one run of tokens, or without the brackets around one."""
    parts = tokens(text)
    if len(parts) > _MOST_TOKENS:
        return
    for start in range(len(parts)):
        for end in range(start + 1, len(parts) + 1):
            yield "".join(parts[:start] + parts[end:])
            if parts[start] in "([{" and parts[end - 1] in ")]}":
                yield "".join(parts[:start] + parts[start + 1 : end - 1] + parts[end:])
