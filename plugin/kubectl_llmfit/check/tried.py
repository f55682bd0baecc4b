"""The claims tried on every node: what the scheduler would do, and what that means."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ..api.values import Claim, Node
from ..dra.allocate import Trial
from ..dra.answer import NodeAnswer, Outcome
from ..dra.inventory import Inventory
from ..dra.nodes import NodeSelectorError
from ..dra.occupancy import NOTHING
from ..dra.pools import gather_pools
from .choice import Choice
from .verdicts import Judged, judge


@dataclass(frozen=True, slots=True)
class Tried:
    """A node, what the scheduler would do there, and what that means.

    ``if_free`` is the answer were nothing held, for a node that refuses while something of its pools is.
    ``chosen`` says that the node was asked about, ``publishes`` that it reaches a pool.
    """

    node: Node
    answer: NodeAnswer
    if_free: NodeAnswer | None
    judged: Judged
    chosen: bool
    publishes: bool


def try_nodes(claims: Sequence[Claim], nodes: Iterable[Node], inventory: Inventory, choice: Choice) -> list[Tried]:
    """Every node, chosen or not: one that fails the pod decides wherever it is."""
    trial = Trial(inventory, claims)
    trial_if_free = trial if inventory.claims_unread is None else Trial(without_unread_claims(inventory), claims)
    tried = []
    for node in nodes:
        answer = trial.answer(node)
        held = answer.outcome is Outcome.REFUSES and inventory.occupancy.concerns(answer.pools)
        if_free = trial_if_free.answer(node, NOTHING) if held else None
        judged = judge(answer, if_free, inventory.nodes_unread)
        publishes = bool(answer.pools) or (not answer.steps and _reaches_pools(node, inventory))
        tried.append(Tried(node, answer, if_free, judged, choice.includes(node), publishes))
    return tried


def without_unread_claims(inventory: Inventory) -> Inventory:
    """The inventory for what would be were nothing held: what could not be read of claims does not matter then."""
    return replace(inventory, claims_unread=None)


def _reaches_pools(node: Node, inventory: Inventory) -> bool:
    """Whether the node reaches any pool, where the answer did not need to look."""
    try:
        return bool(gather_pools(node, inventory.index))
    except NodeSelectorError:
        return True
