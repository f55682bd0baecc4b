"""The npu.furiosa.ai driver (furiosa-ai/helm-charts; closed source, its attributes are not documented)."""

from __future__ import annotations

from .profile import DriverClass, Profile

PROFILE = Profile(
    name="npu.furiosa.ai",
    classes=(DriverClass("npu.furiosa.ai"),),
    accelerator=True,
    extended_resources=(
        "furiosa.ai/rngd",
        "furiosa.ai/rngd-*",
        "beta.furiosa.ai/npu",
    ),
    inexpressible="the attributes of its devices are not documented beyond a uuid",
)
