"""Small pieces of sentences that reasons, notes, suggestions and tables share."""

from __future__ import annotations

from collections.abc import Sequence

from ..api.values import Taint

_LONGEST_EXPRESSION = 60
_NAMES_SHOWN = 3

UNREAD_MEMORY = "publishes memory 0 (its size is not known)"
"""Of several drivers' devices whose size they cannot read."""


def taint_text(taint: Taint) -> str:
    """A taint as kubectl writes it: ``key=value:Effect``."""
    value = f"={taint.value}" if taint.value else ""
    return f"{taint.key}{value}:{taint.effect}"


def listed(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    more = len(names) - _NAMES_SHOWN
    if more <= 1:  # "and 1 more" is no shorter than the name
        return ", ".join(names)
    return f"{', '.join(names[:_NAMES_SHOWN])} and {more} more"


def absent(classes: Sequence[str]) -> str:
    """``device class X does not exist``, ``device classes X, Y do not exist``."""
    several = len(classes) > 1
    return f"device class{'es' * several} {listed(classes)} {'do' if several else 'does'} not exist"


def count(number: int, noun: str) -> str:
    """``1 device``, ``2 devices``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def shorten(expression: str) -> str:
    """An expression on one line, its middle left out when it is long."""
    line = " ".join(expression.split())
    if len(line) <= _LONGEST_EXPRESSION:
        return line
    half = (_LONGEST_EXPRESSION - 1) // 2
    return f"{line[:half]}…{line[-half:]}"


def one_line(message: str) -> str:
    """A message on one line, without the lines that draw an expression and point into it."""
    lines = (line.strip() for line in message.splitlines())
    return " ".join(line for line in lines if line and not line.startswith("|"))


def on_one_line(cel: str) -> str:
    """An expression on one line, whole."""
    return " ".join(line.strip() for line in cel.splitlines())
