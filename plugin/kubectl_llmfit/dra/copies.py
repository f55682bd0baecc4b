"""How many times the claims can be allocated on one node: the allocator, run until it no longer allocates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..api.values import Claim, Node
from .allocate import Trial
from .answer import DeviceID, Held, Outcome
from .inventory import Inventory
from .nodes import NodeSelectorError
from .search import SearchRequest, Status
from .view import RESULTS_MAX, NodeView

COPIES_MAX = 100
"""More than this many are not counted; shown as ``99+``."""


class CopyCounter:
    """Counts copies of some claims on many nodes of an inventory; a claim that is allocated counts as if new."""

    def __init__(self, inventory: Inventory, claims: Sequence[Claim]) -> None:
        self._inventory = inventory
        self._counts: dict[tuple[int, bool], int | None] = {}
        self._trial = Trial(inventory, [replace(c, allocation=None) for c in claims])

    def count(self, node: Node, held: Held | None = None) -> int | None:
        """Copies that ``node`` takes with ``held`` (the inventory's own by default, ``{}`` for nothing) held.

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
        key = self._trial.memory_key(view, held)
        if key is None:
            return self._count(view, held)
        if key not in self._counts:
            self._counts[key] = self._count(view, held)
        return self._counts[key]

    def _count(self, view: NodeView, held: Held | None) -> int | None:
        held = self._inventory.held if held is None else held
        taken = {device.id: held[device.id] for device in view.devices if device.id in held}
        simple = _count_simple(view.search_requests(self._inventory, taken))
        return self._repeat(view, taken) if simple is None else min(simple, COPIES_MAX)

    def _repeat(self, view: NodeView, taken: dict[DeviceID, tuple[str, ...]]) -> int | None:
        for number in range(COPIES_MAX):
            answer = self._trial.allocate(view, taken)
            if answer.outcome is Outcome.UNKNOWN:
                return None
            if answer.outcome is not Outcome.ALLOCATES:
                return number
            taken.update((device.id, ()) for device in answer.allocation if not device.admin_access)
        return COPIES_MAX


def _count_simple(requests: Sequence[SearchRequest]) -> int | None:
    """One request for a count of devices that are free or not: what repeating it comes to. None for the rest."""
    if len(requests) != 1:
        return None
    request = requests[0]
    if request.all_devices is not None or request.admin_access or not 1 <= request.count <= RESULTS_MAX:
        return None
    if any(status not in {Status.SKIP, Status.FREE} for status in request.statuses):
        return None
    return sum(status is Status.FREE for status in request.statuses) // request.count
