"""The ascend.project-hami.io driver (Project-HAMi/ascend-dra-driver), which makes its classes at run time."""

from __future__ import annotations

from dataclasses import replace

from .profile import DriverClass, Profile

PROFILE = Profile(
    name="ascend.project-hami.io",
    classes=(DriverClass("npu-*.project-hami.io"),),
    accelerator=True,
    refusal="devices of ascend.project-hami.io publish no memoryBandwidthGBs and no healthy attribute",
    extended_resources=("huawei.com/Ascend*",),
)

OLDER_PROFILE = replace(PROFILE, name="npu.project-hami.io", classes=())
"""The same devices under the name the driver had first."""
