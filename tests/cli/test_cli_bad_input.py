"""What bad input gets: one line on stderr, nothing on stdout, the right status. Every row is one mistake."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SNAPSHOT = str(ROOT / "examples" / "cluster.yaml")
MODEL = "meta-llama/Llama-3.1-8B-Instruct"
CLAIM = """apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: one}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: llmfit.ai}}]}}
"""


def refused(outcome, status: int, *words: str) -> None:
    """One line (and perhaps a hint) on stderr that holds ``words``, nothing on stdout."""
    assert outcome.stdout == ""
    assert outcome.status == status, outcome.stderr
    first, *rest = outcome.stderr.splitlines()
    assert first.startswith(("error: ", "Error from server", "The connection to the server"))
    assert [line for line in rest if not line.startswith("hint: ")] == []
    for word in words:
        assert word in outcome.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], ["MODEL"]),
        (["no/such-model-at-all"], ["no/such-model-at-all"]),
        (["zzzz"], ["zzzz"]),
        (["DeepSeek-R1-Distill"], ["DeepSeek-R1-Distill"]),
        ([""], []),
        ([MODEL, "--fit", "x.json"], ["--fit"]),
        ([MODEL, "--quant", "banana"], ["banana", "Q4_K_M", "FP8"]),
        ([MODEL, "--quant", ""], ["--quant"]),
        ([MODEL, "--min-tps", "nan"], ["--min-tps"]),
        ([MODEL, "--min-tps", "inf"], ["--min-tps"]),
        ([MODEL, "--min-tps", "0"], ["--min-tps"]),
        ([MODEL, "--min-tps", "-1"], ["--min-tps"]),
        ([MODEL, "--min-tps", "1e300"], ["--min-tps"]),
        ([MODEL, "--min-tps", "1,5"], ["--min-tps", "1,5"]),
        ([MODEL, "--min-tps", "1_0"], ["--min-tps", "1_0"]),
        ([MODEL, "--efficiency", "0"], ["--efficiency"]),
        ([MODEL, "--efficiency", "101"], ["--efficiency"]),
        ([MODEL, "--efficiency", "54.9"], ["--efficiency", "54.9"]),
        ([MODEL, "--min-memory", "lots"], ["--min-memory", "lots"]),
        ([MODEL, "--min-memory", "0"], ["--min-memory"]),
        ([MODEL, "--min-memory", "18"], ["18 bytes", "18Gi"]),
        ([MODEL, "--min-memory", "1e1000000"], ["1e1000000", "from 1Mi"]),
        ([MODEL, "--min-memory", "-1e1000000"], ["from 1Mi"]),
        ([MODEL, "--min-memory", "1" * 5000], ["from 1Mi"]),
        ([MODEL, "--min-bandwidth", "0"], ["--min-bandwidth"]),
        ([MODEL, "--name", "Bad_Name"], ["--name", "RFC 1123"]),
        ([MODEL, "--name", ""], ["--name"]),
        ([MODEL, "--name", "a" * 254], ["--name", "253"]),
        ([MODEL, "-n", "Team A"], ["--namespace", "RFC 1123"]),
        ([MODEL, "--device-class", "x\n            count: 8"], ["--device-class"]),
        ([MODEL, "--device-class", "big-gpus"], ["big-gpus", "--driver", "check-nodes"]),
        ([MODEL, "--device-class", "big-gpus", "--driver", "gpu.nvidia"], ["--driver", "gpu.nvidia.com, gpu.amd.com"]),
        ([MODEL, "--device-class", "big-gpus", "--driver", "dra.cpu"], ["--driver", "gpu.nvidia.com"]),
        ([MODEL, "--driver", "gpu.nvidia.com"], ["--driver", "llmfit.ai needs none"]),
        ([MODEL, "--device-class", "npu.furiosa.ai"], ["npu.furiosa.ai", "not documented"]),
        ([MODEL, "--device-class", "spyre.ibm.com"], ["spyre.ibm.com", "publish no memory"]),
        ([MODEL, "--device-class", "gpu-vfio.intel.com"], ["gpu-vfio.intel.com"]),
        ([MODEL, "--device-class", "dra.cpu"], ["dra.cpu"]),
        ([MODEL, "--device-class", "gpu.nvidia.com", "--device-class", "gpu.nvidia.com"], ["given twice"]),
        ([MODEL, "--device-class", "auto", "--device-class", "gpu.nvidia.com"], ["auto", "with others"]),
        ([MODEL, "--device-class", "auto", "--driver", "gpu.nvidia.com"], ["--driver", "auto"]),
        ([MODEL, "--device-class", "gpu.nvidia.com", "--require-health", "yes"], ["attribute, taint, none"]),
        ([MODEL, "--device-class", "gpu.nvidia.com", "--require-health", "attribute"], ["try taint, none"]),
        ([MODEL, "--device-class", "gpu.amd.com", "--share"], ["--share", "gpu.amd.com"]),
        ([MODEL, "--share"], ["--share", "llmfit.ai"]),
        (
            [MODEL, "--device-class", "gpu.nvidia.com", "--min-bandwidth", "9000"],
            ["no product", "9000 GB/s", "--min-tps"],
        ),
        (
            [MODEL, "--smallest-first", "--device-class", "gpu.nvidia.com", "--device-class", "gpu.amd.com"],
            ["at most 8", "gpu-amd-com-5gi", "gpu-nvidia-com-5gi"],
        ),
        (
            [MODEL, "--device-class", "gpu.nvidia.com,mig.nvidia.com"],
            ["one class each time", "--device-class gpu.nvidia.com --device-class mig.nvidia.com"],
        ),
        ([MODEL, "--device-class", "gpu.nvidia.com", "--api-version", "v1alpha2"], ["--device-class"]),
        ([MODEL, "--accelerators", "/nonexistent.csv"], ["/nonexistent.csv"]),
        ([MODEL, "--api-version", "v2"], ["v1beta1"]),
        ([MODEL, "--api-version", "v1alpha2", "--template"], ["v1alpha2"]),
        ([MODEL, "--api-version", "v1alpha2", "--apply"], ["v1alpha2"]),
        ([MODEL, "-o", "xml"], ["yaml, json, name"]),
        ([MODEL, "--json", "-o", "yaml"], ["--json"]),
        ([MODEL, "--json", "--apply"], ["--json"]),
        ([MODEL, "--dry-run", "server"], ["--dry-run goes with --apply"]),
        ([MODEL, "--skip-check"], ["--skip-check goes with --apply"]),
        ([MODEL, "--force-conflicts"], ["--force-conflicts goes with --apply"]),
        ([MODEL, "--field-manager", "me"], ["--field-manager goes with --apply"]),
        ([MODEL, "--apply", "--dry-run", "maybe"], ["none, client, server"]),
        ([MODEL, "--template={{.}}"], ["ResourceClaimTemplate"]),
        ([MODEL, "--template-dir", "/nonexistent"], ["--template-dir"]),
        (["--fit", "/nonexistent.json"], ["/nonexistent.json"]),
        (["--fit", "x.json", "--quant", "Q8_0"], ["--quant"]),
    ],
)
def test_claim_refuses(llmfit, arguments: list[str], words: list[str]) -> None:
    refused(llmfit("claim", *arguments), 2, *words)


def test_a_wrong_default_class_in_the_environment_is_refused_by_its_name(
    llmfit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KUBECTL_LLMFIT_DEVICE_CLASS", "No_Class")
    refused(llmfit("claim", MODEL), 2, "No_Class", "hint: KUBECTL_LLMFIT_DEVICE_CLASS is set to")
    monkeypatch.setenv("KUBECTL_LLMFIT_DEVICE_CLASS", "")
    assert llmfit("claim", MODEL).status == 0


def damage(folder: Path, whole: str) -> dict[str, Path]:
    """A good file, broken in every usual way."""
    files = {
        "missing": folder / "missing",
        "empty": folder / "empty",
        "blank": folder / "blank",
        "binary": folder / "binary",
        "half": folder / "half",
        "folder": folder,
        "wrong": folder / "wrong",
    }
    files["empty"].write_bytes(b"")
    files["blank"].write_bytes(b" \n\n")
    files["binary"].write_bytes(os.urandom(4096) + b"\0\xff")
    files["half"].write_text(whole[: len(whole) * 2 // 3])
    files["wrong"].write_text('"just text"')
    return files


DAMAGES = ["missing", "empty", "blank", "binary", "half", "folder", "wrong"]


@pytest.mark.parametrize("kind", DAMAGES)
def test_a_damaged_snapshot_is_refused(llmfit, tmp_path: Path, kind: str) -> None:
    whole = json.dumps({"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "Node"}]})
    path = damage(tmp_path, whole)[kind]
    refused(llmfit("check-nodes", MODEL, "--snapshot", str(path)), 2, str(path))


@pytest.mark.parametrize("kind", DAMAGES)
def test_a_damaged_claim_file_is_refused(llmfit, tmp_path: Path, kind: str) -> None:
    whole = json.dumps({"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": "x"}})
    path = damage(tmp_path, whole)[kind]
    refused(llmfit("check-nodes", "-f", str(path), "--snapshot", SNAPSHOT), 2, str(path))


@pytest.mark.parametrize("kind", DAMAGES)
def test_a_damaged_model_fit_is_refused(llmfit, tmp_path: Path, kind: str) -> None:
    path = damage(tmp_path, json.dumps({"name": "llama-7b", "min_ram_gb": 12, "min_vram_gb": 8}))[kind]
    refused(llmfit("claim", "--fit", str(path)), 2, str(path))


@pytest.mark.parametrize("kind", DAMAGES)
def test_a_damaged_catalogue_is_refused(llmfit, tmp_path: Path, kind: str) -> None:
    path = damage(tmp_path, json.dumps([{"name": "a/b", "parameters_raw": 1}] * 3))[kind]
    refused(llmfit("claim", MODEL, "--catalog", str(path)), 2, str(path))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{CLAIM}---\n{CLAIM}", ["two objects are called one", "ResourceClaim"]),
        (
            "---\n".join(
                (CLAIM, CLAIM.replace("Claim\n", "ClaimTemplate\n").replace("spec: {", "spec: {spec: {")[:-1] + "}\n")
            ),
            ["two objects are called one: a ResourceClaim and a ResourceClaimTemplate"],
        ),
        (
            "---\n".join(CLAIM.replace("name: one", f"name: {name}, namespace: {name}") for name in ("one", "two")),
            ["one is in namespace one and two in two"],
        ),
        (f"{CLAIM}---\n{CLAIM.replace('one', 'two').replace('name: gpu', 'name: GPU')}", ["ResourceClaim two: spec"]),
        ("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n", ["no ResourceClaim"]),
        (CLAIM.replace("resource.k8s.io/v1", "resource.k8s.io/v1alpha2"), ["v1alpha2"]),
        (CLAIM.replace("name: gpu,", "name: GPU,"), ["spec.devices.requests[0].name"]),
        (CLAIM.replace("deviceClassName: llmfit.ai", "count: 1"), ["deviceClassName"]),
        (CLAIM.replace("llmfit.ai}", "llmfit.ai, count: 2, allocationMode: All}"), ["count"]),
        (
            CLAIM.replace("llmfit.ai}", 'llmfit.ai, selectors: [{cel: {expression: "device.nope"}}]}'),
            ["undefined field 'nope'"],
        ),
        (
            CLAIM.replace("llmfit.ai}", 'llmfit.ai, selectors: [{cel: {expression: "1"}}]}'),
            ["must evaluate to bool"],
        ),
    ],
)
def test_a_claim_file_that_the_api_would_refuse_is_refused(llmfit, text: str, words: list[str]) -> None:
    refused(llmfit("check-nodes", "-f", "-", "--snapshot", SNAPSHOT, stdin=text), 2, *words)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], ["MODEL, TYPE/NAME, -f FILE"]),
        ([MODEL, "-f", "x"], ["MODEL, TYPE/NAME, -f FILE"]),
        (["-f", "-", "-f", "-"], ["standard input"]),
        (["-f", "missing-1", "-f", "missing-2"], ["missing-1"]),
        (["no/model"], ["no/model"]),
        (["pod/x"], ["resourceclaim/NAME"]),
        (["resourceclaim/missing"], ["not found"]),
        (["--model"], ["MODEL"]),
        (["resourceclaim/qwen", "--quant", "Q8_0"], ["sizing flags"]),
        (["resourceclaim/qwen", "--model"], ["resourceclaim/qwen"]),
        ([MODEL, "-o", "csv"], ["table, wide, json, yaml, name"]),
        ([MODEL, "-l", "a=b="], ["selector"]),
        ([MODEL, "-l", "!!"], ["selector"]),
        ([MODEL, "--node", "missing"], ["missing"]),
        ([MODEL, "--show-devices", "-o", "json"], ["--show-devices"]),
        ([MODEL, "--device-class", "npu.furiosa.ai"], ["npu.furiosa.ai"]),
    ],
)
def test_check_nodes_refuses(llmfit, arguments: list[str], words: list[str]) -> None:
    refused(llmfit("check-nodes", *arguments, "--snapshot", SNAPSHOT), 2, *words)


def test_only_an_unknown_model_is_said_to_be_read_as_one(llmfit) -> None:
    slashed = "meta-llama/Llama-3.1-8B-Instruct"
    answer = llmfit("check-nodes", slashed, "--device-class", "dra.cpu", "--snapshot", SNAPSHOT)
    refused(answer, 2, "device class dra.cpu")
    assert "hint" not in answer.stderr


def test_standard_input_is_read_once(llmfit) -> None:
    refused(llmfit("check-nodes", "-f", "-", "--snapshot", "-", stdin=CLAIM), 2, "standard input")
    refused(llmfit("check-nodes", MODEL, "--catalog", "-", "--snapshot", "-", stdin="[]"), 2, "only one of")


@pytest.mark.parametrize("arguments", [["-f", "-", "--snapshot", SNAPSHOT], [MODEL, "--snapshot", "-"], ["--fit", "-"]])
def test_a_closed_standard_input_is_refused(llmfit, monkeypatch: pytest.MonkeyPatch, arguments: list[str]) -> None:
    monkeypatch.setattr("sys.stdin", None)
    refused(llmfit("check-nodes", *arguments), 2, "standard input is closed")


def test_a_snapshot_without_slices_is_refused(llmfit) -> None:
    text = json.dumps({"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "Node"}]})
    refused(llmfit("check-nodes", MODEL, "--snapshot", "-", stdin=text), 2)


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("{{ nothing_of_that_name }}", ["resourceclaim.yaml.j2", "nothing_of_that_name"]),
        ("{% for %}", ["resourceclaim.yaml.j2"]),
        ("{{ 1 / 0 }}", ["resourceclaim.yaml.j2"]),
        ("kind: Pod\n", ["resourceclaim.yaml.j2", "something else"]),
        ("{{ document }}: [\n", ["resourceclaim.yaml.j2"]),
    ],
)
def test_a_template_that_fails_or_lies_is_refused(llmfit, tmp_path: Path, template: str, words: list[str]) -> None:
    (tmp_path / "resourceclaim.yaml.j2").write_text(template)
    refused(llmfit("claim", MODEL, "--template-dir", str(tmp_path)), 2, *words)


def kubeconfig(path: Path, server: str) -> str:
    path.write_text(
        json.dumps(
            {
                "apiVersion": "v1",
                "kind": "Config",
                "current-context": "here",
                "clusters": [{"name": "c", "cluster": {"server": server}}],
                "users": [{"name": "u", "user": {"token": "secret-token"}}],
                "contexts": [{"name": "here", "context": {"cluster": "c", "user": "u"}}],
            }
        )
    )
    return str(path)


@pytest.mark.parametrize("command", [["check-nodes", MODEL], ["devices"], ["snapshot"], ["claim", MODEL, "--apply"]])
def test_no_kubeconfig_and_a_refused_connection_are_the_clusters_fault(
    llmfit, tmp_path: Path, command: list[str]
) -> None:
    refused(llmfit(*command), 4, "no configuration has been provided")
    config = kubeconfig(tmp_path / "config", "https://127.0.0.1:1")
    outcome = llmfit(*command, "--kubeconfig", config)
    refused(outcome, 4, "The connection to the server 127.0.0.1:1 was refused")
    assert "secret-token" not in outcome.stderr
    refused(llmfit(*command, "--kubeconfig", config, "--context", "elsewhere"), 4, "elsewhere")


def test_a_snapshot_whose_slices_were_not_read_is_no_answer(llmfit) -> None:
    head = {"apiVersion": "kubectl-llmfit/v1alpha1", "kind": "ClusterSnapshot"}
    head["unread"] = [{"resource": "resourceslices", "reason": "forbidden"}]
    text = json.dumps({"apiVersion": "v1", "kind": "List", "items": [head]})
    refused(llmfit("check-nodes", MODEL, "--snapshot", "-", stdin=text), 2, "resourceslices were not read")
