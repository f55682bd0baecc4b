"""The suffixes of quantities: what each stands for, and which one a number prints with.

Owns the three families of suffixes and the canonical text. Sources: suffix.go and CanonicalizeBytes of
quantity.go in ``k8s.io/apimachinery/pkg/api/resource`` 0.37.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Final

from .decimals import INT64_MAX, INT64_MIN, int32, to_text, without_factors


class Format(Enum):
    """The family of suffixes a quantity was written with, and is printed with."""

    DECIMAL_SI = "DecimalSI"
    BINARY_SI = "BinarySI"
    DECIMAL_EXPONENT = "DecimalExponent"


_POWER_OF_TEN: Final = {
    "n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18,
}  # fmt: skip
_POWER_OF_TWO: Final = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL_SUFFIX: Final = {power: suffix for suffix, power in _POWER_OF_TEN.items()}
_BINARY_SUFFIX: Final = {power: suffix for suffix, power in _POWER_OF_TWO.items()}
_EXPONENT: Final = re.compile(r"[eE]([+-]?)0*([0-9]{1,19})")


def read_suffix(suffix: str) -> tuple[int, Format] | None:
    """The power a suffix stands for: of two with BinarySI, else of ten. None for what is no suffix."""
    if suffix in _POWER_OF_TEN:
        return _POWER_OF_TEN[suffix], Format.DECIMAL_SI
    if suffix in _POWER_OF_TWO:
        return _POWER_OF_TWO[suffix], Format.BINARY_SI
    if match := _EXPONENT.fullmatch(suffix):
        power = int(match[1] + match[2])
        if INT64_MIN <= power <= INT64_MAX:
            return int32(power), Format.DECIMAL_EXPONENT
    return None


def canonical_text(mantissa: int, exponent: int, form: Format) -> str:
    """``mantissa * 10**exponent`` without decimal places, and with the largest suffix that loses nothing."""
    if mantissa == 0:
        return "0"
    if form is Format.BINARY_SI:
        integer = _integer(mantissa, exponent)
        if integer is not None and abs(integer) >= 1024:
            number, times = without_factors(integer, 1024)
            return to_text(number) + _BINARY_SUFFIX.get(10 * times, "")
        form = Format.DECIMAL_SI
    number, times = without_factors(mantissa, 10)
    number *= 10 ** ((exponent + times) % 3)
    power = int32(exponent + times - (exponent + times) % 3)
    if form is Format.DECIMAL_SI:
        # A power without a suffix of its own prints bare, as Kubernetes does: 1000E is "1".
        return to_text(number) + _DECIMAL_SUFFIX.get(power, "")
    return to_text(number) + (f"e{power}" if power else "")


def _integer(mantissa: int, exponent: int) -> int | None:
    """The number itself, or None when it has decimal places."""
    if exponent >= 0:
        factor: int = 10**exponent
        return mantissa * factor
    divisor: int = 10**-exponent
    number, rest = divmod(mantissa, divisor)
    return number if rest == 0 else None
