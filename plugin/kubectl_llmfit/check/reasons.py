"""Why a device or a node does not satisfy a claim, in a person's words.

Everything said here comes from the parts of the conditions that were evaluated; nothing is read twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..api.values import Taint
from .asked import Condition, Part, PartKind
from .figures import gap, side_by_side
from .values import ConditionEntry, PartEntry
from .words import count, listed, one_line, shorten, taint_text

_OPPOSITE = {">=": "<", "<=": ">", ">": "<=", "<": ">=", "==": "!=", "!=": "=="}
_DRIVER = "driver"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A device that fails: its name and what became of each condition that was tried."""

    device: str
    conditions: tuple[tuple[Condition, ConditionEntry], ...]


def shortfall(part: Part, entry: PartEntry) -> str | None:
    """What ``part`` lacks on a device; None where it holds or was not reached."""
    if entry.result == "error":
        return f"{shorten(part.expression)}: {one_line(entry.error or '')}"
    if entry.result != "false":
        return None
    if part.kind is PartKind.PRESENCE:
        return f"publishes no {part.key}"
    if part.kind is PartKind.FLAG:
        return _flag(part)
    if entry.observed is not None and entry.required is not None:
        if part.about == "memory" and entry.observed == "0":
            return "publishes memory 0 (its size is not known)"  # several drivers do when they cannot read it
        if part.kind is PartKind.COMPARISON and part.operator in _OPPOSITE:
            observed, required = side_by_side(entry.observed, entry.required)
            unit = f" {part.unit}" if part.unit else ""
            return f"{part.about} {observed} {_OPPOSITE[part.operator]} {required}{unit}"
        if part.kind is PartKind.MEMBERSHIP:
            return f"{part.about} {entry.observed} is not in {shorten(entry.required)}"
    return f"{shorten(part.expression)} is false"


def shortfalls(condition: Condition, entry: ConditionEntry) -> list[str]:
    """What a condition lacks on a device, in the order of its parts."""
    pairs = zip(condition.parts, entry.parts, strict=False)
    said = [text for text in (shortfall(part, result) for part, result in pairs) if text]
    if not said and entry.result == "false":
        said.append(f"{shorten(condition.expression)} is false")
    return list(dict.fromkeys(said))


def nearest_miss(failing: Sequence[Candidate], device_class: str) -> str | None:
    """The closest of the devices that fail and all it lacks, with both numbers; None when there is none."""
    in_class = [candidate for candidate in failing if not fails_class(candidate)]
    if not in_class:
        return _class_miss(failing, device_class)
    closest = min(in_class, key=distance)
    lacks = all_shortfalls(closest)
    return f"{', '.join(lacks)} ({_where(len(failing), closest.device)})" if lacks else None


def all_shortfalls(candidate: Candidate) -> list[str]:
    """Everything that a device lacks."""
    return [text for condition, entry in candidate.conditions for text in shortfalls(condition, entry)]


def fails_class(candidate: Candidate) -> bool:
    """Whether the device is none of the class that is asked for."""
    return any(c.source == "class" and entry.result != "true" for c, entry in candidate.conditions)


def distance(candidate: Candidate) -> tuple[int, float]:
    """How far a device is from matching: how many things it lacks, then by how much."""
    things: set[str] = set()
    total = 0.0
    for condition, entry in candidate.conditions:
        for part, result in zip(condition.parts, entry.parts, strict=False):
            if result.result in {"false", "error"}:
                things.add(part.about or part.expression)
                total += gap(result.observed, result.required) if part.kind is PartKind.COMPARISON else 1.0
    return len(things), total


def held_by(holders: Iterable[str]) -> str:
    """``held by team-a/llama-70b, team-b/qwen``."""
    return f"held by {listed(sorted(set(holders)))}"


def tainted(taints: Iterable[Taint], devices: int) -> str:
    """``tainted key=value:NoSchedule (2 devices)``."""
    names = sorted({taint_text(taint) for taint in taints})
    return f"tainted {listed(names)} ({count(devices, 'device')})"


def _flag(part: Part) -> str:
    if part.about == "health":
        return "unhealthy"
    return f"{part.about} is {'true' if part.operator == '!' else 'false'}"


def _class_miss(failing: Sequence[Candidate], device_class: str) -> str | None:
    if not failing:
        return None
    closest = min(failing, key=distance)
    lacks = [
        (part.about, text)
        for condition, entry in closest.conditions
        if condition.source == "class"
        for part, result in zip(condition.parts, entry.parts, strict=False)
        if (text := shortfall(part, result))
    ]
    if not lacks or any(about == _DRIVER for about, _ in lacks):
        return f"no device of class {device_class} ({count(len(failing), 'device')})"
    return f"class {device_class}: {', '.join(text for _, text in lacks)} ({_where(len(failing), closest.device)})"


def _where(devices: int, closest: str) -> str:
    return closest if devices == 1 else f"{devices} devices; closest {closest}"
