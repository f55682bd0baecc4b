"""Messages as bytes: protobuf's binary encoding of the well-known types.

Owns reading it (protobuf.dev/programming-guides/encoding; Go's proto.Unmarshal, which checks that texts are UTF-8).
Must not know what values messages are.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final

from .message import FIELDS
from .values import UInt

_VARINT, _FIXED64, _BYTES, _START, _END, _FIXED32 = range(6)
_ENCODINGS: Final = {"varint": _VARINT, "fixed64": _FIXED64, "bytes": _BYTES, "fixed32": _FIXED32}
# Lists in lists and maps in maps; Go allows 10,000, which no selector's text needs.
_DEEPEST: Final = 1_000
_STRUCT: Final = "google.protobuf.Struct"
_ENTRY: Final = "google.protobuf.Struct.FieldsEntry"
_LIST: Final = "google.protobuf.ListValue"
_VALUE: Final = "google.protobuf.Value"


class WireError(Exception):
    """Bytes that are no such message."""


def fields_of(name: str, data: bytes) -> tuple[dict[str, object], dict[int, bytearray]]:
    """The fields of a message of the well-known type ``name``, and those it does not have by number, as encoded.

    WireError for what is no encoding of a message. Of a Value only the last field is given; what is JSON is None,
    bool, float, str, list and dict.
    """
    return _fields(name, data, {}, 0)


def _fields(
    name: str, data: bytes, found: dict[str, object], depth: int
) -> tuple[dict[str, object], dict[int, bytearray]]:
    """As ``fields_of``, in addition to what was ``found`` in the same message before."""
    if depth > _DEEPEST:
        raise WireError
    known = {(field.number, _ENCODINGS[field.encoding]): (each, field) for each, field in FIELDS[name].items()}
    unknown: dict[int, bytearray] = {}
    for number, kind, content, whole in _records(data):
        if (number, kind) not in known:
            unknown.setdefault(number, bytearray()).extend(whole)
            continue
        each, field = known[number, kind]
        before = found.get(each)
        if name == _VALUE:
            found.clear()  # it is one field or another
        found[each] = (
            _number(field.native, content)
            if isinstance(content, int)
            else _decoded(field.native, content, before, depth + 1)
        )
    return found, unknown


def _decoded(native: str, content: bytes, before: object, depth: int) -> object:
    """What a field holds, ``before`` being what it held already: messages are merged."""
    match native:
        case "string":
            return _text(content)
        case "[]uint8":
            return content
        case "float32":
            return struct.unpack("<f", content)[0]
        case "float64":
            return struct.unpack("<d", content)[0]
        case "*structpb.Struct":
            return _fields(_STRUCT, content, {"fields": before or {}}, depth)[0]["fields"]
        case "*structpb.ListValue":
            return _fields(_LIST, content, {"values": before or []}, depth)[0]["values"]
        case "*structpb.Value":
            return _json(content, before, depth)
        case "[]*structpb.Value":
            values = before if isinstance(before, list) else []
            values.append(_json(content, None, depth))
            return values
    entries = before if isinstance(before, dict) else {}
    entry, _ = _fields(_ENTRY, content, {}, depth)
    entries[entry.get("key", "")] = entry.get("value")
    return entries


def _json(content: bytes, before: object, depth: int) -> object:
    """What a Value holds: of nothing and of a number for null, None."""
    held = "struct_value" if isinstance(before, dict) else "list_value" if isinstance(before, list) else "null_value"
    fields, _ = _fields(_VALUE, content, {held: before}, depth)
    ((name, value),) = fields.items()
    return None if name == "null_value" else value


def _number(native: str, content: int) -> object:
    match native:
        case "bool":
            return content != 0
        case "uint32":
            return UInt(content % 2**32)
        case "uint64":
            return UInt(content)
    bits = 64 if native == "int64" else 32
    return (content + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)


def _text(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise WireError from None


def _records(data: bytes) -> Iterator[tuple[int, int, int | bytes, bytes]]:
    """Each field: its number, its encoding, its content, and the whole of it."""
    position = 0
    while position < len(data):
        start = position
        number, kind, position = _tag(data, position)
        if kind == _START:
            position = _group_end(data, position, number)
            yield number, kind, b"", data[start:position]
            continue
        content, position = _content(data, position, kind)
        yield number, kind, content, data[start:position]


def _tag(data: bytes, position: int) -> tuple[int, int, int]:
    tag, position = _varint(data, position)
    if not 1 <= tag >> 3 < 2**29:
        raise WireError
    return tag >> 3, tag & 7, position


def _content(data: bytes, position: int, kind: int) -> tuple[int | bytes, int]:
    if kind == _VARINT:
        return _varint(data, position)
    if kind == _BYTES:
        length, position = _varint(data, position)
    elif kind in (_FIXED32, _FIXED64):
        length = 4 if kind == _FIXED32 else 8
    else:
        raise WireError
    if position + length > len(data):
        raise WireError
    return data[position : position + length], position + length


def _group_end(data: bytes, position: int, number: int) -> int:
    """Where a group ends, groups within it included."""
    open_groups = [number]
    while open_groups:
        inner, kind, position = _tag(data, position)
        if kind == _START:
            open_groups.append(inner)
        elif kind == _END:
            if open_groups.pop() != inner:
                raise WireError
        else:
            _, position = _content(data, position, kind)
    return position


def _varint(data: bytes, position: int) -> tuple[int, int]:
    number = shift = 0
    while position < len(data) and shift < 70:
        octet = data[position]
        position += 1
        number |= (octet & 0x7F) << shift
        if octet < 0x80:
            if number >= 2**64:
                break
            return number, position
        shift += 7
    raise WireError
