"""``kubectl llmfit devices``: each device in its driver's own names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from drivers.published import contents, device_classes, slices

WANTED = [
    # bandwidth is the product table's: of a slice its share (1555 / 8 = 194), of one of eight partitions 5300 / 8 = 662
    ("gpu.nvidia.com", "h100", "gpu-0", "NVIDIA H100 80GB HBM3", "81559Mi", "3350GB/s", None),
    ("gpu.nvidia.com", "a100-40-1g", "gpu-1-mig-1g5gb-19-0", "NVIDIA A100-PCIE-40GB", "4864Mi", "194GB/s", None),
    ("gpu.nvidia.com", "unknown-product", "gpu-0", "NVIDIA R200", "288Gi", None, None),
    ("gpu.amd.com", "automatic", "gpu-0-cpx-nps4", "AMD_Instinct_MI300X_OAM", "24574Mi", "662GB/s", None),
    ("gpu.amd.com", "memory-zero", "gpu-0-128", "AMD_Instinct_MI300X_OAM", None, "5300GB/s", None),
    ("gpu.intel.com", "b60", "0000-04-00-0-0xe211", "B60", "24480Mi", "456GB/s", "healthy"),
    ("gpu.intel.com", "unhealthy", "0000-04-00-0-0xe211", "B60", "24480Mi", "456GB/s", "unhealthy"),
    ("gaudi.intel.com", "gaudi2", "0000-a0-00-0-0x1020", "Gaudi2", None, "2460GB/s", "healthy"),
    ("ascend.project-hami.io", "910b4", "npu-0-0", "910B4", "32Gi", None, None),
    ("llmfit.ai", "passes", "gpu-0000-c3-00-0", "AMD Radeon RX 7900 XTX", "24560Mi", "960GB/s", "healthy"),
]  # fmt: skip


@pytest.mark.parametrize(("driver", "node", "device", "product", "memory", "bandwidth", "health"), WANTED, ids=str)
def test_a_device_is_shown_in_its_drivers_names(
    llmfit,
    tmp_path: Path,
    driver: str,
    node: str,
    device: str,
    product: str,
    memory: str | None,
    bandwidth: str | None,
    health: str | None,
) -> None:
    nodes = [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}} for name in contents(driver)["nodes"]]
    items = [*nodes, *slices(driver), *device_classes(driver)]
    (tmp_path / "cluster.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    answer = llmfit("devices", "--snapshot", str(tmp_path / "cluster.json"), "-o", "json")
    assert answer.status == 0
    rows = {(row["node"], row["device"]): row for row in json.loads(answer.stdout)["items"]}
    row = rows[node, device]
    assert (row["product"], row["memory"], row["bandwidth"], row["health"]) == (product, memory, bandwidth, health)
