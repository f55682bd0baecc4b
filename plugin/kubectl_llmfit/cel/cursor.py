"""Reading tokens one after the other.

Owns what the grammar's rules do with tokens, and the words of syntax errors (ANTLR's, as cel-go shows them).
Must not know the rules.
"""

from __future__ import annotations

from collections.abc import Callable

from .lexer import END, IDENTIFIER, Token, tokenize
from .source import Source


class StopError(Exception):
    """The text is not worth reading further; the source has the complaint."""


class Cursor:
    """A place in the tokens of a source."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._tokens = tokenize(source)
        self._position = 0

    @property
    def token(self) -> Token:
        """The token to be read next."""
        return self._tokens[self._position]

    @property
    def last(self) -> Token:
        """The token read last."""
        return self._tokens[self._position - 1]

    def at(self, kind: str, ahead: int = 0) -> bool:
        """Whether the next token (or one further ahead) is of a kind."""
        index = self._position + ahead
        return index < len(self._tokens) and self._tokens[index].kind == kind

    def next(self) -> Token:
        """Read a token."""
        self._position += 1
        return self._tokens[self._position - 1]

    def accept(self, kind: str) -> Token | None:
        """Read a token if it is of that kind."""
        return self.next() if self.at(kind) else None

    def expect(self, kind: str) -> Token:
        """Read a token of that kind; StopError when it is another."""
        if self.at(kind):
            return self.next()
        wanted = kind if kind in (IDENTIFIER, END) else f"'{kind}'"
        if self.at(END):
            raise self.fail(f"missing {wanted} at '{END}'")
        verb = "extraneous" if self.at(kind, 1) else "mismatched"
        raise self.fail(f"{verb} input '{self.token.text}' expecting {wanted}")

    def fail(self, message: str) -> StopError:
        """Complain about the next token; the caller raises what this returns."""
        self.source.complain(self.token.start, f"Syntax error: {message}")
        return StopError()

    def separated(self, closing: str, read: Callable[[], None]) -> None:
        """Read items with commas between them, perhaps one behind the last, up to a closing bracket."""
        if not self.at(closing) and not self.at(","):
            read()
            while self.at(",") and not self.at(closing, 1):
                self.next()
                read()
        if self.accept(",") is None and self.at(END):
            raise self.fail(f"mismatched input '{END}' expecting {{'{closing}', ','}}")
        self.expect(closing)
