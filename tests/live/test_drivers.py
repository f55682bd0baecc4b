"""Claims for each driver, put before the real API server and scheduler with slices as that driver publishes them."""

from __future__ import annotations

from pathlib import Path

import pytest

import live.test_worlds as worlds
from controlplane.plane import ControlPlane
from drivers.published import (
    AMD,
    GAUDI,
    INTEL,
    NEURON,
    NVIDIA,
    QUESTIONS,
    SHARING,
    TENSTORRENT,
    Question,
    claim,
    contents,
    device_classes,
    slices,
)
from kubectl_llmfit.drivers.assumed import assumed_node
from kubectl_llmfit.drivers.products import builtin_table
from live.worlds import NO_FIT, Cluster, World, fits


def world_of(question: Question) -> World:
    """Every node of the driver's file, and the claim."""
    nodes = contents(question.driver)["nodes"]
    return World(
        claim(question),
        {node: fits(*question.takes[node]) if node in question.takes else NO_FIT for node in nodes},
        slices(question.driver),
        classes=device_classes(question.driver),
        rules=contents(question.driver).get("rules", ()),
    )


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_the_scheduler_takes_the_right_devices_and_no_other(
    control_plane: ControlPlane, cluster: Cluster, question: Question, tmp_path: Path
) -> None:
    worlds.test_world(control_plane, cluster, world_of(question), tmp_path)


@pytest.mark.parametrize("question", SHARING, ids=lambda question: question.driver)
def test_a_claim_for_a_share_takes_no_more_than_that(cluster: Cluster, question: Question) -> None:
    (node,) = question.takes
    asked = claim(question, share=True)
    world = World(
        asked,
        {node: fits(*question.takes[node])},
        [each for each in slices(question.driver) if each["spec"]["nodeName"] == node],
        classes=device_classes(question.driver),
    )
    wanted = asked["spec"]["devices"]["requests"][0]["exactly"]["capacity"]["requests"]
    with cluster.holding(world):
        decision = cluster.decide_node(world, node)
    assert decision.outcome == "Allocates", decision.message
    (taken,) = decision.devices
    assert taken["shareID"]
    assert wanted.items() <= taken["consumedCapacity"].items()


ASSUMED = {
    "8x NVIDIA H100 80GB HBM3": (NVIDIA, 79, 3350, "gpu-0"),
    "2x Instinct MI300X": (AMD, 191, 5300, "gpu-0"),
    "Arc Pro B60": (INTEL, 23, 456, "0000-01-00-0-0xe211"),
    "8x Gaudi3": (GAUDI, 119, 3700, "0000-01-00-0-0x1060"),
    "16x trn2.48xlarge": (NEURON, 89, 2900, "neuron-device-0"),
    "n300": (TENSTORRENT, 22, 576, "chip-0"),
}
"""Nodes that do not exist yet, each with a driver's class, floors that it just has, and the device that is taken."""


@pytest.mark.parametrize("text", ASSUMED)
def test_an_assumed_node_is_one_that_the_api_server_takes_and_the_scheduler_allocates_from(
    cluster: Cluster, text: str
) -> None:
    driver, memory_gib, bandwidth, device = ASSUMED[text]
    node, published = assumed_node(text, builtin_table())
    name = node["metadata"]["name"]
    question = Question(driver, driver, memory_gib, bandwidth, {name: (device,)})
    world = World(claim(question), {name: fits(device)}, [published], classes=device_classes(driver))
    with cluster.holding(world):
        decision = cluster.decide_node(world, name)
    assert decision.outcome == "Allocates", decision.message
    assert [each["device"] for each in decision.devices] == [device]
