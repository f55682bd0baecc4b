"""``x in [constants]`` as one look into a set.

Owns cel-go's shortcut for it, which differs from comparing one by one in what it says of values that Go
cannot hash (interpreter/decorators.go: maybeOptimizeSetMembership). Must not know nodes.
"""

from __future__ import annotations

from typing import Final

from .plan import Frame, Plan, constant_plan
from .values import INT64_MAX, INT64_MIN, UINT64_MAX, UInt, storage_key

_HASHABLE: Final = frozenset({bool, int, UInt, float, str})


def plan_membership(element: Plan, elements: object) -> Plan | None:
    """Code for membership in a constant list; None when the list has elements beyond plain scalars."""
    if not isinstance(elements, list):
        return None
    if not elements:
        return constant_plan(False)
    if any(type(candidate) not in _HASHABLE for candidate in elements):
        return None
    keys = frozenset(key for candidate in elements for key in _keys(candidate))
    value_of = element.run

    def _run(frame: Frame) -> object:
        return storage_key(value_of(frame)) in keys

    return Plan(_run)


def _keys(candidate: object) -> list[object]:
    """A constant and, for numbers, its equals of the other numeric types."""
    keys = [storage_key(candidate)]
    if isinstance(candidate, bool | str):
        return keys
    if isinstance(candidate, float):
        if candidate.is_integer():
            whole = int(candidate)
            keys += [(int, whole)] if INT64_MIN < whole < INT64_MAX else []
            keys += [(UInt, whole)] if 0 <= whole <= UINT64_MAX else []
    elif isinstance(candidate, int):
        keys.append((float, float(candidate)))
        if type(candidate) is int:
            keys += [(UInt, candidate)] if candidate >= 0 else []
        else:
            keys += [(int, int(candidate))] if candidate <= INT64_MAX else []
    return keys
