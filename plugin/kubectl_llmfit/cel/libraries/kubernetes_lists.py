"""Kubernetes' functions over lists: isSorted, sum, min, max, indexOf, lastIndexOf, includes.

Owns version 1 of the library (apiserver 0.37: pkg/cel/library/lists.go), of which includes came with 1.37 and is
therefore known to stored expressions only. Must not compare or add itself: operators do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final

from ..arithmetic import add
from ..duration import Duration
from ..errors import CelRuntimeError, no_such_overload
from ..functions import Function, Implementation, Overload
from ..types import BOOL, DOUBLE, DURATION, DYN, INT, UINT, ListType, Type, TypeParam
from ..values import UInt
from .lists import ORDERED_TYPES, for_types, surely_equal
from .operators import ORDERED_CLASSES, compare

_A: Final = TypeParam("A")
_LIST: Final = ListType(_A)
_ZEROS: Final[dict[Type, object]] = {INT: 0, UINT: UInt(0), DOUBLE: 0.0, DURATION: Duration(0)}
# The library names types in its own way.
_WORDS: Final = {"google.protobuf.Duration": "duration", "google.protobuf.Timestamp": "timestamp"}

_List = list[object]


def _ordered(values: _List) -> Iterator[object]:
    """The elements, as long as they have an order at all."""
    for value in values:
        if type(value) not in ORDERED_CLASSES:
            raise no_such_overload()
        yield value


def _order(left: object, right: object) -> int:
    """-1, 0, 1; 0 for values of different types, which have no order."""
    try:
        order = compare("_<_", left, right)
    except CelRuntimeError:
        return 0
    return order


def is_sorted(values: _List) -> bool:
    """Whether no element is greater than the next."""
    return all(_order(left, right) <= 0 for left, right in pairwise(_ordered(values)))


def _extreme(name: str, worse: int) -> Callable[[_List], object]:
    """The first element that is best; ``worse`` is the order in which another displaces it."""

    def _run(values: _List) -> object:
        best: object = None
        for value in _ordered(values):
            if best is None or _order(best, value) == worse:
                best = value
        if best is None:
            raise CelRuntimeError(f"{name} called on empty list")
        return best

    return _run


def _sum(zero: object) -> Callable[[_List], object]:
    def _run(values: _List) -> object:
        total = zero
        for value in values:
            total = add(total, value)
        return total

    return _run


def index_of(values: _List, wanted: object) -> int:
    """The place of the first element that is equal; -1 when none is."""
    return next((place for place, value in enumerate(values) if surely_equal(value, wanted)), -1)


def last_index_of(values: _List, wanted: object) -> int:
    """The place of the last element that is equal; -1 when none is."""
    places = range(len(values) - 1, -1, -1)
    return next((place for place in places if surely_equal(values[place], wanted)), -1)


def includes(target: object, wanted: object) -> bool:
    """Whether a list has the element, or a value is it."""
    if isinstance(target, list | tuple):
        return index_of(list(target), wanted) >= 0
    return surely_equal(target, wanted)


def _word(kind: Type) -> str:
    return _WORDS.get(kind.name, kind.name)


def _method(id_: str, args: tuple[Type, ...], result: Type, run: Implementation, stored_only: bool = False) -> Overload:
    return Overload(id_, args, result, member=True, run=run, stored_only=stored_only)


def _best(name: str, worse: int) -> Function:
    run = _extreme(name, worse)
    overloads = for_types(
        ORDERED_TYPES,
        lambda kind: _method(f"list_{_word(kind)}_{name}_{_word(kind)}", (ListType(kind),), kind, run),
    )
    return Function(name, overloads)


FUNCTIONS: Final = (
    Function(
        "isSorted",
        for_types(
            ORDERED_TYPES,
            lambda kind: _method(f"list_{_word(kind)}_is_sorted_bool", (ListType(kind),), BOOL, is_sorted),
        ),
    ),
    Function(
        "sum",
        for_types(
            tuple(_ZEROS),
            lambda kind: _method(f"list_{_word(kind)}_sum_{_word(kind)}", (ListType(kind),), kind, _sum(_ZEROS[kind])),
        ),
    ),
    _best("max", -1),
    _best("min", 1),
    Function("indexOf", (_method("list_a_index_of_int", (_LIST, _A), INT, index_of),)),
    Function("lastIndexOf", (_method("list_a_last_index_of_int", (_LIST, _A), INT, last_index_of),)),
    Function("includes", (_method("list_includes_dyn_dyn", (DYN, DYN), BOOL, includes, stored_only=True),)),
)
