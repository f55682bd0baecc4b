"""Counters that the devices of a pool share: what is left of them, and who consumes what.

Rules: kube-scheduler 1.37, ``structured/internal/incubating`` checkAvailableCounters. Devices that are held, or of
which shares are held, have consumed theirs, those of other nodes' slices included. A counter that is overdrawn keeps
every device of its pool that consumes anything from being taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from .answer import CounterShortage, DeviceID, Pool, PoolDevice
from .capacity import nanos, quantity
from .occupancy import Occupancy
from .problem import SharedCounters
from .rules import Rules

CounterName = tuple[str, str]
"""A counter set of a pool, and the counter's own name."""


@dataclass(frozen=True, slots=True)
class Accounts:
    """The counters of all pools of a node, numbered, and their names."""

    counters: SharedCounters
    names: tuple[CounterName, ...] = ()

    def shortage(self, device: int) -> CounterShortage | None:
        """What keeps a device from being taken before anything else of an attempt is."""
        left = self.counters.left
        needs = self.counters.needs.get(device, ())
        short = [(counter, amount) for counter, amount in needs if left[counter] < amount]
        short += [(counter, 0) for counter in self.counters.guards.get(device, ()) if left[counter] < 0]
        if not short:
            return None
        counter, amount = short[0]
        return CounterShortage(*self.names[counter], quantity(amount), quantity(left[counter]))


def accounts(pools: Sequence[Pool], devices: Sequence[PoolDevice], occupancy: Occupancy, rules: Rules) -> Accounts:
    """The counters of the complete pools; ``devices`` are those of all pools in order."""
    left: list[int] = []
    names: list[CounterName] = []
    needs: dict[int, tuple[tuple[int, int], ...]] = {}
    guards: dict[int, tuple[int, ...]] = {}
    position = 0
    for pool in pools:
        own = range(position, position + len(pool.devices))
        position += len(pool.devices)
        if not pool.counter_sets or not rules.gates.partitionable_devices:
            continue
        available = _available(pool, occupancy, rules)
        numbers = {name: len(left) + place for place, name in enumerate(available)}
        left += available.values()
        names += available
        consumed = {d: _needs(devices[d], numbers) for d in own if devices[d].shape.consumes_counters}
        needs |= consumed
        if _is_odd(available, consumed):
            guards |= {d: _guards(numbers, consumed[d]) for d in consumed}
    return Accounts(SharedCounters(tuple(left), needs, guards), tuple(names))


def _available(pool: Pool, occupancy: Occupancy, rules: Rules) -> dict[CounterName, int]:
    """What the sets hold less what all taken devices of the pool consume; may be below zero."""
    available = {
        (counter_set.name, name): nanos(counter_set.counters[name])
        for counter_set in sorted(pool.counter_sets, key=lambda each: each.name)
        for name in sorted(counter_set.counters)
    }
    for device in _consuming(pool):
        if device.id in occupancy.held or (rules.shares_consume_counters and device.id in occupancy.shared):
            for consumed in device.shape.consumes_counters:
                for name, amount in consumed.counters.items():
                    available[consumed.name, name] -= nanos(amount)
    return available


def _consuming(pool: Pool) -> Iterator[PoolDevice]:
    for device in pool.devices:
        if device.shape.consumes_counters:
            yield device
    for slice_ in pool.elsewhere:
        for other in slice_.devices:
            if other.shape.consumes_counters:
                yield PoolDevice(DeviceID(pool.driver, pool.pool, other.name), other.shape)


def _needs(device: PoolDevice, numbers: Mapping[CounterName, int]) -> tuple[tuple[int, int], ...]:
    needs: dict[int, int] = {}
    for consumed in device.shape.consumes_counters:
        for name, amount in consumed.counters.items():
            number = numbers[consumed.name, name]
            needs[number] = needs.get(number, 0) + nanos(amount)
    return tuple(sorted(needs.items()))


def _is_odd(available: Mapping[CounterName, int], consumed: Mapping[int, tuple[tuple[int, int], ...]]) -> bool:
    """Whether a counter may be below zero that a device does not consume itself."""
    return min(available.values(), default=0) < 0 or any(n < 0 for needs in consumed.values() for _, n in needs)


def _guards(numbers: Mapping[CounterName, int], needs: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    own = {counter for counter, _ in needs}
    return tuple(number for number in numbers.values() if number not in own)
