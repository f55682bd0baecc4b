"""Making protobuf's messages, and what values they are.

Owns how fields are set and how a message becomes a CEL value: a wrapper its scalar, a Struct a map, a Value what it
holds, an Any what is packed in it (cel-go: common/types/provider.go, NewValue; common/types/pb/type.go, unwrap).
Must not read encodings: wire.py does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

from .duration import INT64_MAX, INT64_MIN, SECOND_NS, Duration
from .errors import CelRuntimeError
from .message import FIELDS, Field, Message
from .native import Count, to_native
from .quoting import text_format
from .timestamp import Timestamp
from .types import EMPTY, ENTRY
from .values import UInt, type_of
from .wire import WireError, fields_of

_PREFIX: Final = "google.protobuf."
_ANY: Final = f"{_PREFIX}Any"


def make(name: str, values: Mapping[str, object], count: Count) -> object:
    """The value of ``name{field: value, …}``; CelRuntimeError where a value does not fit its field.

    ``count`` gets the number of values that are looked at, step by step, and may raise.
    """
    known = FIELDS.get(name)
    if known is None:
        raise CelRuntimeError(f"unknown type '{name}'")
    return _value_of(name, {field: _set(name, field, known[field], values[field], count) for field in values})


def _set(name: str, field: str, known: Field, value: object, count: Count) -> object:
    """What a field holds once it is set to a value."""
    is_list, is_map = known.native == "[]*structpb.Value", known.native == "map[string]*structpb.Value"
    if (is_list and not isinstance(value, list | tuple)) or (is_map and not isinstance(value, Mapping)):
        raise CelRuntimeError(f"unsupported field type for {name}.{field}: {type_of(value).declared()}")
    try:
        if is_list and isinstance(value, list | tuple):
            return [to_native(element, "*structpb.Value", count) for element in value]
        return to_native(value, "*structpb.Struct" if is_map else known.native, count)
    except CelRuntimeError as error:
        raise CelRuntimeError(f"field type conversion error for {name}.{field} value type: {error}") from None


def _value_of(name: str, fields: Mapping[str, object]) -> object:
    """The CEL value of a message with these fields set."""
    special = _SPECIAL.get(name)
    return special(fields) if special is not None else fields.get("value", _UNSET[name])


def _unpacked(fields: Mapping[str, object]) -> object:
    """What is in an Any; CelRuntimeError where nothing is or nobody knows what."""
    url, data = _any_fields(fields)
    try:
        return _decoded(url, data)
    except WireError:
        words = f"unsupported conversion to ref.Val: (*dynamicpb.Message){_shown(url, data)}"
        raise CelRuntimeError(words) from None


def _decoded(url: str, data: bytes) -> object:
    """What is packed in an Any, and in an Any in it; WireError."""
    name = url.rpartition("/")[2]
    if name not in FIELDS or name == ENTRY.name:  # entries of a Struct have no message type of their own
        raise WireError
    fields, unknown = fields_of(name, data)
    if name == EMPTY.name:
        return Message(EMPTY, {}, unknown, "*emptypb.Empty")
    return _decoded(*_any_fields(fields)) if name == _ANY else _value_of(name, fields)


def _shown(url: str, data: bytes) -> str:
    """An Any in protobuf's text format, which shows what is in an Any within it."""
    if url.rpartition("/")[2] == _ANY:
        with suppress(WireError):
            fields, _ = fields_of(_ANY, data)
            return f"[{url}]:{{{_shown(*_any_fields(fields))}}}"
    return " ".join(f"{field}:{text_format(value)}" for field, value in (("type_url", url), ("value", data)) if value)


def _any_fields(fields: Mapping[str, object]) -> tuple[str, bytes]:
    url, data = fields.get("type_url", ""), fields.get("value", b"")
    assert isinstance(url, str)
    assert isinstance(data, bytes)
    return url, data


def _duration(fields: Mapping[str, object]) -> Duration:
    """Saturates where the seconds, or all of it, exceed int64 (durationpb: AsDuration)."""
    seconds, nanoseconds = _numbers(fields)
    whole = seconds * SECOND_NS
    total = whole + nanoseconds
    if INT64_MIN <= whole <= INT64_MAX and INT64_MIN <= total <= INT64_MAX:
        return Duration(total)
    return Duration(INT64_MIN if seconds < 0 else INT64_MAX)


def _timestamp(fields: Mapping[str, object]) -> Timestamp:
    """Any second of int64, unlike everywhere else (timestamppb: AsTime); beyond it, the count starts anew."""
    seconds, nanoseconds = _numbers(fields)
    carried, nanosecond = divmod(nanoseconds, SECOND_NS)
    return Timestamp((seconds + carried - INT64_MIN) % 2**64 + INT64_MIN, nanosecond)


def _numbers(fields: Mapping[str, object]) -> tuple[int, int]:
    seconds, nanoseconds = fields.get("seconds", 0), fields.get("nanos", 0)
    assert isinstance(seconds, int)
    assert isinstance(nanoseconds, int)
    return seconds, nanoseconds


def _value(fields: Mapping[str, object]) -> object:
    """What a Value holds, of several fields the last that was set; nothing and a number for null are null."""
    name, value = next(reversed([*fields.items()]), ("null_value", None))
    return None if name == "null_value" else value


_SPECIAL: Final[Mapping[str, Callable[[Mapping[str, object]], object]]] = {
    _ANY: _unpacked,
    f"{_PREFIX}Duration": _duration,
    f"{_PREFIX}Timestamp": _timestamp,
    f"{_PREFIX}Value": _value,
    f"{_PREFIX}Struct": lambda fields: fields.get("fields", {}),
    f"{_PREFIX}ListValue": lambda fields: fields.get("values", []),
    EMPTY.name: lambda fields: Message(EMPTY, fields),
    ENTRY.name: lambda fields: Message(ENTRY, fields),
}
# What a wrapper is whose value was not set.
_UNSET: Final[Mapping[str, object]] = {
    f"{_PREFIX}BoolValue": False,
    f"{_PREFIX}BytesValue": b"",
    f"{_PREFIX}DoubleValue": 0.0,
    f"{_PREFIX}FloatValue": 0.0,
    f"{_PREFIX}Int32Value": 0,
    f"{_PREFIX}Int64Value": 0,
    f"{_PREFIX}StringValue": "",
    f"{_PREFIX}UInt32Value": UInt(0),
    f"{_PREFIX}UInt64Value": UInt(0),
}
