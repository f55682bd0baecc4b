"""check-nodes answers as the real scheduler decides, world by world."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from controlplane.plane import ControlPlane
from live import cases_edges, cases_holding, cases_pools, cases_requests, cases_selectors
from live.objects import Object
from live.program import Answer, run_here
from live.worlds import Cluster, Decision, World

CASES = cases_selectors.CASES | cases_pools.CASES | cases_requests.CASES | cases_holding.CASES | cases_edges.CASES
CODES = {"Allocates": (0, "Yes"), "Refuses": (1, "No"), "Fails": (1, "No")}


def devices_of(results: list[Object], node: str) -> tuple[str, ...]:
    """Devices as the cases write them: the pool only where it is not named as the node."""
    pairs = ((each["pool"], each["device"]) for each in results)
    return tuple(name if pool == node else f"{pool}/{name}" for pool, name in pairs)


def identities(results: list[Object]) -> list[tuple[str, ...]]:
    """What an allocation says, without what only the scheduler writes (tolerations, times)."""
    return [tuple(each[key] for key in ("request", "driver", "pool", "device")) for each in results]


def question(world: World, folder: Path) -> list[str | Path]:
    """The claim as check-nodes is asked about it: one of the cluster by name, any other from a file."""
    if world.stored:
        return [f"resourceclaim/{world.asked['metadata']['name']}", "-n", world.asked["metadata"]["namespace"]]
    path = folder / "claim.json"
    path.write_text("\n".join(json.dumps(each) for each in (world.asked, *world.beside)))
    return ["-f", path]


def document(answer: Answer) -> dict[str, Any]:
    """The NodeCheck, with the part that says where and when it was read left out."""
    assert answer.stdout, answer.stderr
    read: dict[str, Any] = json.loads(answer.stdout)
    assert (read["apiVersion"], read["kind"]) == ("kubectl-llmfit/v1alpha1", "NodeCheck")
    del read["cluster"]
    return read


@pytest.mark.parametrize("world", CASES.values(), ids=CASES.keys())
def test_world(control_plane: ControlPlane, cluster: Cluster, world: World, tmp_path: Path) -> None:
    kubeconfig: list[str | Path] = ["--kubeconfig", control_plane.kubeconfig()]
    check: list[str | Path] = ["check-nodes", *question(world, tmp_path), "--all-nodes", "-o", "json"]
    with cluster.holding(world):
        decisions = {name: cluster.decide_node(world, name) for name in world.expected}
        whole = cluster.decide_world(world)
        answer = run_here(*check, *kubeconfig)
        snapshot = run_here("snapshot", *kubeconfig)
    for name, expected in world.expected.items():
        decision = decisions[name]
        decided = (decision.outcome, devices_of(list(decision.devices), name))
        assert decided == (expected.outcome, expected.devices), decision.message
    assert whole.outcome == world.outcome, whole.message

    answered = document(answer)
    nodes = {each["name"]: each for each in answered["nodes"]}
    assert nodes.keys() == world.expected.keys()
    for name, expected in world.expected.items():
        assert_agrees(nodes[name], decisions[name])
        assert nodes[name]["verdict"] == expected.verdict, nodes[name]["reason"]
    assert (answer.code, answered["summary"]["verdict"]) == CODES[whole.outcome]

    (tmp_path / "cluster.json").write_text(snapshot.stdout)
    again = run_here(*check, "--snapshot", tmp_path / "cluster.json")
    assert (again.code, document(again)) == (answer.code, answered)


def test_a_node_on_which_the_scheduler_times_out(control_plane: ControlPlane, cluster: Cluster, tmp_path: Path) -> None:
    world = cases_requests.functions_and_a_held_gpu(32)
    with cluster.holding(world):
        decision = cluster.decide_world(world)
        kubeconfig: list[str | Path] = ["--kubeconfig", control_plane.kubeconfig()]
        answer = run_here("check-nodes", *question(world, tmp_path), "-o", "json", *kubeconfig)
    assert decision.outcome == "Fails"
    assert "timed out trying to allocate devices" in decision.message
    answered = document(answer)
    assert (answer.code, answered["summary"]["verdict"]) == (3, "CannotTell")
    nodes = {each["name"]: (each["scheduler"], each["mayTimeOut"]) for each in answered["nodes"]}
    assert nodes == {"a": ("Refuses", True), "b": ("Allocates", False)}


def assert_agrees(node: dict[str, Any], decision: Decision) -> None:
    """The node's entry says what the scheduler did, device by device, and in its words."""
    assert node["scheduler"] == decision.outcome, (node["message"], decision.message)
    assert identities(node["allocation"]) == identities(list(decision.devices))
    assert node["message"] is None or node["message"] in decision.message, (node["message"], decision.message)
