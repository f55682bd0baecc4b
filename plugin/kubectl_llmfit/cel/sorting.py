"""Sorting as Go sorts: what becomes of equal elements depends on the algorithm.

Owns the pattern-defeating quicksort of Go's sort.Slice (arxiv.org/abs/2106.05123; Go: sort/zsortfunc.go), in which
the same elements are compared and exchanged, in the same order. Must not know values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

# Shorter ranges are sorted by insertion; from the next length on, medians are taken of three medians, and a range that
# is nearly in order is put in order by at most so many insertions.
_SHORT: Final = 12
_LONG: Final = 50
_MOST_INSERTIONS: Final = 5
# The exchanges of finding a pivot when everything is in the wrong order.
_ALL_EXCHANGED: Final = 12


def sort_as_go(items: list[int], is_before: Callable[[int, int], bool]) -> None:
    """Sort in place; ``is_before`` may be no order at all, and is asked about the elements that Go asks about."""
    _Sorting(items, is_before).sort(0, len(items), len(items).bit_length())


@dataclass(slots=True)
class _Sorting:
    items: list[int]
    is_before: Callable[[int, int], bool]
    exchanged: int = field(default=0, init=False)

    def less(self, left: int, right: int) -> bool:
        """Whether what is at ``left`` comes before what is at ``right``."""
        return self.is_before(self.items[left], self.items[right])

    def swap(self, left: int, right: int) -> None:
        """Exchange two elements."""
        self.items[left], self.items[right] = self.items[right], self.items[left]

    def sort(self, start: int, end: int, bad_pivots: int) -> None:
        """Sort a range; after so many bad pivots by heap."""
        balanced = ordered = True
        while end - start > _SHORT:
            if bad_pivots == 0:
                self._by_heap(start, end)
                return
            if not balanced:
                self._scatter(start, end)
                bad_pivots -= 1
            pivot, may_be_in_order = self._pivot(start, end)
            if balanced and ordered and may_be_in_order and self._few_insertions(start, end):
                return
            if start > 0 and not self.less(start - 1, pivot):
                start = self._after_equal(start, end, pivot)
                continue
            middle, ordered = self._split(start, end, pivot)
            left, right = middle - start, end - middle
            balanced = min(left, right) >= (end - start) // 8
            if left < right:
                self.sort(start, middle, bad_pivots)
                start = middle + 1
            else:
                self.sort(middle + 1, end, bad_pivots)
                end = middle
        self._by_insertion(start, end)

    def _by_insertion(self, start: int, end: int) -> None:
        for place in range(start + 1, end):
            self._sink(place, start)

    def _sink(self, place: int, start: int) -> None:
        """Move an element towards the start while it comes before its neighbour."""
        while place > start and self.less(place, place - 1):
            self.swap(place, place - 1)
            place -= 1

    def _by_heap(self, start: int, end: int) -> None:
        size = end - start
        for root in range((size - 1) // 2, -1, -1):
            self._sift(root, size, start)
        for last in range(size - 1, -1, -1):
            self.swap(start, start + last)
            self._sift(0, last, start)

    def _sift(self, root: int, size: int, start: int) -> None:
        while (child := 2 * root + 1) < size:
            if child + 1 < size and self.less(start + child, start + child + 1):
                child += 1
            if not self.less(start + root, start + child):
                return
            self.swap(start + root, start + child)
            root = child

    def _scatter(self, start: int, end: int) -> None:
        """Exchange three elements of the middle with any others, the same ones for the same length."""
        length = end - start
        chance = length
        for place in range(start + length // 4 * 2 - 1, start + length // 4 * 2 + 2):
            chance ^= chance << 13 & (2**64 - 1)
            chance ^= chance >> 7
            chance ^= chance << 17 & (2**64 - 1)
            other = chance & ((1 << length.bit_length()) - 1)
            self.swap(place, start + (other - length if other >= length else other))

    def _pivot(self, start: int, end: int) -> tuple[int, bool]:
        """A place near the median, and whether the range may be in order; one in reverse is turned round."""
        quarter = (end - start) // 4
        places = [start + quarter * number for number in (1, 2, 3)]
        self.exchanged = 0
        if end - start >= _LONG:
            places = [self._median(place - 1, place, place + 1) for place in places]
        pivot = self._median(*places)
        if self.exchanged == _ALL_EXCHANGED:
            self.items[start:end] = self.items[start:end][::-1]
            return end - 1 - (pivot - start), True
        return pivot, self.exchanged == 0

    def _median(self, first: int, second: int, third: int) -> int:
        first, second = self._in_order(first, second)
        second, _ = self._in_order(second, third)
        return self._in_order(first, second)[1]

    def _in_order(self, left: int, right: int) -> tuple[int, int]:
        if self.less(right, left):
            self.exchanged += 1
            return right, left
        return left, right

    def _few_insertions(self, start: int, end: int) -> bool:
        """Put a range in order that nearly is; whether that was enough."""
        place = start + 1
        for _ in range(_MOST_INSERTIONS):
            while place < end and not self.less(place, place - 1):
                place += 1
            if place == end:
                return True
            if end - start < _LONG:
                return False
            self.swap(place, place - 1)
            if place - start >= 2:
                self._sink(place - 1, 0)
            self._rise(place + 1, end)
        return False

    def _rise(self, place: int, end: int) -> None:
        """Move the element before ``place`` towards the end while its neighbour comes before it."""
        while place < end and self.less(place, place - 1):
            self.swap(place, place - 1)
            place += 1

    def _split(self, start: int, end: int, pivot: int) -> tuple[int, bool]:
        """What comes before the pivot, the pivot, the rest: its new place, and whether nothing had to move."""
        self.swap(start, pivot)
        low, high = start + 1, end - 1
        moved = False
        while True:
            while low <= high and self.less(low, start):
                low += 1
            while low <= high and not self.less(high, start):
                high -= 1
            if low > high:
                break
            self.swap(low, high)
            moved = True
            low, high = low + 1, high - 1
        self.swap(high, start)
        return high, not moved

    def _after_equal(self, start: int, end: int, pivot: int) -> int:
        """Put what equals the pivot first, where nothing comes before it; returns where the rest begins."""
        self.swap(start, pivot)
        low, high = start + 1, end - 1
        while True:
            while low <= high and not self.less(start, low):
                low += 1
            while low <= high and self.less(start, high):
                high -= 1
            if low > high:
                return low
            self.swap(low, high)
            low, high = low + 1, high - 1
