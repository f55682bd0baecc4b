"""A cluster of NVIDIA GPUs, some cut into slices: a MODEL's claim is allocated exactly where check-nodes says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from controlplane.plane import ControlPlane
from live.objects import Object, device_class
from live.program import ROOT, run_here
from live.test_worlds import assert_agrees, devices_of, document
from live.worlds import NO_FIT, Cluster, Expected, World, fits

MODEL = "meta-llama/Llama-3.1-8B-Instruct"
OBJECTS = yaml.safe_load((ROOT / "examples" / "nvidia.yaml").read_text(encoding="utf-8"))["items"]
SLICES = [each for each in OBJECTS if each["kind"] == "ResourceSlice"]
NODES = [each["spec"]["nodeName"] for each in SLICES]
# An administrator's own class: whole cards and slices alike.
ANY = device_class("any-nvidia", 'device.driver == "gpu.nvidia.com"')
CLASSES = [*(each for each in OBJECTS if each["kind"] == "DeviceClass"), ANY]

CARDS = dict.fromkeys(("a100-40", "a100-80", "h100", "h100-mig", "l40s"), ("gpu-0",))
# BF16: 20Gi and 585 GB/s. Q4_K_M at 60 tok/s: 5Gi and 509 GB/s; a 1g.10gb of an H100 has 3350/8 = 418 GB/s,
# a 3g.20gb of an A100 1555/2 = 777 GB/s, a 1g.20gb of an H100 3350/4 = 837 GB/s.
CASES: dict[str, tuple[list[str], dict[str, tuple[str, ...]]]] = {
    "whole cards": (["--quant", "BF16", "--device-class", "gpu.nvidia.com"], CARDS),
    "slices": (
        ["--min-tps", "60", "--device-class", "mig.nvidia.com"],
        {"a100-mig": ("gpu-0-mig-3g20gb-9-4",), "h100-mig": ("gpu-1-mig-1g20gb-15-2",)},
    ),
    "slices, else whole cards": (
        ["--quant", "BF16", "--device-class", "mig.nvidia.com", "--device-class", "gpu.nvidia.com"],
        CARDS | {"h100-mig": ("gpu-1-mig-3g40gb-9-4",)},
    ),
    "an own class": (
        ["--min-tps", "60", "--device-class", "any-nvidia", "--driver", "gpu.nvidia.com"],
        CARDS | {"a100-mig": ("gpu-0-mig-3g20gb-9-4",)},
    ),
    "the smallest that does": (
        ["--min-tps", "60", "--device-class", "any-nvidia", "--driver", "gpu.nvidia.com", "--smallest-first"],
        CARDS | {"a100-mig": ("gpu-0-mig-3g20gb-9-4",), "h100-mig": ("gpu-1-mig-1g20gb-15-2",)},
    ),
    "the cluster's own classes": (["--quant", "BF16", "--device-class", "auto"], CARDS),
}


@pytest.mark.parametrize("case", CASES)
def test_the_claim_is_allocated_where_check_nodes_says(
    control_plane: ControlPlane, cluster: Cluster, case: str
) -> None:
    flags, takes = CASES[case]
    expected = {name: fits(*takes[name]) if name in takes else NO_FIT for name in NODES}
    kubeconfig: list[str | Path] = ["--kubeconfig", control_plane.kubeconfig()]
    with cluster.holding(_world({}, expected)):
        claimed = run_here("claim", MODEL, *flags, "-n", "default", "-o", "json", *kubeconfig)
        assert claimed.code == 0, claimed.stderr
        world = _world(json.loads(claimed.stdout), expected)
        decisions = {name: cluster.decide_node(world, name) for name in NODES}
        checked = run_here("check-nodes", MODEL, *flags, "--all-nodes", "-o", "json", *kubeconfig)
    nodes = {each["name"]: each for each in document(checked)["nodes"]}
    for name, decision in decisions.items():
        assert (decision.outcome, devices_of(list(decision.devices), name)) == (
            expected[name].outcome,
            expected[name].devices,
        ), decision.message
        assert_agrees(nodes[name], decision)
        assert nodes[name]["verdict"] == expected[name].verdict, nodes[name]["reason"]
    assert checked.code == 0


def test_apply_reads_whose_devices_a_class_selects(control_plane: ControlPlane, cluster: Cluster) -> None:
    kubeconfig: list[str | Path] = ["--kubeconfig", control_plane.kubeconfig(), "-n", "default"]
    asked = ["claim", MODEL, "--quant", "BF16", "--device-class", "any-nvidia", "-o", "json"]
    with cluster.holding(_world({}, dict.fromkeys(NODES, NO_FIT))):
        applied = run_here(*asked, "--apply", *kubeconfig)
        missing = run_here("claim", MODEL, "--device-class", "gpu.amd.com", "--apply", "--name", "other", *kubeconfig)
    assert applied.code == 0, applied.stderr
    told = run_here(*asked, "--driver", "gpu.nvidia.com")
    assert (
        json.loads(applied.stdout)["spec"]["devices"]["requests"][0]["exactly"]["selectors"]
        == (json.loads(told.stdout)["spec"]["devices"]["requests"][0]["exactly"]["selectors"])
    )
    # A class that the cluster has not: nothing is written, and those that there are are named.
    assert (missing.code, missing.stdout) == (1, "")
    assert "device class gpu.amd.com does not exist; the cluster has gpu.nvidia.com, mig.nvidia.com" in missing.stderr
    assert "nothing was written" in missing.stderr


def _world(asked: Object, expected: dict[str, Expected]) -> World:
    return World(asked, expected, SLICES, classes=CLASSES)


@pytest.mark.parametrize(
    "flags",
    [
        ["--device-class", "mig.nvidia.com", "--device-class", "gpu.nvidia.com"],
        ["--device-class", "gpu.nvidia.com", "--share"],
        ["--device-class", "gpu.nvidia.com", "--smallest-first", "--template"],
        ["--device-class", "tpu.google.com", "--skip-check"],
    ],
    ids=["alternatives", "share", "bands", "all"],
)
def test_what_was_applied_is_unchanged_when_it_is_applied_again(
    control_plane: ControlPlane, cluster: Cluster, flags: list[str]
) -> None:
    kubeconfig: list[str | Path] = ["--kubeconfig", control_plane.kubeconfig(), "-n", "default"]
    with cluster.holding(_world({}, dict.fromkeys(NODES, NO_FIT))):
        first, second = (run_here("claim", MODEL, *flags, "--apply", *kubeconfig) for _ in range(2))
    assert (first.code, first.stdout.split()[-1]) == (0, "serverside-applied"), first.stderr
    assert (second.code, second.stdout.split()[-1]) == (0, "unchanged"), second.stderr
