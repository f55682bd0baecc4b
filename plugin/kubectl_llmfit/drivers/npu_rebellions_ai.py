"""The npu.rebellions.ai driver (RBLN-SW/rbln-k8s-dra-driver: cmd/npu-kubelet-plugin/state.go)."""

from __future__ import annotations

from .profile import DriverClass, Profile

PROFILE = Profile(
    name="npu.rebellions.ai",
    classes=(
        DriverClass("npu.rebellions.ai", kind="npu"),
        DriverClass("vfio-npu.rebellions.ai"),
    ),
    accelerator=True,
    refusal="devices of npu.rebellions.ai publish no memoryBandwidthGBs and no healthy attribute",
    kind_attribute="type",
    accelerator_kinds=frozenset({"npu"}),
    extended_resources=(
        "rebellions.ai/npu",
        "rebellions.ai/ATOM",
        "rebellions.ai/REBEL",
    ),
)
