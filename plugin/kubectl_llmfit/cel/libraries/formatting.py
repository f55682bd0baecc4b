"""string.format: ``'%s has %d'.format([device.driver, 3])``.

Owns how values are printed by each clause, and the check of literal templates (cel-go: ext/formatting.go, the
formatting of string extensions below version 4). Must not read templates: clauses.py does.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from ..ast import Call, ListLiteral, Literal, MapLiteral, Node
from ..clauses import Clause, TemplateError, substitute
from ..duration import Duration
from ..errors import CelRuntimeError
from ..functions import Function, Overload
from ..numerals import fixed, scientific
from ..quoting import quoted
from ..spelling import format_double
from ..text import encoded, joined
from ..timestamp import Timestamp
from ..types import DYN, STRING, Kind, ListType, Type
from ..values import UInt, map_find, type_of
from .standard import bytes_to_string

_STRING_KINDS: Final = (
    "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, "
    "and timestamps"
)
_WHAT_FITS: Final = {
    "s": _STRING_KINDS,
    "d": "decimal clause can only be used on integers",
    "f": "fixed-point clause can only be used on doubles",
    "e": "scientific clause can only be used on doubles",
    "b": "only integers and bools can be formatted as binary",
    "x": "only integers, byte buffers, and strings can be formatted as hex",
    "X": "only integers, byte buffers, and strings can be formatted as hex",
    "o": "octal clause can only be used on integers",
}
_SPECIAL_DOUBLES: Final = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def format_string(template: str, arguments: list[object]) -> str:
    """``template.format(arguments)``."""
    try:
        text, _ = substitute(
            template, len(arguments), lambda number, clause: _render(arguments[number], clause), count_first=True
        )
    except TemplateError as error:
        raise CelRuntimeError(str(error)) from None
    return joined(text)


def _misfit(verb: str, type_name: str, place: object = None) -> TemplateError:
    return TemplateError(f"{_WHAT_FITS[verb]}, was given {type_name}", place)


def _render(value: object, clause: Clause) -> str:
    verb = clause.verb
    if verb == "s":
        return _as_text(value)
    if verb in "fe":
        number = _SPECIAL_DOUBLES.get(value) if isinstance(value, str) else value
        if isinstance(number, float):
            return fixed(number, clause.precision) if verb == "f" else scientific(number, clause.precision)
    elif type(value) in (int, UInt) or (verb == "b" and isinstance(value, bool)):
        return format(int(value), verb)  # type: ignore[call-overload]  # a number
    elif verb in "xX" and isinstance(value, str | bytes):
        digits = (encoded(value) if isinstance(value, str) else value).hex()
        return digits.upper() if verb == "X" else digits
    raise _misfit(verb, type_of(value).name)


def _as_text(value: object) -> str:
    """``%s``: as string() converts; lists and maps as they are written."""
    if isinstance(value, bytes):
        try:
            return bytes_to_string(value)
        except CelRuntimeError as error:
            raise TemplateError(f"could not convert argument {quoted(str(error))} to string") from None
    if isinstance(value, float):
        return format_double(value)
    if isinstance(value, Duration | Timestamp):
        return str(value)
    text = _as_element(value)
    if text is None:
        raise _misfit("s", type_of(value).name)
    return text


def _as_literal(value: object) -> str:
    """A value within a list or map, as it is written."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bytes):
        return f"b{quoted(_as_text(value))}"
    if isinstance(value, float):
        if math.isfinite(value):
            return f"{value:.6f}"
        return '"NaN"' if math.isnan(value) else '"+Inf"' if value > 0 else '"-Inf"'
    if isinstance(value, Timestamp):
        return f"timestamp({quoted(str(value))})"
    if isinstance(value, Duration):
        return f"duration({quoted(str(value))})"
    text = _as_element(value)
    if text is None:
        raise TemplateError(f"no formatting function for {type_of(value).name}")
    return text


def _as_element(value: object) -> str | None:
    """What prints the same alone and within a list; None for what does not print at all."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if type(value) in (int, UInt):
        return str(int(value))  # type: ignore[call-overload]  # a number
    if isinstance(value, Type):
        return value.name
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_as_literal, value))}]"
    if isinstance(value, Mapping):
        entries = sorted((_as_key(key), _as_literal(map_find(value, key))) for key in value)
        return f"{{{', '.join(f'{key}:{text}' for key, text in entries)}}}"
    return None


def _as_key(key: object) -> str:
    if isinstance(key, str | bool) or type(key) in (int, UInt):
        return _as_literal(key)
    raise TemplateError(f"no formatting function for map key of type {type_of(key).name}")


# Templates that are literals are checked when compiling.

_SCALARS: Final = frozenset(
    {
        *(Kind.INT, Kind.UINT, Kind.DOUBLE, Kind.BOOL, Kind.STRING, Kind.TIMESTAMP, Kind.BYTES, Kind.DURATION),
        *(Kind.TYPE, Kind.NULL, Kind.LIST, Kind.MAP),
    }
)
_KINDS: Final = {
    "s": _SCALARS,
    "d": frozenset({Kind.INT, Kind.UINT}),
    "f": frozenset({Kind.DOUBLE, Kind.STRING}),
    "e": frozenset({Kind.DOUBLE, Kind.STRING}),
    "b": frozenset({Kind.INT, Kind.UINT, Kind.BOOL}),
    "x": frozenset({Kind.INT, Kind.UINT, Kind.STRING, Kind.BYTES}),
    "X": frozenset({Kind.INT, Kind.UINT, Kind.STRING, Kind.BYTES}),
    "o": frozenset({Kind.INT, Kind.UINT}),
}


def check_literal(call: Call) -> tuple[Node, str] | None:
    """What is wrong with ``'template'.format([…])``, and where; None when nothing is, or nobody can tell."""
    template, arguments = call.target, call.args[0] if len(call.args) == 1 else None
    if not isinstance(template, Literal) or not isinstance(template.value, str):
        return None
    if not isinstance(arguments, ListLiteral):
        return None
    elements = arguments.elements
    try:
        _, used = substitute(
            template.value, len(elements), lambda number, clause: _check(elements[number], clause.verb), False
        )
    except TemplateError as error:
        return (error.place if isinstance(error.place, Node) else call), str(error)
    if len(elements) > used:
        return call, f"too many arguments supplied to string.format (expected {used}, got {len(elements)})"
    return None


def _check(node: Node, verb: str) -> str:
    bad = _misfit_within(node, _KINDS[verb]) if verb == "s" else None if _fits(node, _KINDS[verb]) else node
    if bad is not None:
        raise _misfit(verb, bad.type.name, bad)
    return ""


def _fits(node: Node, kinds: frozenset[Kind]) -> bool:
    return node.type.kind is Kind.DYN or node.type.kind in kinds


def _misfit_within(node: Node, kinds: frozenset[Kind]) -> Node | None:
    """The first node, of this one and the parts of a literal below it, that does not fit."""
    pending = [node]
    while pending:
        current = pending.pop()
        if not _fits(current, kinds):
            return current
        if isinstance(current, ListLiteral | MapLiteral):
            pending.extend(reversed(current.children()))
    return None


FUNCTIONS: Final = (
    Function("format", (Overload("string_format", (STRING, ListType(DYN)), STRING, member=True, run=format_string),)),
)
