"""What ends the attempt before any search: requests that cannot be right, and too many devices for one claim.

Rules: kube-scheduler 1.37, ``structured/internal/incubating`` Allocate and validateDeviceRequest: claim after claim,
request after request; All looks at every device of every pool here, held or not.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..api.values import Claim
from .answer import DeviceTest
from .matching import Asked
from .occupancy import claim_label
from .problem import RESULTS_MAX, Problem, Status, Want
from .rules import DistinctAttribute, Rules
from .view import NodeView, doubt_of


def validate(view: NodeView, claims: Sequence[tuple[int, Claim]], problem: Problem) -> str | None:
    """The first error, None where the search may begin."""
    groups = list(zip(view.groups(), problem.requests, strict=True))
    for index, claim in claims:
        certain = listed = 0
        for group, request in ((g, r) for g, r in groups if r.claim == index):
            places = range(len(group))
            errors = (_validate_request(view, problem, group, place) for place in places)
            error = _validate_capacity_gate([view.asked[number] for number in group]) or next(
                filter(None, errors), None
            )
            if error is not None:
                return error
            certain += min(map(_certain, request.wants))
            count = min(want.devices_wanted for want in request.wants)
            if certain > RESULTS_MAX:
                asked = view.asked[group[0]]
                return (
                    f"claim {asked.claim_label}, request {asked.request_name}: adding {count} devices"
                    f" exceeds the claim limit of {RESULTS_MAX}, with {listed} already accounted for"
                )
            listed += count
        error = _validate_constraints(claim, view.rules)
        if error is not None:
            return error
    return None


def why_limit_not_known(view: NodeView, problem: Problem) -> str | None:
    """The first device, as a reason, where a claim wants too many should every doubtful device count for All."""
    wanted: dict[int, int] = {}
    for request in problem.requests:
        count = min(want.devices_wanted for want in request.wants)
        wanted[request.claim] = wanted.get(request.claim, 0) + count
    if all(count <= RESULTS_MAX for count in wanted.values()):
        return None
    found = ((d, t) for row in view.rows for d, t in zip(view.devices, row, strict=True) if t.opaque)
    return next((doubt_of(device, test) for device, test in found), None)


def _certain(want: Want) -> int:
    """How many devices a request or alternative wants at least."""
    if want.all_devices is None:
        return want.count
    return sum(want.statuses[device] is not Status.OPAQUE for device in want.all_devices)


def _validate_capacity_gate(group: Sequence[Asked]) -> str | None:
    """Source: Allocate; before any of the alternatives is looked at."""
    for asked in group:
        if asked.alternative.capacity and asked.rules.knows_capacity and not asked.rules.gates.consumable_capacity:
            kind = "request" if asked.alternative_name is None else "subrequest"
            subject = f"claim {asked.claim_label}, {kind} {asked.alternative.name}"
            return f"{subject}: has capacity requests, but the DRAConsumableCapacity feature is disabled"
    return None


def _validate_request(view: NodeView, problem: Problem, group: Sequence[int], place: int) -> str | None:
    """Source: Allocate, for the gates, and validateDeviceRequest."""
    asked, row = view.asked[group[place]], view.rows[group[place]]
    where, gates = f"claim {asked.claim_label}, request {asked.alternative.name}", asked.rules.gates
    if asked.alternative.admin_access and not gates.admin_access:
        return f"{where}: admin access is requested, but the feature is disabled"
    if asked.alternative.allocation_mode not in {"All", "ExactCount"}:
        return f"{where}: unsupported count mode {asked.alternative.allocation_mode}"
    # An alternative that has taken over the first one's devices looks at none itself.
    takes_over = problem.mixes_alternatives and place == 1 and view.asked[group[0]].wants_all
    return _validate_all(view, row, where) if asked.wants_all and not takes_over else None


def _validate_all(view: NodeView, row: Sequence[DeviceTest], where: str) -> str | None:
    position = 0
    for pool in view.pools:
        if pool.state in {"Incomplete", "Invalid"}:
            state = "being updated" if pool.state == "Incomplete" else "invalid"
            return f"{where}: asks for all devices, but resource pool {pool.driver}/{pool.pool} is currently {state}"
        for test in row[position : position + len(pool.devices)]:
            if test.error is not None:
                return test.error
        position += len(pool.devices)
    return None


def _validate_constraints(claim: Claim, rules: Rules) -> str | None:
    for number, constraint in enumerate(claim.spec.constraints):
        distinct = constraint.distinct_attribute is not None and (
            rules.distinct_attribute is not DistinctAttribute.NOT_KNOWN
        )
        if constraint.match_attribute is None and not distinct:
            return f"claim {claim_label(claim)}, constraint #{number}: empty constraint (unsupported constraint type?)"
    return None
