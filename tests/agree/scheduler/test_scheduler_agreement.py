"""This program answers 1,000 hostile worlds as kube-scheduler's allocator does; and the worlds are hostile."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from agree.scheduler import ours
from agree.scheduler.differences import Comparison
from agree.scheduler.shrinking import shrunk
from agree.scheduler.world import World
from agree.scheduler.worlds import world, worlds
from kubectl_llmfit.dra.answer import NodeAnswer, Outcome
from oracle.scheduler import SchedulerOracle

SEED = 20261130
SIZE = 1000
FIELDS = {
    *("nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection"),
    *("attributes", "capacity", "requestPolicy", "default", "validValues", "validRange", "min", "max", "step"),
    *("allowMultipleAllocations", "sharedCounters", "consumesCounters", "taints", "bindingConditions", "bindsToNode"),
    *("exactly", "firstAvailable", "selectors", "tolerations", "matchAttribute", "distinctAttribute", "adminAccess"),
    *("shareID", "consumedCapacity", "deviceSelector", "DRAFractionalCapacityRange", "DRAPartitionableDevices"),
}
VALUES = {
    *("All", "ExactCount", "NoSchedule", "NoExecute", "None", "Exists", "Equal", "Gt", "NotIn"),
    *("r0/s0", "a.example.com/group", "common.example.com/group"),
}


def test_1000_worlds_are_answered_as_the_scheduler_answers_them(allocator: SchedulerOracle) -> None:
    comparison = Comparison(allocator)
    found = list(comparison.differences(worlds(SEED, SIZE)))
    assert not found, f"{found[0].report()}\n{found[0].world.yaml()}"
    assert comparison.outcomes.keys() == {"Allocates", "Refuses", "Fails"}
    assert min(comparison.outcomes.values()) > comparison.outcomes.total() / 5


def test_worlds_use_every_feature() -> None:
    texts = [json.dumps(each.document()) for each in worlds(SEED, SIZE)]
    for word in FIELDS | VALUES:
        assert sum(f'"{word}"' in text for text in texts) >= 10, word


def test_the_same_seed_gives_the_same_worlds() -> None:
    assert list(worlds(7, 20)) == list(worlds(7, 20))
    assert world(7, 19) == list(worlds(7, 20))[19]
    assert world(7, 19) != world(8, 19)


def test_a_wrong_answer_is_found_and_made_small(allocator: SchedulerOracle, monkeypatch: pytest.MonkeyPatch) -> None:
    right = ours.answers

    def blind_to_taints(asked: World, kubernetes: str) -> list[NodeAnswer]:
        document = asked.document()
        for each in document["slices"]:
            for device in each["spec"].get("devices", ()):
                device.pop("taints", None)
        return right(World.of(document), kubernetes)

    monkeypatch.setattr(ours, "answers", blind_to_taints)
    found = Comparison(allocator).differences(worlds(SEED, SIZE))
    refused = next(each for each in found if each.kind == f"outcome {Outcome.REFUSES}")
    smallest = shrunk(refused, lambda candidates: list(Comparison(allocator).differences(candidates)))
    (published,) = smallest.world.slices
    assert [set(device) - {"name"} for device in published["spec"]["devices"]] == [{"taints"}]
    assert smallest.world == replace(smallest.world, held=[], rules=[], gates={})
