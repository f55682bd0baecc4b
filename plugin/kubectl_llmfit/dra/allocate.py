"""The answer for one node: what kube-scheduler's DynamicResources filter says of these claims.

Rules: kube-scheduler 1.37, dynamicresources Filter and ``structured/internal/incubating`` Allocate. This file puts
the parts in the scheduler's order; each rule is in the file that is named after its subject.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..api.values import Claim, Node
from .answer import ClaimDevice, DeviceID, Held, NodeAnswer, Outcome, Pool
from .effort import may_time_out
from .inventory import Inventory
from .matching import Asked
from .nodes import NodeSelectorError, depends_on_labels, selector_matches
from .pools import build_pools, gather_pools, relevant_slices
from .prefilter import prefilter
from .search import Found, SearchRequest, Status, search
from .support import unsupported_claim
from .view import NodeView

CANNOT_ALLOCATE = "cannot allocate all claims"
INVALID_POOLS = "invalid resource pools were encountered"
NOT_AVAILABLE = "resourceclaim not available on the node"


class Trial:
    """Some claims of one pod, in its order, ready to be tried on every node of an inventory."""

    def __init__(self, inventory: Inventory, claims: Sequence[Claim]) -> None:
        self._inventory = inventory
        self._claims = tuple(claims)
        self._open = [(index, claim) for index, claim in enumerate(claims) if claim.allocation is None]
        self._prefiltered = prefilter(claims, inventory.classes, classes_unread=inventory.classes_unread is not None)
        self._unsupported = next(filter(None, (unsupported_claim(claim) for _, claim in self._open)), None)
        self._asked = () if self._prefiltered else tuple(self._ask())
        self._last_view: tuple[Node, NodeView] | None = None
        self._views: dict[tuple[int, ...], NodeView] = {}
        self._shared_views: set[int] = set()
        self._answers: dict[tuple[int, bool], NodeAnswer] = {}

    @property
    def stopped(self) -> NodeAnswer | None:
        """The answer for every node where the pod is stopped before any is looked at."""
        return self._prefiltered

    @property
    def unsupported(self) -> str | None:
        """What in the claims is not supported yet."""
        return self._unsupported

    def answer(self, node: Node, held: Held | None = None) -> NodeAnswer:
        """What the filter says of ``node``; ``held`` replaces the inventory's own."""
        if self._prefiltered is not None:
            return replace(self._prefiltered, pools=self._pools_to_show(node))
        if not self._open:
            return self._with_allocated(node, NodeAnswer(Outcome.ALLOCATES))
        try:
            view = self.view(node)
        except NodeSelectorError as error:
            return self._certain(NodeAnswer(Outcome.FAILS, f"gather pool information: {error}"))
        return self._with_allocated(node, self._certain(self._seen(view, held)))

    def view(self, node: Node) -> NodeView:
        """The node as the requests see it, whoever holds what. Raises NodeSelectorError."""
        if self._last_view is None or self._last_view[0] is not node:
            self._last_view = node, self._make_view(node)
        return self._last_view[1]

    def memory_key(self, view: NodeView, held: Held | None) -> tuple[int, bool] | None:
        """What to remember a result by that nodes have in common; None where there is no such thing.

        Nodes without slices of their own, that reach the same shared ones, are alike.
        """
        common = id(view) in self._shared_views and (not held or held is self._inventory.held)
        return (id(view), held is None or bool(held)) if common else None

    def allocate(self, view: NodeView, held: Held) -> NodeAnswer:
        """The bare answer of the allocator: no pools, no steps; what ``copies`` runs again and again."""
        if self._unsupported is not None:
            return NodeAnswer(Outcome.UNKNOWN, self._unsupported, may_fail=self._may_fail(view))
        problem = view.validate()
        if problem is not None:
            return NodeAnswer(Outcome.FAILS, problem)
        if view.may_exceed_limit():
            return NodeAnswer(Outcome.UNKNOWN, view.why_limit_not_known(), may_fail=True)
        return self._search(view, held)

    def _make_view(self, node: Node) -> NodeView:
        index = self._inventory.index
        slices = relevant_slices(node, index)
        own = bool(index.local(node)) or any(slice_.targeting.per_device for slice_ in slices)
        key = tuple(map(id, slices))
        known = None if own else self._views.get(key)
        if known is not None:
            return known
        view = NodeView.of(build_pools(node, slices, index), self._asked)
        if not own:
            self._views[key] = view
            self._shared_views.add(id(view))
        return view

    def _seen(self, view: NodeView, held: Held | None) -> NodeAnswer:
        """The allocator's answer with what led to it."""
        key = self.memory_key(view, held)
        known = self._answers.get(key) if key is not None else None
        if known is not None:
            return known
        held = self._inventory.held if held is None else held
        bare = self.allocate(view, held)
        seen = replace(bare, pools=view.pools, devices=view.devices, steps=view.steps(held))
        if key is not None:
            self._answers[key] = seen
        return seen

    def _search(self, view: NodeView, held: Held) -> NodeAnswer:
        requests = view.search_requests(self._inventory, held)
        found = search(requests)
        answer = self._found(view, requests, found)
        late = answer.outcome is not Outcome.FAILS and may_time_out(requests, found)
        return replace(answer, may_time_out=True) if late else answer

    def _found(self, view: NodeView, requests: Sequence[SearchRequest], found: Found) -> NodeAnswer:
        if found.taken is None and found.stopped_at is None:
            invalid = any(pool.state == "Invalid" for pool in view.pools)
            return NodeAnswer(Outcome.REFUSES, INVALID_POOLS if invalid else CANNOT_ALLOCATE)
        stopped = found.stopped_at
        opaque = stopped is not None and requests[stopped[0]].statuses[stopped[1]] is Status.OPAQUE
        unknown = found.doubted or (stopped if opaque else None)
        if unknown is not None:
            reason = view.why_not_known(self._inventory, *unknown)
            return NodeAnswer(Outcome.UNKNOWN, reason, may_fail=self._may_fail(view))
        if stopped is not None:
            return NodeAnswer(Outcome.FAILS, view.rows[stopped[0]][stopped[1]].error)
        taken = found.taken or ()
        return NodeAnswer(Outcome.ALLOCATES, allocation=tuple(self._recorded(view, r, d) for r, d in taken))

    def _recorded(self, view: NodeView, request: int, device: int) -> ClaimDevice:
        asked = self._asked[request]
        return ClaimDevice(
            asked.claim_index, asked.result_name, view.devices[device].id, asked.alternative.admin_access
        )

    def _may_fail(self, view: NodeView) -> bool:
        """Whether an answer that is not known may turn out to be Fails."""
        wants_all = self._unsupported is not None and any(asked.wants_all for asked in self._asked)
        unknown_fields = any(claim.spec.unknown_fields for _, claim in self._open)
        unread = self._inventory.classes_unread is not None or view.has_unknown_matches()
        return view.has_errors() or wants_all or unknown_fields or unread

    def _certain(self, answer: NodeAnswer) -> NodeAnswer:
        """Takes back what an unread resource may overturn."""
        unread_classes, unread_nodes = self._inventory.classes_unread, self._inventory.nodes_unread
        if unread_nodes is not None and self._inventory.index.depends_on_labels:
            return replace(answer, outcome=Outcome.UNKNOWN, message=unread_nodes, allocation=(), may_fail=True)
        if unread_classes is not None and answer.outcome is Outcome.FAILS:
            # A class that does not exist refuses every node before anything can fail.
            return replace(answer, outcome=Outcome.UNKNOWN, message=unread_classes, may_fail=True)
        return answer

    def _with_allocated(self, node: Node, answer: NodeAnswer) -> NodeAnswer:
        """Adds what the claims that are allocated already say; the allocator's own "no" comes first."""
        done = [(i, c.allocation) for i, c in enumerate(self._claims) if c.allocation is not None]
        selectors = [a.node_selector for _, a in done if a.node_selector is not None]
        if self._inventory.nodes_unread is not None and any(map(depends_on_labels, selectors)):
            return replace(answer, outcome=Outcome.UNKNOWN, message=self._inventory.nodes_unread, may_fail=True)
        if all(selector_matches(selector, node) for selector in selectors):
            recorded = tuple(
                ClaimDevice(i, r.request, DeviceID(r.driver, r.pool, r.device), r.admin_access)
                for i, allocation in done
                for r in allocation.results
            )
            allocated = answer.outcome is Outcome.ALLOCATES
            return replace(answer, allocation=recorded + answer.allocation) if allocated else answer
        if answer.outcome is Outcome.ALLOCATES or (answer.outcome is Outcome.UNKNOWN and not answer.may_fail):
            return replace(answer, outcome=Outcome.REFUSES, message=NOT_AVAILABLE, allocation=())
        return answer

    def _ask(self) -> list[Asked]:
        return [
            Asked(
                index,
                claim,
                request,
                alternative,
                self._inventory.classes.get(alternative.device_class_name),
                self._inventory.taint_rules,
                self._inventory.classes_unread,
            )
            for index, claim in self._open
            for request in claim.spec.requests
            for alternative in request.alternatives
        ]

    def _pools_to_show(self, node: Node) -> tuple[Pool, ...]:
        try:
            return gather_pools(node, self._inventory.index)
        except NodeSelectorError:
            return ()
