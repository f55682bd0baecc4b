"""What the drivers of a world publish: pools, slices, devices, counters; and what taints them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from agree.scheduler.amounts import UNITS, Unit, plain_capacity, shared_capacity
from agree.scheduler.selecting import COMMON, DRIVERS
from agree.scheduler.targets import drawn_target, spoil
from agree.scheduler.world import Object

API_VERSION = "resource.k8s.io/v1"
LONG_AGO = "2026-01-01T00:00:00Z"
_POOLS = ("p1", "p2", "q/r")


@dataclass(frozen=True, slots=True)
class Traits:
    """What a world is about. Probabilities for single devices or requests follow from it."""

    raising: float  # of a selector, to be one that may raise
    tight: float  # of whatever may keep a device from being taken, to do so
    partitions: bool
    shares: bool
    binding: bool
    taints: bool
    trouble: bool  # pools in generations, incomplete, invalid
    alternatives: bool
    constraints: bool
    admin: bool
    everything: bool  # allocationMode All
    capacity: bool  # requests ask for capacity
    unit: Unit

    @classmethod
    def drawn(cls, draw: random.Random) -> Traits:
        """Any combination; each trait in a third to a half of the worlds."""
        return cls(
            raising=draw.choice((0, 0, 0.2, 0.6, 0.6)),
            tight=draw.choice((0, 0, 0.1, 0.2, 0.4, 0.8)),
            partitions=draw.random() < 0.3,
            shares=draw.random() < 0.4,
            binding=draw.random() < 0.2,
            taints=draw.random() < 0.3,
            trouble=draw.random() < 0.2,
            alternatives=draw.random() < 0.4,
            constraints=draw.random() < 0.3,
            admin=draw.random() < 0.25,
            everything=draw.random() < 0.35,
            capacity=draw.random() < 0.35,
            unit=draw.choice(UNITS),
        )


def slices(draw: random.Random, traits: Traits) -> list[Object]:
    """The slices of one to three pools, in any order."""
    drivers = DRIVERS if draw.random() < 0.95 else (DRIVERS[0], DRIVERS[0].upper())  # which are two drivers
    identities = [(driver, pool) for driver in drivers for pool in _POOLS]
    published: list[Object] = []
    devices_left = 8
    for driver, pool in draw.sample(identities, draw.choice((1, 1, 2, 3))):
        made = list(_PoolDrawing(draw, traits, driver, pool, devices_left).slices())
        devices_left -= sum(len(each["spec"].get("devices", ())) for each in made)
        published += made
        if devices_left <= 0:
            break
    for number, each in enumerate(published):
        each["metadata"]["name"] = f"{draw.choice('abcxyz')}{number}"
    if published and draw.random() < 0.015:
        spoil(draw.choice(published)["spec"])
    draw.shuffle(published)
    return published


class _PoolDrawing:
    """One pool: its slices of devices, of counters, and those of other generations."""

    def __init__(self, draw: random.Random, traits: Traits, driver: str, pool: str, most_devices: int) -> None:
        self._draw, self._traits, self._driver, self._pool = draw, traits, driver, pool
        self._most_devices = most_devices
        self._counted = traits.partitions and draw.random() < 0.7
        self._shared_pool = traits.shares and draw.random() < 0.7
        self._target = drawn_target(draw, traits.tight)
        self._same_target = draw.random() < 0.6
        self._alike = draw.random() < 0.3
        self._sets = ("cs0", "cs1")[: draw.choice((1, 1, 2))]

    def slices(self) -> Iterator[Object]:
        """All of the pool, unnamed."""
        draw = self._draw
        generation = draw.choice((0, 1, 1, 5))
        devices = list(self._device_slices())
        counters = list(self._counter_slices()) if self._counted else []
        count = len(devices) + len(counters)
        if self._traits.trouble and draw.random() < 0.4:
            count = max(1, count + draw.choice((-1, 1)))
        if draw.random() < 0.05:
            devices.append(self._slice_target())  # with nothing in it
            count += 1
        for spec in (*devices, *counters):
            yield self._slice(spec, generation, count)
        if self._traits.trouble and draw.random() < 0.4:
            other = generation + draw.choice((-1, 1, 1)) if generation else 1
            count = draw.choice((1, 1, 2))
            for spec in list(self._device_slices())[: draw.choice((1, 2))]:
                yield self._slice(spec, other, count)

    def _slice(self, spec: Object, generation: int, count: int) -> Object:
        pool = {"name": self._pool, "generation": generation, "resourceSliceCount": count}
        spec = {"driver": self._driver, "pool": pool} | spec
        return {"apiVersion": API_VERSION, "kind": "ResourceSlice", "metadata": {"name": ""}, "spec": spec}

    def _device_slices(self) -> Iterator[Object]:
        draw = self._draw
        per_device = draw.random() < 0.2
        number = 0
        for _ in range(draw.choice((1, 1, 2, 2, 3))):
            size = min(draw.choice((1, 2, 3, 4)), self._most_devices)
            if size <= 0:
                return
            self._most_devices -= size
            devices = [self._device(f"d{number + place}") for place in range(size)]
            number += size
            if self._alike:
                devices = [devices[0] | {"name": each["name"]} for each in devices]
            if self._traits.trouble and draw.random() < 0.15 and number > size:
                devices[0]["name"] = "d0"  # a slice before has it
            if per_device:
                devices = [each | drawn_target(draw, self._traits.tight, of_device=True) for each in devices]
            target = {"perDeviceNodeSelection": True} if per_device else self._slice_target()
            yield target | {"devices": devices}

    def _slice_target(self) -> Object:
        return self._target if self._same_target else drawn_target(self._draw, self._traits.tight)

    def _counter_slices(self) -> Iterator[Object]:
        """One slice of counter sets, or one for each; now and then a set is there twice."""
        draw = self._draw
        sets = [{"name": name, "counters": self._counters((20, 40, 60, 80))} for name in self._sets]
        apart = draw.random() < 0.3
        for group in ([each] for each in sets) if apart else [sets]:
            yield self._slice_target() | {"sharedCounters": list(group)}
        if self._traits.trouble and draw.random() < 0.1:
            yield self._slice_target() | {"sharedCounters": [sets[0]]}

    def _counters(self, choices: tuple[int, ...]) -> Object:
        draw = self._draw
        amounts = [*map(str, choices), *map(str, choices), "20.5"]
        if draw.random() < 0.01:
            amounts = ["-5"]
        return {name: {"value": draw.choice(amounts)} for name in ("gb", "sm")}

    def _device(self, name: str) -> Object:
        draw, traits = self._draw, self._traits
        made: Object = {"name": name}
        if attributes := self._attributes():
            made["attributes"] = attributes
        shareable = self._shared_pool and draw.random() < 0.7
        if capacity := self._capacity(shareable):
            made["capacity"] = capacity
        if shareable:
            made["allowMultipleAllocations"] = True
        elif traits.shares and draw.random() < 0.1:
            made["allowMultipleAllocations"] = False
        if self._counted and draw.random() < 0.8:
            made["consumesCounters"] = self._consumption()
        if traits.taints and draw.random() < max(0.2, traits.tight / 2):
            made["taints"] = [taint(draw) for _ in range(draw.choice((1, 1, 2)))]
        if traits.binding and draw.random() < 0.3:
            made |= {"bindingConditions": ["example.com/up"], "bindingFailureConditions": ["example.com/down"]}
        if traits.binding and draw.random() < 0.2:
            made["bindsToNode"] = True
        return made

    def _attributes(self) -> Object:
        draw = self._draw
        attributes: Object = {}
        if draw.random() < 0.85:
            attributes[self._spelled("model")] = {"string": draw.choice(("x", "x", "y"))}
        if draw.random() < 0.85:
            attributes[self._spelled("index")] = {"int": draw.choice((0, 1, 2))}
        if draw.random() < 0.7:
            flags: tuple[Object, ...] = ({"bool": True}, {"bool": True}, {"bool": False}, {"string": "true"})
            attributes[self._spelled("ok")] = draw.choice(flags)
        if draw.random() < 0.7:
            attributes[self._spelled("version")] = {"version": draw.choice(("1.0.0", "1.2.3", "1.2.3-rc.1"))}
        for name in ("group", f"{self._driver}/group", f"{COMMON}/group"):
            if draw.random() < 0.8:
                attributes[name] = _group(draw)
        return attributes

    def _spelled(self, name: str) -> str:
        """Bare, or with the own driver's domain, or another's."""
        chance = self._draw.random()
        if chance < 0.7:
            return name
        return f"{self._driver if chance < 0.85 else self._draw.choice(DRIVERS)}/{name}"

    def _capacity(self, shareable: bool) -> Object:
        draw, unit = self._draw, self._traits.unit
        make = shared_capacity if shareable else plain_capacity
        names = [name for name, chance in (("memory", 0.9), ("slots", 0.4)) if draw.random() < chance]
        if names and draw.random() < 0.1:
            names[0] = f"{self._driver}/{names[0]}"
        capacity = {name: make(draw, unit) for name in names}
        if draw.random() < 0.003 and names:
            capacity[names[0]] = {"value": "-1"}
        return capacity

    def _consumption(self) -> list[Object]:
        draw, traits = self._draw, self._traits
        choices = (0, 10, 20, 40) if draw.random() < traits.tight else (0, 5, 10)
        consumed = [
            {"counterSet": name, "counters": self._counters(choices)}
            for name in draw.sample(self._sets, draw.randint(1, len(self._sets)))
        ]
        for each in consumed:
            if draw.random() < 0.4:
                del each["counters"][draw.choice(("gb", "sm"))]
        if self._traits.trouble and draw.random() < 0.06:
            consumed[0]["counterSet"] = "unknown"
        if self._traits.trouble and draw.random() < 0.06:
            consumed[0]["counters"]["unknown"] = {"value": "1"}
        return consumed


def _group(draw: random.Random) -> Object:
    values: tuple[Object, ...] = (*3 * ({"int": 1},), {"int": 2}, {"int": 3}, {"string": "1"}, {"string": "x"})
    rare: tuple[Object, ...] = ({"bool": True}, {"bool": False}, {"version": "1.0.0"}, {"version": "1.0.0+b"})
    return draw.choice(values if draw.random() < 0.9 else rare)


def taint(draw: random.Random) -> Object:
    """A device taint of any effect."""
    made = {"key": draw.choice(("k", "example.com/l"))}
    if draw.random() < 0.5:
        made["value"] = "v"
    return made | {"effect": draw.choice(("NoSchedule", "NoSchedule", "NoExecute", "None")), "timeAdded": LONG_AGO}


def taint_rules(draw: random.Random, published: list[Object]) -> list[Object]:
    """Up to two rules: for a driver, a pool, a device, all of these, everything, nothing."""
    return [_rule(draw, f"rule{number}", published) for number in range(draw.choice((0, 1, 1, 2)))]


def _rule(draw: random.Random, name: str, published: list[Object]) -> Object:
    spec = {"taint": taint(draw)}
    if draw.random() < 0.85:
        chosen = draw.choice(published)["spec"]
        devices = [each["name"] for each in chosen.get("devices", ())] or ["d0"]
        fields = {"driver": chosen["driver"], "pool": chosen["pool"]["name"], "device": draw.choice(devices)}
        spec["deviceSelector"] = {key: value for key, value in fields.items() if draw.random() < 0.5}
    return {"apiVersion": API_VERSION, "kind": "DeviceTaintRule", "metadata": {"name": name}, "spec": spec}
