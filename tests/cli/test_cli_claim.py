"""``claim`` from the command line: formats, versions, files, warnings, the environment."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

MODEL = "meta-llama/Llama-3.1-8B-Instruct"
NAME = "meta-llama-llama-3-1-8b-instruct-fit"


def test_the_summary_has_the_keys_and_numbers_of_llmfit(llmfit) -> None:
    outcome = llmfit("claim", MODEL, "--json")
    assert outcome.status == 0
    summary = json.loads(outcome.stdout)
    # 8.030261248 billion × 0.58 = 4.66 GB; 20 tok/s × 4.66 × 100 / 55 = 169.4 GB/s
    assert summary.pop("resolverVersion")
    assert summary == {
        "claimName": NAME,
        "deviceClass": "llmfit.ai",
        "efficiencyPct": 55,
        "memoryGi": 5,
        "minBandwidthGBs": 170,
        "minTps": 20.0,
        "model": MODEL,
        "quant": "Q4_K_M",
        "weightsGb": 4.7,
    }


@pytest.mark.parametrize("template", [False, True])
@pytest.mark.parametrize("version", ["v1", "v1beta2", "v1beta1"])
def test_yaml_and_json_are_the_same_object_in_every_version(llmfit, version: str, template: bool) -> None:
    arguments = ["claim", MODEL, "--api-version", version, *(["--template"] if template else [])]
    as_yaml, as_json = llmfit(*arguments), llmfit(*arguments, "-o=json")
    document = yaml.safe_load(as_yaml.stdout)
    assert document == json.loads(as_json.stdout)
    assert document["apiVersion"] == f"resource.k8s.io/{version}"
    assert document["kind"] == ("ResourceClaimTemplate" if template else "ResourceClaim")
    assert ("share one device" in as_yaml.stderr) is not template


def test_name_is_what_kubectl_prints(llmfit) -> None:
    assert llmfit("claim", MODEL, "-o", "name").stdout == f"resourceclaim.resource.k8s.io/{NAME}\n"
    outcome = llmfit("claim", MODEL, "-oname", "--template", "--name", "mine")
    assert outcome.stdout == "resourceclaimtemplate.resource.k8s.io/mine\n"


def test_a_namespace_is_written_only_when_asked_for(llmfit) -> None:
    assert "namespace" not in yaml.safe_load(llmfit("claim", MODEL).stdout)["metadata"]
    assert yaml.safe_load(llmfit("claim", MODEL, "-n=team-a").stdout)["metadata"]["namespace"] == "team-a"


def test_the_environment_names_the_class_and_the_flag_wins(llmfit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBECTL_LLMFIT_DEVICE_CLASS", "gpu.llmfit.ai")
    assert json.loads(llmfit("claim", MODEL, "--json").stdout)["deviceClass"] == "gpu.llmfit.ai"
    outcome = llmfit("claim", MODEL, "--json", "--device-class", "npu.llmfit.ai")
    assert json.loads(outcome.stdout)["deviceClass"] == "npu.llmfit.ai"
    assert llmfit("claim", MODEL, "--api-version", "v1alpha2").status == 0


def test_the_asking_line_says_what_is_asked_and_whose_figures_they_are(llmfit) -> None:
    assert "asking: memory >= 5Gi, bandwidth >= 170 GB/s (Q4_K_M, the catalogue's own" in llmfit("claim", MODEL).stderr
    outcome = llmfit("claim", MODEL, "--min-memory", "18Gi", "--min-bandwidth", "300")
    assert "asking: memory >= 18Gi, bandwidth >= 300 GB/s" in outcome.stderr
    assert "quantity('18Gi')" in outcome.stdout


def test_a_short_name_is_told_by_its_whole_name(llmfit) -> None:
    assert llmfit("claim", "mistral-7b").stderr.splitlines()[0] == '"mistral-7b" is unsloth/mistral-7b'
    assert " is " not in llmfit("claim", MODEL.upper()).stderr.splitlines()[0]


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("Qwen/Qwen3-32B-FP8", "FP8"),
        ("CYFRAGOVPL/PLLuM-12B-chat-2512", "12B"),
        ("openai/whisper-large-v3", "speech"),
        ("Qwen/Qwen3-Embedding-8B", "embedding"),
    ],
)
def test_a_doubtful_entry_warns_and_still_answers(llmfit, model: str, words: str) -> None:
    outcome = llmfit("claim", model, "--json")
    assert outcome.status == 0
    warnings = [line for line in outcome.stderr.splitlines() if line.startswith("warning: ")]
    assert any(words.lower() in line.lower() for line in warnings)


def test_a_model_fit_becomes_the_older_export_and_todays_claim(llmfit, tmp_path: Path) -> None:
    path = tmp_path / "fit.json"
    path.write_text(json.dumps({"name": "llama-7b", "min_ram_gb": 12, "min_vram_gb": 8}))
    export = yaml.safe_load(llmfit("claim", "--fit", str(path), "--api-version", "v1alpha2").stdout)
    assert export == {
        "apiVersion": "resource.k8s.io/v1alpha2",
        "kind": "ResourceClaim",
        "metadata": {"name": "llama-7b-claim"} | {"annotations": export["metadata"]["annotations"]},
        "spec": {"resourceClassName": "gpu-memory-class", "resources": {"memory": "12Gi", "gpu.memory": "8Gi"}},
    }
    today = llmfit("claim", "--fit", "-", stdin=path.read_text())
    document = yaml.safe_load(today.stdout)
    expression = document["spec"]["devices"]["requests"][0]["exactly"]["selectors"][0]["cel"]["expression"]
    assert "quantity('8Gi')" in expression
    assert "memoryBandwidthGBs" not in expression
    assert document["metadata"]["annotations"]["llmfit.ai/system-memory"] == "12Gi"
    assert "12Gi" in today.stderr


def test_an_estimate_in_the_model_fit_wins_over_the_minimum(llmfit) -> None:
    fit = {"name": "m", "ram_gb": 12, "vram_gb": 8, "estimated_vram_gb": 7.5, "estimated_memory_gb": None}
    outcome = llmfit("claim", "--fit", "-", "--api-version", "v1alpha2", stdin=json.dumps(fit))
    assert yaml.safe_load(outcome.stdout)["spec"]["resources"] == {"memory": "12Gi", "gpu.memory": "7.5Gi"}


def test_another_catalogue_replaces_the_packaged_one(llmfit, tmp_path: Path) -> None:
    entry = {
        "name": "mine/Tiny-2B",
        "provider": "mine",
        "parameter_count": "2.0B",
        "parameters_raw": 2_000_000_000,
        "min_ram_gb": 2.0,
        "recommended_ram_gb": 4.0,
        "min_vram_gb": 1.0,
        "quantization": "F16",
        "context_length": 4096,
        "use_case": "General purpose",
        "is_moe": False,
    }
    path = tmp_path / "models.json"
    path.write_text(json.dumps([entry]))
    summary = json.loads(llmfit("claim", "tiny-2b", "--catalog", str(path), "--json").stdout)
    # 2 billion × 2 bytes = 4 GB; 20 × 4 × 100 / 55 = 145.5 GB/s
    assert (summary["memoryGi"], summary["minBandwidthGBs"]) == (4, 146)
    assert llmfit("claim", MODEL, "--catalog", str(path)).status == 2


def test_a_users_template_arranges_the_same_document(llmfit, tmp_path: Path) -> None:
    (tmp_path / "_header.yaml.j2").write_text("# ours\n")
    outcome = llmfit("claim", MODEL, "--template-dir", str(tmp_path))
    assert outcome.stdout.startswith("# ours\napiVersion: ")
    assert yaml.safe_load(outcome.stdout) == yaml.safe_load(llmfit("claim", MODEL).stdout)


def test_a_client_dry_run_makes_no_call_and_prints_the_object(llmfit) -> None:
    outcome = llmfit("claim", MODEL, "--apply", "--dry-run=client")  # no kubeconfig here: a call would fail
    assert outcome.status == 0
    assert outcome.stdout == llmfit("claim", MODEL).stdout


def test_nothing_of_a_wrong_model_reaches_a_cluster(llmfit) -> None:
    assert llmfit("claim", "no/such-model", "--apply").status == 2
