"""Worlds for the real cluster: with what stops a pod before the allocator is asked.

The allocator alone cannot judge missing classes and claims that are allocated already; the real scheduler can.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace

from agree.scheduler.published import LONG_AGO
from agree.scheduler.selecting import DRIVERS
from agree.scheduler.targets import NO_NUMBER
from agree.scheduler.world import Object, World
from agree.scheduler.worlds import world


def cluster_worlds(seed: int, count: int) -> Iterator[World]:
    """So many worlds for a scheduler with default gates."""
    for number in range(count):
        yield cluster_world(seed, number)


def cluster_world(seed: int, number: int) -> World:
    """World ``number`` of a seed."""
    draw = random.Random(f"cluster {seed}/{number}")
    # what is no number fails every pod, that which is to prove the scheduler up to date as well
    text = json.dumps(world(seed, number).document() | {"gates": {}})
    drawn = World.of(json.loads(text.replace(f'["{NO_NUMBER}"]', '["5"]')))
    if draw.random() < 0.12:
        drawn = _with_allocated_claim(draw, drawn)
    if draw.random() < 0.08:
        classes = list(drawn.classes)
        del classes[draw.randrange(len(classes))]
        drawn = replace(drawn, classes=classes)
    return drawn


def _with_allocated_claim(draw: random.Random, drawn: World) -> World:
    """One of the pod's claims has its devices, at some node, whether they are still there or not."""
    claims = list(drawn.claims)
    place = draw.randrange(len(claims))
    spec = draw.choice(drawn.slices)["spec"] if drawn.slices else None
    identity = {"driver": spec["driver"], "pool": spec["pool"]["name"]} if spec else {"driver": "gone", "pool": "gone"}
    requests = claims[place]["spec"]["devices"]["requests"]
    if not requests:
        return drawn
    name = requests[0]["name"]
    allocation: Object = {
        "devices": {"results": [{"request": name, "device": draw.choice(("d0", "d1", "d9"))} | identity]},
        "allocationTimestamp": LONG_AGO,
    }
    if draw.random() < 0.7:
        term = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [draw.choice(("n1", "n2"))]}]}
        allocation["nodeSelector"] = {"nodeSelectorTerms": [term]}
    # reserved for another pod, or the scheduler would deallocate a claim that is in this one's way
    other = {"resource": "pods", "name": "other", "uid": "6e0f9a52-0000-4000-8000-000000000001"}
    claims[place] = claims[place] | {"status": {"allocation": allocation, "reservedFor": [other]}}
    return replace(drawn, claims=claims)


def renamed(drawn: World, prefix: str) -> World:
    """All pools and claims with the prefix, so that their order stays.

    The scheduler remembers devices of pods that are gone while they waited for binding conditions: each world has to
    have names of its own.
    """
    document = drawn.document()
    for each in document["slices"]:
        each["spec"]["pool"]["name"] = prefix + each["spec"]["pool"]["name"]
    for each in document["rules"]:
        selector = each["spec"].get("deviceSelector")
        if selector is not None and "pool" in selector:
            selector["pool"] = prefix + selector["pool"]
        elif selector == {}:  # it would taint the sentinel's devices as well
            selector["driver"] = DRIVERS[0]
    for each in (*document["held"], *document["claims"]):
        each["metadata"]["name"] = prefix + each["metadata"]["name"]
        for result in each.get("status", {}).get("allocation", {}).get("devices", {}).get("results", ()):
            result["pool"] = prefix + result["pool"]
    return World.of(document)
