"""The only writer of CEL: the conditions that a device must meet, each lookup guarded before its use.

A missing key is a runtime error in CEL, and a runtime error fails the whole pod (kube-scheduler 1.37:
structured/internal, selector evaluation); so every condition asks for the key first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..drivers.profile import SelectorNames

AND = " && "


def conditions(driver: str, names: SelectorNames, memory: str, bandwidth_gbs: int | None) -> tuple[str, ...]:
    """CEL conditions in the order memory, bandwidth, health, each guard before what it guards.

    ``memory`` is a quantity (``5Gi``); without ``bandwidth_gbs`` there is no condition on bandwidth. Driver and names
    come from a profile and ``memory`` from a number, so nothing a user wrote stands in the text.
    """
    capacity = f"device.capacity['{driver}']"
    attributes = f"device.attributes['{driver}']"
    health = names.health_attribute
    return (
        f"'{names.memory_capacity}' in {capacity}",
        f"{capacity}.{names.memory_capacity}.compareTo(quantity('{memory}')) >= 0",
        *_bandwidth(attributes, names.bandwidth_attribute, bandwidth_gbs),
        f"'{health}' in {attributes}",
        f"{attributes}.{health}",
    )


def expression(driver: str, names: SelectorNames, memory: str, bandwidth_gbs: int | None) -> str:
    """The whole selector on one line."""
    return AND.join(conditions(driver, names, memory, bandwidth_gbs))


def _bandwidth(attributes: str, name: str, bandwidth_gbs: int | None) -> tuple[str, ...]:
    if bandwidth_gbs is None:
        return ()
    return f"'{name}' in {attributes}", f"{attributes}.{name} >= {bandwidth_gbs}"
