"""The gpu.intel.com driver (intel/intel-resource-drivers-for-kubernetes: cmd/kubelet-gpu-plugin/node_state.go)."""

from __future__ import annotations

from .profile import (
    CapacityMemory,
    DriverClass,
    Health,
    HealthAttribute,
    HealthMode,
    Identity,
    NameForm,
    Profile,
    Specimen,
)

PROFILE = Profile(
    name="gpu.intel.com",
    classes=(
        DriverClass("gpu.intel.com"),
        DriverClass(
            "gpu-vfio.intel.com",
            refusal="it selects every device of gpu.intel.com, and those for virtual machines publish no sure memory",
        ),
    ),
    accelerator=True,
    kind_attribute="type",
    accelerator_kinds=frozenset({"gpu", "vf"}),
    extended_resources=(
        "gpu.intel.com/i915",
        "gpu.intel.com/xe",
    ),
    memory=(CapacityMemory("memory"),),
    identities=(Identity("pciId", NameForm.PCI_ID), Identity("model", without_pci_id=True)),
    tests=(("type", ("gpu",)), ("driver", ("i915", "xe"))),
    vendor="Intel",
    pci_vendor="8086",
    health=Health(
        default=HealthMode.ATTRIBUTE,
        means="the device says health Healthy or Unknown (not monitored), or healthy: true; driver 0.9 and later",
        attributes=(HealthAttribute("health", ("Healthy", "Unknown")), HealthAttribute("healthy")),
        taints=True,
    ),
    specimen=Specimen("0000-{bus}-00-0-{pci_id}", (("type", "gpu"), ("driver", "xe"))),
    limits=(
        "Bandwidth comes from the product table by pciId: a product that is not in it is left out.",
        "Integrated GPUs, and cards before xpumd has answered, publish memory 0 and are left out.",
        "SR-IOV functions (type vf, since driver 0.11) are left out: how much bandwidth one gets is not published.",
    ),
)
