"""A world in the real cluster: what follows from this program's answers for a pod, and what the scheduler decides."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from agree.scheduler import ours
from agree.scheduler.clusters import renamed
from agree.scheduler.differences import device_told
from agree.scheduler.world import World
from controlplane.client import Client
from kubectl_llmfit.cel.quantity import Quantity
from kubectl_llmfit.dra.answer import NodeAnswer, Outcome
from live import objects, pods, worlds
from live.pods import PodDecision
from oracle.scheduler import TakenDevice

_numbers = itertools.count()


@dataclass(frozen=True, slots=True)
class Decided:
    """What the scheduler did with a world's pod; ``disagreement`` says why that does not follow from our answers."""

    outcome: Outcome
    told: str
    disagreement: str | None


def decided(cluster: worlds.Cluster, client: Client, world: World) -> Decided:
    """Have the world's pod decided. Raises RefusedError where the API server does not take the world."""
    world = renamed(world, f"w{next(_numbers)}-")
    with cluster.holding(_in_cluster(world)):
        decision = pods.decide(client, world.claims)
    told = " ".join([decision.outcome, decision.message, str(decision.node), *map(device_told, _results(decision))])
    return Decided(Outcome(decision.outcome), told, _disagreement(world, decision))


def _in_cluster(world: World) -> worlds.World:
    """The world as the cluster is given it; claims that are allocated are there before the pod."""
    allocated = [each for each in world.claims if "status" in each]
    return worlds.World(
        asked=world.claims[0],
        expected={},
        slices=world.slices,
        nodes=[objects.node(each["metadata"]["name"], labels=each["metadata"].get("labels")) for each in world.nodes],
        classes=world.classes,
        claims=[*world.held, *allocated],
        rules=world.rules,
    )


def _disagreement(world: World, decision: PodDecision) -> str | None:
    """None where the decision follows from our answers for the nodes.

    All nodes are tried (there are fewer than 100): one that fails fails the pod, else one that allocates places it.
    """
    answers = dict(zip((each["metadata"]["name"] for each in world.nodes), ours.answers(world), strict=True))
    expected = _pod_outcome(answers.values())
    if expected != decision.outcome:
        return f"expected {expected}: {_told(answers)}"
    if expected == Outcome.ALLOCATES:
        return _other_devices(answers, decision)
    messages = {answer.message or "" for answer in answers.values() if answer.outcome == expected}
    said = [message in decision.message for message in messages]
    return None if (any if expected == Outcome.FAILS else all)(said) else f"expected the words: {_told(answers)}"


def _pod_outcome(answers: Iterable[NodeAnswer]) -> Outcome:
    """What becomes of a pod that may go to all nodes."""
    outcomes = {answer.outcome for answer in answers}
    return next((each for each in (Outcome.FAILS, Outcome.ALLOCATES) if each in outcomes), Outcome.REFUSES)


def _other_devices(answers: Mapping[str, NodeAnswer], decision: PodDecision) -> str | None:
    """The pod's node is one that allocates, with the very devices; where it is still unknown, any of these."""
    allocating = {name: answer for name, answer in answers.items() if answer.outcome == Outcome.ALLOCATES}
    choices = [allocating[decision.node]] if decision.node in allocating else []
    choices = choices or (list(allocating.values()) if decision.node is None else [])
    theirs = _results(decision)
    for answer in choices:
        if sorted(map(ours.taken, answer.allocation), key=lambda each: each.claim) == theirs:
            return None
    return f"expected other devices: {_told(answers)}"


def _results(decision: PodDecision) -> list[TakenDevice]:
    return [_result(place, result) for place, results in enumerate(decision.allocations) for result in results]


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
        " ".join([name, answer.outcome, answer.message or "", *map(device_told, map(ours.taken, answer.allocation))])
        for name, answer in answers.items()
    )
