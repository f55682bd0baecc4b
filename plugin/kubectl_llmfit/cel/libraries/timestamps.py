"""Timestamps and durations: timestamp('…'), duration('1h'), and what can be asked of them.

Owns the functions over both (cel-go: common/stdlib/standard.go). Their arithmetic is the operators', their
conversions to other types the standard library's. Must not parse: the value types do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ..duration import Duration
from ..errors import CelRuntimeError
from ..functions import Function, Overload
from ..timestamp import Civil, Timestamp, TimestampRangeError
from ..types import DURATION, INT, STRING, TIMESTAMP, Type
from ..zones import offset_seconds


def timestamp_from_text(text: str) -> Timestamp:
    """``timestamp('2026-11-30T12:00:00Z')``; "timestamp overflow" outside years 1 to 9999."""
    try:
        return Timestamp.parse(text)
    except TimestampRangeError as error:
        raise CelRuntimeError(str(error)) from None
    except ValueError:
        raise _conversion_error(TIMESTAMP) from None


def timestamp_from_unix(seconds: int) -> Timestamp:
    """``timestamp(0)``: seconds since 1970; "timestamp overflow" outside years 1 to 9999."""
    try:
        return Timestamp.from_unix(seconds)
    except TimestampRangeError as error:
        raise CelRuntimeError(str(error)) from None


def duration_from_text(text: str) -> Duration:
    """``duration('1h30m')``."""
    try:
        return Duration.parse(text)
    except ValueError:
        raise _conversion_error(DURATION) from None


def _conversion_error(target: Type) -> CelRuntimeError:
    return CelRuntimeError(f"type conversion error from '{STRING.name}' to '{target.name}'")


def _identity(value: object) -> object:
    return value


_Getter = Callable[[Timestamp, int], int]


def _in_zone(get: _Getter) -> Callable[[Timestamp, str], int]:
    """The getter with a time zone as its argument; the errors of zones are Go's."""

    def _run(moment: Timestamp, zone: str) -> int:
        try:
            offset_s = offset_seconds(zone, moment.unix_s)
        except ValueError as error:
            raise CelRuntimeError(str(error)) from None
        return get(moment, offset_s)

    return _run


def _getter(name: str, word: str, get: _Getter, duration: Callable[..., int] | None) -> Function:
    """A function over timestamps, in UTC or in a zone, and perhaps over durations."""
    overloads = [
        Overload(f"timestamp_to_{word}", (TIMESTAMP,), INT, member=True, run=lambda moment: get(moment, 0)),
        Overload(f"timestamp_to_{word}_with_tz", (TIMESTAMP, STRING), INT, member=True, run=_in_zone(get)),
    ]
    if duration is not None:
        overloads.append(Overload(f"duration_to_{word}", (DURATION,), INT, member=True, run=duration))
    return Function(name, tuple(overloads))


def _calendar(
    name: str, word: str, get: Callable[[Civil], int], duration: Callable[..., int] | None = None
) -> Function:
    return _getter(name, word, lambda moment, offset_s: get(moment.civil(offset_s)), duration)


FUNCTIONS: Final = (
    Function(
        "duration",
        (
            Overload("duration_to_duration", (DURATION,), DURATION, run=_identity),
            Overload("string_to_duration", (STRING,), DURATION, run=duration_from_text),
        ),
    ),
    Function(
        "timestamp",
        (
            Overload("timestamp_to_timestamp", (TIMESTAMP,), TIMESTAMP, run=_identity),
            Overload("int64_to_timestamp", (INT,), TIMESTAMP, run=timestamp_from_unix),
            Overload("string_to_timestamp", (STRING,), TIMESTAMP, run=timestamp_from_text),
        ),
    ),
    _calendar("getFullYear", "year", lambda civil: civil.year),
    _calendar("getMonth", "month", lambda civil: civil.month - 1),
    _calendar("getDayOfYear", "day_of_year", lambda civil: civil.year_day),
    _calendar("getDayOfMonth", "day_of_month", lambda civil: civil.day - 1),
    _calendar("getDate", "day_of_month_1_based", lambda civil: civil.day),
    _calendar("getDayOfWeek", "day_of_week", lambda civil: civil.week_day),
    _calendar("getHours", "hours", lambda civil: civil.hour, lambda span: span.whole_hours),
    _calendar("getMinutes", "minutes", lambda civil: civil.minute, lambda span: span.whole_minutes),
    _calendar("getSeconds", "seconds", lambda civil: civil.second, lambda span: span.whole_seconds),
    _getter(
        "getMilliseconds",
        "milliseconds",
        lambda moment, _: moment.nanosecond // 10**6,
        lambda span: span.whole_milliseconds,
    ),
)
