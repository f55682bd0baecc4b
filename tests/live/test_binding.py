"""Allocated claims whose devices have to be attached first: ready, failed, or waited for too long.

check-nodes is asked before the scheduler, which may take the allocation away when it refuses, and then waits for
seconds with the device in its hands: each test has a pool of its own.
"""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from typing import Any

import pytest

from controlplane.plane import ControlPlane
from live.objects import DRIVER, LONG_AGO, NAMESPACE, device, held, on_node, only_node, resource_slice
from live.program import run_here
from live.worlds import DECIDED_WITHIN_SECONDS, NAMESPACES, RESOURCES, Cluster, Outcome, World, fits

WAITS = {"bindingConditions": ["attached"], "bindingFailureConditions": ["broken"]}
NOW = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def world_of(pool: str, allocated_at: str = LONG_AGO, **conditions: str) -> World:
    """A claim that holds the only device; ``conditions`` are what its driver reports, none for nothing at all."""
    made = held("mine", "gpu-0", pool=pool, namespace=NAMESPACE, selector=only_node("a"))
    allocation = made["status"]["allocation"]
    allocation["allocationTimestamp"] = allocated_at
    (result,) = allocation["devices"]["results"]
    result |= WAITS
    reported = [
        {"type": kind, "status": status, "reason": "Test", "message": "", "lastTransitionTime": LONG_AGO}
        for kind, status in conditions.items()
    ]
    if reported:
        made["status"]["devices"] = [{"driver": DRIVER, "pool": pool, "device": "gpu-0", "conditions": reported}]
    published = resource_slice("s", on_node("a"), device("gpu-0", more=WAITS), pool=pool)
    return World(made, {"a": fits(f"{pool}/gpu-0")}, [published], claims=[made], stored=True)


def checked(plane: ControlPlane) -> Any:
    """The entry of node a."""
    asked = ("check-nodes", "resourceclaim/mine", "-n", NAMESPACE, "--all-nodes", "-o", "json")
    answer = run_here(*asked, "--kubeconfig", plane.kubeconfig())
    assert answer.stdout, answer.stderr
    (node,) = json.loads(answer.stdout)["nodes"]
    return node


@pytest.mark.parametrize(
    ("world", "outcome"),
    [
        (world_of("attached", attached="True"), "Allocates"),
        (world_of("not-broken", attached="True", broken="False"), "Allocates"),
        (world_of("attached-and-broken", attached="True", broken="True"), "Refuses"),
        (world_of("broken", NOW, broken="True"), "Refuses"),
        (world_of("nothing-reported"), "Refuses"),  # since January, where the scheduler waits ten minutes
        (world_of("not-attached", attached="False"), "Refuses"),
        (world_of("not-known", attached="Unknown"), "Refuses"),
    ],
    ids=lambda value: value.slices[0]["spec"]["pool"]["name"] if isinstance(value, World) else value,
)
def test_an_allocated_device_that_has_to_be_attached(
    cluster: Cluster, control_plane: ControlPlane, world: World, outcome: Outcome
) -> None:
    with cluster.holding(world):
        entry = checked(control_plane)
        decision = cluster.decide_node(world, "a")
    assert decision.outcome == outcome, decision.message
    assert entry["scheduler"] == outcome
    assert entry["message"] is None or entry["message"] in decision.message


def test_a_claim_that_is_not_yet_attached_passes_the_filter(cluster: Cluster, control_plane: ControlPlane) -> None:
    """The scheduler reserves the claim for the pod, and waits before it binds it."""
    claims, pods = f"{RESOURCES}/namespaces/{NAMESPACE}/resourceclaims", f"{NAMESPACES}/{NAMESPACE}/pods"
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "waits", "namespace": NAMESPACE},
        "spec": {
            "containers": [{"name": "main", "image": "example.com/server"}],
            "resourceClaims": [{"name": "gpu", "resourceClaimName": "mine"}],
        },
    }
    client = control_plane.client()
    with cluster.holding(world_of("waits", NOW)):
        entry = checked(control_plane)
        client.create(pods, pod)
        deadline = time.monotonic() + DECIDED_WITHIN_SECONDS
        while not (reserved := client.get(f"{claims}/mine")["status"].get("reservedFor")):
            assert time.monotonic() < deadline, client.get(f"{pods}/waits")["status"]
            time.sleep(0.01)
        assert "nodeName" not in client.get(f"{pods}/waits")["spec"]
    client.close()
    assert [each["name"] for each in reserved] == ["waits"]
    assert entry["scheduler"] == "Allocates"
