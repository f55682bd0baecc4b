"""The answer for one node: what kube-scheduler's DynamicResources filter says of these claims.

Rules: kube-scheduler 1.37, dynamicresources Filter and ``structured/internal/incubating`` Allocate. This file puts
the parts in the scheduler's order; each rule is in the file that is named after its subject.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..api.values import Claim, Node
from .answer import NodeAnswer, Outcome, Pool
from .available import with_allocated
from .formulate import accounts_of, formulate
from .inventory import Inventory
from .limits import validate, why_limit_not_known
from .matching import Asked
from .nodes import NodeSelectorError
from .occupancy import Occupancy
from .orders import orders, reordered
from .outcome import outcome_of
from .pools import build_pools, gather_pools, relevant_slices
from .prefilter import prefilter
from .problem import Problem
from .search import search
from .steps import request_steps
from .support import unknown_claim_fields
from .unmet import unmet_constraints
from .view import NodeView

ANY_ORDER = "Kubernetes {} tries pools in any order, which decides the outcome here"
TOO_LARGE = "a quantity is too large for this program"


class Trial:
    """Some claims of one pod, in its order, ready to be tried on every node of an inventory."""

    def __init__(self, inventory: Inventory, claims: Sequence[Claim]) -> None:
        self._inventory = inventory
        self._claims = tuple(claims)
        self._open = [(index, claim) for index, claim in enumerate(claims) if claim.allocation is None]
        self._prefiltered = prefilter(claims, inventory)
        self._unknown_fields = next(filter(None, (unknown_claim_fields(claim) for _, claim in self._open)), None)
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
        """What in the claims this program does not know."""
        return self._unknown_fields

    def answer(self, node: Node, occupancy: Occupancy | None = None) -> NodeAnswer:
        """What the filter says of ``node``; ``occupancy`` replaces the inventory's own."""
        if self._prefiltered is not None:
            return replace(self._prefiltered, pools=self._pools_to_show(node))
        if not self._open:
            return with_allocated(self._inventory, self._claims, node, NodeAnswer(Outcome.ALLOCATES))
        try:
            view = self.view(node)
        except NodeSelectorError as error:
            return self._certain(NodeAnswer(Outcome.FAILS, f"gather pool information: {error}"))
        seen = self._certain(self._seen(node, view, occupancy))
        return with_allocated(self._inventory, self._claims, node, seen)

    def view(self, node: Node) -> NodeView:
        """The node as the requests see it, whoever holds what. Raises NodeSelectorError."""
        if self._last_view is None or self._last_view[0] is not node:
            self._last_view = node, self._make_view(node)
        return self._last_view[1]

    def memory_key(self, view: NodeView, occupancy: Occupancy | None) -> tuple[int, bool] | None:
        """What to remember a result by that nodes have in common; None where there is no such thing.

        Nodes without slices of their own, that reach the same shared ones, are alike.
        """
        common = id(view) in self._shared_views and (not occupancy or occupancy is self._inventory.occupancy)
        return (id(view), occupancy is None or bool(occupancy)) if common else None

    def problem(self, view: NodeView, occupancy: Occupancy) -> Problem:
        """What there is to search on a node with ``occupancy`` held."""
        return formulate(view, self._inventory, occupancy, accounts_of(view, self._inventory, occupancy))

    def allocate(self, node: Node, view: NodeView, problem: Problem) -> NodeAnswer:
        """The bare answer of the allocator: no pools, no steps; what ``copies`` runs again and again."""
        unknown = self._unknown_fields or view.disputed()
        if unknown is not None:
            return NodeAnswer(Outcome.UNKNOWN, unknown, may_fail=True)
        error = validate(view, self._open, problem)
        if error is not None:
            return NodeAnswer(Outcome.FAILS, error)
        why = why_limit_not_known(view, problem)
        if why is not None:
            return NodeAnswer(Outcome.UNKNOWN, why, may_fail=True)
        answer = outcome_of(self._inventory, self._open, node, view, problem, search(problem))
        return answer if self._inventory.rules.order_is_fixed else self._in_any_order(node, view, problem, answer)

    def _in_any_order(self, node: Node, view: NodeView, problem: Problem, answer: NodeAnswer) -> NodeAnswer:
        """The answer where every order of pools and slices comes to the same outcome; else it is up to chance."""
        others = orders(view.devices, problem)
        if others is not None and all(
            self._outcome(node, view.reordered(order), reordered(problem, order)) is answer.outcome for order in others
        ):
            return answer
        if answer.outcome is Outcome.UNKNOWN:
            return replace(answer, may_fail=True)
        return NodeAnswer(Outcome.UNKNOWN, ANY_ORDER.format(self._inventory.rules.version), may_fail=True)

    def _outcome(self, node: Node, view: NodeView, problem: Problem) -> Outcome:
        return outcome_of(self._inventory, self._open, node, view, problem, search(problem)).outcome

    def _make_view(self, node: Node) -> NodeView:
        index = self._inventory.index
        slices = relevant_slices(node, index)
        own = bool(index.local(node)) or any(slice_.targeting.per_device for slice_ in slices)
        key = tuple(map(id, slices))
        known = None if own else self._views.get(key)
        if known is not None:
            return known
        view = NodeView.of(build_pools(node, slices, index), self._asked, self._open, self._inventory.rules)
        if not own and not any(device.shape.binds_to_node for device in view.devices):
            self._views[key] = view
            self._shared_views.add(id(view))
        return view

    def _seen(self, node: Node, view: NodeView, occupancy: Occupancy | None) -> NodeAnswer:
        """The allocator's answer with what led to it."""
        key = self.memory_key(view, occupancy)
        known = self._answers.get(key) if key is not None else None
        if known is not None:
            return known
        occupancy = self._inventory.occupancy if occupancy is None else occupancy
        try:
            counters = accounts_of(view, self._inventory, occupancy)
            problem = formulate(view, self._inventory, occupancy, counters)
        except OverflowError:
            return NodeAnswer(Outcome.UNKNOWN, TOO_LARGE, may_fail=True, pools=view.pools, devices=view.devices)
        bare = self.allocate(node, view, problem)
        steps = request_steps(view, problem, counters, occupancy)
        unmet = unmet_constraints(self._open, view, problem) if bare.outcome is Outcome.REFUSES else ()
        seen = replace(bare, pools=view.pools, devices=view.devices, steps=steps, unmet=unmet)
        if key is not None:
            self._answers[key] = seen
        return seen

    def _certain(self, answer: NodeAnswer) -> NodeAnswer:
        """Takes back what an unread resource may overturn."""
        unread_classes, unread_nodes = self._inventory.classes_unread, self._inventory.nodes_unread
        if unread_nodes is not None and self._inventory.index.depends_on_labels:
            return replace(answer, outcome=Outcome.UNKNOWN, message=unread_nodes, allocation=(), may_fail=True)
        if unread_classes is not None and answer.outcome is Outcome.FAILS:
            # A class that does not exist refuses every node before anything can fail.
            return replace(answer, outcome=Outcome.UNKNOWN, message=unread_classes, may_fail=True)
        return answer

    def _ask(self) -> list[Asked]:
        return [
            Asked(
                index,
                claim,
                number,
                alternative,
                self._inventory.classes.get(alternative.device_class_name),
                self._inventory.taint_rules,
                self._inventory.rules,
                self._inventory.classes_unread,
            )
            for index, claim in self._open
            for number, request in enumerate(claim.spec.requests)
            for alternative in request.alternatives
        ]

    def _pools_to_show(self, node: Node) -> tuple[Pool, ...]:
        try:
            return gather_pools(node, self._inventory.index)
        except NodeSelectorError:
            return ()
