"""Amounts beyond all measure, wherever devices have, share, count or hold some: an answer, or that there is none."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from safety.inputs import CLAIM
from safety.sinks import lines
from safety.worlds import GROUP, Cell, world

pytestmark = pytest.mark.usefixtures("_app_made_once")

MODEL = "meta-llama/Llama-3.1-8B-Instruct"
AMOUNTS = ["1e1000000", "-1e1000000", "1e-1000000", "1e100001", "1e400", "9" * 9000, f"0.{'0' * 9000}1", "-1", "0"]
SHOWN = (["-o", "json"], ["--show-devices"])


@pytest.fixture
def answers(llmfit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Run a check on a cluster, in every form: an answer, whatever it is."""
    monkeypatch.chdir(tmp_path)

    def call(cell: Cell, *more: dict[str, Any], ask: tuple[str, ...] = ("-f", "claim.json"), held: bool = True) -> None:
        cluster = world("product", [])
        cluster["items"] += [*(each for each in cell.objects() if held or each is not cell.holder), *more]
        Path("world.json").write_text(json.dumps(cluster))
        for form in SHOWN:
            outcome = llmfit("check-nodes", *ask, "--snapshot", "world.json", *form)
            assert outcome.status in (0, 1, 3), outcome.stderr
            assert "fault of" not in outcome.stderr
            assert lines(outcome.stdout)

    return call


@pytest.mark.parametrize("driver", ["llmfit.ai", "gpu.nvidia.com", "gpu.amd.com"])
def test_a_device_of_a_known_driver(llmfit, answers, driver: str) -> None:
    of_driver = {"apiVersion": GROUP, "kind": "DeviceClass", "metadata": {"name": driver}, "spec": {}}
    for amount in AMOUNTS:
        cell = Cell(0)
        cell.spec["driver"] = driver
        cell.device["capacity"] = {"memory": {"value": amount}}
        cell.device["attributes"] = {
            "productName": {"string": "NVIDIA H100 80GB HBM3"},
            "type": {"string": "gpu"},
            "kind": {"string": "gpu"},
            "healthy": {"bool": True},
            "memoryBandwidthGBs": {"int": 2**63 - 1},
        }
        answers(cell, of_driver, ask=(MODEL, "--device-class", driver))
        listed = llmfit("devices", "--snapshot", "world.json", "-o", "wide")
        assert (listed.status, len(lines(listed.stdout))) == (0, 2), listed.stderr


@pytest.mark.parametrize("held", [True, False], ids=["held", "free"])
def test_counters(answers, held: bool) -> None:
    Path("claim.json").write_text(json.dumps(CLAIM))
    for amount, there in product(AMOUNTS, (None, "1", "1e1000000", "-5")):
        cell = Cell(0)
        cell.spec["pool"]["resourceSliceCount"] = 2
        cell.device["consumesCounters"] = [{"counterSet": "s", "counters": {"c": {"value": amount}}}]
        counters = [{"name": "s", "counters": {"c": {"value": there or amount}}}]
        spec = {key: value for key, value in cell.spec.items() if key != "devices"}
        shared = {**cell.slice, "metadata": {"name": "counters"}, "spec": {**spec, "sharedCounters": counters}}
        answers(cell, shared, held=held)


@pytest.mark.parametrize("amount", AMOUNTS, ids=lambda amount: amount[:12])
def test_shared_capacity(answers, amount: str) -> None:
    policies = (
        {"default": amount},
        {"default": "1", "validRange": {"min": amount}},
        {"default": "1", "validRange": {"min": "0", "step": amount}},
        {"default": "1", "validRange": {"min": "0", "max": amount}},
        {"default": amount, "validValues": [amount, "1"]},
    )
    for policy, asked, size in product(policies, (None, amount, "1"), (amount, "80Gi")):
        claim = json.loads(json.dumps(CLAIM))
        if asked is not None:
            claim["spec"]["devices"]["requests"][0]["exactly"]["capacity"] = {"requests": {"memory": asked}}
        Path("claim.json").write_text(json.dumps(claim))
        cell = Cell(0)
        cell.device["allowMultipleAllocations"] = True
        cell.device["capacity"] = {"memory": {"value": size, "requestPolicy": policy}}
        answers(cell, held=False)
        answers(cell, holding(cell, amount), held=False)


def holding(cell: Cell, amount: str) -> dict[str, Any]:
    """A claim that has a share of the cell's device."""
    cell.objects()
    claim = json.loads(json.dumps(cell.holder))
    share = {"shareID": "3f2b2f0e-4b5e-4d2f-9a63-111111111111", "consumedCapacity": {"memory": amount}}
    claim["status"]["allocation"]["devices"]["results"][0].update(share)
    return claim
