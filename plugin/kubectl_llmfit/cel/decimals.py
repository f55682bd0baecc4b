"""Whole numbers with a power of ten: the arithmetic under quantities, kept as Go's integer types have it.

Pure functions on integers; nothing here knows what a quantity is. Sources: amount.go and math.go of
``k8s.io/apimachinery/pkg/api/resource`` 0.37, and Go's ``math.Pow10``.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Final

INT64_MAX: Final = 2**63 - 1
INT64_MIN: Final = -(2**63)
# maxInt64Factors of math.go: so many decimal digits always fit an int64.
INT64_DIGITS: Final = 18

# int and str refuse to convert more than 4300 digits; Decimal does not.
_LONG_TEXT_DIGITS: Final = 4000
_LONG_TEXT_BITS: Final = 13000


def int32(number: int) -> int:
    """Go's conversion to int32, which keeps the low 32 bits."""
    return (number + 2**31) % 2**32 - 2**31


def without_factors(number: int, factor: int) -> tuple[int, int]:
    """``number`` (not zero) with every ``factor`` divided out, and how many there were."""
    times = 0
    while number % factor == 0:
        number //= factor
        times += 1
    return number, times


def divide_away_from_zero(number: int, places: int) -> int:
    """``number / 10**places``, rounded away from zero."""
    magnitude: int = -(-abs(number) // 10**places)
    return -magnitude if number < 0 else magnitude


def scale_up_int64(number: int, power: int) -> int | None:
    """``number * 10**power``, or None beyond int64 (positiveScaleInt64; it never scales the lowest int64)."""
    if number == 0 or power == 0:
        return number
    if power > INT64_DIGITS or number == INT64_MIN:
        return None
    scaled: int = number * 10**power
    return scaled if INT64_MIN <= scaled <= INT64_MAX else None


def power_of_ten(exponent: int) -> float:
    """Go's math.Pow10, which multiplies two table entries for large powers."""
    if exponent > 308:
        return float("inf")
    if exponent < -323:
        return 0.0
    coarse, fine = divmod(abs(exponent), 32)
    if exponent >= 0:
        return float(f"1e{32 * coarse}") * float(f"1e{fine}")
    return float(f"1e-{32 * coarse}") / float(f"1e{fine}")


def to_int(digits: str) -> int:
    """Decimal digits, of any number."""
    return int(digits) if len(digits) < _LONG_TEXT_DIGITS else int(Decimal(digits))


def to_text(number: int) -> str:
    """Decimal digits, of any number."""
    return str(number) if number.bit_length() < _LONG_TEXT_BITS else str(Decimal(number))
