"""What claims that are allocated already say of a node, beside the allocator's answer for the others.

Rules: kube-scheduler 1.37, dynamicresources Filter: the allocator's own "no" or error comes first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..api.values import Claim, Node
from .answer import ClaimDevice, DeviceID, NodeAnswer, Outcome
from .binding import is_unavailable
from .inventory import Inventory
from .nodes import depends_on_labels, selector_matches

NOT_AVAILABLE = "resourceclaim not available on the node"


def with_allocated(inventory: Inventory, claims: Sequence[Claim], node: Node, answer: NodeAnswer) -> NodeAnswer:
    """The answer with what the allocated claims add."""
    done = [claim for claim in claims if claim.allocation is not None]
    selectors = [c.allocation.node_selector for c in done if c.allocation and c.allocation.node_selector]
    if inventory.nodes_unread is not None and any(map(depends_on_labels, selectors)):
        return replace(answer, outcome=Outcome.UNKNOWN, message=inventory.nodes_unread, may_fail=True)
    waits = inventory.rules.gates.binding_and_status
    unavailable = [is_unavailable(claim, inventory.now) for claim in done] if waits else []
    if True in unavailable or not all(selector_matches(selector, node) for selector in selectors):
        return _not_available(answer)
    if None in unavailable:
        return _time_not_known(answer)
    if answer.outcome is Outcome.ALLOCATES:
        return replace(answer, allocation=_recorded(claims) + answer.allocation)
    return answer


def _not_available(answer: NodeAnswer) -> NodeAnswer:
    if answer.outcome is Outcome.ALLOCATES or (answer.outcome is Outcome.UNKNOWN and not answer.may_fail):
        return replace(answer, outcome=Outcome.REFUSES, message=NOT_AVAILABLE, allocation=(), node_selectors=())
    return answer


def _time_not_known(answer: NodeAnswer) -> NodeAnswer:
    if answer.outcome is not Outcome.ALLOCATES:
        return answer
    message = "a claim waits for its devices to be bound, and it is not known when the cluster was read"
    return replace(answer, outcome=Outcome.UNKNOWN, message=message, allocation=(), node_selectors=())


def _recorded(claims: Sequence[Claim]) -> tuple[ClaimDevice, ...]:
    return tuple(
        ClaimDevice(
            index,
            result.request,
            DeviceID(result.driver, result.pool, result.device),
            admin_access=result.admin_access,
            share=result.share_id is not None,
            share_id=result.share_id,
            consumed_capacity=tuple(sorted(result.consumed_capacity.items())),
            binding_conditions=result.binding_conditions,
            binding_failure_conditions=result.binding_failure_conditions,
        )
        for index, claim in enumerate(claims)
        if claim.allocation is not None
        for result in claim.allocation.results
    )
