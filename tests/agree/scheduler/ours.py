"""What this program answers for the nodes of a world, in the oracle's values."""

from __future__ import annotations

from agree.scheduler.world import World
from kubectl_llmfit.api.read import Interner, read_claim, read_class, read_node, read_slice, read_taint_rule
from kubectl_llmfit.api.values import ClusterState
from kubectl_llmfit.dra.allocate import Trial
from kubectl_llmfit.dra.answer import ClaimDevice, NodeAnswer
from kubectl_llmfit.dra.inventory import Inventory
from kubectl_llmfit.dra.rules import NEWEST, rules_for
from oracle.scheduler import TakenDevice


def state_of(world: World) -> ClusterState:
    """The world as it is read from a cluster."""
    intern = Interner()
    return ClusterState(
        nodes=tuple(map(read_node, world.nodes)),
        slices=tuple(read_slice(each, intern) for each in world.slices),
        classes=tuple(map(read_class, world.classes)),
        claims=tuple(map(read_claim, (*world.held, *(each for each in world.claims if "status" in each)))),
        taint_rules=tuple(map(read_taint_rule, world.rules)),
    )


def answers(world: World, kubernetes: str = NEWEST) -> list[NodeAnswer]:
    """One answer for each node, in order, by the rules of a minor version of Kubernetes."""
    state = state_of(world)
    rules = rules_for(kubernetes, world.gates)
    trial = Trial(Inventory.prepare(state, rules), tuple(map(read_claim, world.claims)))
    return [trial.answer(node) for node in state.nodes]


def taken(device: ClaimDevice) -> TakenDevice:
    """A device of an allocation as the oracle tells it."""
    return TakenDevice(
        device.claim,
        device.request,
        *device.id,
        device.admin_access,
        device.share,
        device.consumed_capacity,
        device.binding_conditions,
        device.binding_failure_conditions,
    )
