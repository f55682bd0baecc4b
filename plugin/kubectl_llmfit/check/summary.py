"""The summary of a check: its answer, its counts, and what it takes for granted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ..api.values import ClusterState
from .notes import MAY_TIME_OUT
from .subject import Subject
from .tried import Tried
from .values import Answer, Copies, ErrorElsewhere, NodeEntry, Suggestion, Summary, Verdict
from .verdicts import decide
from .words import count

SAMPLED_FROM = 100
"""Nodes from which on kube-scheduler may stop before it has looked at all (numFeasibleNodesToFind, 1.37)."""

ADMIN_ACCESS_LABEL = 'resource.kubernetes.io/admin-access: "true"'
"""Source: k8s.io/api/resource/v1 DRAAdminNamespaceLabelKey; namespaces are not read."""

TAINTS_TOLERATED = "the pod tolerates the taints of its node"


def decide_answer(tried: Sequence[Tried], state: ClusterState) -> Answer:
    """The check's answer: from every candidate node, asked about or not; cordoned ones are none."""
    candidates = [(one.judged, one.chosen) for one in tried if not one.node.unschedulable]
    beyond = state.is_unread("nodes") and any(s.targeting.node_name is None for s in state.slices)
    return decide(candidates, all_nodes_known=not beyond)


def summarise(
    tried: Sequence[Tried],
    nodes: Sequence[NodeEntry],
    state: ClusterState,
    *,
    subject: Subject,
    answer: Answer,
    shares_devices: bool,
    suggestions: Sequence[Suggestion],
) -> Summary:
    """Counts over ``nodes``, the entries that are shown; nodes that fail the pod count wherever they are."""
    candidates = [node for node in nodes if not node.unschedulable]
    counts = Counter(node.verdict for node in candidates)
    elsewhere = [
        one for one in tried if one.judged.verdict is Verdict.ERROR and not one.chosen and not one.node.unschedulable
    ]
    errors = counts[Verdict.ERROR] + len(elsewhere)
    open_elsewhere = [
        ErrorElsewhere(one.node.name, one.judged.doubt or MAY_TIME_OUT)
        for one in tried
        if one.judged.may_fail and not one.chosen and not one.node.unschedulable
    ]
    return Summary(
        verdict=answer,
        fits=counts[Verdict.FITS],
        in_use=counts[Verdict.IN_USE],
        no_fit=counts[Verdict.NO_FIT],
        unknown=counts[Verdict.UNKNOWN],
        error=errors,
        cordoned=len(nodes) - len(candidates),
        copies=None if shares_devices else _total_copies(candidates),
        errors_elsewhere=tuple(ErrorElsewhere(one.node.name, one.answer.message) for one in elsewhere),
        may_time_out=sum(node.may_time_out for node in candidates),
        may_fail_elsewhere=tuple(open_elsewhere),
        unread=state.unread,
        assumed=tuple(_assumed(subject, tried, state, errors)),
        suggestions=tuple(suggestions),
    )


def _total_copies(candidates: Sequence[NodeEntry]) -> Copies | None:
    """The sum over candidates, each counted to 100 at most; None where one is not known."""
    known = [node.copies for node in candidates if node.copies is not None]
    if len(known) < len(candidates):
        return None
    return Copies(sum(copies.now for copies in known), sum(copies.if_free for copies in known))


def _admin_access(subject: Subject) -> Iterator[str]:
    """The label that the API server demands of the namespace; a claim that it stores had it."""
    if subject.source == "cluster":
        return
    for claim in subject.claims:
        if any(alternative.admin_access for request in claim.spec.requests for alternative in request.alternatives):
            where = f"namespace {claim.namespace}" if claim.namespace else "the claim's namespace"
            yield f"{where} has the label {ADMIN_ACCESS_LABEL} (the API server refuses adminAccess in any other)"


def _assumed(subject: Subject, tried: Sequence[Tried], state: ClusterState, errors: int) -> list[str]:
    assumed = [TAINTS_TOLERATED, *subject.assumed, *_admin_access(subject), *state.assumed]
    if errors and len(tried) >= SAMPLED_FROM:
        assumed.append(
            f"the scheduler reaches the node that fails the pod; among {count(len(tried), 'node')} it may stop before"
        )
    if state.is_unread("nodes"):
        assumed.append("the nodes are those that slices name, each ready and not cordoned")
    return assumed
