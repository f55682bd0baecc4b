"""What the end of a search means for the node: the outcome, the scheduler's words, the devices recorded.

Rules: kube-scheduler 1.37, ``structured/internal/incubating`` Allocate, after its search.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..api.values import Claim, Node, NodeSelector
from .answer import ClaimDevice, NodeAnswer, Outcome
from .effort import may_time_out
from .inventory import Inventory
from .node_selector import SelectorTermsError, create_node_selector
from .problem import Problem, Status, Taken
from .rules import Rules
from .search import Found
from .view import NodeView

CANNOT_ALLOCATE = "cannot allocate all claims"
INVALID_POOLS = "invalid resource pools were encountered"
GAVE_UP = "the search for devices takes longer than this program tries"


def outcome_of(
    inventory: Inventory,
    claims: Sequence[tuple[int, Claim]],
    node: Node,
    view: NodeView,
    problem: Problem,
    found: Found,
) -> NodeAnswer:
    """The allocator's answer for a node."""
    if found.gave_up:
        return NodeAnswer(Outcome.UNKNOWN, GAVE_UP, may_fail=True, may_time_out=True)
    answer = _answer(inventory, claims, node, view, problem, found)
    late = _times_out(inventory.rules, answer.outcome) and may_time_out(problem, found)
    return replace(answer, may_time_out=True) if late else answer


def _times_out(rules: Rules, outcome: Outcome) -> bool:
    """Whether a search that takes too long ends in another outcome. Until 1.35 it only refuses the node."""
    if not rules.gates.scheduler_filter_timeout or outcome is Outcome.FAILS:
        return False
    return rules.timeout_fails_pod or outcome is not Outcome.REFUSES


def _answer(
    inventory: Inventory,
    claims: Sequence[tuple[int, Claim]],
    node: Node,
    view: NodeView,
    problem: Problem,
    found: Found,
) -> NodeAnswer:
    stopped = found.stopped_at
    uncertain = found.taken is not None or stopped is not None or found.skipped_errors
    unknown = (found.doubted if uncertain else None) or (stopped if _is_opaque(problem, stopped) else None)
    if unknown is not None:
        reason = view.why_not_known(inventory, unknown)
        return NodeAnswer(Outcome.UNKNOWN, reason, may_fail=_may_fail(inventory, view, problem))
    if stopped is not None:
        return NodeAnswer(Outcome.FAILS, _error(view, stopped))
    if found.taken is None:
        invalid = any(pool.state == "Invalid" for pool in view.pools)
        return NodeAnswer(Outcome.REFUSES, INVALID_POOLS if invalid else CANNOT_ALLOCATE)
    try:
        selectors = tuple(_selector(index, claim, node, view, found.taken) for index, claim in claims)
    except SelectorTermsError as error:
        return NodeAnswer(Outcome.FAILS, str(error))
    allocation = tuple(_recorded(view, problem, taken) for taken in found.taken)
    return NodeAnswer(Outcome.ALLOCATES, allocation=allocation, node_selectors=selectors)


def _is_opaque(problem: Problem, stopped: Taken | None) -> bool:
    if stopped is None:
        return False
    return problem.requests[stopped.request].wants[stopped.want].statuses[stopped.device] is Status.OPAQUE


def _may_fail(inventory: Inventory, view: NodeView, problem: Problem) -> bool:
    """Whether an answer that is not known may turn out to be Fails."""
    against = any(want.all_devices and want.constraints for r in problem.requests for want in r.wants)
    return view.has_errors() or against or inventory.classes_unread is not None or view.has_unknown_matches()


def _error(view: NodeView, stopped: Taken) -> str | None:
    """What a device raised, or that a constraint is against one of all devices (allocateDevice with must)."""
    number = view.number_of(stopped)
    asked, device = view.asked[number], view.devices[stopped.device]
    return view.rows[number][stopped.device].error or (
        f"claim {asked.claim_label}, request {asked.alternative.name}: cannot add device {device.id}"
        " because a claim constraint would not be satisfied"
    )


def _selector(index: int, claim: Claim, node: Node, view: NodeView, taken: Sequence[Taken]) -> NodeSelector | None:
    devices = (view.devices[t.device] for t in taken if view.asked[view.number_of(t)].claim_index == index)
    try:
        return create_node_selector(devices, node.name)
    except SelectorTermsError as error:
        raise SelectorTermsError(f"create NodeSelector for claim {claim.name}: {error}") from error


def _recorded(view: NodeView, problem: Problem, taken: Taken) -> ClaimDevice:
    asked, device = view.asked[view.number_of(taken)], view.devices[taken.device]
    share = taken.device in problem.devices.shareable
    return ClaimDevice(
        asked.claim_index,
        asked.result_name,
        device.id,
        admin_access=asked.alternative.admin_access,
        share=share,
        consumed_capacity=tuple(sorted(asked.consumed(device).items())) if share else (),
        binding_conditions=device.shape.binding_conditions,
        binding_failure_conditions=device.shape.binding_failure_conditions,
    )
