"""Templates of string.format: what stands between the percent signs.

Owns the syntax of ``%s %d %f %e %b %x %X %o`` with their precision, and the errors of what is none
(cel-go: ext/formatting.go, parseFormatString). Must not know values: who calls renders the clauses.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from .text import encoded

_PRECISION: Final = re.compile(r"\.([0-9]*)")
_VERBS: Final = frozenset("sdfebxXo")
DEFAULT_PRECISION: Final = 6


@dataclass(frozen=True, slots=True)
class Clause:
    """One place of a template; ``precision`` is 6 where none is written."""

    verb: str
    precision: int


class TemplateError(Exception):
    """A template or an argument that does not fit; ``place`` is what the renderer said is at fault."""

    def __init__(self, message: str, place: object = None) -> None:
        super().__init__(message)
        self.place = place


def substitute(template: str, count: int, render: Callable[[int, Clause], str], count_first: bool) -> tuple[str, int]:
    """The template with clauses rendered by argument number, and how many there were; TemplateError.

    ``count`` arguments are there. Evaluation looks for the argument before the rest of the clause
    (``count_first``), the check of literals after it.
    """
    parts: list[str] = []
    position = used = 0
    while (percent := template.find("%", position)) >= 0:
        parts.append(template[position:percent])
        if template.startswith("%", percent + 1):
            parts.append("%")
            position = percent + 2
            continue
        missing = TemplateError(f"index {used} out of range")
        if count_first and used >= count:
            raise missing
        if percent + 1 == len(template):
            raise TemplateError("unexpected end of string")
        if used >= count:
            raise missing
        clause, position = _clause(template, percent + 1)
        try:
            parts.append(render(used, clause))
        except TemplateError as error:
            raise TemplateError(f"error during formatting: {error}", error.place) from None
        used += 1
    return "".join([*parts, template[position:]]), used


def _clause(template: str, start: int) -> tuple[Clause, int]:
    """The clause after a percent sign, and where it ends."""
    precision, end = DEFAULT_PRECISION, start
    match = _PRECISION.match(template, start)
    if match is not None:
        end = match.end()
        if end == len(template):
            raise _unreadable("error while parsing precision: could not find end of precision specifier")
        precision = _number(match[1])
    verb = template[end]
    if verb not in _VERBS:
        # cel-go looks at one byte.
        raise _unreadable(f'unrecognized formatting clause "{chr(encoded(verb)[0])}"')
    return Clause(verb, precision), end + 1


def _number(digits: str) -> int:
    words = "error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing"
    if not digits:
        raise _unreadable(f'{words} "": invalid syntax')
    significant = digits.lstrip("0") or "0"
    if len(significant) > 19 or int(significant) >= 2**63:
        raise _unreadable(f'{words} "{digits}": value out of range')
    return int(significant)


def _unreadable(reason: str) -> TemplateError:
    return TemplateError(f"could not parse formatting clause: {reason}")
