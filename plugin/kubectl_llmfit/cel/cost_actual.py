"""What calls really cost, from the values they were made with.

Owns the figures by function name and overload (cel-go: interpreter/runtimecost.go, costCall, ext/lists.go,
ext/sets.go; apiserver 0.37: pkg/cel/library/cost.go, CallCost). Estimates are told elsewhere. Must not evaluate.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final

from . import operators as op
from .address import Address, AddressRange
from .cost_range import MAX_COST, NEW_LIST, PER_CHARACTER, PER_PATTERN_CHARACTER, fixed
from .cost_table import CHECK_COST, selector_cost
from .errors import CelRuntimeError, CostLimitError
from .formats import NamedFormat
from .text import encoded
from .types import Kind
from .values import Optional, map_find, type_of

Values = list[object]
# From the values, errors among them, and the result, which may be an error.
CallCost = Callable[[Values, object], int]


def call_cost(function: str, overloads: tuple[str, ...]) -> CallCost:
    """The cost of calls where the checker found ``overloads`` possible: exact ones only count when there is one."""
    overload = overloads[0] if len(overloads) == 1 else ""
    return _BY_LISTS.get(overload) or _BY_FUNCTION.get(function) or _BY_OVERLOAD.get(overload) or _one


def equality_cost(values: Values, _: object) -> int:
    """``==``: the shorter side, or one unit for a value of Kubernetes' types."""
    return 1 if _is_from_kubernetes(values[0]) else _shorter(values, None)


def inequality_cost(values: Values, _: object) -> int:
    """``!=``: the shorter side."""
    return _shorter(values, None)


def plain_size(value: object) -> int:
    """The size of what has one, 1 for anything else, errors included."""
    if isinstance(value, str | bytes | list | tuple | Mapping):
        return len(value)
    if isinstance(value, Address):
        return len(value.packed)
    return (value.bits + 7) // 8 if isinstance(value, AddressRange) else 1


def _size(value: object) -> int:
    """As ``plain_size``, but of what is in an optional."""
    while isinstance(value, Optional) and value.present:
        value = value.value
    return plain_size(value)


def _is_from_kubernetes(value: object) -> bool:
    if isinstance(value, CelRuntimeError):
        return False
    type_ = type_of(value)
    return type_.kind in (Kind.OBJECT, Kind.OPAQUE) and not isinstance(value, Optional)


def _one(_values: Values, _result: object) -> int:
    return 1


def _scaled(size: int, factor: float = PER_CHARACTER) -> int:
    return math.ceil(float(size) * factor)


def _shorter(values: Values, _: object) -> int:
    return _scaled(min(_size(values[0]), _size(values[1])))


def _reads(index: int) -> CallCost:
    return lambda values, _: _scaled(_size(values[index]))


def _in_list(values: Values, _: object) -> int:
    return _size(values[1])


def _joins(values: Values, _: object) -> int:
    return _scaled(_size(values[0]) + _size(values[1]))


def _matches(values: Values, _: object) -> int:
    return math.ceil((1.0 + float(_size(values[0]))) * PER_CHARACTER) * _scaled(_size(values[1]), PER_PATTERN_CHARACTER)


def _contains(values: Values, _: object) -> int:
    return _scaled(_size(values[0])) * _scaled(_size(values[1]))


# Kubernetes' libraries, which do not look into optionals


def _traverses(values: Values, _: object) -> int:
    """isSorted and its like: all that is in the first value; values of a length cost their length only."""
    cost = 0
    pending: list[object] = [values[0]]
    for _steps in range(_MOST_STEPS):
        if not pending:
            return cost
        value = pending.pop()
        if isinstance(value, str | bytes):
            length = len(encoded(value)) if isinstance(value, str) else len(value)
            cost += int(float(length) * PER_CHARACTER)
        elif isinstance(value, list | tuple):
            pending.extend(value)
        elif isinstance(value, Mapping):
            pending.extend(value)
            pending.extend(map_find(value, key) for key in value)
        else:
            cost += 1
    raise CostLimitError


_MOST_STEPS: Final = 10 * MAX_COST


def _reads_text(values: Values, _: object) -> int:
    return _scaled(plain_size(values[0]))


def _reads_text_twice(values: Values, _: object) -> int:
    return math.ceil(float(plain_size(values[0])) * 2 * PER_CHARACTER)


def _reads_result_twice(_: Values, result: object) -> int:
    return math.ceil(float(plain_size(result)) * 2 * PER_CHARACTER)


def _finds(values: Values, _: object) -> int:
    text = math.ceil((1.0 + float(plain_size(values[0]))) * PER_CHARACTER)
    return text * _scaled(plain_size(values[1]), PER_PATTERN_CHARACTER)


def _validates(values: Values, _: object) -> int:
    if not isinstance(values[0], NamedFormat):
        return 1
    text = math.ceil((1.0 + float(plain_size(values[1]))) * PER_CHARACTER)
    return text * _scaled(values[0].regex_size, PER_PATTERN_CHARACTER)


def _checks(_values: Values, _result: object) -> int:
    return CHECK_COST


def _selects(values: Values, _: object) -> int:
    return selector_cost(fixed(plain_size(values[1]))).most if len(values) > 1 else 1


def _contains_address(overload: str, is_network: bool) -> CallCost:
    """Two addresses are compared; a network is masked too, and a text is parsed."""

    def _cost(values: Values, _: object) -> int:
        mine, other = plain_size(values[0]), plain_size(values[1])
        units = _scaled(mine + mine)
        if is_network:
            units += _scaled(mine) + 1
        return units + (_scaled(other) if overload.endswith("_string") else 0)

    return _cost


# Lists and sets


def _new_list(factor: float, size: int) -> int:
    return int(float(size) * (1.0 if factor < 0 else factor)) + 1 + NEW_LIST


def _output(_: Values, result: object) -> int:
    return _new_list(1, plain_size(result))


def _flattens(values: Values, _: object) -> int:
    depth = values[1] if len(values) == 2 else 1
    return _new_list(float(depth) if isinstance(depth, int) else 1.0, plain_size(values[0]))


def _compares_all(index: int) -> CallCost:
    def _cost(values: Values, _: object) -> int:
        elements = values[index]
        if not isinstance(elements, list | tuple) or not elements:
            return _new_list(2.0, 0)
        factor = 2.0 + PER_CHARACTER if isinstance(elements[0], str | bytes) else 2.0
        return _new_list(factor, len(elements) ** 2)

    return _cost


def _sets(factor: int) -> CallCost:
    return lambda values, _: 1 + plain_size(values[0]) * plain_size(values[1]) * factor


_SORTABLE: Final = (
    *("int", "uint", "double", "bool", "string", "bytes"),
    *("google.protobuf.Timestamp", "google.protobuf.Duration"),
)
_BY_LISTS: Final[dict[str, CallCost]] = {
    "list_slice": _output,
    "list_flatten": _flattens,
    "list_flatten_int": _flattens,
    "lists_range": _output,
    "list_reverse": _output,
    "list_distinct": _compares_all(0),
    **{f"list_{kind}_sort": _compares_all(0) for kind in _SORTABLE},
    **{f"list_{kind}_sortByAssociatedKeys": _compares_all(1) for kind in _SORTABLE},
    "list_sets_contains_list": _sets(1),
    "list_sets_intersects_list": _sets(1),
    "list_sets_equivalent_list": _sets(2),
    # Found by name in Kubernetes too, but with a cost that depends on the overload.
    "cidr_ip": _one,
    "cidr_contains_ip_string": _contains_address("cidr_contains_ip_string", is_network=False),
    "cidr_contains_cidr_string": _contains_address("cidr_contains_cidr_string", is_network=True),
}
_BY_FUNCTION: Final[dict[str, CallCost]] = {
    **dict.fromkeys(("isSorted", "sum", "max", "min", "indexOf", "lastIndexOf", "includes"), _traverses),
    **dict.fromkeys(("url", "lowerAscii", "upperAscii", "substring", "trim"), _reads_text),
    **dict.fromkeys(("cidr", "isIP", "isCIDR", "ip", "quantity", "isQuantity", "semver", "isSemver"), _reads_text),
    **dict.fromkeys(("replace", "split", "ip.isCanonical"), _reads_text_twice),
    "join": _reads_result_twice,
    "check": _checks,
    **dict.fromkeys(("fieldSelector", "labelSelector"), _selects),
    **dict.fromkeys(("find", "findAll"), _finds),
    "containsIP": _contains_address("", is_network=False),
    "containsCIDR": _contains_address("", is_network=True),
    "validate": _validates,
}
_BY_OVERLOAD: Final[dict[str, CallCost]] = {
    "startsWith_string": _reads(1),
    "endsWith_string": _reads(1),
    **dict.fromkeys(("string_to_bytes", "bytes_to_string", "strings_quote", "string_format"), _reads(0)),
    "in_list": _in_list,
    **{
        f"{order}_{kind}": _shorter
        for order in ("less", "less_equals", "greater", "greater_equals")
        for kind in ("string", "bytes")
    },
    "add_string": _joins,
    "add_bytes": _joins,
    "matches": _matches,
    "matches_string": _matches,
    "contains_string": _contains,
}


COSTS_BY_RESULT: Final = frozenset({_output, _reads_result_twice})

# What calls are about to make


def _sum_size(values: Values) -> int:
    return plain_size(values[0]) + plain_size(values[1])


def _replaced_size(values: Values) -> int:
    return plain_size(values[0]) + (plain_size(values[0]) + 1) * plain_size(values[2])


def _joined_size(values: Values) -> int:
    parts = values[0] if isinstance(values[0], list | tuple) else ()
    separator = plain_size(values[1]) if len(values) > 1 else 0
    return sum(plain_size(part) + separator for part in parts)


MAKERS: Final[dict[str, Callable[[Values], int]]] = {
    op.ADD: _sum_size,
    "replace": _replaced_size,
    "join": _joined_size,
}
