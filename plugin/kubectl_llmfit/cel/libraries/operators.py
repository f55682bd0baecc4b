"""The operators of the language.

Owns order, membership, negation and every operator's signatures (cel-go: common/stdlib/standard.go). Must not
know how arguments are evaluated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from .. import operators as op
from ..arithmetic import add, divide, modulo, multiply, negate, subtract
from ..duration import Duration
from ..equality import compare_numbers, equal
from ..errors import CelRuntimeError, no_such_overload
from ..functions import Function, Overload
from ..text import encoded, is_broken
from ..timestamp import Timestamp
from ..types import BOOL, BYTES, DOUBLE, DURATION, INT, STRING, TIMESTAMP, UINT, ListType, MapType, Type, TypeParam
from ..values import NUMBERS, contains_key

_A: Final = TypeParam("A")
_B: Final = TypeParam("B")
_LIST: Final = ListType(_A)
_MAP: Final = MapType(_A, _B)
_ORDERED_TYPES: Final = (BOOL, INT, UINT, DOUBLE, STRING, BYTES, TIMESTAMP, DURATION)
# In cel-go's order: of several overloads that fit, the first decides the type.
_NUMERIC_TYPES: Final = (DOUBLE, INT, UINT)


def logical_not(value: object) -> object:
    """``!value``."""
    if value is True:
        return False
    if value is False:
        return True
    raise no_such_overload()


_COMPARABLE: Final = frozenset({str, bytes, bool, Timestamp, Duration})
# The classes of all values that have an order.
ORDERED_CLASSES: Final = _COMPARABLE | NUMBERS


def compare(sign: str, left: object, right: object) -> int:
    """The order of two values; CelRuntimeError when they have none."""
    kind = type(left)
    if kind in NUMBERS:
        if type(right) not in NUMBERS:
            raise no_such_overload()
        order = compare_numbers(left, right)  # type: ignore[arg-type]  # both are numbers
        if order is None:
            raise CelRuntimeError("NaN values cannot be ordered")
        return order
    if kind in _COMPARABLE:
        if type(right) is not kind:
            raise no_such_overload()
        if isinstance(left, str) and isinstance(right, str) and (is_broken(left) or is_broken(right)):
            left, right = encoded(left), encoded(right)
        return (left > right) - (left < right)  # type: ignore[operator,no-any-return]  # of the same ordered type
    raise CelRuntimeError(f"no such overload: {sign}")


def _ordering(sign: str, holds: Callable[[int], bool]) -> Callable[[object, object], object]:
    def _run(left: object, right: object) -> object:
        if type(left) is int and type(right) is int:
            return holds(left - right)
        return holds(compare(sign, left, right))

    return _run


def contains(element: object, container: object) -> bool:
    """``element in container``; elements that cannot be compared are simply not it."""
    if type(container) is dict:
        return type(element) is str and element in container
    if isinstance(container, Mapping):
        return contains_key(container, element)
    if not isinstance(container, list | tuple):
        raise no_such_overload()
    for candidate in container:
        try:
            if equal(element, candidate):
                return True
        except CelRuntimeError:
            continue
    return False


def _binary(name: str, run: Callable[..., object] | None, *signatures: tuple[str, Type, Type, Type]) -> Function:
    overloads = tuple(Overload(id_, (left, right), result) for id_, left, right, result in signatures)
    return Function(name, overloads, run)


def _order_function(name: str, word: str, holds: Callable[[int], bool]) -> Function:
    same = [(f"{word}_{kind.name}", kind, kind, BOOL) for kind in _ORDERED_TYPES]
    mixed = [
        (f"{word}_{left.name}_{right.name}", left, right, BOOL)
        for left in _NUMERIC_TYPES
        for right in _NUMERIC_TYPES
        if left is not right
    ]
    return _binary(name, _ordering(name, holds), *same, *mixed)


FUNCTIONS: Final = (
    Function(op.CONDITIONAL, (Overload("conditional", (BOOL, _A, _A), _A),)),
    Function(op.LOGICAL_AND, (Overload("logical_and", (BOOL, BOOL), BOOL),)),
    Function(op.LOGICAL_OR, (Overload("logical_or", (BOOL, BOOL), BOOL),)),
    Function(op.LOGICAL_NOT, (Overload("logical_not", (BOOL,), BOOL),), logical_not),
    Function(op.NOT_STRICTLY_FALSE, (Overload("not_strictly_false", (BOOL,), BOOL),)),
    _binary(op.EQUALS, None, ("equals", _A, _A, BOOL)),
    _binary(op.NOT_EQUALS, None, ("not_equals", _A, _A, BOOL)),
    _binary(op.INDEX, None, ("index_list", _LIST, INT, _A), ("index_map", _MAP, _A, _B)),
    _binary(op.IN, contains, ("in_list", _A, _LIST, BOOL), ("in_map", _A, _MAP, BOOL)),
    _binary(
        op.ADD,
        add,
        ("add_bytes", BYTES, BYTES, BYTES),
        ("add_double", DOUBLE, DOUBLE, DOUBLE),
        ("add_duration_duration", DURATION, DURATION, DURATION),
        ("add_duration_timestamp", DURATION, TIMESTAMP, TIMESTAMP),
        ("add_timestamp_duration", TIMESTAMP, DURATION, TIMESTAMP),
        ("add_int64", INT, INT, INT),
        ("add_list", _LIST, _LIST, _LIST),
        ("add_string", STRING, STRING, STRING),
        ("add_uint64", UINT, UINT, UINT),
    ),
    _binary(
        "_-_",
        subtract,
        ("subtract_double", DOUBLE, DOUBLE, DOUBLE),
        ("subtract_duration_duration", DURATION, DURATION, DURATION),
        ("subtract_int64", INT, INT, INT),
        ("subtract_timestamp_duration", TIMESTAMP, DURATION, TIMESTAMP),
        ("subtract_timestamp_timestamp", TIMESTAMP, TIMESTAMP, DURATION),
        ("subtract_uint64", UINT, UINT, UINT),
    ),
    _binary("_*_", multiply, *((f"multiply_{kind.name}", kind, kind, kind) for kind in _NUMERIC_TYPES)),
    _binary("_/_", divide, *((f"divide_{kind.name}", kind, kind, kind) for kind in _NUMERIC_TYPES)),
    _binary("_%_", modulo, *((f"modulo_{kind.name}", kind, kind, kind) for kind in (INT, UINT))),
    Function(op.NEGATE, tuple(Overload(f"negate_{kind.name}", (kind,), kind) for kind in (DOUBLE, INT)), negate),
    _order_function("_<_", "less", lambda order: order < 0),
    _order_function("_<=_", "less_equals", lambda order: order <= 0),
    _order_function("_>_", "greater", lambda order: order > 0),
    _order_function("_>=_", "greater_equals", lambda order: order >= 0),
    # Written by macros only; its name cannot be spelled in an expression.
    Function(
        op.MAP_INSERT,
        (
            Overload("@mapInsert_map_key_value", (_MAP, _A, _B), _MAP),
            Overload("@mapInsert_map_map", (_MAP, _MAP), _MAP),
        ),
    ),
)
