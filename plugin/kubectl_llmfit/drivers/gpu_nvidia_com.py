"""The gpu.nvidia.com driver (kubernetes-sigs/dra-driver-nvidia-gpu: deviceinfo.go, mig.go, its DeviceClasses)."""

from __future__ import annotations

from .profile import DriverClass, Profile

PROFILE = Profile(
    name="gpu.nvidia.com",
    classes=(
        DriverClass("gpu.nvidia.com", kind="gpu"),
        DriverClass("mig.nvidia.com", kind="mig"),
        DriverClass("vfio.gpu.nvidia.com", kind="vfio"),
    ),
    accelerator=True,
    refusal="devices of gpu.nvidia.com publish no memoryBandwidthGBs and no healthy attribute",
    kind_attribute="type",
    accelerator_kinds=frozenset({"gpu", "mig"}),
    extended_resources=(
        "nvidia.com/gpu",
        "nvidia.com/gpu.shared",
        "nvidia.com/mig-*",
    ),
)
