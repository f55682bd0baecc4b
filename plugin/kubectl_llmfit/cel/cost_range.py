"""The arithmetic of cost: ranges of uint64 that stop at the greatest number instead of overflowing.

Owns how Kubernetes adds, multiplies and rounds costs and sizes (cel-go: checker/cost.go, SizeEstimate and
CostEstimate). Must not know what is counted.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

# k8s.io/api/resource/v1: CELSelectorExpressionMaxCost, for the estimate and for each evaluation.
MAX_COST: Final = 1_000_000
MOST: Final = 2**64 - 1
_TWO_TO_64: Final = 2.0**64

# Costs of a name or field read, of making a list, a map and a message; factors per character of a text read once
# and of a pattern (cel-go: common/cost.go).
READ: Final = 1
NEW_LIST: Final = 10
NEW_MAP: Final = 30
NEW_MESSAGE: Final = 40
PER_CHARACTER: Final = 0.1
PER_PATTERN_CHARACTER: Final = 0.25


def capped_sum(first: int, second: int) -> int:
    """The sum, at most MOST."""
    return min(first + second, MOST)


def capped_product(first: int, second: int) -> int:
    """The product, at most MOST."""
    return min(first * second, MOST)


def scaled(count: int, factor: float) -> int:
    """``count`` times a factor, rounded up, at most MOST."""
    number = float(count)
    if number > 0 and factor > 0 and number > _TWO_TO_64 / factor:
        return MOST
    return min(math.ceil(number * factor), MOST)


class Range(NamedTuple):
    """From the least to the most that a cost or a size can be."""

    least: int
    most: int

    def plus(self, other: Range) -> Range:
        """Both one after the other."""
        return Range(capped_sum(self.least, other.least), capped_sum(self.most, other.most))

    def times(self, other: Range) -> Range:
        """One for each of the other."""
        return Range(capped_product(self.least, other.least), capped_product(self.most, other.most))

    def scaled(self, factor: float) -> Range:
        """A factor of both ends, rounded up."""
        return Range(scaled(self.least, factor), scaled(self.most, factor))

    def union(self, other: Range) -> Range:
        """Either of the two."""
        return Range(min(self.least, other.least), max(self.most, other.most))


def fixed(number: int) -> Range:
    """Exactly ``number``."""
    return Range(number, number)


NOTHING: Final = fixed(0)
ONE: Final = fixed(1)
UNKNOWN: Final = Range(0, MOST)


def total(costs: list[Range]) -> Range:
    """All costs together."""
    result = NOTHING
    for cost in costs:
        result = result.plus(cost)
    return result
