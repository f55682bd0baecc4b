"""Copies are counted once for nodes that are alike; counted on each node by itself they are as many."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator

from agree.scheduler import ours
from agree.scheduler.world import Object, World
from agree.scheduler.worlds import worlds
from kubectl_llmfit.api.read import read_claim
from kubectl_llmfit.dra.copies import CopyCounter
from kubectl_llmfit.dra.inventory import Inventory
from kubectl_llmfit.dra.occupancy import NOTHING
from kubectl_llmfit.dra.rules import NEWEST, rules_for

SEED, SIZE, TWINS = 20261201, 200, 5
_LEFT_OUT = ("capacity", "consumesCounters", "attributes", "allowMultipleAllocations", "taints")


def test_nodes_that_are_alike_take_as_many_copies_as_each_does_by_itself() -> None:
    told = 0
    for world in worlds(SEED, SIZE):
        grown = _with_twins(world)
        state = ours.state_of(grown)
        inventory = Inventory.prepare(state, rules_for(NEWEST, grown.gates))
        claims = tuple(map(read_claim, grown.claims))
        together = CopyCounter(inventory, claims)
        for held in (None, NOTHING):
            counts = [together.count(node, held) for node in state.nodes]
            assert counts == [CopyCounter(inventory, claims).count(node, held) for node in state.nodes], grown.yaml()
            told += sum(bool(count) for count in counts)
    assert told > SIZE


def _with_twins(world: World) -> World:
    """The world with more nodes like one of its own, with the same devices, now and then but for something small."""
    document = world.document()
    own = [each for each in document["slices"] if each["spec"].get("nodeName")]
    if own:
        draw = random.Random(world.size)
        likeness = own[0]["spec"]["nodeName"]
        first = next((each for each in document["nodes"] if each["metadata"]["name"] == likeness), document["nodes"][0])
        for number in range(TWINS):
            node = copy.deepcopy(first)
            node["metadata"]["name"] = f"twin-{number}"
            document["nodes"].append(node)
            document["slices"] += _slices_of(node["metadata"]["name"], likeness, own, draw)
    return World.of(document)


def _slices_of(node: str, likeness: str, slices: list[Object], draw: random.Random) -> Iterator[Object]:
    for original in slices:
        if original["spec"]["nodeName"] == likeness:
            copied = copy.deepcopy(original)
            copied["metadata"]["name"] += f"-{node}"
            copied["spec"] |= {"nodeName": node, "pool": original["spec"]["pool"] | {"name": f"{node}-pool"}}
            devices = copied["spec"].get("devices")
            if devices and draw.random() < 0.4:
                draw.choice(devices).pop(draw.choice(_LEFT_OUT), None)
            yield copied
