"""``kubectl llmfit drivers`` as a user runs it."""

from __future__ import annotations

import json

import pytest
import yaml

from kubectl_llmfit.drivers.registry import PROFILES
from live.program import run_here

DRIVERS = [profile.name for profile in PROFILES]


def test_every_driver_has_a_row() -> None:
    answer = run_here("drivers")
    head, *rows = answer.stdout.splitlines()
    assert (answer.code, answer.stderr) == (0, "")
    assert head.split() == ["DRIVER", "MEMORY", "BANDWIDTH", "HEALTH", "PARTS", "REFUSED"]
    assert [row.split()[0] for row in rows] == DRIVERS


def test_wide_adds_the_classes_and_the_number_of_products() -> None:
    head, *rows = run_here("drivers", "gpu.nvidia.com", "-o", "wide").stdout.splitlines()
    assert head.split()[-2:] == ["PRODUCTS", "CLASSES"]
    assert rows[0].split()[-2:] == ["142", "gpu.nvidia.com,mig.nvidia.com,vfio.gpu.nvidia.com"]
    assert len(rows) == 1


def test_no_headers_and_names() -> None:
    assert run_here("drivers", "--no-headers").stdout.splitlines()[0].startswith("llmfit.ai ")
    assert run_here("drivers", "-o", "name").stdout.splitlines() == DRIVERS


@pytest.mark.parametrize("output", ["json", "yaml"])
def test_a_document_has_all_of_a_profile(output: str) -> None:
    document = yaml.safe_load(run_here("drivers", "gaudi.intel.com", "-o", output).stdout)
    assert (document["apiVersion"], document["kind"]) == ("kubectl-llmfit/v1alpha1", "DriverList")
    (gaudi,) = document["items"]
    assert gaudi["name"] == "gaudi.intel.com"
    assert gaudi["memory"] == []
    assert gaudi["assumedShare"] == 0.93
    assert gaudi["productAttributes"] == ["model"]
    assert (gaudi["health"]["default"], gaudi["health"]["modes"]) == ("attribute", ["attribute", "taint", "none"])
    assert gaudi["classes"] == [{"name": "gaudi.intel.com", "kind": None, "selects": "cards", "refused": None}]


def test_the_list_is_one_document_of_all() -> None:
    items = json.loads(run_here("drivers", "-o", "json").stdout)["items"]
    assert [item["name"] for item in items] == DRIVERS
    assert {item["name"] for item in items if item["refused"]} >= {"dra.cpu", "dra.net", "npu.furiosa.ai"}


@pytest.mark.parametrize("name", DRIVERS)
def test_a_driver_is_shown_with_an_example_or_the_reason_why_not(name: str) -> None:
    answer = run_here("drivers", name)
    assert (answer.code, answer.stderr) == (0, "")
    assert answer.stdout.startswith(f"driver:      {name}\n")
    assert ("\nexample: " in answer.stdout) != ("\nrefused:     " in answer.stdout)


def test_the_example_of_a_class_is_its_own_selector() -> None:
    answer = run_here("drivers", "gaudi.intel.com")
    assert answer.stdout.endswith(
        "\nexample: gaudi.intel.com, 20Gi, 585 GB/s\n"
        "  'model' in device.attributes['gaudi.intel.com'] &&\n"
        "  device.attributes['gaudi.intel.com'].model in ['Gaudi3', 'Gaudi2', 'Gaudi'] &&\n"
        "  'healthy' in device.attributes['gaudi.intel.com'] &&\n"
        "  device.attributes['gaudi.intel.com'].healthy\n"
    )


def test_a_class_shows_its_driver_with_an_example_for_the_class_alone() -> None:
    answer = run_here("drivers", "mig.nvidia.com")
    assert answer.stdout.startswith("driver:      gpu.nvidia.com\n")
    assert answer.stdout.count("\nexample: ") == 1
    assert "\nexample: mig.nvidia.com, 20Gi, 585 GB/s\n" in answer.stdout


def test_where_no_product_is_fast_enough_the_example_asks_for_less() -> None:
    assert "\nexample: tenstorrent.com, 8Gi, 200 GB/s\n" in run_here("drivers", "tenstorrent.com").stdout
    assert "\nexample: npu.rebellions.ai, 8Gi\n" in run_here("drivers", "npu.rebellions.ai").stdout


def test_a_class_that_cannot_be_asked_says_why() -> None:
    answer = run_here("drivers", "gpu-vfio.intel.com")
    assert answer.code == 0
    assert "device class gpu-vfio.intel.com: it selects every device of gpu.intel.com" in answer.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["gpu.nvdia.com"],
            'error: no known driver or device class "gpu.nvdia.com"\nhint: did you mean gpu.nvidia.com?',
        ),
        (["big-gpus"], 'error: no known driver or device class "big-gpus"\nhint: '),
        (["-o", "csv"], 'error: invalid value "csv" for --output: must be one of table, wide, json, yaml, name'),
    ],
)
def test_wrong_words_are_refused(words: list[str], said: str) -> None:
    answer = run_here("drivers", *words)
    assert (answer.code, answer.stdout) == (2, "")
    assert answer.stderr.startswith(said)
