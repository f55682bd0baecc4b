"""Kubernetes' Quantity: numbers such as ``5Gi``, ``1500m``, ``12e6``: their grammar and canonical text.

Owns the value type that capacities, counters and the CEL function ``quantity`` share. Follows
``k8s.io/apimachinery/pkg/api/resource`` 0.37 (quantity.go, amount.go, suffix.go), oddities included: which
texts are refused, how values round and cap, how they print. Knows nothing of CEL or of devices.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from .decimals import (
    INT64_DIGITS,
    INT64_MAX,
    INT64_MIN,
    divide_away_from_zero,
    int32,
    power_of_ten,
    scale_up_int64,
    to_int,
    without_factors,
)
from .suffixes import Format, canonical_text, read_suffix

__all__ = ["Format", "Quantity"]


_SHAPE: Final = re.compile(r"([+-]?)(0*)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[+-]?[0-9]*)")

_FORMAT_WRONG: Final = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
_NUMERIC_WRONG: Final = "unable to parse numeric part of quantity"
_SUFFIX_WRONG: Final = "unable to parse quantity's suffix"

_NANO: Final = -9
# Numbers whose exponents lie closer than this are aligned at once; others only when their sizes are close.
_CHEAP_SHIFT: Final = 1000
# Beyond this power of ten a number is only compared and printed, never written out.
_WRITTEN_OUT_LIMIT: Final = 100_000
_LOG10_OF_2: Final = 0.30102999566398120


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Quantity:
    """A fixed-point number, ``mantissa * 10**exponent``; equal, ordered and hashed by its exact value.

    ``format`` decides the suffix in ``str()``. ``is_int64`` says that Kubernetes holds it as a scaled int64
    and not as a big decimal, which some of its answers depend on (``as_int64``). ``text`` is the spelling
    it was parsed from where Kubernetes keeps that as canonical. Numbers far beyond any device (powers of ten over
    10**100000) are read, compared and printed, but ``value``, ``ceil`` and sums of them raise OverflowError.
    """

    mantissa: int
    exponent: int = 0
    format: Format = Format.DECIMAL_SI
    is_int64: bool = True
    text: str | None = None

    @classmethod
    def parse(cls, text: str) -> Quantity:
        """Read ``text`` as ParseQuantity does; ValueError, in its words, where that refuses."""
        match = _SHAPE.fullmatch(text)
        if not text or match is None:
            raise ValueError(_FORMAT_WRONG)
        sign, zeros, numerator, decimals, suffix = match.groups(default="")
        read = read_suffix(suffix)
        if read is None:
            raise ValueError(_SUFFIX_WRONG)
        power, form = read
        whole = numerator or "0"
        if _fits_int64(whole, decimals, power, form):
            return _parse_int64(text, sign == "-", whole, decimals, power, form)
        if not zeros + numerator + decimals:
            raise ValueError(_NUMERIC_WRONG)
        return _parse_decimal(sign == "-", whole + decimals, len(decimals), power, form)

    @classmethod
    def from_int(cls, number: int, form: Format = Format.DECIMAL_SI) -> Quantity:
        """``number`` as a quantity (NewQuantity), printed with the suffixes of ``form``."""
        return cls(number, 0, form, INT64_MIN <= number <= INT64_MAX)

    @classmethod
    def from_bytes(cls, number: int, binary: bool = True) -> Quantity:
        """``number`` bytes, printed exactly with the largest suffix that divides it: ``5Gi``, ``23028Mi``."""
        return cls.from_int(number, Format.BINARY_SI if binary else Format.DECIMAL_SI)

    @property
    def value(self) -> Fraction:
        """The exact number."""
        return Fraction(self.mantissa) * Fraction(10) ** _writable(self.exponent)

    @property
    def sign(self) -> int:
        """-1, 0 or 1."""
        return (self.mantissa > 0) - (self.mantissa < 0)

    def ceil(self) -> int:
        """The number rounded away from zero to an integer (Quantity.Value, but without its overflow)."""
        if self.exponent >= 0:
            factor: int = 10 ** _writable(self.exponent)
            return self.mantissa * factor
        return divide_away_from_zero(self.mantissa, -self.exponent)

    def as_int64(self) -> int | None:
        """The number as AsInt64 gives it: None for big decimals, any decimal places, or beyond int64."""
        if not self.is_int64 or self.exponent < 0:
            return None
        return scale_up_int64(self.mantissa, self.exponent)

    def as_approximate_float(self) -> float:
        """AsApproximateFloat64: the rounding of mantissa and power of ten apart, as Go does it."""
        try:
            base = float(self.mantissa)
        except OverflowError:
            base = float("inf") * self.sign
        return base if self.exponent == 0 else base * power_of_ten(self.exponent)

    def compare(self, other: Quantity) -> int:
        """-1, 0 or 1 as this is less than, equal to or greater than ``other``."""
        if self.exponent == other.exponent:
            left, right = self.mantissa, other.mantissa
        elif self.sign != other.sign or self.mantissa == 0:
            left, right = self.sign, other.sign
        elif _far_apart(self, other):
            left, right = (self.sign, 0) if _log10(self) > _log10(other) else (0, other.sign)
        else:
            left, right, _ = _align(self, other)
        return (left > right) - (left < right)

    def __add__(self, other: Quantity) -> Quantity:
        if not isinstance(other, Quantity):
            return NotImplemented
        return _add(self, other, other.mantissa)

    def __sub__(self, other: Quantity) -> Quantity:
        if not isinstance(other, Quantity):
            return NotImplemented
        negated = -other.mantissa
        if self.is_int64 and other.is_int64 and negated > INT64_MAX:
            # Go negates the int64 in place, and the lowest one is its own negative; not so where int64 does not do.
            wrapped = _add(self, other, INT64_MIN)
            return wrapped if wrapped.is_int64 else _add(self, other, negated)
        return _add(self, other, negated)

    def __eq__(self, other: object) -> bool:
        return self.compare(other) == 0 if isinstance(other, Quantity) else NotImplemented

    def __lt__(self, other: Quantity) -> bool:
        return self.compare(other) < 0 if isinstance(other, Quantity) else NotImplemented

    def __le__(self, other: Quantity) -> bool:
        return self.compare(other) <= 0 if isinstance(other, Quantity) else NotImplemented

    def __gt__(self, other: Quantity) -> bool:
        return self.compare(other) > 0 if isinstance(other, Quantity) else NotImplemented

    def __ge__(self, other: Quantity) -> bool:
        return self.compare(other) >= 0 if isinstance(other, Quantity) else NotImplemented

    def __hash__(self) -> int:
        if self.mantissa == 0:
            return 0
        digits, times = without_factors(self.mantissa, 10)
        return hash((digits, self.exponent + times))

    def __str__(self) -> str:
        return self.text if self.text is not None else canonical_text(self.mantissa, self.exponent, self.format)

    def __repr__(self) -> str:
        return f"Quantity({str(self)!r})"


def _fits_int64(whole: str, decimals: str, power: int, form: Format) -> bool:
    """Whether ParseQuantity takes its int64 way: by the number of digits, before looking at their value."""
    digits = len(whole) + len(decimals)
    if form is not Format.BINARY_SI:
        return digits <= INT64_DIGITS and int32(power - len(decimals)) >= _NANO
    return not decimals and digits <= 14 - power * 3 // 10


def _parse_int64(text: str, negative: bool, whole: str, decimals: str, power: int, form: Format) -> Quantity:
    digits = whole + decimals
    number = int(digits)
    if form is Format.BINARY_SI:
        exponent, factor, kept = 0, 2**power, number % 8 != 0
    else:
        exponent, factor = int32(power - len(decimals)), 1
        kept = exponent % 3 == 0 and not digits.endswith("000") and digits[0] != "0"
    mantissa = -number * factor if negative else number * factor
    return Quantity(mantissa, exponent, form, text=text if kept else None)


def _parse_decimal(negative: bool, digits: str, places: int, power: int, form: Format) -> Quantity:
    mantissa, exponent = to_int(digits), -places
    if form is Format.BINARY_SI:
        mantissa *= 2**power
    else:
        exponent = int32(power - places)
    if mantissa:
        mantissa, exponent = _round_up_to_nano(mantissa, exponent)
    if form is Format.BINARY_SI:
        if mantissa > INT64_MAX * 10 ** (-exponent):
            mantissa, exponent = INT64_MAX, 0
        if 0 < mantissa < 10 ** (-exponent):
            form = Format.DECIMAL_SI
    return Quantity(-mantissa if negative else mantissa, exponent, form, is_int64=False)


def _round_up_to_nano(mantissa: int, exponent: int) -> tuple[int, int]:
    """A positive number at scale nano, rounded up; beyond 10**1000 only its exponent tells, and it stays."""
    shift = exponent - _NANO
    if shift > _CHEAP_SHIFT:
        return mantissa, exponent
    if shift >= 0:
        return mantissa * 10**shift, _NANO
    if mantissa.bit_length() * _LOG10_OF_2 + 1 < -shift:
        return 1, _NANO
    return divide_away_from_zero(mantissa, -shift), _NANO


def _add(left: Quantity, right: Quantity, addend: int) -> Quantity:
    """``left`` plus ``addend`` at ``right``'s scale; Add and Sub of quantity.go, the format rule included."""
    form = left.format if left.mantissa else right.format
    if left.is_int64 and right.is_int64:
        if addend == 0:
            return Quantity(left.mantissa, left.exponent, form)
        if left.mantissa == 0:
            return Quantity(addend, right.exponent, form)
    if abs(left.exponent - right.exponent) > _WRITTEN_OUT_LIMIT:
        raise OverflowError("quantities too far apart to add")
    first, second, exponent = _align(left, Quantity(addend, right.exponent))
    total = first + second
    fits = all(INT64_MIN <= number <= INT64_MAX for number in (first, second, total))
    return Quantity(total, exponent, form, left.is_int64 and right.is_int64 and fits)


def _align(left: Quantity, right: Quantity) -> tuple[int, int, int]:
    """Both mantissas at the smaller of the two exponents, and that exponent."""
    exponent = min(left.exponent, right.exponent)
    return (
        left.mantissa * 10 ** (left.exponent - exponent),
        right.mantissa * 10 ** (right.exponent - exponent),
        exponent,
    )


def _log10(quantity: Quantity) -> float:
    """The size of a quantity that is not zero, within one power of ten."""
    return abs(quantity.mantissa).bit_length() * _LOG10_OF_2 + quantity.exponent


def _far_apart(left: Quantity, right: Quantity) -> bool:
    """Whether the sizes differ so clearly that writing the numbers out (perhaps for ever) is needless."""
    if abs(left.exponent - right.exponent) <= _CHEAP_SHIFT:
        return False
    return abs(_log10(left) - _log10(right)) > 2


def _writable(exponent: int) -> int:
    if abs(exponent) > _WRITTEN_OUT_LIMIT:
        raise OverflowError("quantity is too large to be written out")
    return exponent
