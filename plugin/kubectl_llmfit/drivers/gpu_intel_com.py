"""The gpu.intel.com driver (intel/intel-resource-drivers-for-kubernetes: cmd/kubelet-gpu-plugin/node_state.go)."""

from __future__ import annotations

from .profile import DriverClass, Profile

PROFILE = Profile(
    name="gpu.intel.com",
    classes=(
        DriverClass("gpu.intel.com"),
        DriverClass("gpu-vfio.intel.com"),
    ),
    accelerator=True,
    refusal="devices of gpu.intel.com publish no memoryBandwidthGBs, and their health as text",
    kind_attribute="type",
    accelerator_kinds=frozenset({"gpu", "vf"}),
    extended_resources=(
        "gpu.intel.com/i915",
        "gpu.intel.com/xe",
    ),
)
