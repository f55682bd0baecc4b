"""A world in the real cluster: what follows from this program's answers for a pod, and what the scheduler decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agree.scheduler import ours
from agree.scheduler.world import World
from controlplane.client import Client
from kubectl_llmfit.cel.quantity import Quantity
from kubectl_llmfit.dra.answer import NodeAnswer, Outcome
from live import objects, pods, worlds
from live.pods import PodDecision
from oracle.scheduler import TakenDevice


def decided(cluster: worlds.Cluster, client: Client, world: World) -> PodDecision:
    """What the scheduler does with the world's pod."""
    with cluster.holding(_in_cluster(world)):
        return pods.decide(client, world.claims)


def _in_cluster(world: World) -> worlds.World:
    """The world as the cluster is given it; claims that are allocated are there before the pod."""
    allocated = [each for each in world.claims if "status" in each]
    return worlds.World(
        asked=world.claims[0],
        expected={},
        slices=world.slices,
        nodes=[objects.node(each["metadata"]["name"], labels=each["metadata"]["labels"]) for each in world.nodes],
        classes=world.classes,
        claims=[*world.held, *allocated],
        rules=world.rules,
    )


def disagreement(world: World, decision: PodDecision) -> str | None:
    """In a person's words why the decision does not follow from our answers for the nodes; None where it does.

    All nodes are tried (there are fewer than 100): one that fails fails the pod, else one that allocates places it.
    """
    answers = dict(zip((each["metadata"]["name"] for each in world.nodes), ours.answers(world), strict=True))
    expected = pod_outcome(answers.values())
    if expected != decision.outcome:
        return f"expected {expected}: {_told(answers)}"
    if expected == Outcome.ALLOCATES:
        return _other_devices(answers, decision)
    messages = {answer.message or "" for answer in answers.values() if answer.outcome == expected}
    said = [message in decision.message for message in messages]
    return None if (any if expected == Outcome.FAILS else all)(said) else f"expected the words: {_told(answers)}"


def pod_outcome(answers: Sequence[NodeAnswer] | Any) -> Outcome:
    """What becomes of a pod that may go to all nodes."""
    outcomes = {answer.outcome for answer in answers}
    return next((each for each in (Outcome.FAILS, Outcome.ALLOCATES) if each in outcomes), Outcome.REFUSES)


def _other_devices(answers: Mapping[str, NodeAnswer], decision: PodDecision) -> str | None:
    """The pod's node is one that allocates, with the very devices; where it is still unknown, any of these."""
    allocating = {name: answer for name, answer in answers.items() if answer.outcome == Outcome.ALLOCATES}
    choices = [allocating[decision.node]] if decision.node in allocating else []
    choices = choices or (list(allocating.values()) if decision.node is None else [])
    theirs = [_result(place, result) for place, results in enumerate(decision.allocations) for result in results]
    for answer in choices:
        if sorted(map(ours.taken, answer.allocation), key=lambda each: each.claim) == theirs:
            return None
    return f"expected other devices: {_told(answers)}"


def _result(claim: int, result: Mapping[str, Any]) -> TakenDevice:
    """A device result of a claim's status."""
    consumed = result.get("consumedCapacity", {})
    return TakenDevice(
        claim,
        *(result[key] for key in ("request", "driver", "pool", "device")),
        result.get("adminAccess", False),
        "shareID" in result,
        tuple((name, Quantity.parse(text)) for name, text in sorted(consumed.items())),
        tuple(result.get("bindingConditions", ())),
        tuple(result.get("bindingFailureConditions", ())),
    )


def _told(answers: Mapping[str, NodeAnswer]) -> str:
    return "; ".join(
        " ".join([name, str(answer.outcome), answer.message or "", *(str(ours.taken(d)) for d in answer.allocation)])
        for name, answer in answers.items()
    )
