"""Bytes, GiB and the way figures are rounded and written. Pure arithmetic, no rule of any estimator."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

GIB = 2**30
INT64_MAX = 2**63 - 1
_BINARY_SUFFIXES = (("Ei", 2**60), ("Pi", 2**50), ("Ti", 2**40), ("Gi", 2**30), ("Mi", 2**20), ("Ki", 2**10))


def bytes_from_gib(gib: float) -> int:
    """The smallest whole number of bytes that holds ``gib`` binary gigabytes."""
    return math.ceil(Fraction(gib) * GIB)


def gib_from_bytes(count: int) -> int | float:
    """``count`` bytes in GiB: an int when it is whole, else the nearest float."""
    return count // GIB if count % GIB == 0 else count / GIB


def binary_quantity(count: int) -> str:
    """``count`` bytes as Kubernetes writes them: the largest suffix that divides, ``5Gi``, ``7680Mi``."""
    if count == 0:
        return "0"
    for suffix, size in _BINARY_SUFFIXES:
        if count % size == 0:
            return f"{count // size}{suffix}"
    return str(count)


def round_half_away(value: float, decimals: int) -> float:
    """Round a non-negative double, halves up, as Rust's ``f64::round`` on ``value * 10**decimals``."""
    scale = 10.0**decimals
    scaled = value * scale
    whole = math.floor(scaled)
    return (whole + 1 if scaled - whole >= 0.5 else whole) / scale


def plain_number(value: float) -> str:
    """A finite number without exponent and without a trailing ``.0``: ``20``, ``12.5``, ``0.0000001``."""
    text = format(Decimal(repr(float(value))), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
