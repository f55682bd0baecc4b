"""Claims for each driver, put before the real API server and scheduler with slices as that driver publishes them."""

from __future__ import annotations

from pathlib import Path

import pytest

import live.test_worlds as worlds
from controlplane.plane import ControlPlane
from drivers.published import QUESTIONS, SHARING, Question, claim, contents, device_classes, slices
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
