"""Kubernetes' Quantity: numbers such as ``5Gi``, ``1500m``, ``12e6``: their grammar and canonical text.

Owns the value type that capacities, counters and the CEL function ``quantity`` share. Follows
``k8s.io/apimachinery/pkg/api/resource`` 0.37 (quantity.go, amount.go, suffix.go), oddities included: which
texts are refused, how values round and cap, how they print. Knows nothing of CEL or of devices.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import Final


class Format(Enum):
    """The family of suffixes a quantity was written with, and is printed with."""

    DECIMAL_SI = "DecimalSI"
    BINARY_SI = "BinarySI"
    DECIMAL_EXPONENT = "DecimalExponent"


_DECIMAL_SUFFIXES: Final = {
    "n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18,
}  # fmt: skip
_BINARY_SUFFIXES: Final = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL_SUFFIX_OF: Final = {exponent: suffix for suffix, exponent in _DECIMAL_SUFFIXES.items()}
_BINARY_SUFFIX_OF: Final = {exponent: suffix for suffix, exponent in _BINARY_SUFFIXES.items()}

_SHAPE: Final = re.compile(r"([+-]?)(0*)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[+-]?[0-9]*)")
_SIGNED_DIGITS: Final = re.compile(r"[+-]?[0-9]+")

_FORMAT_WRONG: Final = (
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
)
_NUMERIC_WRONG: Final = "unable to parse numeric part of quantity"
_SUFFIX_WRONG: Final = "unable to parse quantity's suffix"

_INT64_MAX: Final = 2**63 - 1
_INT64_MIN: Final = -(2**63)
_NANO: Final = -9
# maxInt64Factors of math.go: so many decimal digits always fit an int64.
_INT64_DIGITS: Final = 18
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
    it was parsed from where Kubernetes keeps that as canonical.
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
        power, form = _read_suffix(suffix)
        whole = numerator or "0"
        if _fits_int64(whole, decimals, power, form):
            return _parse_int64(text, sign == "-", whole, decimals, power, form)
        if not zeros + numerator + decimals:
            raise ValueError(_NUMERIC_WRONG)
        return _parse_decimal(sign == "-", whole + decimals, len(decimals), power, form)

    @classmethod
    def from_int(cls, number: int, form: Format = Format.DECIMAL_SI) -> Quantity:
        """``number`` as a quantity (NewQuantity), printed with the suffixes of ``form``."""
        return cls(number, 0, form, _INT64_MIN <= number <= _INT64_MAX)

    @classmethod
    def from_bytes(cls, number: int, binary: bool = True) -> Quantity:
        """``number`` bytes, printed exactly with the largest suffix that divides it: ``5Gi``, ``23028Mi``."""
        return cls.from_int(number, Format.BINARY_SI if binary else Format.DECIMAL_SI)

    @property
    def value(self) -> Fraction:
        """The exact number. OverflowError beyond 10**100000, where quantities still compare and print."""
        return Fraction(self.mantissa) * Fraction(10) ** _writable(self.exponent)

    @property
    def sign(self) -> int:
        """-1, 0 or 1."""
        return (self.mantissa > 0) - (self.mantissa < 0)

    def ceil(self) -> int:
        """The number rounded away from zero to an integer (Quantity.Value, but without its overflow)."""
        if self.exponent >= 0:
            return self.mantissa * 10 ** _writable(self.exponent)
        return _divide_away_from_zero(self.mantissa, -self.exponent)

    def as_int64(self) -> int | None:
        """The number as AsInt64 gives it: None for big decimals, any decimal places, or beyond int64."""
        if not self.is_int64 or self.exponent < 0:
            return None
        return _scale_up_int64(self.mantissa, self.exponent)

    def as_approximate_float(self) -> float:
        """AsApproximateFloat64: the rounding of mantissa and power of ten apart, as Go does it."""
        try:
            base = float(self.mantissa)
        except OverflowError:
            base = float("inf") * self.sign
        return base if self.exponent == 0 else base * _power_of_ten(self.exponent)

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
        # Go negates the int64 in place, and the lowest one is its own negative.
        if self.is_int64 and other.is_int64 and negated > _INT64_MAX:
            negated = _INT64_MIN
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
        return hash(_without_factors(self.mantissa, 10, self.exponent)) if self.mantissa else 0

    def __str__(self) -> str:
        return self.text if self.text is not None else _canonical_text(self)

    def __repr__(self) -> str:
        return f"Quantity({str(self)!r})"


def _read_suffix(suffix: str) -> tuple[int, Format]:
    """The power (of ten, or of two for BinarySI) a suffix stands for."""
    if suffix in _DECIMAL_SUFFIXES:
        return _DECIMAL_SUFFIXES[suffix], Format.DECIMAL_SI
    if suffix in _BINARY_SUFFIXES:
        return _BINARY_SUFFIXES[suffix], Format.BINARY_SI
    if suffix[0] in "eE" and _SIGNED_DIGITS.fullmatch(suffix, 1) and len(suffix.lstrip("eE+-0")) <= 19:
        power = int(suffix[1:])
        if _INT64_MIN <= power <= _INT64_MAX:
            return _int32(power), Format.DECIMAL_EXPONENT
    raise ValueError(_SUFFIX_WRONG)


def _fits_int64(whole: str, decimals: str, power: int, form: Format) -> bool:
    """Whether ParseQuantity takes its int64 way: by the number of digits, before looking at their value."""
    digits = len(whole) + len(decimals)
    if form is not Format.BINARY_SI:
        return digits <= _INT64_DIGITS and _int32(power - len(decimals)) >= _NANO
    return not decimals and digits <= 14 - power * 3 // 10


def _parse_int64(text: str, negative: bool, whole: str, decimals: str, power: int, form: Format) -> Quantity:
    digits = whole + decimals
    number = int(digits)
    if form is Format.BINARY_SI:
        exponent, factor, kept = 0, 2**power, number % 8 != 0
    else:
        exponent, factor = _int32(power - len(decimals)), 1
        kept = exponent % 3 == 0 and not digits.endswith("000") and digits[0] != "0"
    mantissa = -number * factor if negative else number * factor
    return Quantity(mantissa, exponent, form, text=text if kept else None)


def _parse_decimal(negative: bool, digits: str, places: int, power: int, form: Format) -> Quantity:
    mantissa, exponent = _to_int(digits), -places
    if form is Format.BINARY_SI:
        mantissa *= 2**power
    else:
        exponent = _int32(power - places)
    if mantissa:
        mantissa, exponent = _round_up_to_nano(mantissa, exponent)
    if form is Format.BINARY_SI:
        if mantissa > _INT64_MAX * 10 ** (-exponent):
            mantissa, exponent = _INT64_MAX, 0
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
    return _divide_away_from_zero(mantissa, -shift), _NANO


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
    fits = all(_INT64_MIN <= number <= _INT64_MAX for number in (first, second, total))
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


def _canonical_text(quantity: Quantity) -> str:
    """CanonicalizeBytes: no decimal places, the largest suffix that loses nothing."""
    if quantity.mantissa == 0:
        return "0"
    form = quantity.format
    if form is Format.BINARY_SI:
        integer = _binary_integer(quantity)
        if integer is not None:
            mantissa, times = _without_factors(integer, 1024, 0)
            return _to_text(mantissa) + _BINARY_SUFFIX_OF.get(10 * times, "")
        form = Format.DECIMAL_SI
    mantissa, exponent = _without_factors(quantity.mantissa, 10, quantity.exponent)
    mantissa *= 10 ** (exponent % 3)
    exponent = _int32(exponent - exponent % 3)
    if form is Format.DECIMAL_SI:
        # A power without a suffix of its own prints bare, as Kubernetes does: 1000E is "1".
        return _to_text(mantissa) + _DECIMAL_SUFFIX_OF.get(exponent, "")
    return _to_text(mantissa) + (f"e{exponent}" if exponent else "")


def _binary_integer(quantity: Quantity) -> int | None:
    """The number to print with a binary suffix; None when it is below 1024 or has decimal places."""
    limit = Quantity(1024)
    if abs(quantity.mantissa) < 1024 and quantity.exponent <= 0:
        return None
    if Quantity(abs(quantity.mantissa), quantity.exponent) < limit:
        return None
    if quantity.exponent >= 0:
        return quantity.mantissa * 10**quantity.exponent
    integer, rest = divmod(quantity.mantissa, 10 ** (-quantity.exponent))
    return integer if rest == 0 else None


def _without_factors(number: int, factor: int, times: int) -> tuple[int, int]:
    """``number`` with every ``factor`` divided out, and ``times`` plus how many there were."""
    while number % factor == 0:
        number //= factor
        times += 1
    return number, times


def _divide_away_from_zero(number: int, places: int) -> int:
    magnitude = -(-abs(number) // 10**places)
    return -magnitude if number < 0 else magnitude


def _scale_up_int64(number: int, power: int) -> int | None:
    """``number * 10**power`` or None beyond int64 (positiveScaleInt64; it never scales the lowest int64)."""
    if number == 0 or power == 0:
        return number
    if power > _INT64_DIGITS or number == _INT64_MIN:
        return None
    scaled: int = number * 10**power
    return scaled if _INT64_MIN <= scaled <= _INT64_MAX else None


def _power_of_ten(exponent: int) -> float:
    """Go's math.Pow10, which multiplies two table entries for large powers."""
    if exponent > 308:
        return float("inf")
    if exponent < -323:
        return 0.0
    coarse, fine = divmod(abs(exponent), 32)
    if exponent >= 0:
        return float(f"1e{32 * coarse}") * float(f"1e{fine}")
    return float(f"1e-{32 * coarse}") / float(f"1e{fine}")


def _writable(exponent: int) -> int:
    if abs(exponent) > _WRITTEN_OUT_LIMIT:
        raise OverflowError("quantity is too large to be written out")
    return exponent


def _int32(number: int) -> int:
    """Go's conversion to int32, which keeps the low 32 bits."""
    return (number + 2**31) % 2**32 - 2**31


def _to_int(digits: str) -> int:
    """Decimal digits of any number; ``int`` alone refuses more than 4300."""
    return int(digits) if len(digits) < 4000 else int(Decimal(digits))


def _to_text(number: int) -> str:
    return str(number) if number.bit_length() < 13000 else str(Decimal(number))
