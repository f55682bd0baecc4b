"""The gpu.amd.com driver (ROCm/k8s-gpu-dra-driver)."""

from __future__ import annotations

from .profile import DriverClass, Profile

PROFILE = Profile(
    name="gpu.amd.com",
    classes=(
        DriverClass("gpu.amd.com"),
        DriverClass("gpu.amd.com-spx"),
    ),
    accelerator=True,
    refusal="devices of gpu.amd.com publish no memoryBandwidthGBs and no healthy attribute",
    kind_attribute="type",
    accelerator_kinds=frozenset({"amdgpu", "amdgpu-partition"}),
    extended_resources=(
        "amd.com/gpu",
        "amd.com/?px_nps?",
    ),
)
