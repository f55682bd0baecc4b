"""A NodeCheck becomes one row per device, with a column for each thing that its conditions are about."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..check.asked import Condition, Part
from ..check.shortfalls import shortfall, shortfalls
from ..check.values import ConditionEntry, DeviceGroup, NodeCheck, NodeEntry, PartEntry
from ..check.words import taint_text
from .check_table import Row, Table, in_table_order
from .table import UNKNOWN

_CLASS = "CLASS"
_SHORT_OF = "SHORT-OF"  # counters and capacity: only where a device is short of some
_SKIPPED = "<skipped>"
_TEXT_AND_NUMBER = re.compile(r"([^0-9]*)([0-9]*)")


def device_table(check: NodeCheck) -> Table:
    """Headers and one row per device of each node, nodes in the table's order, shared devices under each of theirs.

    A cell shows what the device has where the condition holds, what it lacks where it does not, and
    ``<skipped>`` where the scheduler does not look.
    """
    conditions = _conditions(check)
    columns = _columns(conditions)
    shared = _shared_by_node(check)
    short = any(group.short_of for node in check.nodes for group in (*node.devices, *shared.get(node.name, ())))
    named = (*(name.upper() for name in columns), *([_SHORT_OF] if short else []))
    headers = ("NODE", "DEVICE", "DRIVER", "POOL", "VERDICT", *named, "TAINTS", "HELD-BY")
    rows: list[Row] = []
    for node in in_table_order(check):
        groups = (*node.devices, *shared.get(node.name, ()))
        cells = ((group, _cells(columns, conditions, group)) for group in groups)
        told = ((group, (*row, "; ".join(group.short_of)) if short else row) for group, row in cells)
        devices = ((group, name, row) for group, row in told for name in group.devices)
        rows.extend(_row(node, *device) for device in sorted(devices, key=_order))
    return headers, tuple(rows)


def _order(device: tuple[DeviceGroup, str, Row]) -> tuple[object, ...]:
    """By pool, then by name as a person counts: gpu-2 before gpu-10."""
    group, name, _ = device
    parts = ((text, digits.lstrip("0")) for text, digits in _TEXT_AND_NUMBER.findall(name))
    natural = [(text, len(digits), digits) for text, digits in parts]  # as numbers, of any length
    return group.driver, group.pool, natural, name


def _row(node: NodeEntry, group: DeviceGroup, name: str, cells: Row) -> Row:
    taints = ",".join(taint_text(taint) for taint in group.taints)
    holders = ",".join(group.held_by.get(name, ()))
    return (node.name, name, group.driver, group.pool, str(group.verdict), *cells, taints, holders)


def _shared_by_node(check: NodeCheck) -> dict[str, list[DeviceGroup]]:
    shared: dict[str, list[DeviceGroup]] = {}
    for group in check.shared:
        for name in group.nodes or ():
            shared.setdefault(name, []).append(group)
    return shared


def _conditions(check: NodeCheck) -> dict[str, Condition]:
    return {
        condition.id: condition
        for claim in check.claims
        for request in claim.requests
        for alternative in request.alternatives
        for condition in alternative.conditions
    }


def _columns(conditions: dict[str, Condition]) -> tuple[str, ...]:
    names = (_column(condition, part) for condition in conditions.values() for part in condition.parts or (None,))
    return tuple(dict.fromkeys(names))


def _column(condition: Condition, part: Part | None) -> str:
    """Parts that are about one thing share its column; the rest share their condition's."""
    if condition.source == "class":
        return _CLASS
    return part.about if part is not None and part.about else condition.id


def _cells(columns: tuple[str, ...], conditions: dict[str, Condition], group: DeviceGroup) -> Row:
    texts: dict[str, list[str]] = {name: [] for name in columns}
    for entry in group.conditions:
        condition = conditions[entry.id]
        for name, text in _texts(condition, entry):
            if text not in texts[name]:
                texts[name].append(text)
    return tuple(_best(texts[name]) for name in columns)


def _texts(condition: Condition, entry: ConditionEntry) -> Iterator[tuple[str, str]]:
    if condition.source == "class" or not condition.parts:
        yield _column(condition, None), _whole_text(condition, entry)
        return
    for part, result in zip(condition.parts, entry.parts, strict=True):
        yield _column(condition, part), _text(part, result)


def _whole_text(condition: Condition, entry: ConditionEntry) -> str:
    if entry.result == "skipped":
        return UNKNOWN if any(part.error for part in entry.parts) else _SKIPPED
    if not condition.parts:
        return entry.result  # it does not compile: that is no matter of a device
    return "; ".join(lack.text for lack in shortfalls(condition, entry)) or entry.result


def _text(part: Part, result: PartEntry) -> str:
    if result.result == "skipped":
        return _SKIPPED
    lacking = shortfall(part, result)
    if lacking is not None:
        return lacking.removeprefix(f"{part.about} ")
    if result.observed is not None and part.operator is not None:
        return result.observed
    return result.result


def _best(texts: list[str]) -> str | None:
    """What is worth saying of a column: a figure or a shortfall rather than ``true`` or ``<skipped>``."""
    telling = [text for text in texts if text not in {"true", _SKIPPED}]
    return "; ".join(telling) or (texts[-1] if texts else None)
