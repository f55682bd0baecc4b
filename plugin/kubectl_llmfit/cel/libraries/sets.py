"""Lists as sets: sets.contains, sets.equivalent, sets.intersects.

Owns cel-go's set extensions (cel-go: ext/sets.go). What cannot be compared is not equal. Must not change lists.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ..functions import Function, Overload
from ..types import BOOL, ListType, TypeParam
from .lists import refuse_pairs
from .operators import contains

_LIST: Final = ListType(TypeParam("T"))

_List = list[object]


def contains_all(values: _List, wanted: _List) -> bool:
    """Whether every element of ``wanted`` is in ``values``."""
    refuse_pairs(len(values), len(wanted))
    return all(contains(value, values) for value in wanted)


def equivalent(left: _List, right: _List) -> bool:
    """Whether each list contains the other."""
    return contains_all(left, right) and contains_all(right, left)


def intersects(left: _List, right: _List) -> bool:
    """Whether the lists have an element in common."""
    refuse_pairs(len(left), len(right))
    return any(contains(value, right) for value in left)


def _function(word: str, run: Callable[[_List, _List], bool]) -> Function:
    return Function(f"sets.{word}", (Overload(f"list_sets_{word}_list", (_LIST, _LIST), BOOL, run=run),))


FUNCTIONS: Final = (
    _function("contains", contains_all),
    _function("equivalent", equivalent),
    _function("intersects", intersects),
)
