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
from .problem import RESULTS_MAX
from .view import NodeView, doubt_of, is_listed


def validate(view: NodeView, claims: Sequence[tuple[int, Claim]]) -> str | None:
    """The first error, None where the search may begin."""
    groups = list(view.groups())
    for index, claim in claims:
        certain = listed = 0
        for group in (group for group in groups if view.asked[group[0]].claim_index == index):
            for number in group:
                problem = _validate_request(view, view.asked[number], view.rows[number])
                if problem is not None:
                    return problem
            certain += min(_certain_count(view.asked[number], view.rows[number]) for number in group)
            count = min(_listed_count(view.asked[number], view.rows[number]) for number in group)
            if certain > RESULTS_MAX:
                asked = view.asked[group[0]]
                return (
                    f"claim {asked.claim_label}, request {asked.request_name}: adding {count} devices"
                    f" exceeds the claim limit of {RESULTS_MAX}, with {listed} already accounted for"
                )
            listed += count
        problem = _validate_constraints(claim)
        if problem is not None:
            return problem
    return None


def why_limit_not_known(view: NodeView) -> str | None:
    """The first device, as a reason, where a claim wants too many should every doubtful device count for All."""
    wanted: dict[int, int] = {}
    for group in view.groups():
        claim = view.asked[group[0]].claim_index
        count = min(_listed_count(view.asked[number], view.rows[number]) for number in group)
        wanted[claim] = wanted.get(claim, 0) + count
    if all(count <= RESULTS_MAX for count in wanted.values()):
        return None
    found = ((d, t) for row in view.rows for d, t in zip(view.devices, row, strict=True) if t.opaque)
    return next((doubt_of(device, test) for device, test in found), None)


def _validate_request(view: NodeView, asked: Asked, row: Sequence[DeviceTest]) -> str | None:
    """Source: Allocate, for the gates, and validateDeviceRequest."""
    where, gates = f"claim {asked.claim_label}, request {asked.alternative.name}", asked.rules.gates
    if asked.alternative.capacity and asked.rules.knows_capacity and not gates.consumable_capacity:
        kind = "request" if asked.alternative_name is None else "subrequest"
        subject = f"claim {asked.claim_label}, {kind} {asked.alternative.name}"
        return f"{subject}: has capacity requests, but the DRAConsumableCapacity feature is disabled"
    if asked.alternative.admin_access and not gates.admin_access:
        return f"{where}: admin access is requested, but the feature is disabled"
    if asked.alternative.allocation_mode not in {"All", "ExactCount"}:
        return f"{where}: unsupported count mode {asked.alternative.allocation_mode}"
    return _validate_all(view, row, where) if asked.wants_all else None


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


def _validate_constraints(claim: Claim) -> str | None:
    for number, constraint in enumerate(claim.spec.constraints):
        if constraint.match_attribute is None and constraint.distinct_attribute is None:
            return f"claim {claim_label(claim)}, constraint #{number}: empty constraint (unsupported constraint type?)"
    return None


def _certain_count(asked: Asked, row: Sequence[DeviceTest]) -> int:
    """How many devices the request wants at least."""
    if not asked.wants_all:
        return asked.alternative.count
    return sum(is_listed(test) and not test.opaque for test in row)


def _listed_count(asked: Asked, row: Sequence[DeviceTest]) -> int:
    """How many devices the request wants, should All want every one that it may."""
    return sum(map(is_listed, row)) if asked.wants_all else asked.alternative.count
