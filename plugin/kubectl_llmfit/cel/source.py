"""The text of an expression: places in it, and complaints about it as cel-go prints them.

Owns offsets, lines, columns and the layout of compile errors (cel-go: common/error.go, errors.go).
Must not know what the text means.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from .errors import CelCompileError

_MAX_REPORTED = 100


@dataclass(frozen=True, slots=True)
class Complaint:
    """One thing wrong with an expression; ``offset`` counts code points, None means no place."""

    offset: int | None
    message: str


class Source:
    """An expression's text and what was found wrong with it so far."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.complaints: list[Complaint] = []
        self._line_starts = [0]
        self._line_starts += [index + 1 for index, character in enumerate(text) if character == "\n"]

    def complain(self, offset: int | None, message: str) -> None:
        """Note that something is wrong at ``offset``."""
        self.complaints.append(Complaint(offset, message))

    def place(self, offset: int | None) -> tuple[int, int]:
        """Line and column of ``offset``, both from 1; cel-go shows a complaint without a place as -1:0, and
        the end of an empty text as 1:0.
        """
        if offset is None:
            return -1, 0
        if not self.text:
            return 1, 0
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def check(self) -> None:
        """Raise CelCompileError when anything was complained about."""
        if not self.complaints:
            return
        ordered = sorted(self.complaints[:_MAX_REPORTED], key=lambda complaint: self.place(complaint.offset))
        shown = [self._display(complaint) for complaint in ordered]
        if len(self.complaints) > _MAX_REPORTED:
            shown.append(f"{len(self.complaints) - _MAX_REPORTED} more errors were truncated")
        line, column = self.place(ordered[0].offset)
        raise CelCompileError("\n".join(shown), ordered[0].message, max(line, 0), column)

    def _display(self, complaint: Complaint) -> str:
        line, column = self.place(complaint.offset)
        head = f"ERROR: <input>:{line}:{column}: {complaint.message}"
        if column < 1:
            return head
        snippet = self.text.split("\n")[line - 1].replace("\t", " ")
        before = snippet[: column - 1]
        at = snippet[column - 1 : column]
        dots = "".join(_wide_or(character, "．", ".") for character in before)
        return f"{head}\n | {snippet}\n | {dots}{_wide_or(at, '＾', '^')}"


def _wide_or(character: str, wide: str, narrow: str) -> str:
    """cel-go marks every character of more than one byte with a full-width sign."""
    return wide if character and ord(character) > 0x7F else narrow
