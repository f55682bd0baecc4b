"""How many times the claims can be allocated on one node: the allocator, run until it no longer allocates."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace

from ..api.values import Claim, Node
from .allocate import Trial
from .answer import Outcome, Pool
from .inventory import Inventory
from .nodes import NodeSelectorError
from .occupancy import Occupancy
from .problem import RESULTS_MAX, Problem, Status
from .view import NodeView

COPIES_MAX = 100
"""More than this many are not counted; shown as ``99+``."""


class CopyCounter:
    """Counts copies of some claims on many nodes of an inventory; a claim that is allocated counts as if new."""

    def __init__(self, inventory: Inventory, claims: Sequence[Claim]) -> None:
        self._inventory = inventory
        self._counts: dict[tuple[int, bool], int | None] = {}
        self._counts_of_alike: dict[Hashable, int | None] = {}
        self._trial = Trial(inventory, [replace(c, allocation=None) for c in claims])

    def count(self, node: Node, occupancy: Occupancy | None = None) -> int | None:
        """Copies that ``node`` takes with ``occupancy`` (the inventory's own by default) held.

        At most ``COPIES_MAX``; None where one of the attempts cannot be told.
        """
        if self._trial.stopped is not None:
            return 0
        if self._trial.unsupported is not None:
            return None
        try:
            view = self._trial.view(node)
        except NodeSelectorError:
            return 0
        key = self._trial.memory_key(view, occupancy)
        if key is None:
            return self._count(node, view, occupancy)
        if key not in self._counts:
            self._counts[key] = self._count(node, view, occupancy)
        return self._counts[key]

    def _count(self, node: Node, view: NodeView, occupancy: Occupancy | None) -> int | None:
        occupancy = self._inventory.occupancy if occupancy is None else occupancy
        if view.disputed() is not None:
            return None
        try:
            problem = self._trial.problem(view, occupancy)
        except OverflowError:
            return None
        simple = _count_simple(problem)
        if simple is not None:
            return min(simple, COPIES_MAX)
        alike = _likeness(view, problem)
        if alike is None:
            return self._repeat(node, view, occupancy.within(view.pools))
        if alike not in self._counts_of_alike:
            self._counts_of_alike[alike] = self._repeat(node, view, occupancy.within(view.pools))
        return self._counts_of_alike[alike]

    def _repeat(self, node: Node, view: NodeView, occupancy: Occupancy) -> int | None:
        for number in range(COPIES_MAX):
            answer = self._trial.allocate(node, view, self._trial.problem(view, occupancy))
            if answer.outcome is Outcome.UNKNOWN:
                return None
            if answer.outcome is not Outcome.ALLOCATES:
                return number
            if all(device.admin_access for device in answer.allocation):
                return COPIES_MAX
            occupancy = occupancy.plus(answer.allocation)
        return COPIES_MAX


def _count_simple(problem: Problem) -> int | None:
    """One request for a count of devices that are free or not: what repeating it comes to. None for the rest."""
    if len(problem.requests) != 1 or len(problem.requests[0].wants) != 1:
        return None
    want, devices = problem.requests[0].wants[0], problem.devices
    if want.all_devices is not None or want.admin_access or want.constraints or not 1 <= want.count <= RESULTS_MAX:
        return None
    if devices.shareable or devices.counters.needs or devices.capacity:
        return None
    if any(status not in {Status.SKIP, Status.FREE} for status in want.statuses):
        return None
    return sum(status is Status.FREE for status in want.statuses) // want.count


def _likeness(view: NodeView, problem: Problem) -> Hashable:
    """What nodes have in common that take claims equally often; None where more than the plain numbers decides.

    What a copy takes changes the numbers of the next attempt only by the numbers themselves, but for devices that
    leave open what follows, shares that All asks for, counters that other nodes' devices consume, pools in any order,
    and devices that nodes share.
    """
    if not view.rules.order_is_fixed or any(pool.elsewhere for pool in view.pools):
        return None
    if any(device.targeting.node_name is None for device in view.devices):
        return None
    wants = [want for request in problem.requests for want in request.wants]
    if any(Status.OPAQUE in want.statuses or (want.all_devices and want.amounts) for want in wants):
        return None
    return _hashable(problem), tuple((len(pool.devices), _counters(pool)) for pool in view.pools)


def _counters(pool: Pool) -> int:
    return sum(len(each.counters) for each in pool.counter_sets)


def _hashable(value: object) -> Hashable:
    """The same value in tuples."""
    if is_dataclass(value):
        return tuple(_hashable(getattr(value, each.name)) for each in fields(value))
    if isinstance(value, Mapping):
        return tuple((key, _hashable(each)) for key, each in value.items())
    return tuple(map(_hashable, value)) if isinstance(value, list | tuple) else value
