"""``kubectl llmfit drivers`` as a user runs it."""

from __future__ import annotations

import json

import pytest
import yaml

from kubectl_llmfit.drivers.registry import PROFILES

DRIVERS = [profile.name for profile in PROFILES]


def test_every_driver_has_a_row(llmfit) -> None:
    answer = llmfit("drivers")
    head, *rows = answer.stdout.splitlines()
    assert (answer.status, answer.stderr) == (0, "")
    assert head.split() == ["DRIVER", "MEMORY", "BANDWIDTH", "HEALTH", "PARTS", "REFUSED"]
    assert [row.split()[0] for row in rows] == DRIVERS


def test_wide_adds_the_classes_and_the_number_of_products(llmfit) -> None:
    head, *rows = llmfit("drivers", "gpu.nvidia.com", "-o", "wide").stdout.splitlines()
    assert head.split()[-2:] == ["PRODUCTS", "CLASSES"]
    assert rows[0].split()[-2:] == ["142", "gpu.nvidia.com,mig.nvidia.com,vfio.gpu.nvidia.com"]
    assert len(rows) == 1


def test_no_headers_and_names(llmfit) -> None:
    assert llmfit("drivers", "--no-headers").stdout.splitlines()[0].startswith("llmfit.ai ")
    assert llmfit("drivers", "-o", "name").stdout.splitlines() == DRIVERS


@pytest.mark.parametrize("output", ["json", "yaml"])
def test_a_document_has_all_of_a_profile(llmfit, output: str) -> None:
    document = yaml.safe_load(llmfit("drivers", "gaudi.intel.com", "-o", output).stdout)
    assert (document["apiVersion"], document["kind"]) == ("kubectl-llmfit/v1alpha1", "DriverList")
    (gaudi,) = document["items"]
    assert gaudi["name"] == "gaudi.intel.com"
    assert gaudi["memory"] == []
    assert gaudi["assumedShare"] == 0.93
    assert gaudi["productAttributes"] == ["model"]
    assert (gaudi["health"]["default"], gaudi["health"]["modes"]) == ("attribute", ["attribute", "taint", "none"])
    assert gaudi["classes"] == [{"name": "gaudi.intel.com", "kind": None, "selects": "cards", "refused": None}]


def test_the_list_is_one_document_of_all(llmfit) -> None:
    items = json.loads(llmfit("drivers", "-o", "json").stdout)["items"]
    assert [item["name"] for item in items] == DRIVERS
    assert {item["name"] for item in items if item["refused"]} >= {"dra.cpu", "dra.net", "npu.furiosa.ai"}


@pytest.mark.parametrize("name", DRIVERS)
def test_a_driver_is_shown_with_an_example_or_the_reason_why_not(llmfit, name: str) -> None:
    answer = llmfit("drivers", name)
    assert (answer.status, answer.stderr) == (0, "")
    assert answer.stdout.startswith(f"driver:      {name}\n")
    assert ("\nexample: " in answer.stdout) != ("\nrefused:     " in answer.stdout)


def test_the_example_of_a_class_is_its_own_selector(llmfit) -> None:
    answer = llmfit("drivers", "gaudi.intel.com")
    assert answer.stdout.endswith(
        "\nexample: gaudi.intel.com, 20Gi, 585 GB/s\n"
        "  'model' in device.attributes['gaudi.intel.com'] &&\n"
        "  device.attributes['gaudi.intel.com'].model in ['Gaudi3', 'Gaudi2', 'Gaudi'] &&\n"
        "  'healthy' in device.attributes['gaudi.intel.com'] &&\n"
        "  device.attributes['gaudi.intel.com'].healthy\n"
    )


def test_a_class_shows_its_driver_with_an_example_for_the_class_alone(llmfit) -> None:
    answer = llmfit("drivers", "mig.nvidia.com")
    assert answer.stdout.startswith("driver:      gpu.nvidia.com\n")
    assert answer.stdout.count("\nexample: ") == 1
    assert "\nexample: mig.nvidia.com, 20Gi, 585 GB/s\n" in answer.stdout


def test_where_no_product_is_fast_enough_the_example_asks_for_less(llmfit) -> None:
    assert "\nexample: tenstorrent.com, 8Gi, 200 GB/s\n" in llmfit("drivers", "tenstorrent.com").stdout
    assert "\nexample: npu.rebellions.ai, 8Gi\n" in llmfit("drivers", "npu.rebellions.ai").stdout


def test_a_class_that_cannot_be_asked_says_why(llmfit) -> None:
    answer = llmfit("drivers", "gpu-vfio.intel.com")
    assert answer.status == 0
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
def test_wrong_words_are_refused(llmfit, words: list[str], said: str) -> None:
    answer = llmfit("drivers", *words)
    assert (answer.status, answer.stdout) == (2, "")
    assert answer.stderr.startswith(said)
