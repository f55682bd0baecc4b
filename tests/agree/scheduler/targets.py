"""The nodes of a world, and which of them a slice or a device reaches."""

from __future__ import annotations

import random

from agree.scheduler.world import Object

NO_NUMBER = "five"


def nodes(draw: random.Random) -> list[Object]:
    """One to three nodes, with and without the labels that selectors ask for."""
    return [_node(draw, name) for name in ("n1", "n2", "n3")[: draw.choice((1, 1, 1, 2, 3))]]


def _node(draw: random.Random, name: str) -> Object:
    labels = {"kubernetes.io/hostname": name}
    if draw.random() < 0.8:
        labels["zone"] = draw.choice(("z1", "z2"))
    if draw.random() < 0.6:
        labels["number"] = draw.choice(("3", "7", "x"))
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}}


def drawn_target(draw: random.Random, tight: float, *, of_device: bool = False) -> Object:
    """Where a slice or a device is: the tighter, the more often not at every node."""
    if draw.random() > 0.05 + tight:
        return {"nodeName": "n1"} if draw.random() < 0.2 else {"allNodes": True}
    if draw.random() < 0.4:
        return {"nodeName": draw.choice(("n1", "n2", "n3", "gone"))}
    terms = [_term(draw) for _ in range(draw.choice((1, 1, 1, 2)) if of_device else 1)]
    return {"nodeSelector": {"nodeSelectorTerms": terms}}


def _term(draw: random.Random) -> Object:
    chance = draw.random()
    if chance > 0.97:
        return {}  # which matches no node
    if chance < 0.4:
        values = draw.sample(("z1", "z2"), draw.choice((1, 2)))
        return {"matchExpressions": [{"key": "zone", "operator": draw.choice(("In", "NotIn")), "values": values}]}
    if chance < 0.55:
        return {"matchExpressions": [{"key": "zone", "operator": draw.choice(("Exists", "DoesNotExist"))}]}
    if chance < 0.7:
        return {"matchExpressions": [{"key": "number", "operator": draw.choice(("Gt", "Lt")), "values": ["5"]}]}
    values = [draw.choice(("n1", "n2"))]
    return {"matchFields": [{"key": "metadata.name", "operator": draw.choice(("In", "In", "NotIn")), "values": values}]}


def spoil(spec: Object) -> None:
    """The API server takes a bound that is no number; whoever parses the selector does not.

    One is enough for a world: which of two the scheduler meets first is left to chance.
    """
    bound = {"key": "number", "operator": "Gt", "values": [NO_NUMBER]}
    for target in ("nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection"):
        spec.pop(target, None)
    for device in spec.get("devices", ()):
        for target in ("nodeName", "nodeSelector", "allNodes"):
            device.pop(target, None)
    spec["nodeSelector"] = {"nodeSelectorTerms": [{"matchExpressions": [bound]}]}
