"""Users who may not read everything: what cannot be known is never reported as a yes or a no."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from controlplane.plane import ControlPlane, Rule
from live.cards import LLMFIT, MODEL, WORLD
from live.program import Answer, run_here
from live.worlds import Cluster

RESOURCES = ("resourceslices", "deviceclasses", "resourceclaims", "devicetaintrules")
USER = "reader"


@pytest.fixture(autouse=True)
def world(cluster: Cluster) -> Iterator[None]:
    with cluster.holding(WORLD):
        yield


def rules(*, without: Sequence[str] = ()) -> list[Rule]:
    """Reading all that a check reads, but for some resources."""
    resources = [name for name in RESOURCES if name not in without]
    granted = [{"apiGroups": ["resource.k8s.io"], "resources": resources, "verbs": ["get", "list"]}]
    nodes = [{"apiGroups": [""], "resources": ["nodes"], "verbs": ["get", "list"]}]
    return granted + ([] if "nodes" in without else nodes)


def check(plane: ControlPlane, *flags: str, without: Sequence[str] = ()) -> Answer:
    with plane.granted(USER, rules(without=without)):
        return run_here("check-nodes", MODEL, "--kubeconfig", plane.kubeconfig(USER), *flags)


def nodes_of(answer: Answer) -> dict[str, Any]:
    assert answer.stdout, answer.stderr
    return {each["name"]: each for each in json.loads(answer.stdout)["nodes"]}


def test_reading_is_all_that_is_needed(control_plane: ControlPlane) -> None:
    answer = check(control_plane, "-o", "name")
    assert (answer.code, answer.stdout) == (0, "node/gpu-a\n"), answer.stderr


def test_a_stranger_is_refused_in_the_servers_words(control_plane: ControlPlane) -> None:
    answer = run_here("check-nodes", MODEL, "--kubeconfig", control_plane.kubeconfig("stranger"))
    assert (answer.code, answer.stdout) == (4, "")
    assert "\nError from server (Forbidden): " in f"\n{answer.stderr}"


def test_without_slices_there_is_no_answer(control_plane: ControlPlane) -> None:
    answer = check(control_plane, without=["resourceslices"])
    assert (answer.code, answer.stdout) == (4, "")
    assert "resourceslices" in answer.stderr
    assert "Error from server (Forbidden): " in answer.stderr


def test_without_claims_only_what_matches_is_unknown(control_plane: ControlPlane) -> None:
    answer = check(control_plane, "-o", "json", without=["resourceclaims"])
    assert answer.code == 3
    found = nodes_of(answer)
    assert {name: each["verdict"] for name, each in found.items()} == {
        "gpu-a": "Unknown",
        "gpu-b": "Unknown",
        "gpu-c": "NoFit",
    }
    assert [each["resource"] for each in json.loads(answer.stdout)["summary"]["unread"]] == ["resourceclaims"]


def test_without_nodes_the_rows_are_those_of_the_slices(control_plane: ControlPlane) -> None:
    answer = check(control_plane, "-o", "json", without=["nodes"])
    assert answer.code == 3
    verdicts = {name: each["verdict"] for name, each in nodes_of(answer).items()}
    assert verdicts == {"gpu-a": "Unknown", "gpu-b": "InUse", "gpu-c": "NoFit"}


def test_without_classes_only_a_device_in_use_is_a_no(control_plane: ControlPlane) -> None:
    # the scheduler passes over a device in use before it looks at the class
    answer = check(control_plane, "-o", "json", without=["deviceclasses"])
    assert answer.code == 3
    found = nodes_of(answer)
    assert (found["gpu-a"]["verdict"], found["gpu-c"]["verdict"]) == ("Unknown", "Unknown")
    assert found["gpu-b"]["scheduler"] == "Refuses"


def test_a_user_who_may_not_create_claims_is_refused(control_plane: ControlPlane) -> None:
    with control_plane.granted(USER, rules()):
        answer = run_here("claim", MODEL, "--apply", "--kubeconfig", control_plane.kubeconfig(USER))
    assert (answer.code, answer.stdout) == (4, "")
    assert "Error from server (Forbidden): " in answer.stderr


def test_an_impersonated_stranger_is_a_stranger(control_plane: ControlPlane) -> None:
    answer = run_here("check-nodes", MODEL, "--kubeconfig", control_plane.kubeconfig(), "--as", "stranger")
    assert (answer.code, answer.stdout) == (4, "")
    assert 'User "stranger" cannot list resource' in answer.stderr


def test_a_wrong_token_is_no_anonymous_request(control_plane: ControlPlane, tmp_path: Path) -> None:
    document = json.loads(control_plane.kubeconfig().read_text())
    document["users"][0]["user"]["token"] = "wrong"
    (tmp_path / "config").write_text(json.dumps(document))
    answer = run_here("check-nodes", MODEL, "--device-class", LLMFIT, "--kubeconfig", tmp_path / "config")
    assert (answer.code, answer.stdout) == (4, "")
    assert "Unauthorized" in answer.stderr
    assert "wrong" not in answer.stderr
