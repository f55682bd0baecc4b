"""Values as a field of a message, or Go itself, takes them.

Owns which value can become which of Go's types, and the words where one cannot (cel-go: ConvertToNative of
common/types; apiserver: pkg/cel). Must not know messages' fields.
"""

from __future__ import annotations

import base64
import struct
from collections.abc import Callable, Mapping
from typing import Final

from .address import Address, AddressRange
from .duration import Duration
from .errors import CelRuntimeError
from .formats import NamedFormat
from .message import Message
from .quantity import Quantity
from .semver import Semver
from .timestamp import Timestamp
from .types import Type
from .url import Url
from .values import ConcatenatedList, Optional, SumQuantity, UInt, map_find

# Counts the values that are looked at; it raises when there are too many.
Count = Callable[[int], None]
Convert = Callable[[object, Count], object]

_MAX_SAFE_JSON: Final = 2**53 - 1
_TEXTS: Final = frozenset({Quantity, SumQuantity, Semver, Url, Address, AddressRange})
_MISFITS: Final[Mapping[type, str]] = {
    bool: "type conversion error from bool to '{}'",
    int: "unsupported type conversion from 'int' to {}",
    UInt: "unsupported type conversion from 'uint' to {}",
    float: "type conversion error from Double to '{}'",
    str: "unsupported native conversion from string to '{}'",
    bytes: "type conversion error from Bytes to '{}'",
    type(None): "type conversion error from 'null_type' to '{}'",
    Duration: "type conversion error from 'Duration' to '{}'",
    Timestamp: "type conversion error from 'Timestamp' to '{}'",
    Quantity: "type conversion error from 'Quantity' to '{}'",
    SumQuantity: "type conversion error from 'Quantity' to '{}'",
    Semver: "type conversion error from 'Semver' to '{}'",
    Url: "type conversion error from 'URL' to '{}'",
    NamedFormat: "type conversion error from 'Format' to '{}'",
    Address: "type conversion error from 'IP' to '{}'",
    AddressRange: "type conversion error from 'CIDR' to '{}'",
}


def misfit(value: object, native: str) -> CelRuntimeError:
    """The error of a value that cannot become one of Go's type ``native``."""
    if isinstance(value, Type):
        return CelRuntimeError("type conversion not supported for 'type'")
    if isinstance(value, Message):
        return CelRuntimeError(f"type conversion error from '{value.go_type}' to '{native}'")
    words = _MISFITS.get(type(value))
    if words is None:
        words = f"type conversion error from {'map' if isinstance(value, Mapping) else 'list'} to '{{}}'"
    return CelRuntimeError(words.format(native))


def to_native(value: object, native: str, count: Count) -> object:
    """A value as Go's type ``native``; what is JSON as None, bool, float, str, list and dict.

    Raises CelRuntimeError in the words of the conversion that failed, and what ``count`` raises.
    """
    count(1)
    if isinstance(value, Optional):
        if not value.present:
            raise CelRuntimeError("optional.none() dereference")
        return to_native(value.value, native, count)
    if isinstance(value, ConcatenatedList):
        value = [_as_go_holds(element) for element in value]
    return _CONVERSIONS[native](value, count)


def _as_go_holds(element: object) -> object:
    """An element of a list made with ``+``: such a list forgets optionals, and types for their names."""
    while isinstance(element, Optional):
        element = element.value if element.present else None
    return element.name if isinstance(element, Type) else element


def _of_class(kind: type, native: str) -> Convert:
    """Takes values of one class as they are."""

    def _convert(value: object, _: Count) -> object:
        if type(value) is kind:
            return value
        raise misfit(value, native)

    return _convert


def _whole(kind: type, native: str, bits: int) -> Convert:
    """Takes whole numbers that fit so many bits."""
    low, high = (0, 2**bits) if kind is UInt else (-(2 ** (bits - 1)), 2 ** (bits - 1))
    overflow = "unsigned integer overflow" if kind is UInt else "integer overflow"

    def _convert(value: object, _: Count) -> object:
        if type(value) is not kind:
            raise misfit(value, native)
        if not low <= value < high:  # type: ignore[operator]  # it is a number
            raise CelRuntimeError(overflow)
        return value

    return _convert


def single(number: float) -> float:
    """The nearest number that 32 bits hold; beyond them infinity."""
    try:
        return float(struct.unpack("<f", struct.pack("<f", number))[0])
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")


def _single(value: object, _: Count) -> object:
    if type(value) is float:
        return single(value)
    raise misfit(value, "float32")


def _text(value: object, _: Count) -> object:
    if type(value) is str:
        return value
    if type(value) in _TEXTS:
        return str(value)
    raise misfit(value, "string")


def _octets(value: object, count: Count) -> object:
    if type(value) is bytes:
        return value
    if isinstance(value, list | tuple):
        return bytes([to_native(element, "uint8", count) for element in value])  # type: ignore[misc]  # numbers
    raise misfit(value, "[]uint8")


def _json(value: object, count: Count) -> object:
    """Any value that JSON has a place for; whole numbers that a double does not hold exactly become text."""
    if value is None or type(value) in (bool, float, str):
        return value
    if type(value) in (int, UInt):
        number = int(value)  # type: ignore[call-overload]  # it is a number
        return float(number) if abs(number) <= _MAX_SAFE_JSON else str(number)
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, Duration | Timestamp):
        return str(value)
    if isinstance(value, list | tuple):
        return _json_list(value, count)
    if isinstance(value, Mapping):
        return _json_map(value, count)
    if isinstance(value, Message):
        return {name: set_ for name, set_ in value.values.items() if value.has(name)}
    raise misfit(value, "*structpb.Value")


def _json_map(value: object, count: Count) -> object:
    if isinstance(value, Mapping):
        return {
            to_native(key, "string", count): to_native(map_find(value, key), "*structpb.Value", count) for key in value
        }
    raise _merge_error(value, "Struct")


def _json_list(value: object, count: Count) -> object:
    if isinstance(value, list | tuple):
        return [to_native(element, "*structpb.Value", count) for element in value]
    if not isinstance(value, Mapping):
        raise _merge_error(value, "ListValue")
    # Go fills in a struct from a map, field by field; this one's only field is Values.
    found: object = []
    for key in value:
        name = _upper_camel_case(_as_name(key))
        if name != "Values":
            raise CelRuntimeError(f"type conversion error, no such field '{name}' in type 'structpb.ListValue'")
        found = to_native(map_find(value, key), "[]*structpb.Value", count)
    return found


def _json_values(value: object, count: Count) -> object:
    if isinstance(value, list | tuple):
        return _json_list(value, count)
    raise misfit(value, "[]*structpb.Value")


def _merge_error(value: object, wanted: str) -> CelRuntimeError:
    if not isinstance(value, Message):
        return misfit(value, f"*structpb.{wanted}")
    names = f"google.protobuf.{wanted}, {value.type.name}"
    return CelRuntimeError(f"type conversion error: pb.Merge() arguments must be the same type. got: {names}")


def _as_name(key: object) -> str:
    return str(key).lower() if isinstance(key, bool) else str(key)


def _upper_camel_case(text: str) -> str:
    """``some_name`` as ``SomeName`` (cel-go: common/types/map.go, upperCamelCase)."""
    written: list[str] = []
    before = ""
    for character in text.strip():
        if character not in "_-":
            starts = before in ("", "_", "-")
            written.append(character.upper() if starts else character if "a" <= before <= "z" else character.lower())
        before = character
    return "".join(written)


_CONVERSIONS: Final[Mapping[str, Convert]] = {
    "bool": _of_class(bool, "bool"),
    "float32": _single,
    "float64": _of_class(float, "float64"),
    "int32": _whole(int, "int32", 32),
    "int64": _whole(int, "int64", 64),
    "protoreflect.EnumNumber": _whole(int, "protoreflect.EnumNumber", 32),
    "string": _text,
    "uint32": _whole(UInt, "uint32", 32),
    "uint64": _whole(UInt, "uint64", 64),
    "uint8": _whole(UInt, "uint8", 8),
    "[]uint8": _octets,
    "*structpb.ListValue": _json_list,
    "*structpb.Struct": _json_map,
    "*structpb.Value": _json,
    "[]*structpb.Value": _json_values,
}
