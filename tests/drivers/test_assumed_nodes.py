"""Nodes that do not exist yet."""

from __future__ import annotations

import pytest

from kubectl_llmfit.api.devices import Interner
from kubectl_llmfit.api.slices import read_slice
from kubectl_llmfit.drivers.assumed import ANNOTATION, Object, assumed_node, meant_product
from kubectl_llmfit.drivers.products import builtin_table
from kubectl_llmfit.errors import UsageError

TABLE = builtin_table()


def test_a_node_of_eight_cards_as_their_driver_publishes_them() -> None:
    node, published = assumed_node("8x NVIDIA H100 80GB HBM3", TABLE)
    assert (node["apiVersion"], node["kind"]) == ("v1", "Node")
    assert node["metadata"]["name"] == published["spec"]["nodeName"] == "assumed-nvidia-h100-80gb-hbm3"
    assert node["metadata"]["annotations"] == {ANNOTATION: "8x NVIDIA H100 80GB HBM3"}
    assert published["spec"]["driver"] == "gpu.nvidia.com"
    assert [device["name"] for device in published["spec"]["devices"]] == [f"gpu-{index}" for index in range(8)]
    assert published["spec"]["devices"][7] == {
        "name": "gpu-7",
        "attributes": {"type": {"string": "gpu"}, "productName": {"string": "NVIDIA H100 80GB HBM3"}},
        "capacity": {"memory": {"value": "81559Mi"}},
    }
    read = read_slice(published, Interner())
    assert (read.driver, read.pool, len(read.devices)) == ("gpu.nvidia.com", "assumed-nvidia-h100-80gb-hbm3", 8)


@pytest.mark.parametrize(
    ("text", "driver", "attributes", "memory"),
    [
        ("nvidia l4", "gpu.nvidia.com", {"type": "gpu", "productName": "NVIDIA L4"}, "23034Mi"),
        ("2 x NVIDIA L4", "gpu.nvidia.com", {"type": "gpu", "productName": "NVIDIA L4"}, "23034Mi"),
        ("L40S", "gpu.nvidia.com", {"type": "gpu", "productName": "NVIDIA L40S"}, "46068Mi"),  # the least of two
        ("GeForce RTX 3080 12GB", "gpu.nvidia.com", {"type": "gpu", "productName": "NVIDIA GeForce RTX 3080"},
         "11427Mi"),  # 0.93 x 12288 = 11427.8
        ("NVIDIA GB10", "gpu.nvidia.com", {"type": "gpu", "productName": "NVIDIA GB10"}, None),
        ("8x MI300X", "gpu.amd.com", {"type": "amdgpu", "partitionProfile": "spx_nps1", "deviceID": "0x74a1",
         "productName": "AMD_Instinct_MI300X_OAM"}, "196592Mi"),
        ("B60", "gpu.intel.com", {"type": "gpu", "driver": "xe", "pciId": "0xe211", "model": "B60",
         "health": "Healthy"}, "24480Mi"),
        ("8x Gaudi3", "gaudi.intel.com", {"model": "Gaudi3", "healthy": True}, None),
        ("4x v6e", "tpu.google.com", {"brand": "Google", "tpuGen": "v6e"}, None),
        ("16x trn2.48xlarge", "neuron.aws.com", {"resourceType": "neuron_device", "instanceType": "trn2.48xlarge"},
         None),
        ("n300", "tenstorrent.com", {"vendor": "tenstorrent", "boardName": "n300"}, "22855Mi"),  # 0.93 x 24576
        ("950DT", "ascend.project-hami.io", {"brand": "Huawei", "type": "NPU", "productName": "950DT", "memory": 89},
         None),  # 0.93 x 96 = 89.28 GiB, in whole ones
    ],
)  # fmt: skip
def test_a_device_has_what_is_known_of_it(
    text: str, driver: str, attributes: dict[str, str | int | bool], memory: str | None
) -> None:
    published = assumed_node(text, TABLE)[1]["spec"]
    device: Object = published["devices"][0]
    assert published["driver"] == driver
    assert {name: next(iter(value.values())) for name, value in device["attributes"].items()} == attributes
    assert device.get("capacity") == (None if memory is None else {"memory": {"value": memory}})


def test_two_nodes_of_one_product_have_two_names() -> None:
    first = assumed_node("NVIDIA L4", TABLE)[0]["metadata"]["name"]
    second = assumed_node("NVIDIA L4", TABLE, frozenset({first}))[0]["metadata"]["name"]
    assert (first, second) == ("assumed-nvidia-l4", "assumed-nvidia-l4-2")


@pytest.mark.parametrize(
    ("text", "said", "hint"),
    [
        ("", "must be a number and a product", ""),
        ("0x NVIDIA L4", "a node publishes from 1 to 128 devices", ""),
        ("129x NVIDIA L4", "a node publishes from 1 to 128 devices", ""),
        ("NVIDIA H100 80GB", "no such product in the product table", "NVIDIA H100 80GB HBM3"),
        ("a toaster", "no such product in the product table", "--accelerators"),
        ("RNGD", "no such product in the product table", ""),  # its driver's devices are not documented
        ("NVIDIA GeForce RTX 3080", "2 products have this name: name one of GeForce RTX 3080 12GB", ""),
        ("Trainium2", "devices say their instance type, not the product: name one, trn2.…", ""),
        ("trn2.*", "devices say their instance type, not the product", ""),
        ("310P3", "the memory of Ascend 310P3 is not known", ""),
    ],
)
def test_a_text_that_makes_no_node_is_refused(text: str, said: str, hint: str) -> None:
    with pytest.raises(UsageError) as raised:
        assumed_node(text, TABLE)
    assert raised.value.message.startswith(f'--assume "{text}": ')
    assert said in raised.value.message
    assert hint in (raised.value.hint or "")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("8x H100", "H100 SXM5 94GB"),  # the driver calls this one "NVIDIA H100", and those of 80 GB otherwise
        ("MI300X", "Instinct MI300X"),
        ("NVIDIA H100 80GB HBM3", None),
        ("2x trn2.48xlarge", None),
    ],
)
def test_a_product_that_is_named_in_part_is_told(text: str, meant: str | None) -> None:
    assert meant_product(text, builtin_table()) == meant
