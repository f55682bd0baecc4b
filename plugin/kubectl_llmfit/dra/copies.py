"""How many times the claims can be allocated on one node: the allocator, run until it no longer allocates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..api.values import Claim, Node
from .allocate import Trial
from .answer import Outcome
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
        try:
            problem = self._trial.problem(view, occupancy)
        except OverflowError:
            return None
        simple = _count_simple(problem)
        return self._repeat(node, view, occupancy.within(view.pools)) if simple is None else min(simple, COPIES_MAX)

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
