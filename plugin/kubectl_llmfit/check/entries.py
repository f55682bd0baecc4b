"""One node's entry of the document, from what the scheduler would do there."""

from __future__ import annotations

from collections.abc import Container, Sequence

from ..api.values import Claim, Node
from ..dra.answer import DeviceID, NodeAnswer, Outcome, Pool, RequestSteps
from ..dra.copies import CopyCounter
from ..dra.inventory import Inventory
from ..dra.occupancy import NOTHING
from .devices import Devices, is_known
from .notes import notes_on
from .reasons import Reasons
from .tried import Tried, without_unread_claims
from .values import AllocatedDevice, Copies, NodeEntry, PoolEntry, Steps


class Entries:
    """Writes the entries of one check."""

    def __init__(
        self,
        claims: Sequence[Claim],
        inventory: Inventory,
        devices: Devices,
        reasons: Reasons,
        shared: Container[DeviceID],
        assumed_nodes: Container[str] = (),
    ) -> None:
        self._assumed_nodes = assumed_nodes
        self._claims = claims
        self._inventory = inventory
        self._devices = devices
        self._reasons = reasons
        self._shared = shared
        self._counter = CopyCounter(inventory, claims)
        unread = inventory.claims_unread is not None
        self._counter_if_free = CopyCounter(without_unread_claims(inventory), claims) if unread else self._counter
        self._countable = not claims or (
            any(claim.allocation is None for claim in claims) and not any(claim.being_deleted for claim in claims)
        )

    def of_node(self, tried: Tried) -> NodeEntry:
        """The entry of a node."""
        node, answer = tried.node, tried.answer
        reason = self._reasons.of_node(tried)
        return NodeEntry(
            name=node.name,
            verdict=tried.judged.verdict,
            scheduler=answer.outcome.value,
            may_time_out=answer.may_time_out,
            message=answer.message,
            reason=reason,
            notes=notes_on(node, self._claims, answer, reason),
            unschedulable=node.unschedulable,
            taints=node.taints,
            assumed=self._inventory.nodes_unread is not None or node.name in self._assumed_nodes,
            match=self._devices.match(answer),
            copies=self._copies(node, answer),
            requests=tuple(self._steps(steps) for steps in answer.steps),
            allocation=self._allocation(answer),
            pools=tuple(map(_pool, answer.pools)),
            devices=self._devices.groups(answer, self._shared),
        )

    def _copies(self, node: Node, answer: NodeAnswer) -> Copies | None:
        """None where it cannot be told, and for a claim that has its devices already or is being deleted."""
        if not self._countable or (answer.outcome is Outcome.UNKNOWN and not answer.steps):
            return None
        now = self._counter.count(node)
        if_free = self._counter_if_free.count(node, NOTHING)
        return Copies(now, if_free) if now is not None and if_free is not None else None

    def _steps(self, steps: RequestSteps) -> Steps:
        counted = is_known(steps)
        return Steps(
            claim=self._claims[steps.claim].name,
            request=steps.request,
            alternative=steps.alternative,
            device_class=steps.after_class if counted else None,
            selectors=steps.after_selectors if counted else None,
            free=steps.free if counted else None,
            untainted=steps.untainted if counted else None,
            counters=steps.counters if counted else None,
            capacity=steps.capacity if counted else None,
            constraint=steps.constraint if counted else None,
        )

    def _allocation(self, answer: NodeAnswer) -> tuple[AllocatedDevice, ...]:
        return tuple(
            AllocatedDevice(
                self._claims[device.claim].name,
                device.request,
                *device.id,
                share_id=device.share_id,
                consumed_capacity=dict(device.consumed_capacity) if device.share else None,
            )
            for device in answer.allocation
        )


def _pool(pool: Pool) -> PoolEntry:
    return PoolEntry(
        driver=pool.driver,
        pool=pool.pool,
        generation=pool.generation,
        slices=pool.slices,
        expected_slices=pool.expected_slices,
        state=pool.state,
        reason=pool.reason,
    )
