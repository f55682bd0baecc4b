"""``check-nodes -f`` with several claims: those of one pod, tried together and in their order."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
EXAMPLE = yaml.safe_load((ROOT / "examples" / "cluster.yaml").read_text())
BANDWIDTH = "device.attributes['llmfit.ai'].memoryBandwidthGBs"
Object = dict[str, Any]


def asking(name: str, floor: int, kind: str = "ResourceClaim", **metadata: str) -> Object:
    """A claim or template for one device of more than ``floor`` GB/s."""
    exactly = {"deviceClassName": "llmfit.ai", "selectors": [{"cel": {"expression": f"{BANDWIDTH} > {floor}"}}]}
    spec: Object = {"devices": {"requests": [{"name": "gpu", "exactly": exactly}]}}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": kind,
        "metadata": {"name": name} | metadata,
        "spec": spec if kind == "ResourceClaim" else {"spec": spec},
    }


def written(tmp_path: Path, *documents: Object, name: str = "claims.yaml") -> str:
    path = tmp_path / name
    path.write_text("---\n".join(json.dumps(each) + "\n" for each in documents))
    return str(path)


@pytest.fixture
def checked(llmfit, tmp_path: Path):
    """A function that checks on the example cluster, where nobody holds anything; the document."""
    items = [item for item in EXAMPLE["items"] if item["kind"] != "ResourceClaim"]
    snapshot = tmp_path / "cluster.json"
    snapshot.write_text(json.dumps(EXAMPLE | {"items": items}))

    def check(*arguments: str) -> Object:
        outcome = llmfit("check-nodes", *arguments, "--snapshot", str(snapshot), "-o", "json", "--all-nodes")
        assert outcome.status in (0, 1), outcome.stderr
        return json.loads(outcome.stdout)

    return check


def fitting(document: Object) -> list[str]:
    return [node["name"] for node in document["nodes"] if node["verdict"] == "Fits"]


def taken(document: Object, node: str) -> list[tuple[str, str]]:
    (found,) = (each for each in document["nodes"] if each["name"] == node)
    return [(each["claim"], each["device"]) for each in found["allocation"]]


@pytest.fixture
def both(tmp_path: Path) -> str:
    # gpu-a has two devices above 900 GB/s, gpu-b one
    return written(tmp_path, asking("first", 900), asking("second", 900))


def test_claims_of_one_file_get_devices_of_their_own_in_their_order(checked, both: str) -> None:
    document = checked("-f", both)
    assert [claim["name"] for claim in document["claims"]] == ["first", "second"]
    assert taken(document, "gpu-a") == [("first", "gpu-0000-01-00-0"), ("second", "gpu-0000-02-00-0")]


def test_each_alone_would_fit_but_a_third_does_not(checked, tmp_path: Path) -> None:
    three = written(tmp_path, *(asking(name, 900) for name in ("first", "second", "third")))
    document = checked("-f", three)
    assert (fitting(document), document["summary"]["verdict"]) == ([], "No")


def test_several_files_are_one_pod_in_the_order_of_the_flags(checked, tmp_path: Path) -> None:
    first, second = (written(tmp_path, asking(name, 900), name=name) for name in ("first", "second"))
    document = checked("-f", second, "-f", first)
    assert taken(document, "gpu-a") == [("second", "gpu-0000-01-00-0"), ("first", "gpu-0000-02-00-0")]


def test_a_template_among_claims_is_as_the_claim_it_makes(checked, tmp_path: Path) -> None:
    mixed = written(tmp_path, asking("shared", 900), asking("own", 900, "ResourceClaimTemplate"))
    document = checked("-f", mixed)
    assert [claim["kind"] for claim in document["claims"]] == ["ResourceClaim", "ResourceClaimTemplate"]
    assert fitting(document) == ["gpu-a"]


def test_other_objects_of_a_file_are_passed_over(checked, tmp_path: Path) -> None:
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "server"}, "spec": {}}
    document = checked("-f", written(tmp_path, pod, asking("first", 900), asking("second", 900)))
    assert [claim["name"] for claim in document["claims"]] == ["first", "second"]


def test_a_claim_without_a_namespace_is_in_that_of_the_others(checked, tmp_path: Path) -> None:
    path = written(tmp_path, asking("first", 900, namespace="team-a"), asking("second", 900))
    assert len(checked("-f", path)["claims"]) == 2


def test_the_status_of_each_is_ignored_with_a_word(llmfit, tmp_path: Path) -> None:
    allocated = asking("second", 900) | {"status": {"allocation": {}}}
    path = written(tmp_path, asking("first", 900), allocated)
    outcome = llmfit("check-nodes", "-f", path, "--snapshot", str(ROOT / "examples" / "cluster.yaml"))
    assert "its status is ignored, since a new claim has none; check resourceclaim/second" in outcome.stderr


def test_a_version_that_the_server_does_not_have_is_said(llmfit, tmp_path: Path) -> None:
    head = EXAMPLE["items"][0] | {"served": {"resourceclaims": ["v1"], "resourceclaimtemplates": ["v1", "v1beta1"]}}
    snapshot = tmp_path / "cluster.json"
    snapshot.write_text(json.dumps(EXAMPLE | {"items": [head, *EXAMPLE["items"][1:]]}))
    flat = {"devices": {"requests": [{"name": "gpu", "deviceClassName": "llmfit.ai"}]}}
    old = {"apiVersion": "resource.k8s.io/v1beta1"}
    claim = asking("first", 900) | old | {"spec": flat}
    template = asking("second", 900, "ResourceClaimTemplate") | old | {"spec": {"spec": flat}}
    outcome = llmfit("check-nodes", "-f", written(tmp_path, claim, template), "--snapshot", str(snapshot))
    warnings = [line for line in outcome.stderr.splitlines() if "does not serve" in line]
    assert warnings == [
        "warning: first is written in resource.k8s.io/v1beta1, which the server does not serve (it has v1): "
        "it cannot be applied as it is"
    ]
