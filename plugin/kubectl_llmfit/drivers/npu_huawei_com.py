"""The npu.huawei.com driver (openFuyao npu-operator; its classes are not documented)."""

from __future__ import annotations

from .profile import Profile

PROFILE = Profile(
    name="npu.huawei.com",
    classes=(),
    accelerator=True,
    extended_resources=("huawei.com/Ascend*",),
    inexpressible="what its devices publish is not documented",
)
