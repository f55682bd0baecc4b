"""Two figures side by side as a person compares them: one unit, and exact where rounding would hide the gap."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from ..cel.quantity import Quantity

_UNITS = (("Ei", 60), ("Pi", 50), ("Ti", 40), ("Gi", 30), ("Mi", 20), ("Ki", 10))
_LONGEST = 40  # digits
_DECIMALS = 100  # two decimals: 4864Mi is 4.75Gi


def side_by_side(observed: str, required: str) -> tuple[str, str]:
    """Both texts, in the unit of ``required`` when they are quantities written differently.

    ``("81559Mi", "80Gi")`` gives ``("79.65Gi", "80Gi")``; a gap that two decimals do not show gives both in full, in
    the largest unit of which both are multiples.
    Anything that is no quantity with a suffix stays as it is.
    """
    left, right = quantity(observed), quantity(required)
    if left is None or right is None or _suffix(observed) == _suffix(required):
        return observed, required
    unit = next(((name, 2**power) for name, power in _UNITS if right.value >= 2**power), None)
    if unit is None:
        return observed, required
    rounded = _round(left.value, unit), _round(right.value, unit)
    if left.value == right.value or rounded[0] != rounded[1]:
        return rounded
    common = next((each for each in _UNITS if left.value % 2 ** each[1] == right.value % 2 ** each[1] == 0), None)
    if common is not None:
        return _round(left.value, (common[0], 2 ** common[1])), _round(right.value, (common[0], 2 ** common[1]))
    return _in_full(left), _in_full(right)


def quantity(text: str) -> Quantity | None:
    """The quantity ``text``; None where it is none, or of a size (1e1000000) that nobody compares as a number."""
    if len(text) > _LONGEST:
        return None
    try:
        found = Quantity.parse(text)
    except ValueError:
        return None
    return found if abs(found.exponent) <= _LONGEST else None


@lru_cache(maxsize=4096)  # the same figures stand on thousands of devices
def gap(observed: str | None, required: str | None) -> float:
    """How far ``observed`` is from ``required``: 0 when equal, 1 when they cannot be compared as numbers."""
    left = quantity(observed) if observed is not None else None
    right = quantity(required) if required is not None else None
    if left is None or right is None:
        return 1.0
    largest = max(abs(left.value), abs(right.value))
    return float(abs(left.value - right.value) / largest) if largest else 0.0


def _suffix(text: str) -> str:
    return text.lstrip("+-0123456789.")


def _round(value: Fraction, unit: tuple[str, int]) -> str:
    name, size = unit
    hundredths = round(value * _DECIMALS / size)
    whole, rest = divmod(abs(hundredths), _DECIMALS)
    sign = "-" if hundredths < 0 else ""
    text = f"{whole}.{rest:02d}".rstrip("0").rstrip(".")
    return f"{sign}{text}{name}" if text != "0" else "0"


def _in_full(amount: Quantity) -> str:
    return str(amount.value) if amount.value.denominator == 1 else str(amount)
