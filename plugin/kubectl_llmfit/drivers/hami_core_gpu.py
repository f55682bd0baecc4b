"""The hami-core-gpu.project-hami.io driver (Project-HAMi/k8s-dra-driver): shared NVIDIA GPUs."""

from __future__ import annotations

from .profile import DriverClass, Profile

PROFILE = Profile(
    name="hami-core-gpu.project-hami.io",
    classes=(DriverClass("hami-core-gpu.project-hami.io"),),
    accelerator=True,
    refusal="devices of hami-core-gpu.project-hami.io publish no memoryBandwidthGBs and no healthy attribute",
    extended_resources=("nvidia.com/gpu",),
)
