"""What a check warns of although nothing is wrong today: selectors that one new device would make fail the pod."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..drivers.registry import profile_of_class
from .asked import Condition
from .values import Answer, DeviceGroup, NodeCheck
from .words import listed

_CLASS = "class "


def unguarded_warnings(check: NodeCheck) -> Iterator[str]:
    """A line for each class or request that reads names without a guard; none for what the suggestions already say.

    None either for a driver's own class that reads what that driver publishes of every device, as long as all do.
    """
    advised = (group for node in check.nodes if not node.unschedulable for group in node.devices)
    told = _raising(advised) if check.summary.verdict is Answer.NO else frozenset()
    lacking = _raising((*(group for node in check.nodes for group in node.devices), *check.shared))
    warnings = (
        _warning(owner, condition)
        for owner, condition in _owned(check).values()
        if condition.unguarded
        and condition.id not in told
        and (condition.id in lacking or not _is_always_published(owner, condition))
    )
    yield from dict.fromkeys(warnings)  # alternatives of one request may read the same


def _is_always_published(owner: str, condition: Condition) -> bool:
    """Whether a driver's own class reads its kind, or the one attribute in which it has always told health."""
    profile = profile_of_class(owner.removeprefix(_CLASS)) if condition.source == "class" else None
    if profile is None:
        return False
    health = [attribute.name for attribute in profile.health.attributes]
    always = {profile.kind_attribute, *(health if len(health) == 1 else [])}
    return all(name.domain == profile.name and name.name in always for name in condition.unguarded)


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
                owner = f"{_CLASS}{alternative.device_class_name}"
            else:
                owner = "the claim's selector" if len(alternatives) == 1 else f"request {name}: its selector"
            owned.setdefault(condition.id, (owner, condition))
    return owned


def _raising(groups: Iterable[DeviceGroup]) -> frozenset[str]:
    """The conditions that raise for one of these devices."""
    return frozenset(entry.id for group in groups for entry in group.conditions if entry.result == "error")


def _warning(owner: str, condition: Condition) -> str:
    names = condition.unguarded
    lacking = "it" if len(names) == 1 else "one"
    said = f"{owner} reads {listed([str(name) for name in names])} without a guard"
    said = f"{said}: a device that lacks {lacking} fails the whole pod"
    if condition.source == "class":
        return said
    return f"{said}; write {names[0].name!r} in {names[0].container} && …"
