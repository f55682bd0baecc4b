"""What keeps one device from one request: what always does, and what others hold now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from ..api.values import CounterSet, DeviceRequest
from ..cel.quantity import Quantity
from ..dra.answer import (
    CapacityShortage,
    CounterShortage,
    DeviceID,
    DeviceTest,
    Match,
    NodeAnswer,
    Pool,
    PoolDevice,
    RequestSteps,
)
from ..dra.capacity import CapacityError, consumed_capacity
from ..dra.inventory import Inventory

MAY_MATCH = frozenset({Match.SELECTABLE, Match.NOT_KNOWN})


class Stage(IntEnum):
    """How far a device gets, in the order that a reason prefers; from HELD on it would do were nothing held."""

    NO_MATCH = 0
    TAINTED = 1
    COUNTERS = 2
    """It consumes more of a counter than its set has."""
    CAPACITY = 3
    """It has less of a capacity than the request comes to, whoever has what of it."""
    HELD = 4
    COUNTERS_USED = 5
    CAPACITY_USED = 6


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What stops a device: a shortage of counters or capacity has its figures."""

    stage: Stage
    counters: CounterShortage | None = None
    capacity: CapacityShortage | None = None

    @property
    def is_occupied(self) -> bool:
        """Whether only what others hold stops it."""
        return self.stage >= Stage.HELD


_NO_MATCH, _TAINTED, _HELD = Obstacle(Stage.NO_MATCH), Obstacle(Stage.TAINTED), Obstacle(Stage.HELD)


@dataclass(frozen=True, slots=True)
class Way:
    """One alternative of a request on one node: each device of the node with what stops it."""

    steps: RequestSteps
    request: DeviceRequest
    devices: tuple[PoolDevice, ...]
    obstacles: tuple[Obstacle | None, ...]
    waits_for_full_devices: bool

    @property
    def wanted(self) -> int:
        """How many devices it wants: for All every one that matches (1 where none does)."""
        if self.request.allocation_mode != "All":
            return max(self.request.count, 1)
        return max(sum(map(self._is_listed, self.steps.tests, self.obstacles)), 1)

    def usable(self, *, if_free: bool) -> list[int]:
        """The numbers of the devices that do: now, or were nothing held."""
        return [n for n, o in enumerate(self.obstacles) if o is None or (if_free and o.is_occupied)]

    def stopped(self, *stages: Stage) -> list[int]:
        """The numbers of the devices that get no further than one of these stages."""
        return [n for n, o in enumerate(self.obstacles) if o is not None and o.stage in stages]

    def occupied(self) -> list[int]:
        """The numbers of the devices that only others' claims stop."""
        return [n for n, o in enumerate(self.obstacles) if o is not None and o.is_occupied]

    def _is_listed(self, test: DeviceTest, obstacle: Obstacle | None) -> bool:
        full = obstacle is not None and obstacle.stage is Stage.CAPACITY_USED
        return test.match in MAY_MATCH and test.capacity is None and (self.waits_for_full_devices or not full)


class Holders:
    """Who holds what of an inventory's devices."""

    def __init__(self, inventory: Inventory) -> None:
        self._occupancy = inventory.occupancy
        self._rules = inventory.rules

    def way(self, answer: NodeAnswer, steps: RequestSteps, request: DeviceRequest) -> Way:
        """An alternative on the node that ``answer`` is about."""
        found = (self.obstacle(answer, steps, request, number) for number in range(len(answer.devices)))
        waits = self._rules.all_waits_for_full_devices
        return Way(steps, request, answer.devices, tuple(found), waits)

    def obstacle(self, answer: NodeAnswer, steps: RequestSteps, request: DeviceRequest, number: int) -> Obstacle | None:
        """What stops device ``number``; what stays when others give their devices back comes first."""
        test, device = steps.tests[number], answer.devices[number]
        if test.match not in MAY_MATCH:
            return _NO_MATCH
        if test.tainted:
            return _TAINTED
        counters = steps.counter_shortages[number] if steps.counter_shortages else None
        beyond = _beyond_the_sets(device, _pool_of(device.id, answer.pools)) if counters is not None else None
        if beyond is not None:
            return Obstacle(Stage.COUNTERS, counters=beyond)
        if test.capacity is not None:
            return Obstacle(Stage.CAPACITY, capacity=test.capacity)
        if not request.admin_access and device.id in self._occupancy.held:
            return _HELD
        if counters is not None:
            return Obstacle(Stage.COUNTERS_USED, counters=counters)
        capacity = steps.capacity_shortages[number] if steps.capacity_shortages else None
        return Obstacle(Stage.CAPACITY_USED, capacity=capacity) if capacity is not None else None

    def of_device(self, device: DeviceID) -> tuple[str, ...]:
        """The claims that hold the device or shares of it."""
        held = (*self._occupancy.held.get(device, ()), *self._occupancy.shared.get(device, ()))
        return tuple(dict.fromkeys(held))

    def of_obstacle(self, obstacle: Obstacle, device: DeviceID, pools: Sequence[Pool]) -> tuple[str, ...]:
        """The claims that stand behind an obstacle: those that use up its counters, too."""
        own = self.of_device(device)
        if obstacle.counters is None:
            return own
        users = self.of_counters(_pool_of(device, pools), obstacle.counters.counter_set)
        return tuple(dict.fromkeys((*own, *users)))

    def amounts(self, request: DeviceRequest, device: PoolDevice) -> Mapping[str, Quantity]:
        """What the request takes of each capacity of a device that does for it."""
        try:
            taken = consumed_capacity(request.capacity, device.shape, self._rules)
        except CapacityError:
            return {}
        return {} if isinstance(taken, CapacityShortage) else taken

    def consumed(self, device: DeviceID, capacity: str) -> Quantity:
        """How much of a capacity shares of the device have."""
        return self._occupancy.consumed.get(device, {}).get(capacity, Quantity.from_int(0))

    def of_counters(self, pool: Pool, counter_set: str) -> Iterator[str]:
        """The claims whose devices consume of a counter set."""
        for device, consumed in consumers(pool):
            if consumed.name == counter_set and self.has_paid(device):
                yield from self.of_device(device)

    def of_pools(self, pools: Sequence[Pool]) -> list[str]:
        """The claims that hold anything of the pools."""
        within = self._occupancy.within(pools)
        return [claim for held in (within.held, within.shared) for claims in held.values() for claim in claims]

    def has_paid(self, device: DeviceID) -> bool:
        """Whether what the device consumes of counters is gone."""
        shares = self._rules.shares_consume_counters
        return device in self._occupancy.held or (shares and device in self._occupancy.shared)


def _pool_of(device: DeviceID, pools: Sequence[Pool]) -> Pool:
    return next(pool for pool in pools if (pool.driver, pool.pool) == (device.driver, device.pool))


def _beyond_the_sets(device: PoolDevice, pool: Pool) -> CounterShortage | None:
    """The first counter of which the device consumes more than there is, whoever holds what."""
    totals = {(each.name, name): total for each in pool.counter_sets for name, total in each.counters.items()}
    for consumed in device.shape.consumes_counters:
        for name, needed in consumed.counters.items():
            total = totals[consumed.name, name]
            if needed > total:
                return CounterShortage(consumed.name, name, needed, total)
    return None


def consumers(pool: Pool) -> Iterator[tuple[DeviceID, CounterSet]]:
    """Every device of the pool, those for other nodes included, with each set that it consumes of."""
    for device in pool.devices:
        yield from ((device.id, consumed) for consumed in device.shape.consumes_counters)
    for slice_ in pool.elsewhere:
        for other in slice_.devices:
            id_ = DeviceID(pool.driver, pool.pool, other.name)
            yield from ((id_, consumed) for consumed in other.shape.consumes_counters)
