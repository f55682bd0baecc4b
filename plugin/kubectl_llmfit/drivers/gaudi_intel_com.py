"""The gaudi.intel.com driver (intel/intel-resource-drivers-for-kubernetes: cmd/kubelet-gaudi-plugin/node_state.go)."""

from __future__ import annotations

from .profile import DriverClass, Profile

PROFILE = Profile(
    name="gaudi.intel.com",
    classes=(DriverClass("gaudi.intel.com"),),
    accelerator=True,
    refusal="devices of gaudi.intel.com publish no memory and no memoryBandwidthGBs",
    extended_resources=("habana.ai/gaudi",),
)
