"""What devices lack, in a person's words, and which of them comes closest.

Everything said here comes from the parts of the conditions that were evaluated; nothing is read twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .asked import Condition, Part, PartKind
from .figures import gap, side_by_side
from .values import ConditionEntry, PartEntry
from .words import UNREAD_MEMORY, count, one_line, shorten

_OPPOSITE = {">=": "<", "<=": ">", ">": "<=", "<": ">=", "==": "!=", "!=": "=="}
_DOES_NOT = {
    "contains": "does not contain",
    "startsWith": "does not start with",
    "endsWith": "does not end with",
    "matches": "does not match",
}
_EMPTY = '""'
_DRIVER = "driver"
_NO_FIGURES = 1.0  # the gap of what cannot be compared as numbers, as in ``figures.gap``
_CLAUSES_MAX = 2  # kinds of misses that one reason spells out


class Shortfall(NamedTuple):
    """One thing that a device lacks: the condition and the part that ask for it, what came of it, and the words."""

    condition: Condition
    part: Part
    entry: PartEntry
    text: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A device that fails: its name and what became of each condition that was tried."""

    device: str
    conditions: tuple[tuple[Condition, ConditionEntry], ...]

    def shortfalls(self) -> list[Shortfall]:
        """Everything that it lacks, in the order of the conditions and their parts."""
        return [lack for condition, entry in self.conditions for lack in shortfalls(condition, entry)]


def shortfall(part: Part, entry: PartEntry) -> str | None:
    """What ``part`` lacks on a device; None where it holds or was not reached."""
    if entry.result == "error":
        error = one_line(entry.error or "")
        return error if part.key is not None and part.key in error else f"{shorten(part.expression)}: {error}"
    if entry.result != "false":
        return None
    if entry.saying is not None:
        return one_line(entry.saying)
    if part.kind is PartKind.PRESENCE:
        return (part.saying or f"publishes {part.key}") if part.operator == "!" else f"publishes no {part.key}"
    if part.kind is PartKind.FLAG:
        return _flag(part)
    if entry.observed is not None and entry.required is not None:
        return _not_as_required(part, entry.observed, entry.required) or f"{shorten(part.expression)} is false"
    return f"{shorten(part.expression)} is false"


def _not_as_required(part: Part, observed: str, required: str) -> str | None:
    """Both sides of what does not hold, as a sentence."""
    if part.about == "memory" and observed == "0":
        return UNREAD_MEMORY
    observed, required = (text or _EMPTY for text in side_by_side(observed, required))
    if part.kind is PartKind.COMPARISON and part.operator in _OPPOSITE:
        unit = f" {part.unit}" if part.unit else ""
        return f"{part.about} {observed} {_OPPOSITE[part.operator]} {required}{unit}"
    if part.kind is PartKind.TEXT and part.operator in _DOES_NOT:
        return f"{part.about} {observed} {_DOES_NOT[part.operator]} {shorten(required)}"
    if part.kind is PartKind.MEMBERSHIP:
        return f"{part.about} {observed} is not in {shorten(required)}"
    return None


def shortfalls(condition: Condition, entry: ConditionEntry) -> list[Shortfall]:
    """What a condition lacks on a device, in the order of its parts; the same words once.

    A part that raises does not count where another is false: && is false then.
    """
    said: dict[str, Shortfall] = {}
    for part, result in zip(condition.parts, entry.parts, strict=False):
        absorbed = result.result == "error" and entry.result == "false"
        text = None if absorbed else shortfall(part, result)
        if text is not None:
            said.setdefault(text, Shortfall(condition, part, result, text))
    if not said and entry.result in {"false", "error"}:
        whole = Part(condition.expression, None)
        result = entry.parts[0] if entry.parts else PartEntry(entry.result, None, None, None)
        text = shortfall(whole, result) or f"{shorten(condition.expression)} is false"
        said[text] = Shortfall(condition, whole, result, text)
    return list(said.values())


def nearest_miss(failing: Sequence[Candidate], device_class: str, most: int = _CLAUSES_MAX) -> str | None:
    """The closest of the devices that fail and all it lacks, with both numbers; None when there is none.

    Each of ``most`` clauses counts the devices that lack all of what it says; those that do not get a clause of
    their own. Devices of another driver are named only where there are no others.
    """
    misses = [(candidate, candidate.shortfalls()) for candidate in failing]
    misses = sorted((miss for miss in misses if miss[1]), key=lambda miss: distance(miss[1]))
    own = [miss for miss in misses if not is_foreign(miss[1])]
    if not own:
        return f"no device of class {device_class} ({count(len(misses), 'device')})" if misses else None
    clauses: list[str] = []
    while own and len(clauses) < most:
        closest, lacking = own[0]
        others = [miss for miss in own if not _things(lacking) <= _things(miss[1])]
        where = _where(closest, lacking, len(own) - len(others))
        clauses.append(f"{_clause(closest, lacking, device_class)} ({where})")
        own = others
    return "; ".join([*clauses, count(len(own), "other device")] if own else clauses)


def is_foreign(lacking: Sequence[Shortfall]) -> bool:
    """Whether the device is none of the class because its driver is another one."""
    return any(lack.condition.source == "class" and lack.part.about == _DRIVER for lack in lacking)


def is_outside(lacking: Sequence[Shortfall]) -> bool:
    """Whether the device is none of the class, whatever for."""
    return any(lack.condition.source == "class" for lack in lacking)


def distance(lacking: Sequence[Shortfall]) -> tuple[int, float]:
    """How far a device is from matching: how many things it lacks, then by how much."""
    things = {lack.part.about or lack.part.expression for lack in lacking}
    return len(things), sum(_gap(lack) for lack in lacking)


def _gap(lack: Shortfall) -> float:
    comparison = lack.part.kind is PartKind.COMPARISON
    return gap(lack.entry.observed, lack.entry.required) if comparison else _NO_FIGURES


def _things(lacking: Sequence[Shortfall]) -> frozenset[tuple[str, str, str | None]]:
    """What tells devices apart by what they lack; of one without a figure, the very words (which product it is)."""
    return frozenset(
        (lack.condition.id, lack.part.expression, None if lack.entry.required is not None else lack.entry.saying)
        for lack in lacking
    )


def _clause(candidate: Candidate, lacking: Sequence[Shortfall], device_class: str) -> str:
    """All that a device lacks; the class is named where it demands what the request does not."""
    requests = (condition for condition, _ in candidate.conditions if condition.source == "request")
    asked = {part.about for condition in requests for part in condition.parts}
    by_class = any(lack.condition.source == "class" and lack.part.about not in asked for lack in lacking)
    texts = ", ".join(lack.text for lack in lacking)
    return f"class {device_class}: {texts}" if by_class else texts


def _where(closest: Candidate, lacking: Sequence[Shortfall], devices: int) -> str:
    if devices == 1:
        return closest.device
    differs = any(_gap(lack) < _NO_FIGURES for lack in lacking)
    return f"{count(devices, 'device')}; closest {closest.device}" if differs else count(devices, "device")


def _flag(part: Part) -> str:
    if part.about == "health":
        return "unhealthy"
    return f"{part.about} is {'true' if part.operator == '!' else 'false'}"
