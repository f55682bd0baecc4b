"""The hami-core-gpu.project-hami.io driver (Project-HAMi/k8s-dra-driver): shared NVIDIA GPUs."""

from __future__ import annotations

from .profile import CapacityMemory, DriverClass, Identity, Profile, Share, Specimen

PROFILE = Profile(
    name="hami-core-gpu.project-hami.io",
    classes=(DriverClass("hami-core-gpu.project-hami.io"),),
    accelerator=True,
    extended_resources=("nvidia.com/gpu",),
    memory=(CapacityMemory("memory"),),
    identities=(Identity("productName"),),
    kind_attribute="type",
    accelerator_kinds=frozenset({"hami-gpu"}),
    vendor="NVIDIA",
    share=Share("memory", others=(("cores", "0"),), always=True),
    specimen=Specimen("hami-gpu-{index}", (("type", "hami-gpu"),)),
    limits=(
        "Bandwidth comes from the product table by productName, of the whole GPU: what sharers leave is not published.",
        "A claim without --share takes a whole GPU; the memory floor is held against its total, not what is left.",
        "Nothing tells health.",
    ),
)
