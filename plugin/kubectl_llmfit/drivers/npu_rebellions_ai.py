"""The npu.rebellions.ai driver (RBLN-SW/rbln-k8s-dra-driver: cmd/npu-kubelet-plugin/state.go)."""

from __future__ import annotations

from .profile import CapacityMemory, DriverClass, Identity, Profile, Specimen

PROFILE = Profile(
    name="npu.rebellions.ai",
    classes=(
        DriverClass("npu.rebellions.ai", kind="npu"),
        DriverClass("vfio-npu.rebellions.ai", refusal="what its devices publish is not documented"),
    ),
    accelerator=True,
    kind_attribute="type",
    accelerator_kinds=frozenset({"npu"}),
    extended_resources=(
        "rebellions.ai/npu",
        "rebellions.ai/ATOM",
        "rebellions.ai/REBEL",
    ),
    memory=(CapacityMemory("memory"),),
    identities=(Identity("productName"),),
    vendor="Rebellions",
    specimen=Specimen("rbln{index}", (("type", "npu"),)),
    limits=(
        "The product table has no bandwidth of these products: --accelerators adds it.",
        "Nothing tells health.",
        "A card whose memory the driver cannot read publishes none and is left out.",
    ),
)
