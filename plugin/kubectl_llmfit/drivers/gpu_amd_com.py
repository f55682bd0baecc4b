"""The gpu.amd.com driver (ROCm/k8s-gpu-dra-driver)."""

from __future__ import annotations

from .profile import CapacityMemory, DriverClass, Identity, Mode, NameForm, Partitions, Parts, Profile, Specimen

PROFILE = Profile(
    name="gpu.amd.com",
    classes=(
        DriverClass("gpu.amd.com"),
        DriverClass("gpu.amd.com-spx"),
    ),
    accelerator=True,
    kind_attribute="type",
    accelerator_kinds=frozenset({"amdgpu", "amdgpu-partition"}),
    extended_resources=(
        "amd.com/gpu",
        "amd.com/?px_nps?",
    ),
    memory=(CapacityMemory("memory"),),
    invents_memory=True,
    identities=(Identity("deviceID", NameForm.PCI_ID), Identity("productName", NameForm.UNDERSCORES)),
    tests=(("type", ("amdgpu", "amdgpu-partition")),),
    vendor="AMD",
    partitions=Partitions(
        frozenset({"amdgpu-partition"}),
        attribute="partitionProfile",
        parent="parentPciAddr",
        mode=Mode("computePartition", "spx", (("dpx", 2), ("qpx", 4), ("cpx", 8))),
    ),
    parts=Parts.BOTH,
    specimen=Specimen("gpu-{index}", (("type", "amdgpu"), ("partitionProfile", "spx_nps1"))),
    limits=(
        "Bandwidth comes from the product table by deviceID or productName: a product that is not in it is left out.",
        "Nothing tells health: the driver publishes neither an attribute nor a taint for broken hardware.",
        "A card that the driver cannot read publishes memory 0 and is left out; its first version publishes 80Gi, "
        "which only a bandwidth floor guards against.",
        "A partition counts with its share of the card's bandwidth, told by its share of the memory or, with the "
        "driver's automatic partitions, by computePartition (cpx as an eighth, even where it is more: MI300A, MI308X).",
    ),
)
