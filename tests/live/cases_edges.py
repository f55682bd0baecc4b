"""Worlds about rules that are easily got wrong, where no other file of cases has one: see ``test_edge_cases``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from live.cases_selectors import UNGUARDED, on_a, on_b, only
from live.objects import (
    CAPACITY,
    CLASS,
    DRIVER,
    SCOPE,
    Object,
    cel,
    claim,
    device,
    device_class,
    held,
    on_node,
    request,
    resource_slice,
    taint_rule,
)
from live.worlds import ERROR, IN_USE, NO_FIT, World, fits

GPU, SPARE = device("gpu-0"), device("gpu-1")
ONE, TWO, EVERY = request(), request(count=2), request(every=True)
NUMA, ZONE, SLOT = f"{DRIVER}/numa", f"{DRIVER}/zone", f"{DRIVER}/slot"
UPPER = "GPU.Example.com"
SHARE = "11111111-2222-3333-4444-555555555555"
SHARED = {"allowMultipleAllocations": True}


def at_least(memory: str) -> str:
    """A selector by memory."""
    return f"{CAPACITY}.memory.compareTo(quantity('{memory}')) >= 0"


def alternative(name: str, *expressions: str, of_class: str = CLASS, **wishes: Any) -> Object:
    """One of a list; ``wishes`` are fields of the API."""
    return {"name": name, "deviceClassName": of_class, "selectors": [cel(text) for text in expressions]} | wishes


def first_of(*alternatives: Object, name: str = "gpu") -> Object:
    """A request for the first alternative that can be had."""
    return {"name": name, "firstAvailable": list(alternatives)}


def constrained(*requests: Object, **constraint: Any) -> Object:
    """A claim with one constraint over all its requests."""
    made = claim(*requests)
    made["spec"]["devices"]["constraints"] = [constraint]
    return made


def wishing(name: str = "gpu", *, every: bool = False, **capacity: str) -> Object:
    """A request for so much of a device's capacities, or of every device's."""
    made = request(name, every=every)
    made["exactly"]["capacity"] = {"requests": capacity}
    return made


def share_of(name: str, pool: str, device_name: str = "gpu-0", **consumed: str) -> Object:
    """A claim that holds a share of a device."""
    made = held(name, device_name, pool=pool)
    (result,) = made["status"]["allocation"]["devices"]["results"]
    result |= {"shareID": SHARE, "consumedCapacity": consumed}
    return made


def slots(name: str = "gpu-0", **policy: Any) -> Object:
    """A shared device with ten slots, given out by this policy."""
    capacity = {"slots": {"value": "10", "requestPolicy": policy}}
    return device(name, memory=None, more=SHARED | {"capacity": capacity})


BY_FOUR = slots(default="4", validRange={"min": "4", "step": "4"})


def card(where: str, *partitions: Object, of: int = 2) -> list[Object]:
    """A card of 80Gi on a node: its counters in one slice, its partitions in the other."""
    counters = {"sharedCounters": [{"name": "card", "counters": {"memory": {"value": "80Gi"}}}]}
    first = resource_slice(f"{where}-counters", on_node(where), pool=where, of=of)
    del first["spec"]["devices"]  # the API server takes one of the two
    first["spec"] |= counters
    return [first, resource_slice(f"{where}-partitions", on_node(where), *partitions, pool=where, of=of)]


def partition(name: str, memory: str) -> Object:
    """A part of a card."""
    taken = {"counterSet": "card", "counters": {"memory": {"value": memory}}}
    return device(name, memory=memory, more={"consumesCounters": [taken]})


WHOLE, HALF, OTHER_HALF = partition("whole", "80Gi"), partition("half-0", "40Gi"), partition("half-1", "40Gi")


def in_zones(*zones: str) -> list[Object]:
    """Devices gpu-0 and so on, each in a zone."""
    return [device(f"gpu-{index}", zone=zone) for index, zone in enumerate(zones)]


def in_slots(*values: int | str) -> list[Object]:
    """Devices gpu-0 and so on, each with a slot."""
    attributes: list[Mapping[str, int | str]] = [{"slot": value} for value in values]
    return [device(f"gpu-{index}", **each) for index, each in enumerate(attributes)]


CASES: dict[str, World] = {
    "a bare attribute is in the driver's domain": only(f'{SCOPE}.model == "A100"', fits("gpu-0"), model="A100"),
    "All fails the pod when a constraint cannot hold": World(
        constrained(EVERY, matchAttribute=NUMA),
        {"a": ERROR, "b": fits("gpu-0", "gpu-1")},
        [
            on_a(device("gpu-0", numa=0), device("gpu-1", numa=1)),
            on_b(device("gpu-0", numa=1), device("gpu-1", numa=1)),
        ],
    ),
    "the first alternative that is free": World(
        claim(first_of(alternative("big", at_least("80Gi")), alternative("small", at_least("24Gi"), count=2))),
        {"a": fits("gpu-1", "gpu-2"), "b": fits("gpu-0")},
        [on_a(device("gpu-0", memory="80Gi"), SPARE, device("gpu-2")), on_b(device("gpu-0", memory="80Gi"))],
        claims=[held("other", "gpu-0", pool="a")],
    ),
    "an alternative is given up for a later request": World(
        claim(
            first_of(alternative("fast", f"{SCOPE}.speed == 2"), alternative("slow", f"{SCOPE}.speed == 1")),
            request("fastest", f"{SCOPE}.speed == 2"),
        ),
        {"a": fits("gpu-0", "gpu-1")},
        [on_a(device("gpu-0", speed=1), device("gpu-1", speed=2))],
    ),
    "two claims of a pod want a device each": World(
        claim(ONE),
        {"a": NO_FIT, "b": fits("gpu-0", "gpu-1")},
        [on_a(GPU), on_b(GPU, SPARE)],
        beside=[claim(ONE, name="also")],
    ),
    "a later claim makes an earlier one give its device back": World(
        claim(ONE),
        {"a": fits("gpu-1", "gpu-0")},
        [on_a(device("gpu-0", speed=1), device("gpu-1", speed=2))],
        beside=[claim(request("slow", f"{SCOPE}.speed == 1"), name="also")],
    ),
    "a taint rule for a whole pool": World(
        claim(ONE),
        {"a": NO_FIT, "b": fits("gpu-0")},
        [on_a(GPU), on_b(GPU)],
        rules=[taint_rule("r", driver=DRIVER, pool="a")],
    ),
    "too little is left of a shared device": World(
        claim(wishing(memory="60Gi")),
        {"a": IN_USE, "b": fits("gpu-0")},
        [on_a(device("gpu-0", memory="80Gi", more=SHARED)), on_b(device("gpu-0", memory="80Gi", more=SHARED))],
        claims=[share_of("other", "a", memory="30Gi")],
    ),
    "enough is left of a shared device": World(
        claim(wishing(memory="50Gi")),
        {"a": fits("gpu-0")},
        [on_a(device("gpu-0", memory="80Gi", more=SHARED))],
        claims=[share_of("other", "a", memory="30Gi")],
    ),
    "who does not say how much means the whole": World(
        claim(ONE),
        {"a": IN_USE, "b": fits("gpu-0")},
        [on_a(device("gpu-0", memory="80Gi", more=SHARED)), on_b(device("gpu-0", memory="80Gi", more=SHARED))],
        claims=[share_of("other", "a", memory="30Gi")],
    ),
    "a wish names the capacity as it is published": World(
        claim(wishing(memory="10Gi")),
        {"a": NO_FIT, "b": fits("gpu-0")},
        [on_a(device("gpu-0", memory=None, more={"capacity": {f"{DRIVER}/memory": {"value": "80Gi"}}})), on_b(GPU)],
    ),
    "a wish of a device that is not shared is a floor": World(
        claim(wishing("one", memory="40Gi"), wishing("two", memory="40Gi")),
        {"a": NO_FIT, "b": fits("gpu-0", "gpu-2")},
        [
            on_a(device("gpu-0", memory="80Gi"), SPARE),
            on_b(device("gpu-0", memory="80Gi"), SPARE, device("gpu-2", memory="40Gi")),
        ],
    ),
    "a wish is rounded up by the device's policy": World(
        # 5 is rounded up to 8; 8 and the 4 that are taken of b's are more than 10
        claim(wishing(slots="5")),
        {"a": fits("gpu-0"), "b": IN_USE},
        [on_a(BY_FOUR), on_b(BY_FOUR)],
        claims=[share_of("other", "b", slots="4")],
    ),
    "three devices that all differ": World(
        constrained(request(count=3), distinctAttribute=ZONE),
        {"a": NO_FIT, "b": fits("gpu-0", "gpu-1", "gpu-3")},
        [on_a(*in_zones("x", "y", "x")), on_b(*in_zones("x", "y", "x", "z"))],
    ),
    "a number is no match for its text": World(
        constrained(TWO, matchAttribute=SLOT),
        {"a": NO_FIT, "b": fits("gpu-1", "gpu-2")},
        [on_a(*in_slots(0, "0")), on_b(*in_slots(0, "0", "0"))],
    ),
    "a constraint wants its attribute of one device too": World(
        constrained(ONE, matchAttribute=NUMA),
        {"a": NO_FIT, "b": fits("gpu-0")},
        [on_a(GPU), on_b(device("gpu-0", numa=0))],
    ),
    "a partition leaves too little of its card": World(
        claim(request("whole", at_least("80Gi"))),
        {"a": IN_USE, "b": fits("whole")},
        [*card("a", WHOLE, HALF, OTHER_HALF), *card("b", WHOLE, HALF)],
        claims=[held("other", "half-0", pool="a")],
    ),
    "partitions of one card take each other's room": World(
        claim(request(count=2)),
        {"a": fits("half-0", "half-1"), "b": NO_FIT},
        [*card("a", WHOLE, HALF, OTHER_HALF), *card("b", WHOLE, HALF)],
    ),
    "partitions without their card": World(
        claim(ONE),
        {"a": NO_FIT, "b": NO_FIT},
        [card("a", HALF)[1], card("b", HALF, of=1)[1]],  # a slice is missing, and none is but the counters are
    ),
    "the class of a later alternative is missing": World(
        claim(first_of(alternative("a"), alternative("b", of_class="gone"))), {"a": NO_FIT}, [on_a(GPU)]
    ),
    "a driver in upper case is what it is": World(
        claim(request("gpu", f'device.attributes["{UPPER}"].zone == "east"', of_class="upper")),
        {"a": fits("gpu-0")},
        [resource_slice("s", on_node("a"), device("gpu-0", zone="east"), driver=UPPER)],
        classes=[device_class("upper", f'device.driver == "{UPPER}"')],
    ),
    "and not what it is in lower case": World(
        claim(request("gpu", UNGUARDED, of_class="upper")),
        {"a": ERROR},
        [resource_slice("s", on_node("a"), device("gpu-0", zone="east"), driver=UPPER)],
        classes=[device_class("upper", f'device.driver == "{UPPER}"')],
    ),
    "two of one shared device are two devices": World(
        claim(TWO),
        {"a": NO_FIT, "b": fits("gpu-0", "gpu-1")},
        [
            on_a(device("gpu-0", memory=None, more=SHARED)),
            on_b(device("gpu-0", memory=None, more=SHARED), device("gpu-1", memory=None, more=SHARED)),
        ],
    ),
    "two requests share a device": World(
        claim(wishing("one", memory="30Gi"), wishing("two", memory="50Gi"), name="ask"),
        {"a": fits("gpu-0", "gpu-0"), "b": NO_FIT},
        [on_a(device("gpu-0", memory="80Gi", more=SHARED)), on_b(device("gpu-0", memory="79Gi", more=SHARED))],
    ),
    "All fails where partitions are unfinished, and only there": World(
        claim(EVERY), {"a": ERROR, "b": fits("gpu-0")}, [*card("a", HALF, of=3), on_b(GPU)]
    ),
}
