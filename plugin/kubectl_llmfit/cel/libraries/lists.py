"""Lists: slice, flatten, distinct, reverse, sort, sortBy, lists.range.

Owns version 3 of cel-go's list extensions, which Kubernetes enables (cel-go: ext/lists.go); the macro sortBy is
expanded to a call of ``@sortByAssociatedKeys``. first and last belong to the optionals. Must not print.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from .. import operators as op
from ..arithmetic import RECEIVERS
from ..equality import equal
from ..errors import CelRuntimeError, CostLimitError, no_such_overload
from ..functions import Function, Implementation, Overload
from ..sorting import sort_as_go
from ..types import BOOL, BYTES, DOUBLE, DURATION, DYN, INT, STRING, TIMESTAMP, UINT, ListType, Type, TypeParam
from ..values import is_list, type_of
from .operators import ORDERED_CLASSES, compare

_MAX_RANGE: Final = 1_000_000
# Comparing every element with every other costs 2 per pair, and an evaluation may cost 1,000,000.
_MAX_PAIRS: Final = 500_000
_T: Final = TypeParam("T")
_LIST: Final = ListType(_T)
_ANY_LIST: Final = ListType(DYN)
ORDERED_TYPES: Final = (INT, UINT, DOUBLE, BOOL, DURATION, TIMESTAMP, STRING, BYTES)


def number_range(count: int) -> list[object]:
    """The numbers from 0, so many of them."""
    if count < 0:
        raise CelRuntimeError(f"lists.range: size must be non-negative, got {count}")
    if count > _MAX_RANGE:
        raise CelRuntimeError(f"lists.range: size {count} exceeds maximum allowed ({_MAX_RANGE})")
    return list(range(count))


def slice_of(values: list[object], start: int, end: int) -> list[object]:
    """The elements from ``start`` on, before ``end``."""
    call = f"cannot slice({start}, {end})"
    if start < 0 or end < 0:
        raise CelRuntimeError(f"{call}, negative indexes not supported")
    if start > end:
        raise CelRuntimeError(f"{call}, start index must be less than or equal to end index")
    if len(values) < end:
        raise CelRuntimeError(f"{call}, list is length {len(values)}")
    return list(values[start:end])


def flatten(*arguments: object) -> list[object]:
    """The elements of inner lists in place of them, one level deep or as many as said."""
    values, depth = arguments[0], arguments[1] if len(arguments) == 2 else 1
    if not isinstance(values, list | tuple) or type(depth) is not int:
        kinds = [type_of(argument).declared() for argument in arguments]
        raise CelRuntimeError(f"no such overload: {kinds[0]}.flatten({', '.join(kinds[1:])})")
    if depth < 0:
        raise CelRuntimeError("level must be non-negative")
    return _flattened(values, depth)


def _flattened(values: list[object] | tuple[object, ...], depth: int) -> list[object]:
    result: list[object] = []
    for value in values:
        if depth and isinstance(value, list | tuple):
            result += _flattened(value, depth - 1)
        else:
            result.append(value)
    return result


def distinct(values: list[object]) -> list[object]:
    """The elements without those that equal an earlier one."""
    refuse_pairs(len(values), len(values))
    if not values:
        return values
    result: list[object] = []
    for value in values:
        if not any(surely_equal(value, earlier) for earlier in result):
            result.append(value)
    return result


def surely_equal(left: object, right: object) -> bool:
    """Equality that takes "cannot be compared" for a no."""
    try:
        return equal(left, right)
    except CelRuntimeError:
        return False


def refuse_pairs(left: int, right: int) -> None:
    """Do not begin what Kubernetes would end with: too costly."""
    if left * right > _MAX_PAIRS:
        raise CostLimitError


def sort(values: object) -> object:
    """The elements in order; they must be of one ordered type."""
    if not is_list(values):
        raise (no_such_overload() if type(values) in RECEIVERS else CelRuntimeError("no such overload: sort"))
    return sort_by_keys(values, values)


def sort_by_keys(values: object, keys: object) -> object:
    """The elements in the order of their keys, which must be of one ordered type."""
    if not isinstance(values, list | tuple):
        raise CelRuntimeError(f"no such overload: {op.SORT_BY_KEYS}")
    assert isinstance(keys, list | tuple)
    if len(values) != len(keys):
        raise CelRuntimeError(
            f"{op.SORT_BY_KEYS}() expected a list of the same size as the associated keys list, but got "
            f"{len(values)} and {len(keys)} elements respectively"
        )
    if not keys:
        return values
    if type(keys[0]) not in ORDERED_CLASSES:
        raise CelRuntimeError("list elements must be comparable")
    if any(type(key) is not type(keys[0]) for key in keys):
        raise CelRuntimeError("list elements must have the same type")
    refuse_pairs(len(keys), len(keys))
    places = list(range(len(keys)))
    sort_as_go(places, lambda left, right: _is_before(keys[left], keys[right]))
    return [values[place] for place in places]


def _is_before(left: object, right: object) -> bool:
    """Whether one key is less than another; NaN is neither before nor after anything."""
    try:
        return compare("_<_", left, right) < 0
    except CelRuntimeError:
        return False


def _method(
    id_: str,
    args: tuple[Type, ...],
    result: Type,
    run: Implementation | None = None,
    measured: tuple[int, type] | None = None,
) -> Overload:
    return Overload(id_, args, result, member=True, run=run, measured=measured)


def for_types(types: tuple[Type, ...], make: Callable[[Type], Overload]) -> tuple[Overload, ...]:
    """The same overload for each of several types."""
    return tuple(map(make, types))


FUNCTIONS: Final = (
    Function("slice", (_method("list_slice", (_LIST, INT, INT), _LIST, slice_of),)),
    Function(
        "flatten",
        (
            _method("list_flatten", (ListType(_LIST),), _LIST),
            _method("list_flatten_int", (_ANY_LIST, INT), _ANY_LIST, None, (1, int)),
        ),
        flatten,
    ),
    Function(
        "sort",
        for_types(
            ORDERED_TYPES,
            lambda kind: _method(f"list_{kind.name}_sort", (ListType(kind),), ListType(kind), None, (0, list)),
        ),
        sort,
    ),
    Function(
        op.SORT_BY_KEYS,
        for_types(
            ORDERED_TYPES,
            lambda kind: _method(
                f"list_{kind.name}_sortByAssociatedKeys", (_LIST, ListType(kind)), _LIST, None, (1, list)
            ),
        ),
        sort_by_keys,
    ),
    Function("lists.range", (Overload("lists_range", (INT,), ListType(INT), run=number_range),)),
    Function("reverse", (_method("list_reverse", (_LIST,), _LIST, lambda values: list(reversed(values))),)),
    Function("distinct", (_method("list_distinct", (_LIST,), _LIST, distinct, (0, list)),)),
)
