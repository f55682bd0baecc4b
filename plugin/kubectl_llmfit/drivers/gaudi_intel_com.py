"""The gaudi.intel.com driver (intel/intel-resource-drivers-for-kubernetes: cmd/kubelet-gaudi-plugin/node_state.go)."""

from __future__ import annotations

from .profile import DriverClass, Health, HealthAttribute, HealthMode, Identity, Profile, Specimen

PROFILE = Profile(
    name="gaudi.intel.com",
    classes=(DriverClass("gaudi.intel.com"),),
    accelerator=True,
    extended_resources=("habana.ai/gaudi",),
    identities=(Identity("model"),),
    vendor="Intel",
    pci_vendor="1da3",
    health=Health(
        default=HealthMode.ATTRIBUTE,
        means="the device says healthy: true; the driver also taints a sick one by a DeviceTaintRule",
        attributes=(HealthAttribute("healthy"),),
        taints=True,
    ),
    specimen=Specimen("0000-{bus}-00-0-{pci_id}"),
    limits=(
        "No memory is published: a model counts with 0.93 of the product table's figure.",
        "Bandwidth comes from the product table by model: a model that is not in it is left out.",
    ),
)
