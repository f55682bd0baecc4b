"""Protobuf's messages: which there are, their fields, and the value of the two that stay messages.

Owns the table of the well-known types (google/protobuf/*.proto; cel-go registers no others) and how the checker
reads it (checker.go: checkCreateStruct). Must not convert values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from .types import ANY, BOOL, BYTES, DOUBLE, DYN, INT, MESSAGE_TYPES, NULL, STRING, UINT, ListType, MapType, Type


@dataclass(frozen=True, slots=True)
class Field:
    """A field: its type for the checker, Go's name for what it holds, its number and encoding on the wire.

    ``encoding`` is "varint", "fixed32", "fixed64" or "bytes".
    """

    type: Type
    native: str
    number: int
    encoding: str


def _value_field(type_: Type, native: str, encoding: str) -> Mapping[str, Field]:
    return {"value": Field(type_, native, 1, encoding)}


_TIME: Final = {"seconds": Field(INT, "int64", 1, "varint"), "nanos": Field(INT, "int32", 2, "varint")}
FIELDS: Final[Mapping[str, Mapping[str, Field]]] = {
    "google.protobuf.Any": {
        "type_url": Field(STRING, "string", 1, "bytes"),
        "value": Field(BYTES, "[]uint8", 2, "bytes"),
    },
    "google.protobuf.BoolValue": _value_field(BOOL, "bool", "varint"),
    "google.protobuf.BytesValue": _value_field(BYTES, "[]uint8", "bytes"),
    "google.protobuf.DoubleValue": _value_field(DOUBLE, "float64", "fixed64"),
    "google.protobuf.Duration": _TIME,
    "google.protobuf.Empty": {},
    "google.protobuf.FloatValue": _value_field(DOUBLE, "float32", "fixed32"),
    "google.protobuf.Int32Value": _value_field(INT, "int32", "varint"),
    "google.protobuf.Int64Value": _value_field(INT, "int64", "varint"),
    "google.protobuf.ListValue": {"values": Field(ListType(DYN), "[]*structpb.Value", 1, "bytes")},
    "google.protobuf.StringValue": _value_field(STRING, "string", "bytes"),
    "google.protobuf.Struct": {"fields": Field(MapType(STRING, DYN), "map[string]*structpb.Value", 1, "bytes")},
    "google.protobuf.Struct.FieldsEntry": {
        "key": Field(STRING, "string", 1, "bytes"),
        "value": Field(DYN, "*structpb.Value", 2, "bytes"),
    },
    "google.protobuf.Timestamp": _TIME,
    "google.protobuf.UInt32Value": _value_field(UINT, "uint32", "varint"),
    "google.protobuf.UInt64Value": _value_field(UINT, "uint64", "varint"),
    "google.protobuf.Value": {
        "null_value": Field(INT, "protoreflect.EnumNumber", 1, "varint"),
        "number_value": Field(DOUBLE, "float64", 2, "fixed64"),
        "string_value": Field(STRING, "string", 3, "bytes"),
        "bool_value": Field(BOOL, "bool", 4, "varint"),
        "struct_value": Field(MapType(STRING, DYN), "*structpb.Struct", 5, "bytes"),
        "list_value": Field(ListType(DYN), "*structpb.ListValue", 6, "bytes"),
    },
}
# Names of other types that the checker takes for a message's; making one fails.
_STANDS_FOR: Final = {
    "duration": "google.protobuf.Duration",
    "list": "google.protobuf.ListValue",
    "null_type": "google.protobuf.NullValue",
    "timestamp": "google.protobuf.Timestamp",
}
# Types that are declared as having no fields.
_SCALARS: Final = frozenset({"bool", "bytes", "double", "int", "string", "uint"})


@dataclass(frozen=True, slots=True, eq=False)
class Message:
    """A message of a type that is no other kind of value. ``values`` are those of the fields that were set.

    ``unknown`` has by number, and encoded, the fields that the type does not have. ``go_type`` is what Go prints.
    """

    type: Type
    values: Mapping[str, object] = field(default_factory=dict)
    unknown: Mapping[int, bytearray] = field(default_factory=dict)
    go_type: str = "*dynamicpb.Message"

    def has(self, name: str) -> bool:
        """Whether a field is set: a text only when it is not empty, as proto3 has it."""
        return name in self.values and self.values[name] != ""

    def get(self, name: str) -> object:
        """The value of a field, or what stands for one that is not set."""
        return self.values.get(name, "" if name == "key" else None)

    @property
    def is_empty(self) -> bool:
        """Whether it is as a new one."""
        return not self.unknown and not any(map(self.has, self.values))


def message_type(name: str) -> Type | None:
    """The checker's type of ``name{…}``; None where that is no message for it."""
    return NULL if name == "null_type" else MESSAGE_TYPES.get(_STANDS_FOR.get(name, name))


def field_type(message: str, name: str, declared: Mapping[str, Type] | None = None) -> Type:
    """The type of a field in ``message{name: …}``; ``declared`` are the fields of a type from outside.

    LookupError, in the checker's words, when there is no such field or nothing to look for it in.
    """
    if message == "map":
        return ANY  # declared as having any field
    message = _STANDS_FOR.get(message, message)
    known = FIELDS.get(message)
    if known is not None:
        declared = {each: field.type for each, field in known.items()}
    if message in _SCALARS:
        declared = {}
    if declared is None:
        raise LookupError(f"unexpected failed resolution of '{message}'")
    if name not in declared:
        raise LookupError(f"undefined field '{name}'")
    return declared[name]
