"""What calls of cel-go's list and set functions can cost at most.

Owns the estimates by overload (cel-go: ext/lists.go, ext/sets.go), which win over those by function name.
Must not walk the tree.
"""

from __future__ import annotations

from typing import Final

from .cost_operand import CallEstimate, LibraryCall, LibraryEstimate, Operand
from .cost_range import MOST, NEW_LIST, ONE, PER_CHARACTER, Range, fixed


def _literal_count(operand: Operand, otherwise: int) -> int:
    value = operand.literal_int
    return otherwise if value is None else max(value, 0)


def _new_list(factor: float, size: Range) -> CallEstimate:
    return CallEstimate(size.scaled(factor).plus(ONE).plus(fixed(NEW_LIST)), size)


def _slice(call: LibraryCall) -> CallEstimate | None:
    if call.target is None or len(call.args) != 2:
        return None
    begin = _literal_count(call.args[0], 0)
    end = _literal_count(call.args[1], call.target.size_or_unknown.most)
    return _new_list(1, fixed((end - begin) % 2**64))


def _range(call: LibraryCall) -> CallEstimate | None:
    return _new_list(1, fixed(_literal_count(call.args[0], MOST)))


def _reverse(call: LibraryCall) -> CallEstimate | None:
    return None if call.target is None else _new_list(1, call.target.size_or_unknown)


def _flatten(call: LibraryCall) -> CallEstimate | None:
    if call.target is None:
        return None
    depth = _literal_count(call.args[0], MOST) if call.args else 1
    return _new_list(float(depth), call.target.size_or_unknown)


def _distinct(call: LibraryCall) -> CallEstimate | None:
    return None if call.target is None else _quadratic(2.0, call.target)


def _quadratic(factor: float, operand: Operand) -> CallEstimate:
    size = operand.size_or_unknown
    return _new_list(factor, size.times(size))


def _sort(call: LibraryCall) -> CallEstimate | None:
    operand = call.args[0] if call.args else call.target
    if operand is None:
        return None
    texts = call.overload.split("_")[1] in ("string", "bytes")
    return _quadratic(2.0 + PER_CHARACTER if texts else 2.0, operand)


def _sets(factor: float) -> LibraryEstimate:
    def _estimate(call: LibraryCall) -> CallEstimate:
        return CallEstimate(call.size(0).times(call.size(1)).scaled(factor).plus(ONE))

    return _estimate


_SORTABLE: Final = (
    *("int", "uint", "double", "bool", "string", "bytes"),
    *("google.protobuf.Timestamp", "google.protobuf.Duration"),
)
LISTS_AND_SETS: Final[dict[str, LibraryEstimate]] = {
    "list_slice": _slice,
    "list_flatten": _flatten,
    "list_flatten_int": _flatten,
    "lists_range": _range,
    "list_reverse": _reverse,
    "list_distinct": _distinct,
    **{f"list_{kind}_{word}": _sort for kind in _SORTABLE for word in ("sort", "sortByAssociatedKeys")},
    "list_sets_contains_list": _sets(1),
    "list_sets_intersects_list": _sets(1),
    "list_sets_equivalent_list": _sets(2),
}
