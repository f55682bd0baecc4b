"""When values are equal, and which number is the greater.

Owns CEL's ``==`` and the order of numbers of different types (cel-go: common/types, Equal and compare.go).
Must not look into expressions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final

from .address import Address, AddressRange
from .duration import Duration
from .errors import CelRuntimeError, no_such_overload
from .formats import NamedFormat
from .message import Message
from .quantity import Quantity
from .semver import Semver
from .timestamp import Timestamp
from .types import Type
from .url import Url
from .values import (
    INT64_MAX,
    INT64_MIN,
    MISSING,
    NUMBERS,
    UINT64_MAX,
    ConcatenatedList,
    Optional,
    SumQuantity,
    UInt,
    map_find,
)


def equal(left: object, right: object) -> bool:
    """CEL's ``==``; raises where Kubernetes' Quantity and Semver say "no such overload"."""
    if left is None or right is None:
        return left is right
    compare = _EQUALITY.get(type(left))
    if compare is not None:
        return compare(left, right)
    if isinstance(left, Type):
        return isinstance(right, Type) and left.name == right.name
    return _equal_maps(left, right) if isinstance(left, Mapping) else _equal_lists(left, right)


def _same_type(left: object, right: object) -> bool:
    return type(left) is type(right) and left == right


def _equal_numbers_of_any_type(left: object, right: object) -> bool:
    if type(right) not in NUMBERS:
        return False
    return compare_numbers(left, right) == 0  # type: ignore[arg-type]  # both are numbers


def _equal_quantities(left: object, right: object) -> bool:
    if type(right) is not Quantity:
        raise no_such_overload()
    return left == right


def _equal_versions(left: object, right: object) -> bool:
    if type(right) is not Semver:
        raise no_such_overload()
    return left == right


def _equal_of_kubernetes(text: Callable[[object], object]) -> Callable[[object, object], bool]:
    """Equality of values of one class, by what ``text`` makes of them; an error with others."""

    def _run(left: object, right: object) -> bool:
        if type(left) is not type(right):
            raise no_such_overload()
        return text(left) == text(right)

    return _run


def _equal_optionals(left: object, right: object) -> bool:
    if not isinstance(left, Optional) or not isinstance(right, Optional):
        return False
    if not left.present or not right.present:
        return left.present == right.present
    return equal(left.value, right.value)


def _equal_lists(left: object, right: object) -> bool:
    if not isinstance(left, list | tuple) or not isinstance(right, list | tuple) or len(left) != len(right):
        return False
    failed: CelRuntimeError | None = None
    for mine, theirs in zip(left, right, strict=True):
        try:
            if not equal(mine, theirs):
                return False
        except CelRuntimeError as error:
            failed = failed or error
    if failed is not None and isinstance(left, ConcatenatedList):
        raise failed
    return True


def _equal_maps(left: object, right: object) -> bool:
    if not isinstance(left, Mapping) or not isinstance(right, Mapping) or len(left) != len(right):
        return False
    for key in left:
        other = map_find(right, key)
        if other is MISSING:
            return False
        try:
            if not equal(map_find(left, key), other):
                return False
        except CelRuntimeError:
            continue  # cel-go looks for false only
    return True


def _equal_messages(left: object, right: object) -> bool:
    """Field by field; of fields that the type does not have the bytes count (common/types/pb/equal.go)."""
    if not isinstance(left, Message) or not isinstance(right, Message) or left.type != right.type:
        return False
    names = [name for name in left.type.fields or () if left.has(name) or right.has(name)]
    same = all(left.has(name) and right.has(name) and equal(left.get(name), right.get(name)) for name in names)
    return same and left.unknown == right.unknown


_EQUALITY: Final[dict[type, Callable[[object, object], bool]]] = {
    str: _same_type,
    bool: _same_type,
    bytes: _same_type,
    int: _equal_numbers_of_any_type,
    UInt: _equal_numbers_of_any_type,
    float: _equal_numbers_of_any_type,
    Quantity: _equal_quantities,
    SumQuantity: _equal_quantities,
    Semver: _equal_versions,
    Timestamp: _same_type,
    Duration: _same_type,
    Address: _equal_of_kubernetes(str),
    AddressRange: _equal_of_kubernetes(str),
    Url: _equal_of_kubernetes(str),
    NamedFormat: _equal_of_kubernetes(lambda named: named.name),  # type: ignore[attr-defined]  # it is one
    Optional: _equal_optionals,
    Message: _equal_messages,
    list: _equal_lists,
    tuple: _equal_lists,
    ConcatenatedList: _equal_lists,
    dict: _equal_maps,
}


def compare_numbers(left: float, right: float) -> int | None:
    """-1, 0, 1; None when either is NaN. Whole numbers meet doubles as doubles (compare.go)."""
    if type(left) is float or type(right) is float:
        if math.isnan(left) or math.isnan(right):
            return None
        if type(right) is not float:
            return _compare_double(left, right)
        if type(left) is not float:
            return -_compare_double(right, left)
    return (left > right) - (left < right)


def _compare_double(double: float, whole: float) -> int:
    lowest, highest = (0.0, float(UINT64_MAX)) if isinstance(whole, UInt) else (float(INT64_MIN), float(INT64_MAX))
    if double < lowest:
        return -1
    if double > highest:
        return 1
    other = float(whole)
    return (double > other) - (double < other)
