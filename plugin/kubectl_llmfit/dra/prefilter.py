"""What stops a pod before any node is looked at.

Rules: kube-scheduler 1.37, dynamicresources foreachPodResourceClaim, PreFilter and validateDeviceClass.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..api.values import Claim, Node
from .answer import NodeAnswer, Outcome
from .inventory import Inventory
from .nodes import NodeSelectorError, selector_matches
from .occupancy import claim_label

CONSUMERS_MAX = 256
"""Pods that one claim can be reserved for. Source: ResourceClaimReservedForMaxSize, CanBeReserved."""


def prefilter(claims: Sequence[Claim], inventory: Inventory) -> NodeAnswer | None:
    """The answer for every node, None where each node is to be tried."""
    for claim in claims:
        if claim.being_deleted:
            return _refuses(f'resourceclaim "{claim.name}" is being deleted')
    for claim in claims:
        answer = _check_allocated(claim) if claim.allocation else _check_requests(claim, inventory)
        if answer is not None:
            return answer
    return None


def _check_allocated(claim: Claim) -> NodeAnswer | None:
    if claim.consumers >= CONSUMERS_MAX:
        return _refuses("resourceclaim in use")
    selector = claim.allocation.node_selector if claim.allocation else None
    if selector is not None:
        try:
            selector_matches(selector, Node(""))
        except NodeSelectorError as error:
            return NodeAnswer(Outcome.FAILS, str(error))
    return None


def _check_requests(claim: Claim, inventory: Inventory) -> NodeAnswer | None:
    for request in claim.spec.requests:
        if not request.alternatives:
            text = f"resource claim {claim_label(claim)}, request {request.name}: unknown request type"
            return _refuses(text)
        if request.prioritized and not inventory.rules.gates.prioritized_list:
            where = f"resource claim {claim_label(claim)}, request {request.name}"
            return _refuses(f"{where}: has subrequests, but the DRAPrioritizedList feature is disabled")
        for alternative in request.alternatives:
            if inventory.classes_unread is None and alternative.device_class_name not in inventory.classes:
                name = f"{request.name}/{alternative.name}" if request.prioritized else request.name
                return _refuses(f"request {name}: device class {alternative.device_class_name} does not exist")
    return None


def _refuses(message: str) -> NodeAnswer:
    return NodeAnswer(Outcome.REFUSES, message)
