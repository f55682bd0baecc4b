"""What a check warns of although nothing is wrong today: selectors that one new device would make fail the pod."""

from __future__ import annotations

from collections.abc import Iterator

from .asked import Condition
from .values import Answer, NodeCheck
from .words import listed


def unguarded_warnings(check: NodeCheck) -> Iterator[str]:
    """A line for each class or request that reads names without a guard; none for what the suggestions already say."""
    told = _raising(check) if check.summary.verdict is Answer.NO else frozenset()
    warnings = (
        _warning(owner, condition)
        for owner, condition in _owned(check).values()
        if condition.unguarded and condition.id not in told
    )
    yield from dict.fromkeys(warnings)  # alternatives of one request may read the same


def _owned(check: NodeCheck) -> dict[str, tuple[str, Condition]]:
    """Every condition by its id, with whose it is: the first class or request that has it."""
    alternatives = [
        (request.name, alternative)
        for claim in check.claims
        for request in claim.requests
        for alternative in request.alternatives
    ]
    owned: dict[str, tuple[str, Condition]] = {}
    for name, alternative in alternatives:
        for condition in alternative.conditions:
            if condition.source == "class":
                owner = f"class {alternative.device_class_name}"
            else:
                owner = "the claim's selector" if len(alternatives) == 1 else f"request {name}: its selector"
            owned.setdefault(condition.id, (owner, condition))
    return owned


def _raising(check: NodeCheck) -> frozenset[str]:
    """Conditions that raise where it counts: a cordoned node gets no suggestion."""
    groups = [group for node in check.nodes if not node.unschedulable for group in node.devices]
    return frozenset(entry.id for group in groups for entry in group.conditions if entry.result == "error")


def _warning(owner: str, condition: Condition) -> str:
    names = condition.unguarded
    lacking = "it" if len(names) == 1 else "one"
    said = f"{owner} reads {listed([str(name) for name in names])} without a guard"
    said = f"{said}: a device that lacks {lacking} fails the whole pod"
    if condition.source == "class":
        return said
    return f"{said}; write {names[0].name!r} in {names[0].container} && …"
