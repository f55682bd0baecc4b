"""Literals of protobuf's messages for generated expressions.

Owns which message can stand for which type, and what is packed in an Any. Must not know who judges them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agree.pieces import Piece, leaf, separated
from kubectl_llmfit.cel import OptionalType, Type
from kubectl_llmfit.cel.message import FIELDS
from kubectl_llmfit.cel.types import MESSAGE_TYPES

if TYPE_CHECKING:
    from agree.expressions import Expressions

# Types that are no messages, or that cannot be made, and messages that nobody knows.
_ODD_NAMES = (
    *("list", "map", "duration", "timestamp", "null_type", "int", "string", "type", "net.IP", "kubernetes.DRADevice"),
    *("google.protobuf.NullValue", "google.protobuf.Nothing", "kubernetes.Quantity", ".google.protobuf.Int32Value"),
)
_PACKED = (
    *(("Int32Value", r"\x08\x05"), ("Int32Value", r"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), ("BoolValue", "")),
    *(("StringValue", r"\n\x01a"), ("StringValue", r"\n\x01\xff"), ("BytesValue", r"\n\x01\xff"), ("Empty", "")),
    *(("Empty", r"\x08\x01"), ("DoubleValue", r"\x09\x00\x00\x00\x00\x00\x00\xf8\x3f"), ("UInt64Value", r"\x08\x80")),
    *(("Struct", r"\n\x07\n\x01a\x12\x02\x20\x01"), ("ListValue", r"\n\x02\x20\x01\n\x00"), ("Value", r"\x20\x01")),
    *(("Duration", r"\x08\x02\x10\x05"), ("Timestamp", r"\x08\x02"), ("Any", r"\n\x19google.protobuf.BoolValue")),
    *(("Struct.FieldsEntry", ""), ("Nothing", ""), ("FloatValue", r"\x0d\x00\x00\x80\x3f"), ("Value", "")),
)


def makers_of(wanted: Type) -> list[str]:
    """The messages whose literals are of a type; all of them for dyn."""
    return [name for name, type_ in MESSAGE_TYPES.items() if wanted.is_dyn or type_ == wanted]


def message(expressions: Expressions, wanted: Type, depth: int) -> Piece:
    """A literal of a message that can stand for a type, or of any."""
    draw = expressions.draw
    name = draw.choice(makers_of(wanted) or [*MESSAGE_TYPES])
    if name == "google.protobuf.Any" and draw.random() < 0.8:
        packed, content = draw.choice(_PACKED)
        url = draw.choice(("type.googleapis.com/", "", "x/y/"))
        return leaf(f"{name}{{type_url: '{url}google.protobuf.{packed}', value: b'{content}'}}")
    fields = FIELDS[name]
    count = draw.choice((0, 1, 1, 1)) if name.endswith("Value") else draw.choice((0, 1, 2, 2))
    chosen = [draw.choice([*fields]) for _ in range(count if fields else 0)]
    entries = [_entry(expressions, field, fields[field].type, depth) for field in chosen]
    if draw.random() < 0.04:
        name = draw.choice(_ODD_NAMES)
    return Piece((f"{name}{{", *separated(entries), "}"))


def _entry(expressions: Expressions, field: str, type_: Type, depth: int) -> Piece:
    draw = expressions.draw
    if draw.random() < 0.02:
        field = draw.choice(("value", "fields", "values", "nothing"))
    chance = draw.random()
    if chance < 0.1:
        return Piece((f"?{field}: ", expressions.grow(OptionalType(type_), depth)))
    if chance < 0.35:
        return Piece((f"{field}: dyn(", expressions.grow(expressions.any_type(), depth), ")"))
    return Piece((f"{field}: ", expressions.grow(type_, depth)))
