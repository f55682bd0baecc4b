"""The ascend.project-hami.io driver (Project-HAMi/ascend-dra-driver), which makes its classes at run time."""

from __future__ import annotations

from dataclasses import replace

from .profile import AttributeMemory, CapacityMemory, DriverClass, Identity, Profile, Share, Specimen

PROFILE = Profile(
    name="ascend.project-hami.io",
    classes=(DriverClass("npu-*.project-hami.io"),),
    accelerator=True,
    extended_resources=("huawei.com/Ascend*",),
    memory=(AttributeMemory("memory", 1 << 30), CapacityMemory("memory")),
    identities=(Identity("productName"),),
    vendor="Huawei",
    share=Share("memory", others=(("cores", "0"),)),
    specimen=Specimen("npu-{index}-0", (("brand", "Huawei"), ("type", "NPU"))),
    limits=(
        "The product table has the bandwidth of few of these products: --accelerators adds it.",
        "A whole card publishes its memory in whole GiB, so that a floor counts as the next GiB.",
        "Nothing tells health.",
    ),
)

OLDER_PROFILE = replace(PROFILE, name="npu.project-hami.io", classes=())
"""The same devices under the name the driver had first."""
