"""Moments: seconds since 1970 and nanoseconds, from year 1 to year 9999; protobuf's any second that int64 holds.

Owns the value type, its parsing, its text and its calendar (Go: time.Parse with RFC3339, which is laxer than
the RFC; cel-go: common/types/timestamp.go, overflow.go). Must not know functions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from .duration import INT64_MAX, INT64_MIN, SECOND_NS, Duration

# 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z.
MIN_UNIX_S: Final = -62_135_596_800
MAX_UNIX_S: Final = 253_402_300_799
DAY_S: Final = 86_400
# Where Go's calendar begins: March 1st of the year -292277022400 (time.go: absoluteYears).
_FIRST_UNIX_S: Final = MIN_UNIX_S - (292_277_022_400 * 146_097 // 400 + 306) * DAY_S
_RFC3339: Final = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:[.,]([0-9]+))?"
    r"(?:Z|([+-])([0-9]{2}):([0-9]{2}))"
)
_MONTH_DAYS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class TimestampRangeError(ValueError):
    """A moment before year 1 or after year 9999."""

    def __init__(self) -> None:
        super().__init__("timestamp overflow")


@dataclass(frozen=True, slots=True)
class Civil:
    """A moment on a calendar and a clock. ``year_day`` and ``week_day`` (Sunday) count from 0, others as people do."""

    year: int
    month: int
    day: int
    year_day: int
    week_day: int
    hour: int
    minute: int
    second: int


@dataclass(frozen=True, slots=True)
class Timestamp:
    """A moment, ordered by time. ``offset_s`` is the zone it was written in, which only its text shows.

    ``is_utc`` tells ``Z`` from ``+00:00``, which are two zones to Go.
    """

    unix_s: int
    nanosecond: int = 0
    offset_s: int = field(default=0, compare=False)
    is_utc: bool = field(default=True, compare=False)

    def __lt__(self, other: Timestamp) -> bool:
        return self._order < other._order

    def __gt__(self, other: Timestamp) -> bool:
        return self._order > other._order

    @property
    def _order(self) -> tuple[int, int]:
        """Go counts from year 1 in int64: what protobuf has from the last 2,000 years of int64 comes first there."""
        return _wrapped(self.unix_s - MIN_UNIX_S, INT64_MIN), self.nanosecond

    @classmethod
    def from_unix(cls, unix_s: int, nanosecond: int = 0, offset_s: int = 0, is_utc: bool = True) -> Timestamp:
        """A moment; TimestampRangeError outside years 1 to 9999."""
        if not MIN_UNIX_S <= unix_s <= MAX_UNIX_S:
            raise TimestampRangeError
        return cls(unix_s, nanosecond, offset_s, is_utc)

    @classmethod
    def parse(cls, text: str) -> Timestamp:
        """``2026-11-30T12:00:00.5+01:00``; ValueError for what Go does not parse, TimestampRangeError beyond range."""
        match = _RFC3339.fullmatch(text)
        if match is None:
            raise ValueError("invalid timestamp")
        year, month, day, hour, minute, second = map(int, match.groups()[:6])
        in_range = (
            1 <= month <= 12 and 1 <= day <= days_in_month(year, month) and hour < 24 and minute < 60 and second < 60
        )
        # Go lets offsets of 24 hours and of 60 minutes pass.
        offset_hour, offset_minute = int(match[9] or 0), int(match[10] or 0)
        if not in_range or offset_hour > 24 or offset_minute > 60:
            raise ValueError("invalid timestamp")
        offset_s = (offset_hour * 60 + offset_minute) * 60 * (-1 if match[8] == "-" else 1)
        clock_s = (hour * 60 + minute) * 60 + second
        unix_s = _days_since_epoch(year, month, day) * DAY_S + clock_s - offset_s
        return cls.from_unix(unix_s, int((match[7] or "")[:9].ljust(9, "0")), offset_s, is_utc=match[8] is None)

    def plus(self, nanoseconds: int) -> Timestamp:
        """The moment so much later, in the same zone; TimestampRangeError outside the range."""
        seconds, nanosecond = divmod(self.nanosecond + nanoseconds, SECOND_NS)
        return self.from_unix(self.unix_s + seconds, nanosecond, self.offset_s, self.is_utc)

    def since(self, other: Timestamp) -> Duration:
        """The time from ``other`` to this; OverflowError when its whole seconds, or all of it, exceed int64."""
        whole = (self.unix_s - other.unix_s) * SECOND_NS
        if not INT64_MIN <= whole <= INT64_MAX:
            raise OverflowError("integer overflow")
        return Duration.checked(whole + self.nanosecond - other.nanosecond)

    def civil(self, offset_s: int = 0) -> Civil:
        """The calendar and the clock of a zone that is ``offset_s`` ahead of UTC."""
        days, clock_s = divmod(_wrapped(self.unix_s + offset_s, _FIRST_UNIX_S), DAY_S)
        year, month, day = _civil_date(days)
        hour, rest = divmod(clock_s, 3600)
        year_day = days - _days_since_epoch(year, 1, 1)
        return Civil(year, month, day, year_day, (days + 4) % 7, hour, rest // 60, rest % 60)

    def __str__(self) -> str:
        """RFC 3339 with as many decimal places as there are (Go: RFC3339Nano)."""
        local = self.civil(self.offset_s)
        year = f"{'-' if local.year < 0 else ''}{abs(local.year):04d}"
        date = f"{year}-{local.month:02d}-{local.day:02d}"
        fraction = f".{self.nanosecond:09d}".rstrip("0") if self.nanosecond else ""
        return f"{date}T{local.hour:02d}:{local.minute:02d}:{local.second:02d}{fraction}{_offset_text(self.offset_s)}"


def _wrapped(number: int, lowest: int) -> int:
    """A number of 64 bits that starts anew behind its greatest."""
    return (number - lowest) % 2**64 + lowest


def _offset_text(offset_s: int) -> str:
    if offset_s == 0:
        return "Z"
    hours, minutes = divmod(abs(offset_s) // 60, 60)
    return f"{'-' if offset_s < 0 else '+'}{hours:02d}:{minutes:02d}"


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def days_in_month(year: int, month: int) -> int:
    """How many days a month has."""
    return 29 if month == 2 and _is_leap(year) else _MONTH_DAYS[month - 1]


def _days_since_epoch(year: int, month: int, day: int) -> int:
    """Days from 1970-01-01 to a date, the calendar's rule being extended to all years.

    Years count from March here, so that the leap day is the last of a year.
    """
    if month <= 2:
        year -= 1
    month_from_march = (month + 9) % 12
    cycle, year_of_cycle = divmod(year, 400)
    day_of_year = (153 * month_from_march + 2) // 5 + day - 1
    return cycle * 146_097 + year_of_cycle * 365 + year_of_cycle // 4 - year_of_cycle // 100 + day_of_year - 719_468


def _civil_date(days: int) -> tuple[int, int, int]:
    """Year, month and day, so many days after 1970-01-01."""
    cycle, day_of_cycle = divmod(days + 719_468, 146_097)
    year_of_cycle = (day_of_cycle - day_of_cycle // 1460 + day_of_cycle // 36_524 - day_of_cycle // 146_096) // 365
    day_of_year = day_of_cycle - (365 * year_of_cycle + year_of_cycle // 4 - year_of_cycle // 100)
    month_from_march = (5 * day_of_year + 2) // 153
    day = day_of_year - (153 * month_from_march + 2) // 5 + 1
    month = month_from_march + 3 if month_from_march < 10 else month_from_march - 9
    return cycle * 400 + year_of_cycle + (1 if month <= 2 else 0), month, day
