"""``check-nodes``, ``devices`` and ``models`` from the command line, on files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
SNAPSHOT = str(ROOT / "examples" / "cluster.yaml")
MODEL = "meta-llama/Llama-3.1-8B-Instruct"


def check(llmfit, *arguments: str, stdin: str | None = None):
    return llmfit("check-nodes", *arguments, "--snapshot", SNAPSHOT, stdin=stdin)


def altered(tmp_path: Path, change) -> str:
    """The example cluster after ``change(items)``."""
    document = yaml.safe_load(Path(SNAPSHOT).read_text())
    change(document["items"])
    path = tmp_path / "cluster.json"
    path.write_text(json.dumps(document))
    return str(path)


def of_kind(items: list[dict], kind: str, name: str | None = None) -> list[dict]:
    return [item for item in items if item["kind"] == kind and name in (None, item["metadata"]["name"])]


def test_yes_is_0_and_the_rest_of_the_table_says_why_not(llmfit) -> None:
    outcome = check(llmfit, MODEL)
    assert outcome.status == 0
    assert [line.split()[:2] for line in outcome.stdout.splitlines()] == [
        ["NODE", "VERDICT"],
        ["gpu-a", "Fits"],
        ["gpu-b", "InUse"],
        ["gpu-c", "NoFit"],
        ["gpu-d", "Error,SchedulingDisabled"],
    ]
    assert "Yes: 1 of 3 nodes fits" in outcome.stderr


def test_no_is_1_with_a_suggestion(llmfit) -> None:
    outcome = check(llmfit, MODEL, "--min-bandwidth", "2000")
    assert outcome.status == 1
    assert "No: 0 of 3 nodes fit" in outcome.stderr
    assert "closest" in outcome.stderr


def test_a_cheaper_quantisation_is_suggested(llmfit) -> None:
    outcome = check(llmfit, MODEL, "--quant", "F16", "--min-tps", "40")
    # 8.03 × 2 bytes = 16.1 GB × 40 × 100 / 55 = 1168 GB/s: more than the 1008 of gpu-a
    assert outcome.status == 1
    assert "--quant" in outcome.stderr


def test_a_candidate_that_fails_the_pod_makes_it_no(llmfit, tmp_path: Path) -> None:
    def uncordon(items: list[dict]) -> None:
        for node in of_kind(items, "Node", "gpu-d"):
            node["spec"] = {}

    path = altered(tmp_path, uncordon)
    outcome = llmfit("check-nodes", MODEL, "--snapshot", path)
    assert outcome.status == 1
    assert llmfit("check-nodes", MODEL, "--snapshot", path, "-o", "name").stdout == ""
    assert llmfit("check-nodes", MODEL, "--snapshot", path, "--node", "gpu-a").status == 1


def test_an_unread_resource_is_could_not_tell(llmfit, tmp_path: Path) -> None:
    def hide_claims(items: list[dict]) -> None:
        items[0]["unread"] = [{"resource": "resourceclaims", "reason": "forbidden"}]
        items[:] = [item for item in items if item["kind"] != "ResourceClaim"]

    outcome = llmfit("check-nodes", MODEL, "--snapshot", altered(tmp_path, hide_claims))
    assert outcome.status == 3
    assert "resourceclaims were not read: forbidden" in outcome.stderr
    assert "gpu-a   Unknown" in outcome.stdout


def test_a_plain_kubectl_list_counts_missing_claims_as_none_and_says_so(llmfit, tmp_path: Path) -> None:
    def plain(items: list[dict]) -> None:
        items[:] = [item for item in items if item["kind"] not in ("ClusterSnapshot", "ResourceClaim")]

    outcome = llmfit("check-nodes", MODEL, "--snapshot", altered(tmp_path, plain))
    assert outcome.status == 0
    assert "nothing is held" in outcome.stderr
    assert "gpu-b   Fits" in outcome.stdout


def test_a_stored_claim_and_a_file_are_subjects_too(llmfit) -> None:
    outcome = check(llmfit, "resourceclaim/qwen")
    assert "allocated on gpu-b" in outcome.stdout
    assert check(llmfit, "resourceclaims.resource.k8s.io/qwen", "-n", "team-b").status == outcome.status
    claim = llmfit("claim", MODEL, "--template").stdout
    assert check(llmfit, "-f", "-", stdin=claim).stdout == check(llmfit, MODEL).stdout


def test_nodes_are_chosen_by_label_and_by_name(llmfit) -> None:
    assert check(llmfit, MODEL, "-l", "kubernetes.io/hostname in (gpu-b, gpu-c)").status == 1
    outcome = check(llmfit, MODEL, "--node", "gpu-a", "--no-headers")
    assert outcome.status == 0
    assert len(outcome.stdout.splitlines()) == 1


@pytest.mark.parametrize("output", ["json", "yaml"])
def test_the_document_says_the_same_in_both_forms(llmfit, output: str) -> None:
    document = yaml.safe_load(check(llmfit, MODEL, "-o", output).stdout)
    assert document["kind"] == "NodeCheck"
    assert document["summary"]["verdict"] == "Yes"
    assert {node["name"]: node["verdict"] for node in document["nodes"]}["gpu-d"] == "Error"


def test_names_are_those_that_fit(llmfit) -> None:
    assert check(llmfit, MODEL, "-o", "name").stdout == "node/gpu-a\n"


def test_a_server_without_rules_of_its_own_is_said(llmfit, tmp_path: Path) -> None:
    def older(items: list[dict]) -> None:
        items[0]["serverVersion"] = "v1.33.4"

    outcome = llmfit("check-nodes", MODEL, "--snapshot", altered(tmp_path, older))
    assert "no scheduler rules for Kubernetes v1.33.4: those of 1.34 are used" in outcome.stderr


def test_devices_lists_what_is_published(llmfit) -> None:
    outcome = llmfit("devices", "--snapshot", SNAPSHOT)
    rows = [line.split("   ")[0] for line in outcome.stdout.splitlines()]
    assert rows == ["NODE", "gpu-a", "gpu-a", "gpu-b", "gpu-c", "gpu-c", "gpu-d"]
    assert "team-b/qwen" in outcome.stdout
    document = json.loads(llmfit("devices", "--snapshot", SNAPSHOT, "-o=json").stdout)
    assert [item["memory"] for item in document["items"]].count("24564Mi") == 2
    assert "POOL" in llmfit("devices", "--snapshot", SNAPSHOT, "-o", "wide").stdout


def test_devices_shows_only_the_newest_generation(llmfit, tmp_path: Path) -> None:
    def outdate(items: list[dict]) -> None:
        old = json.loads(json.dumps(of_kind(items, "ResourceSlice", "gpu-a-llmfit.ai")[0]))
        old["metadata"]["name"] = "old"
        old["spec"]["pool"]["generation"] = 0
        old["spec"]["devices"][0]["name"] = "gone"
        items.append(old)

    assert "gone" not in llmfit("devices", "--snapshot", altered(tmp_path, outdate)).stdout


def test_models_finds_originals_first_and_limits(llmfit) -> None:
    outcome = llmfit("models", "qwen3 8b", "--limit", "3", "-o", "name")
    assert outcome.stdout.splitlines()[0] == "Qwen/Qwen3-8B"
    assert len(outcome.stdout.splitlines()) == 3
    assert "--limit 0 shows all" in outcome.stderr
    nothing = llmfit("models", "no-such-model-anywhere")
    assert (nothing.status, nothing.stdout) == (0, "")
    assert "No models found" in nothing.stderr


def test_models_as_a_document_keeps_every_field(llmfit) -> None:
    (item, *_) = json.loads(llmfit("models", MODEL, "-o", "json").stdout)["items"]
    assert item["name"] == MODEL
    assert item["num_hidden_layers"] == 32
    assert item["num_key_value_heads"] == 8


def test_the_status_in_a_claim_file_is_no_allocation(llmfit, tmp_path: Path) -> None:
    stored = of_kind(yaml.safe_load(Path(SNAPSHOT).read_text())["items"], "ResourceClaim", "qwen")[0]
    outcome = check(llmfit, "-f", "-", stdin=json.dumps(stored))
    assert "its status is ignored" in outcome.stderr
    assert "gpu-a   Fits" in outcome.stdout


def test_what_holds_a_device_is_unknown_where_claims_were_not_read(llmfit, tmp_path: Path) -> None:
    def hide_claims(items: list[dict]) -> None:
        items[0]["unread"] = [{"resource": "resourceclaims", "reason": "forbidden"}]
        items[:] = [item for item in items if item["kind"] != "ResourceClaim"]

    path = altered(tmp_path, hide_claims)
    assert llmfit("devices", "--snapshot", path).stdout.count("<unknown>") == 6
    document = json.loads(llmfit("devices", "--snapshot", path, "-o", "json").stdout)
    assert {item["heldBy"] for item in document["items"]} == {None}


def test_devices_of_chosen_nodes(llmfit) -> None:
    outcome = llmfit("devices", "--snapshot", SNAPSHOT, "-l", "kubernetes.io/hostname=gpu-c", "--no-headers")
    assert [line.split()[0] for line in outcome.stdout.splitlines()] == ["gpu-c", "gpu-c"]


def test_a_node_that_fits_but_is_not_ready_or_tainted_is_said(llmfit, tmp_path: Path) -> None:
    def trouble(items: list[dict]) -> None:
        (node,) = of_kind(items, "Node", "gpu-a")
        node["status"]["conditions"] = [{"type": "Ready", "status": "False"}]
        node["spec"]["taints"] = [{"key": "gpu", "value": "yes", "effect": "NoSchedule"}]

    outcome = llmfit("check-nodes", MODEL, "--snapshot", altered(tmp_path, trouble))
    assert outcome.status == 0
    assert "warning: gpu-a fits, but: the pod must tolerate gpu=yes:NoSchedule; the node is not ready" in outcome.stderr


def test_an_empty_choice_is_said_to_be_one(llmfit) -> None:
    outcome = check(llmfit, MODEL, "-l", "zone=nowhere")
    assert outcome.stdout == ""
    assert "of those chosen, none" in outcome.stderr
