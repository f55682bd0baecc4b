"""``check-nodes --kubernetes-version`` and ``--feature-gates``: whose rules hold, what is said, what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
SNAPSHOT = str(ROOT / "examples" / "cluster.yaml")
MODEL = "meta-llama/Llama-3.1-8B-Instruct"


def check(llmfit, *arguments: str, snapshot: str = SNAPSHOT):
    return llmfit("check-nodes", MODEL, "--snapshot", snapshot, *arguments)


def cluster_of(llmfit, *arguments: str, snapshot: str = SNAPSHOT) -> dict:
    return json.loads(check(llmfit, "-o", "json", *arguments, snapshot=snapshot).stdout)["cluster"]


def served_by(tmp_path: Path, version: str) -> str:
    """The example cluster as a server of ``version``."""
    document = yaml.safe_load(Path(SNAPSHOT).read_text())
    document["items"][0]["serverVersion"] = version
    path = tmp_path / "cluster.json"
    path.write_text(json.dumps(document))
    return str(path)


@pytest.mark.parametrize(
    ("server", "rules"), [("v1.34.2", "1.34"), ("v1.35.4+k3s1", "1.35"), ("v1.36.0-eks-1", "1.36"), ("v1.37.2", "1.37")]
)
def test_the_rules_are_those_of_the_servers_version(llmfit, tmp_path: Path, server: str, rules: str) -> None:
    snapshot = served_by(tmp_path, server)
    assert cluster_of(llmfit, snapshot=snapshot)["rules"] == rules
    assert "rules" not in check(llmfit, snapshot=snapshot).stderr


def test_a_version_that_is_asked_for_goes_before_the_servers_and_is_said(llmfit, tmp_path: Path) -> None:
    snapshot = served_by(tmp_path, "v1.37.2")
    assert cluster_of(llmfit, "--kubernetes-version", "1.36", snapshot=snapshot)["rules"] == "1.36"
    stderr = check(llmfit, "--kubernetes-version=v1.36.3", snapshot=snapshot).stderr
    assert "the scheduler rules of Kubernetes 1.36 are used: the server is v1.37.2" in stderr


def test_a_version_that_is_asked_for_and_has_no_rules_gets_the_nearest_and_is_said(llmfit) -> None:
    assert cluster_of(llmfit, "--kubernetes-version", "1.31")["rules"] == "1.34"
    stderr = check(llmfit, "--kubernetes-version", "1.40").stderr
    assert "no scheduler rules for Kubernetes 1.40: those of 1.37 are used" in stderr


def test_the_document_holds_the_gates_of_the_version(llmfit) -> None:
    gates = cluster_of(llmfit, "--kubernetes-version", "1.36")["featureGates"]
    assert (gates["DRADeviceTaints"], gates["DRADeviceTaintRules"]) == (True, False)
    assert cluster_of(llmfit, "--kubernetes-version", "1.37")["featureGates"]["DRADeviceTaintRules"] is True


def test_gates_are_set_as_the_scheduler_takes_them(llmfit) -> None:
    given = ("--feature-gates=DRADeviceTaintRules=false, DRAConsumableCapacity=0", "--feature-gates=DRADeviceTaints=F")
    gates = cluster_of(llmfit, "--kubernetes-version=1.37", *given)["featureGates"]
    changed = ("DRADeviceTaintRules", "DRAConsumableCapacity", "DRADeviceTaints")
    assert [gates[name] for name in changed] == [False, False, False]
    last = cluster_of(llmfit, "--feature-gates", "DRAPartitionableDevices=false,DRAPartitionableDevices=true")
    assert last["featureGates"]["DRAPartitionableDevices"] is True


def test_a_gate_that_changes_nothing_is_accepted_and_said_to_be_without_effect(llmfit) -> None:
    outcome = check(llmfit, "--feature-gates", "SidecarContainers=true")
    assert outcome.status == 0
    assert "SidecarContainers is without effect here" in outcome.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--kubernetes-version", "new"], ["--kubernetes-version", '"new"', "1.36"]),
        (["--kubernetes-version", ""], ["--kubernetes-version"]),
        (["--feature-gates", "DRADeviceTaints"], ["--feature-gates", "DRADeviceTaints", "GATE=true"]),
        (["--feature-gates", "=true"], ["--feature-gates", "=true"]),
        (["--feature-gates", "DRADeviceTaints=maybe"], ["maybe", "DRADeviceTaints", "true or false"]),
        (["--feature-gates", "DRADeviceTaint=true"], ["DRADeviceTaint", "did you mean DRADeviceTaints?"]),
        (["--feature-gates", "PrioritizedList=true"], ["did you mean DRAPrioritizedList?"]),
        (["--feature-gates", "Zebra=true"], ['"Zebra" is no feature gate of Kubernetes']),
        (
            ["--kubernetes-version=1.37", "--feature-gates", "DRAPrioritizedList=false"],
            ["cannot set DRAPrioritizedList to false", "locks it to true"],
        ),
        (
            ["--kubernetes-version=1.35", "--feature-gates", "DRAListTypeAttributes=true"],
            ["DRAListTypeAttributes", "1.36"],
        ),
        (
            ["--kubernetes-version=1.37", "--feature-gates", "DRADeviceTaints=false"],
            ["DRADeviceTaintRules is enabled, but depends on features that are disabled: DRADeviceTaints"],
        ),
    ],
)
def test_what_no_scheduler_takes_is_refused_in_one_line(llmfit, arguments: list[str], words: list[str]) -> None:
    outcome = check(llmfit, *arguments)
    assert (outcome.status, outcome.stdout) == (2, "")
    assert outcome.stderr.startswith("error: ")
    assert outcome.stderr.count("\n") == 1
    for word in words:
        assert word in outcome.stderr


def test_what_the_api_server_drops_from_a_new_claim_is_said(llmfit, tmp_path: Path) -> None:
    exactly = {"deviceClassName": "llmfit.ai", "capacity": {"requests": {"memory": "1Ti"}}}
    claim = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": "ask"},
        "spec": {"devices": {"requests": [{"name": "gpu", "exactly": exactly}]}},
    }
    path = tmp_path / "claim.json"
    path.write_text(json.dumps(claim))
    off = ("--kubernetes-version=1.37", "--feature-gates=DRAConsumableCapacity=false", "--snapshot", SNAPSHOT)
    outcome = llmfit("check-nodes", "-f", str(path), "-o", "json", *off)
    sentence = "the API server drops capacity of claim ask: request gpu, since DRAConsumableCapacity is off"
    assert f"warning: {sentence}" in outcome.stderr
    assert sentence in json.loads(outcome.stdout)["summary"]["assumed"]
    assert outcome.status == 0  # a device of 24 GiB does for what is left
