"""What users of other tools have reported of their output: each test is named after the fault."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "cluster.yaml"
MODEL = "meta-llama/Llama-3.1-8B-Instruct"
LISTS = {
    "check-nodes": ("check-nodes", MODEL),
    "devices": ("devices",),
    "eval": ("eval", "device.driver == 'llmfit.ai'"),
    "models": ("models", "llama-3.1-8b"),
    "drivers": ("drivers",),
}


def altered(tmp_path: Path, *more: dict[str, Any], **changes: dict[str, Any]) -> str:
    """The example cluster with changes to nodes by name, and with more objects."""
    document = yaml.safe_load(EXAMPLE.read_text())
    for item in document["items"]:
        if item["kind"] == "Node":
            name = item["metadata"]["name"].replace("-", "_")
            item |= {key: item.get(key, {}) | value for key, value in changes.get(name, {}).items()}
    path = tmp_path / "cluster.json"
    path.write_text(json.dumps(document | {"items": [*document["items"], *more]}))
    return str(path)


def nodes(llmfit: Any, snapshot: str) -> dict[str, Any]:
    found = json.loads(llmfit("check-nodes", MODEL, "--snapshot", snapshot, "-o", "json").stdout)
    return {node["name"]: node for node in found["nodes"]}


@pytest.mark.parametrize("command", LISTS)
@pytest.mark.parametrize("form", ["json", "yaml"])
def test_scripts_get_no_document_or_one_without_a_version(llmfit: Any, command: str, form: str) -> None:
    snapshot = [] if command in ("models", "drivers") else ["--snapshot", str(EXAMPLE)]
    printed = llmfit(*LISTS[command], *snapshot, "-o", form).stdout
    document = json.loads(printed) if form == "json" else yaml.safe_load(printed)
    assert document["apiVersion"].startswith("kubectl-llmfit/")
    assert document["kind"]


def test_rows_of_tainted_nodes_are_hidden_and_read_as_nothing_found(llmfit: Any, tmp_path: Path) -> None:
    taint = {"spec": {"taints": [{"key": "nvidia.com/gpu", "effect": "NoSchedule"}]}}
    found = nodes(llmfit, altered(tmp_path, gpu_a=taint))
    assert found.keys() == {"gpu-a", "gpu-b", "gpu-c", "gpu-d"}
    assert found["gpu-a"]["verdict"] == "Fits"
    assert "the pod must tolerate nvidia.com/gpu:NoSchedule" in " ".join(found["gpu-a"]["notes"])


def test_rows_of_cordoned_nodes_are_hidden(llmfit: Any, tmp_path: Path) -> None:
    snapshot = altered(tmp_path, gpu_a={"spec": {"unschedulable": True}})
    assert "gpu-a   Fits,SchedulingDisabled" in llmfit("check-nodes", MODEL, "--snapshot", snapshot).stdout


def test_a_gpu_node_without_slices_is_left_out_without_a_word(llmfit: Any, tmp_path: Path) -> None:
    bare = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "gpu-z", "labels": {"kubernetes.io/hostname": "gpu-z"}},
        "status": {"allocatable": {"nvidia.com/gpu": "8"}, "conditions": [{"type": "Ready", "status": "True"}]},
    }
    found = nodes(llmfit, altered(tmp_path, bare))["gpu-z"]
    assert found["verdict"] == "NoFit"
    assert found["reason"] == "publishes no devices (offers nvidia.com/gpu: 8 through a device plugin)"


def test_slices_of_a_dead_driver_count_as_ready(llmfit: Any, tmp_path: Path) -> None:
    down = {"status": {"conditions": [{"type": "Ready", "status": "False"}]}}
    notes = " ".join(nodes(llmfit, altered(tmp_path, gpu_a=down))["gpu-a"]["notes"])
    assert "the node is not ready: its driver may be gone although its devices are still published" in notes


def test_a_card_that_a_device_plugin_offers_too_counts_as_free(llmfit: Any, tmp_path: Path) -> None:
    both = {"status": {"allocatable": {"nvidia.com/gpu": "2"}}}
    notes = " ".join(nodes(llmfit, altered(tmp_path, gpu_a=both))["gpu-a"]["notes"])
    assert "also offers nvidia.com/gpu: 2 through a device plugin, whose use is not visible here" in notes


def test_a_table_is_cut_or_a_row_wrapped_where_a_name_is_long(llmfit: Any, tmp_path: Path) -> None:
    document = yaml.safe_load(EXAMPLE.read_text().replace("gpu-a", "n" * 63))
    (tmp_path / "long.json").write_text(json.dumps(document))
    lines = llmfit("check-nodes", MODEL, "--snapshot", str(tmp_path / "long.json")).stdout.splitlines()
    assert len(lines) == 5
    assert lines[1].split()[0] == "n" * 63
