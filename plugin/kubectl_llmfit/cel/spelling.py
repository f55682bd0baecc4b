"""Values as text.

Owns how cel-go's messages and ``string()`` print values (Go's %v and %g). Must not judge values.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from .duration import Duration
from .message import Message
from .timestamp import Timestamp
from .types import Type
from .values import Optional, map_find

_SMALL_UNITS: Final = ((10**6, "ms"), (10**3, "µs"), (1, "ns"))


def spell(value: object) -> str:
    """A value as Go's ``%v`` prints it in cel-go's error messages."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return format_double(value)
    if isinstance(value, bytes):
        return "[" + " ".join(str(byte) for byte in value) + "]"
    if value is None:
        return "0"  # the number that stands for it in protobuf
    if isinstance(value, Optional):
        return f"optional({spell(value.value)})" if value.present else "optional.none()"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(spell(element) for element in value) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{spell(key)}: {spell(map_find(value, key))}" for key in value) + "}"
    if isinstance(value, Message):
        set_ = (f"{name}: {spell(value.get(name))}" for name in value.values if value.has(name))
        return f"{value.type.name}{{{', '.join(set_)}}}"
    if isinstance(value, Timestamp):
        return _spell_timestamp(value)
    if isinstance(value, Duration):
        return _spell_duration(value)
    return value.declared() if isinstance(value, Type) else str(value)


def _spell_timestamp(moment: Timestamp) -> str:
    """Go's time.Time.String(): date, time, offset and zone; an offset without a name stands for it."""
    date, _, clock = str(Timestamp(moment.unix_s + moment.offset_s, moment.nanosecond)).rstrip("Z").partition("T")
    hours, minutes = divmod(abs(moment.offset_s) // 60, 60)
    offset = f"{'-' if moment.offset_s < 0 else '+'}{hours:02d}{minutes:02d}"
    return f"{date} {clock} {offset} {offset if moment.offset_s else 'UTC'}"


def _spell_duration(span: Duration) -> str:
    """Go's time.Duration.String(): ``1h0m1.5s``, and below a second one unit, ``1.5µs``."""
    magnitude = abs(span.nanoseconds)
    sign = "-" if span.nanoseconds < 0 else ""
    if magnitude < 10**9:
        size, unit = next(((size, unit) for size, unit in _SMALL_UNITS if magnitude >= size), (1, "s"))
        return f"{sign}{_decimal(magnitude, size)}{unit}"
    minutes, rest = divmod(magnitude, 60 * 10**9)
    hours, minutes = divmod(minutes, 60)
    before = f"{hours}h{minutes}m" if hours else f"{minutes}m" if minutes else ""
    return f"{sign}{before}{_decimal(rest, 10**9)}s"


def _decimal(number: int, size: int) -> str:
    """``number / size`` exactly, for a power of ten."""
    whole, fraction = divmod(number, size)
    places = f"{fraction:0{len(str(size)) - 1}d}".rstrip("0") if fraction else ""
    return f"{whole}.{places}" if places else str(whole)


def format_double(value: float) -> str:
    """A double as Go's %g prints it: the fewest digits, an exponent below 1e-4 and from 1e+06 on."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    sign = "-" if math.copysign(1, value) < 0 else ""
    if value == 0:
        return sign + "0"
    _, digit_tuple, exponent = Decimal(repr(abs(value))).as_tuple()
    digits = "".join(map(str, digit_tuple))
    power = len(digits) - 1 + int(exponent)
    digits = digits.rstrip("0")
    if power < -4 or power >= 6:
        fraction = f".{digits[1:]}" if len(digits) > 1 else ""
        return f"{sign}{digits[0]}{fraction}e{'-' if power < 0 else '+'}{abs(power):02d}"
    if power < 0:
        return f"{sign}0.{'0' * (-power - 1)}{digits}"
    whole, fraction = digits[: power + 1].ljust(power + 1, "0"), digits[power + 1 :]
    return f"{sign}{whole}.{fraction}" if fraction else sign + whole
