"""The standard functions: size, conversions, and the string functions every CEL has.

Owns their signatures and code (cel-go: common/stdlib/standard.go, ConvertToType of common/types).
Timestamps and durations have a library of their own. Must not know other libraries.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Final

from ..arithmetic import RECEIVERS
from ..duration import Duration
from ..errors import CelRuntimeError, no_such_overload
from ..functions import Function, Overload
from ..regex import compile_regex
from ..spelling import format_double
from ..text import encoded, is_broken
from ..timestamp import Timestamp
from ..types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    STRING,
    TIMESTAMP,
    UINT,
    ListType,
    MapType,
    Type,
    TypeParam,
    TypeType,
)
from ..values import INT64_MAX, INT64_MIN, UINT64_MAX, Optional, UInt, type_of

_A: Final = TypeParam("A")
_B: Final = TypeParam("B")
_SIGNED: Final = re.compile(r"[+-]?[0-9]+")
_UNSIGNED: Final = re.compile(r"[0-9]+")
# strconv.ParseFloat: decimal or hexadecimal, underscores between digits; infinity and NaN in any case.
_DIGITS: Final = "[0-9](?:_?[0-9])*"
_HEX_DIGITS: Final = "[0-9a-fA-F](?:_?[0-9a-fA-F])*"
_DOUBLE: Final = re.compile(
    rf"[+-]?(?:(?:{_DIGITS}\.?(?:{_DIGITS})?|\.{_DIGITS})(?:[eE][+-]?{_DIGITS})?|inf(?:inity)?)|nan", re.IGNORECASE
)
_HEX_DOUBLE: Final = re.compile(
    rf"[+-]?0[xX]_?(?:{_HEX_DIGITS}\.?(?:{_HEX_DIGITS})?|\.{_HEX_DIGITS})[pP][+-]?{_DIGITS}"
)
_BOOLS: Final = {
    **dict.fromkeys(("1", "t", "T", "true", "TRUE", "True"), True),
    **dict.fromkeys(("0", "f", "F", "false", "FALSE", "False"), False),
}


def size(value: object) -> int:
    """Characters of a string, bytes of bytes, elements of a list or map."""
    if isinstance(value, str | bytes | list | tuple | Mapping):
        return len(value)
    if type(value) in RECEIVERS:
        raise no_such_overload()
    raise CelRuntimeError("no such overload: size")


def _conversion_error(source: Type, target: Type) -> CelRuntimeError:
    return CelRuntimeError(f"type conversion error from '{source.name}' to '{target.name}'")


def _identity(value: object) -> object:
    return value


def string_to_int(text: str) -> int:
    """``int('42')``: Go's ParseInt in base ten."""
    if _SIGNED.fullmatch(text) and len(text.lstrip("+-0")) <= 19 and INT64_MIN <= int(text) <= INT64_MAX:
        return int(text)
    raise _conversion_error(STRING, INT)


def string_to_uint(text: str) -> UInt:
    """``uint('42')``: Go's ParseUint, which takes no sign."""
    if _UNSIGNED.fullmatch(text) and len(text.lstrip("0")) <= 20 and int(text) <= UINT64_MAX:
        return UInt(int(text))
    raise _conversion_error(STRING, UINT)


def string_to_double(text: str) -> float:
    """``double('1e3')``: Go's ParseFloat; too large is an error, not infinity."""
    if _DOUBLE.fullmatch(text):
        value = float(text)
        if abs(value) != float("inf") or "inf" in text.lower():
            return value
    elif _HEX_DOUBLE.fullmatch(text):
        try:
            return float.fromhex(text.replace("_", ""))
        except OverflowError:
            pass
    raise _conversion_error(STRING, DOUBLE)


def string_to_bool(text: str) -> bool:
    """``bool('true')``: Go's ParseBool."""
    if text in _BOOLS:
        return _BOOLS[text]
    raise _conversion_error(STRING, BOOL)


def double_to_int(value: float) -> int:
    """Towards zero; "integer overflow" at and beyond both ends of int64."""
    if math.isnan(value) or value <= float(INT64_MIN) or value >= float(INT64_MAX):
        raise CelRuntimeError("integer overflow")
    return int(value)


def double_to_uint(value: float) -> UInt:
    """Towards zero; "unsigned integer overflow" outside uint64."""
    if math.isnan(value) or value < 0 or value >= 2.0**64:
        raise CelRuntimeError("unsigned integer overflow")
    return UInt(int(value))


def int_to_uint(value: int) -> UInt:
    """An int that is not negative."""
    if value < 0:
        raise CelRuntimeError("unsigned integer overflow")
    return UInt(value)


def uint_to_int(value: UInt) -> int:
    """A uint that fits int64."""
    if value > INT64_MAX:
        raise CelRuntimeError("integer overflow")
    return int(value)


def bytes_to_string(value: bytes) -> str:
    """Bytes that are UTF-8."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise CelRuntimeError("invalid UTF-8 in bytes, cannot convert to string") from None


def _on_bytes(
    of_texts: Callable[[str, str], bool], of_bytes: Callable[[bytes, bytes], bool]
) -> Callable[[str, str], bool]:
    """A test that looks at bytes where it is asked for some that are no text: they may be a part of a character."""

    def _test(text: str, part: str) -> bool:
        return of_bytes(encoded(text), encoded(part)) if is_broken(part) else of_texts(text, part)

    return _test


def _with_strings(run: Callable[[str, str], bool]) -> Callable[[object, object], object]:
    def _checked(text: object, other: object) -> object:
        if isinstance(text, str) and isinstance(other, str):
            return run(text, other)
        raise no_such_overload()

    return _checked


def matches(text: object, pattern: object) -> object:
    """Whether an RE2 pattern occurs in a text."""
    if not isinstance(text, str):
        raise no_such_overload() if type(text) in RECEIVERS else CelRuntimeError("no such overload: matches")
    if not isinstance(pattern, str):
        raise no_such_overload()
    try:
        return compile_regex(pattern).occurs_in(text)
    except ValueError as error:
        raise CelRuntimeError(str(error)) from None


def text_inside(value: object) -> str | None:
    """What Go's Value() gives as a string: a type is its name, an optional is what it holds."""
    if isinstance(value, Optional):
        return text_inside(value.value)
    return value.name if isinstance(value, Type) else value if isinstance(value, str) else None


def matcher(pattern: str) -> Callable[[object], object]:
    """``matches`` for one pattern, compiled beforehand; CelRuntimeError when it is none.

    Other values than strings are answered in other words then (interpreter/optimizations.go).
    """
    try:
        occurs_in = compile_regex(pattern).occurs_in
    except ValueError as error:
        raise CelRuntimeError(str(error)) from None

    def _run(value: object) -> object:
        text = text_inside(value)
        if text is None:
            raise no_such_overload()
        return occurs_in(text)

    return _run


def _nanoseconds(span: Duration) -> int:
    return span.nanoseconds


def _unix_seconds(moment: Timestamp) -> int:
    return moment.unix_s


def _conversion(name: str, target: Type, *sources: tuple[Type, Callable[..., object]]) -> Function:
    """A conversion from several types."""
    overloads = tuple(Overload(f"{kind.name}_to_{name}", (kind,), target, run=run) for kind, run in sources)
    return Function(name, overloads)


def _sizes() -> tuple[Overload, ...]:
    kinds = (BYTES, ListType(_A), MapType(_A, _B), STRING)
    return tuple(
        Overload(f"{'' if member else 'size_'}{kind.name}{'_size' if member else ''}", (kind,), INT, member=member)
        for kind in kinds
        for member in (False, True)
    )


def _string_test(name: str, run: Callable[[str, str], bool]) -> Function:
    overload = Overload(f"{name}_string", (STRING, STRING), BOOL, member=True)
    return Function(name, (overload,), _with_strings(run))


FUNCTIONS: Final = (
    Function("size", _sizes(), size),
    Function("type", (Overload("type", (_A,), TypeType(_A)),), type_of),
    Function("dyn", (Overload("to_dyn", (_A,), DYN),), _identity),
    _conversion("bool", BOOL, (BOOL, _identity), (STRING, string_to_bool)),
    _conversion("bytes", BYTES, (BYTES, _identity), (STRING, encoded)),
    _conversion("double", DOUBLE, (DOUBLE, _identity), (INT, float), (STRING, string_to_double), (UINT, float)),
    _conversion(
        "int",
        INT,
        (INT, _identity),
        (DOUBLE, double_to_int),
        (DURATION, _nanoseconds),
        (STRING, string_to_int),
        (TIMESTAMP, _unix_seconds),
        (UINT, uint_to_int),
    ),
    _conversion(
        "uint", UINT, (UINT, _identity), (DOUBLE, double_to_uint), (INT, int_to_uint), (STRING, string_to_uint)
    ),
    _conversion(
        "string",
        STRING,
        (STRING, _identity),
        (BOOL, lambda value: "true" if value else "false"),
        (BYTES, bytes_to_string),
        (DOUBLE, format_double),
        (DURATION, str),
        (INT, str),
        (TIMESTAMP, str),
        (UINT, lambda value: str(int(value))),
    ),
    _string_test("contains", _on_bytes(str.__contains__, bytes.__contains__)),
    _string_test("startsWith", _on_bytes(str.startswith, bytes.startswith)),
    _string_test("endsWith", _on_bytes(str.endswith, bytes.endswith)),
    Function(
        "matches",
        (
            Overload("matches", (STRING, STRING), BOOL),
            Overload("matches_string", (STRING, STRING), BOOL, member=True),
        ),
        matches,
    ),
)

# Calls of these on constants are worked out when compiling; their errors are compile errors
# (cel-go: overloads.IsTypeConversionFunction, interpreter/decorators.go: maybeOptimizeConstUnary).
CONVERSIONS: Final = frozenset(
    {"bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint"}
)
