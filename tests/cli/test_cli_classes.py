"""Classes of other drivers from the command line: which are asked, what is added to a snapshot, what is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
MODEL = "meta-llama/Llama-3.1-8B-Instruct"
SNAPSHOT = str(ROOT / "examples" / "nvidia.yaml")
CHECK = ["check-nodes", MODEL, "--quant", "BF16", "--snapshot", SNAPSHOT]  # 20Gi, 585 GB/s
NVIDIA = ["--device-class", "gpu.nvidia.com"]


def rows(text: str) -> dict[str, list[str]]:
    """The cells of each row by the node's name."""
    return {line.split()[0]: line.split() for line in text.splitlines()}


def without(tmp_path: Path, *kinds: str) -> str:
    """The snapshot without objects of these kinds, or of these names."""
    whole = yaml.safe_load(Path(SNAPSHOT).read_text())
    whole["items"] = [
        each for each in whole["items"] if not {each["kind"], each.get("metadata", {}).get("name")} & set(kinds)
    ]
    path = tmp_path / "less.json"
    path.write_text(json.dumps(whole))
    return str(path)


def test_a_class_that_does_not_exist_is_no_whatever_others_could_do(llmfit) -> None:
    outcome = llmfit(*CHECK)  # the default class, llmfit.ai
    assert outcome.status == 1
    assert (
        "hint: device class llmfit.ai does not exist; the cluster has gpu.nvidia.com, mig.nvidia.com "
        "(--device-class auto takes gpu.nvidia.com, mig.nvidia.com)"
    ) in outcome.stderr
    several = llmfit(*CHECK, *NVIDIA, "--device-class", "gpu.amd.com")
    assert several.status == 1
    assert "device class gpu.amd.com does not exist" in several.stdout


def test_auto_asks_the_classes_that_there_are(llmfit, tmp_path: Path) -> None:
    outcome = llmfit(*CHECK, "--device-class", "auto", "-o", "json")
    assert outcome.status == 0
    (request,) = json.loads(outcome.stdout)["claims"][0]["requests"]
    assert [each["deviceClassName"] for each in request["alternatives"]] == ["gpu.nvidia.com", "mig.nvidia.com"]
    assert (
        llmfit(*CHECK, "--device-class", "gpu.nvidia.com", "--device-class", "mig.nvidia.com", "-o", "json").stdout
        == outcome.stdout
    )
    less = without(tmp_path, "gpu.nvidia.com", "mig.nvidia.com")
    none = llmfit("check-nodes", MODEL, "--snapshot", less, "--device-class", "auto")
    assert (none.status, none.stdout) == (1, "")
    assert "(there is none at all)" in none.stderr


def test_whose_a_class_is_cannot_be_told_where_classes_were_not_read(llmfit, tmp_path: Path) -> None:
    less = without(tmp_path, "ClusterSnapshot", "DeviceClass")  # a plain List without one: not read
    for name in ("auto", "mine"):
        outcome = llmfit("check-nodes", MODEL, "--snapshot", less, "--device-class", name)
        assert (outcome.status, outcome.stdout) == (3, "")
        assert "deviceclasses were not read" in outcome.stderr


def test_auto_is_no_where_no_class_is_of_a_known_driver(llmfit, tmp_path: Path) -> None:
    whole = yaml.safe_load(Path(SNAPSHOT).read_text())
    for each in whole["items"]:
        if each["kind"] == "DeviceClass":
            each["metadata"]["name"] = each["metadata"]["name"].replace("nvidia.com", "nobody.example.com")
            each["spec"]["selectors"][0]["cel"]["expression"] = "device.driver == 'nobody.example.com'"
    path = tmp_path / "unknown.json"
    path.write_text(json.dumps(whole))
    outcome = llmfit("check-nodes", MODEL, "--snapshot", str(path), "--device-class", "auto")
    assert (outcome.status, outcome.stdout) == (1, "")
    assert "there is gpu.nobody.example.com, mig.nobody.example.com" in outcome.stderr
    named = llmfit("check-nodes", MODEL, "--snapshot", str(path), "--device-class", "gpu.nobody.example.com")
    assert named.status == 2
    assert "selects devices of nobody.example.com" in named.stderr


def test_the_driver_of_an_own_class_is_read_from_the_cluster(llmfit, tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(
        "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: mine}\n"
        "spec: {selectors: [{cel: {expression: \"device.driver == 'gpu.nvidia.com'\"}}]}\n"
    )
    outcome = llmfit(*CHECK, "--with", str(own), "--device-class", "mine")
    assert outcome.status == 0
    assert rows(outcome.stdout)["h100-mig"][4] == "gpu-0"
    missing = llmfit(*CHECK, "--device-class", "mine")
    assert missing.status == 1
    assert "device class mine does not exist" in missing.stderr


def test_the_class_that_is_taken_has_a_column(llmfit) -> None:
    outcome = llmfit(*CHECK, "--device-class", "mig.nvidia.com", *NVIDIA)
    assert outcome.stdout.split("\n")[0].split() == ["NODE", "VERDICT", "MATCH", "COPIES", "CLASS", "DEVICE", "REASON"]
    found = rows(outcome.stdout)
    assert (found["h100-mig"][4], found["h100"][4], found["t4"][4]) == ("mig.nvidia.com", "gpu.nvidia.com", "<none>")
    document = json.loads(llmfit(*CHECK, "--device-class", "mig.nvidia.com", *NVIDIA, "-o", "json").stdout)
    taken = {node["name"]: node["allocation"][0]["request"] for node in document["nodes"] if node["allocation"]}
    assert (taken["h100-mig"], taken["l40s"]) == ("model/mig-nvidia-com", "model/gpu-nvidia-com")
    assert "CLASS" not in llmfit(*CHECK, *NVIDIA).stdout
    wide = llmfit(*CHECK, "--device-class", "mig.nvidia.com", *NVIDIA, "-o", "wide").stdout.splitlines()
    assert wide[0].split()[-1] == "REQUEST"


def test_an_assumed_node_is_counted_in_and_marked(llmfit) -> None:
    outcome = llmfit(*CHECK, *NVIDIA, "--assume", "4x NVIDIA H200", "--assume", "NVIDIA L4")
    found = rows(outcome.stdout)
    assert found["assumed-nvidia-h200"][1:4] == ["Fits,Assumed", "4/4", "4/4"]
    assert found["assumed-nvidia-l4"][1] == "NoFit,Assumed"
    assert "assumed: --assume 4x NVIDIA H200: 1 Node, 1 ResourceSlice" in outcome.stderr
    document = json.loads(llmfit(*CHECK, *NVIDIA, "--assume", "4x NVIDIA H200", "-o", "json").stdout)
    assert [node["name"] for node in document["nodes"] if node["assumed"]] == ["assumed-nvidia-h200"]
    assert "--assume 4x NVIDIA H200: 1 Node, 1 ResourceSlice" in document["summary"]["assumed"]


def test_two_assumed_nodes_of_one_product_are_two_nodes(llmfit) -> None:
    found = rows(llmfit(*CHECK, *NVIDIA, "--assume", "NVIDIA H200", "--assume", "NVIDIA H200").stdout)
    assert {"assumed-nvidia-h200", "assumed-nvidia-h200-2"} <= set(found)


def test_objects_of_a_file_take_the_place_of_their_namesakes(llmfit, tmp_path: Path) -> None:
    items = [each for each in yaml.safe_load(Path(SNAPSHOT).read_text())["items"] if each["kind"] == "ResourceSlice"]
    (slice_,) = (each for each in items if each["spec"]["nodeName"] == "l4")
    slice_["spec"]["devices"][0] = next(each for each in items if each["spec"]["nodeName"] == "h100")["spec"][
        "devices"
    ][0]
    path = tmp_path / "upgraded.json"
    path.write_text(json.dumps(slice_))
    assert rows(llmfit(*CHECK, *NVIDIA).stdout)["l4"][1] == "NoFit"
    outcome = llmfit(*CHECK, *NVIDIA, "--with", str(path))
    assert rows(outcome.stdout)["l4"][1] == "Fits,Assumed"
    assert rows(outcome.stdout)["h100"][1] == "Fits"


def test_a_users_product_is_taken_and_its_bandwidth_too(llmfit, tmp_path: Path) -> None:
    table = tmp_path / "mine.csv"
    table.write_text("vendor,driver_product_names,memory_gib,memory_bandwidth_gb_s\nNVIDIA,NVIDIA R200,288,13000\n")
    assert "NVIDIA R200 is not in the product table: add it with --accelerators" in llmfit(*CHECK, *NVIDIA).stdout
    outcome = llmfit(*CHECK, *NVIDIA, "--accelerators", str(table))
    assert rows(outcome.stdout)["r200"][1] == "Fits"
    claimed = llmfit("claim", MODEL, *NVIDIA, "--accelerators", str(table))
    assert (
        'llmfit.ai/accelerators: "mine.csv"' in claimed.stdout or "llmfit.ai/accelerators: mine.csv" in claimed.stdout
    )


@pytest.mark.parametrize(
    ("memory", "words"),
    [
        ("80Gi", "NVIDIA H100 80GB HBM3 publishes 81559Mi of 80Gi"),
        ("24Gi", "NVIDIA L4 publishes 23034Mi of 24Gi"),
        ("16Gi", "Tesla T4 publishes 15360Mi of 16Gi"),
    ],
)
def test_a_floor_between_label_and_what_is_published_is_told_with_both(llmfit, memory: str, words: str) -> None:
    outcome = llmfit("claim", MODEL, *NVIDIA, "--min-memory", memory, "--min-bandwidth", "200")
    assert outcome.status == 0
    (warning,) = (
        line for line in outcome.stderr.splitlines() if line.startswith(f"warning: a memory floor of {memory}")
    )
    assert words in warning


def test_a_rounding_that_alone_refuses_a_slice_is_told(llmfit) -> None:
    outcome = llmfit("claim", MODEL, "--device-class", "mig.nvidia.com")
    assert (
        "warning: only the rounding of 4442Mi up to 5Gi refuses 1g.5gb of NVIDIA A100-SXM4-40GB (4864Mi)"
    ) in outcome.stderr
    assert "--min-memory 4442Mi admits them" in outcome.stderr


def test_the_header_says_what_the_health_default_means(llmfit) -> None:
    header = [line for line in llmfit("claim", MODEL, *NVIDIA).stdout.splitlines() if line.startswith("#")]
    assert any("health: a sick GPU is tainted" in line for line in header)
    header = [line for line in llmfit("claim", MODEL, "--require-health=none").stdout.splitlines() if line[0] == "#"]
    assert "# llmfit.ai: health: not asked for (--require-health=none)" in header


def test_the_summary_has_llmfits_keys_and_the_alternatives(llmfit) -> None:
    plain = json.loads(llmfit("claim", MODEL, "--json").stdout)
    other = json.loads(llmfit("claim", MODEL, "--json", *NVIDIA, "--device-class", "gaudi.intel.com").stdout)
    assert set(other) - set(plain) == {"alternatives"}
    assert other["deviceClass"] == "gpu.nvidia.com"
    assert [each["driver"] for each in other["alternatives"]] == ["gpu.nvidia.com", "gaudi.intel.com"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--assume", "0x NVIDIA H200"], ["0x NVIDIA H200", "from 1 to 128"]),
        (["--assume", "8x Nonsense"], ["8x Nonsense", "product table"]),
        (["--with", "/nonexistent"], ["/nonexistent"]),
        (["--with", SNAPSHOT, "--with", "-", "--catalog", "-"], ["standard input"]),
    ],
)
def test_what_cannot_be_added_is_refused(llmfit, arguments: list[str], words: list[str]) -> None:
    outcome = llmfit(*CHECK, *NVIDIA, *arguments)
    assert (outcome.status, outcome.stdout) == (2, "")
    for word in words:
        assert word in outcome.stderr


def test_a_file_without_objects_of_a_cluster_is_refused(llmfit, tmp_path: Path) -> None:
    path = tmp_path / "map.yaml"
    path.write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n")
    outcome = llmfit(*CHECK, *NVIDIA, "--with", str(path))
    assert outcome.status == 2
    assert "none of Node, ResourceSlice" in outcome.stderr


def test_accelerators_go_with_a_claim_only_for_assume(llmfit, tmp_path: Path) -> None:
    table = tmp_path / "mine.csv"
    table.write_text("vendor,driver_product_names,memory_gib,memory_bandwidth_gb_s\nNVIDIA,NVIDIA R200,288,13000\n")
    claim = tmp_path / "claim.json"
    claim.write_text(llmfit("claim", MODEL, *NVIDIA, "-o", "json").stdout)
    of_file = ["check-nodes", "-f", str(claim), "--snapshot", SNAPSHOT, "--accelerators", str(table)]
    assert "sizing flags" in llmfit(*of_file).stderr
    assert "assumed-nvidia-r200" in llmfit(*of_file, "--assume", "NVIDIA R200").stdout
