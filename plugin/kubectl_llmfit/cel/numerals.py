"""Doubles written as English people write them, which is how string.format prints ``%f`` and ``%e``.

Owns the digits: ``1,234.500000``, ``1.234500×10⁰³``, ``∞`` (Go: golang.org/x/text/message 0.40 for en_US, whose
field widths are narrow: 8 bits for the least and 16 for the most decimal places, 16 for the width).
Must not know the templates.
"""

from __future__ import annotations

import math
from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import Final

_SUPERSCRIPTS: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_EXACT: Final = Context(prec=2000, rounding=ROUND_HALF_EVEN)
_NO_VERB: Final = "%!(NOVERB)"


def fixed(number: float, precision: int) -> str:
    """``%.Nf``: grouped in threes, with ``precision`` decimal places while that is below 256."""
    if _is_too_large(precision):
        return _NO_VERB
    special = _special(number)
    if special is not None:
        return special
    at_least, at_most = precision % 2**8, (precision + 2**15) % 2**16 - 2**15
    magnitude = Decimal(abs(number)) if at_most >= 0 else Decimal(repr(abs(number)))
    if at_most >= 0 and magnitude.as_tuple().exponent < -at_most:  # type: ignore[operator]  # it is finite
        magnitude = magnitude.quantize(Decimal(1).scaleb(-at_most), context=_EXACT)
    whole, _, fraction = format(magnitude, "f").partition(".")
    fraction = fraction.rstrip("0").ljust(at_least, "0")
    sign = "-" if number < 0 else ""
    return f"{sign}{int(whole):,}.{fraction}" if fraction else f"{sign}{int(whole):,}"


def scientific(number: float, width: int) -> str:
    """``%.Ne``: six decimal places whatever N says; cel-go takes it for the width."""
    if _is_too_large(width):
        return _NO_VERB
    text = _special(number)
    if text is None:
        mantissa, _, exponent = f"{abs(number):.6e}".partition("e")
        power = f"{int(exponent):03d}" if int(exponent) < 0 else f"{int(exponent):02d}"
        text = f"{'-' if number < 0 else ''}{mantissa}×10{power.translate(_SUPERSCRIPTS)}"
    return text.rjust(width % 2**16)


def _special(number: float) -> str | None:
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "∞" if number > 0 else "-∞"
    return None


def _is_too_large(number: int) -> bool:
    """Whether reading the number digit by digit goes beyond a million with a digit left."""
    return number // 10 > 10**6
