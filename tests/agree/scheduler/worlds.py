"""The worlds of one seed. Owns the mixture; every world is one that the API server accepts."""

from __future__ import annotations

import random
from collections.abc import Iterator

from agree.scheduler.asked import claims, classes
from agree.scheduler.limits import limit_world
from agree.scheduler.occupied import held
from agree.scheduler.published import Traits, slices, taint_rules
from agree.scheduler.targets import nodes
from agree.scheduler.world import World

_SWITCHED = (
    "DRAConsumableCapacity",
    "DRADeviceBindingConditions",
    "DRADeviceTaintRules",
    "DRAPartitionableDevices",
)


def worlds(seed: int, count: int, *, limits: bool = True) -> Iterator[World]:
    """So many worlds; each has a seed of its own, so that any can be made again alone.

    Those about the limit of devices are for schedulers that try combinations: others, permutations, never end.
    """
    for number in range(count):
        yield world(seed, number, limits=limits)


def world(seed: int, number: int, *, limits: bool = True) -> World:
    """World ``number`` of a seed."""
    draw = random.Random(f"{seed}/{number}")
    if draw.random() < 0.05 and limits:
        return limit_world(draw)
    traits = Traits.drawn(draw)
    published = slices(draw, traits)
    gates = _gates(draw)
    if traits.unit.is_fractional and gates.get("DRAConsumableCapacity", True) and draw.random() < 0.5:
        gates["DRAFractionalCapacityRange"] = True
    return World(
        nodes=nodes(draw),
        slices=published,
        classes=classes(draw, traits),
        claims=claims(draw, traits),
        held=held(draw, traits, published),
        rules=taint_rules(draw, published) if traits.taints else [],
        gates=gates,
    )


def _gates(draw: random.Random) -> dict[str, bool]:
    """Now and then features are off although objects use them, as after a downgrade.

    One of the two that decide for the allocator with a fixed order stays on.
    """
    if draw.random() > 0.1:
        return {}
    kept = draw.choice(("DRAConsumableCapacity", "DRADeviceBindingConditions"))
    return {name: False for name in _SWITCHED if name != kept and draw.random() < 0.4}
