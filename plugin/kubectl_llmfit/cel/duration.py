"""Spans of time: whole nanoseconds within int64.

Owns the value type, its parsing and its text (Go: time.ParseDuration; cel-go: common/types/duration.go).
Must not know timestamps.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

INT64_MIN: Final = -(2**63)
INT64_MAX: Final = 2**63 - 1
SECOND_NS: Final = 10**9
_NANOSECONDS: Final = {
    "ns": 1,
    "us": 10**3,
    "µs": 10**3,  # the micro sign
    "μs": 10**3,  # the Greek letter
    "ms": 10**6,
    "s": SECOND_NS,
    "m": 60 * SECOND_NS,
    "h": 3600 * SECOND_NS,
}
_TERM: Final = re.compile(r"([0-9]*)(?:\.([0-9]*))?([^.0-9]+)")
_INVALID: Final = "invalid duration"


@dataclass(frozen=True, slots=True, order=True)
class Duration:
    """A span of ``nanoseconds``, ordered by length. ``str()`` is its seconds, ``5400s``."""

    nanoseconds: int

    @classmethod
    def parse(cls, text: str) -> Duration:
        """``1h30m``, ``-1.5s``, ``0``; ValueError for anything that Go's ParseDuration refuses."""
        negative = text.startswith("-")
        rest = text[1:] if text[:1] in ("-", "+") else text
        if rest == "0":
            return cls(0)
        total = position = 0
        while position < len(rest):
            match = _TERM.match(rest, position)
            if match is None:
                raise ValueError(_INVALID)
            total += _term(match[1], match[2] or "", match[3])
            if total > 2**63:
                raise ValueError(_INVALID)
            position = match.end()
        if position == 0 or (total > INT64_MAX and not negative):
            raise ValueError(_INVALID)
        return cls(-total if negative else total)

    @classmethod
    def checked(cls, nanoseconds: int) -> Duration:
        """A result of arithmetic; OverflowError beyond int64."""
        if not INT64_MIN <= nanoseconds <= INT64_MAX:
            raise OverflowError("integer overflow")
        return cls(nanoseconds)

    @property
    def seconds(self) -> float:
        """The seconds, as close as Go's Duration.Seconds() gets."""
        return self._in_units(SECOND_NS)

    @property
    def whole_hours(self) -> int:
        """Hours, towards zero."""
        return int(self._in_units(3600 * SECOND_NS))

    @property
    def whole_minutes(self) -> int:
        """Minutes, towards zero."""
        return int(self._in_units(60 * SECOND_NS))

    @property
    def whole_seconds(self) -> int:
        """Seconds, towards zero."""
        return int(self.seconds)

    @property
    def whole_milliseconds(self) -> int:
        """Milliseconds, towards zero."""
        return int(math.copysign(abs(self.nanoseconds) // 10**6, self.nanoseconds))

    def _in_units(self, unit: int) -> float:
        """Whole units and the rest, each as a double, added: Go's way, and its rounding."""
        sign = -1 if self.nanoseconds < 0 else 1
        whole, rest = divmod(abs(self.nanoseconds), unit)
        return float(sign * whole) + float(sign * rest) / unit

    def __str__(self) -> str:
        return f"{_plain(self.seconds)}s"


def _plain(number: float) -> str:
    """The fewest digits that give the double back, without an exponent (FormatFloat 'f', -1)."""
    if number == 0:
        return "0"
    text = format(Decimal(repr(number)), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _term(whole: str, fraction: str, unit: str) -> int:
    """The nanoseconds of one number with its unit."""
    size = _NANOSECONDS.get(unit)
    if size is None or not (whole or fraction):
        raise ValueError(_INVALID)
    significant = whole.lstrip("0")
    number = int(significant or "0") if len(significant) <= 19 else 2**64
    if number > 2**63 or number > 2**63 // size:
        raise ValueError(_INVALID)
    return number * size + _fraction(fraction, size)


def _fraction(digits: str, unit: int) -> int:
    """The nanoseconds of the decimal places; those beyond what int64 holds are dropped, as Go drops them."""
    number, scale = 0, 1.0
    for digit in digits:
        if number > INT64_MAX // 10 or number * 10 + int(digit) > 2**63:
            break
        number = number * 10 + int(digit)
        scale *= 10
    return int(float(number) * (unit / scale))
