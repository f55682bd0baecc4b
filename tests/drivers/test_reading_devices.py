"""What is shown of a device: the same figures that its selector goes by."""

from __future__ import annotations

import pytest

from drivers.published import contents, slices
from kubectl_llmfit.api.devices import Interner
from kubectl_llmfit.api.slices import read_slice
from kubectl_llmfit.api.values import DeviceShape
from kubectl_llmfit.drivers.products import builtin_table
from kubectl_llmfit.drivers.profile import Profile
from kubectl_llmfit.drivers.reading import bandwidth_gbs, health, memory_bytes, product_name
from kubectl_llmfit.drivers.registry import profile_of_driver

MIB = 1 << 20


def device(driver: str, node: str) -> tuple[Profile, DeviceShape]:
    profile = profile_of_driver(driver)
    assert profile is not None
    assert node in contents(driver)["nodes"]
    raw = [each for each in slices(driver) if each["spec"]["nodeName"] == node][-1]
    return profile, read_slice(raw, Interner()).devices[0].shape


@pytest.mark.parametrize(
    ("driver", "node", "product", "memory_mib", "bandwidth", "healthy"),
    [
        ("llmfit.ai", "passes", None, 24560, 960, True),
        ("llmfit.ai", "unhealthy", None, 24560, 960, False),
        ("llmfit.ai", "unknown-product", None, 24576, None, True),
        ("gpu.nvidia.com", "h100", "NVIDIA H100 80GB HBM3", 81559, 3350, None),
        ("gpu.nvidia.com", "a100-40-1g", "NVIDIA A100-PCIE-40GB", 4864, 194, None),  # 1555 / 8 = 194.4
        ("gpu.nvidia.com", "h100-1g-20", "NVIDIA H100 80GB HBM3", 20096, 837, None),  # 3350 x 2 / 8 = 837.5
        ("gpu.nvidia.com", "h100-vfio", "GH100 [H100 SXM5 80GB]", None, None, None),
        ("gpu.nvidia.com", "rtx-3080-12", "NVIDIA GeForce RTX 3080", 12288, 912, None),
        ("gpu.nvidia.com", "rtx-3080-10", "NVIDIA GeForce RTX 3080", 10240, 760, None),
        ("gpu.nvidia.com", "gb10", "NVIDIA GB10", None, 273, None),
        ("gpu.nvidia.com", "memory-zero", "NVIDIA H200", None, 4800, None),
        ("gpu.nvidia.com", "unknown-product", "NVIDIA R200", 294912, None, None),
        ("gpu.amd.com", "mi300x", "AMD_Instinct_MI300X_OAM", 196592, 5300, None),
        ("gpu.amd.com", "partition-qpx", "AMD_Instinct_MI300X_OAM", 49148, 1325, None),
        ("gpu.amd.com", "automatic", "AMD_Instinct_MI300X_OAM", 24574, 662, None),  # cpx: 196592 / 8, 5300 / 8
        ("gpu.amd.com", "rx-7900-gre", "0x744c", 16368, 576, None),
        ("gpu.intel.com", "b60", "B60", 24480, 456, True),
        ("gpu.intel.com", "health-unknown", "B60", 24480, 456, None),
        ("gpu.intel.com", "function", "B60", 12240, None, True),
        ("gpu.amd.com", "vfio", "Instinct_MI300X", None, None, None),
        ("gpu.intel.com", "unhealthy", "B60", 24480, 456, False),
        ("gpu.intel.com", "unhealthy-v09", "B580", 12216, 456, False),
        ("gaudi.intel.com", "gaudi2", "Gaudi2", None, 2460, True),
        ("neuron.aws.com", "trn1n", "trn1n.32xlarge", None, 820, None),
        ("ascend.project-hami.io", "910b4", "910B4", 32768, None, None),
        ("ascend.project-hami.io", "soft-below", "910B4", 30719, None, None),
    ],
)  # fmt: skip
def test_a_device_is_read_in_its_drivers_names(
    driver: str, node: str, product: str | None, memory_mib: int | None, bandwidth: int | None, healthy: bool | None
) -> None:
    profile, shape = device(driver, node)
    memory = memory_bytes(profile, shape)
    assert product_name(profile, shape) == product
    assert (None if memory is None else memory // MIB) == memory_mib
    assert bandwidth_gbs(profile, shape, builtin_table()) == bandwidth
    assert health(profile, shape) == healthy
