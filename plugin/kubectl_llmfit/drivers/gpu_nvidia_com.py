"""The gpu.nvidia.com driver (kubernetes-sigs/dra-driver-nvidia-gpu: deviceinfo.go, mig.go, its DeviceClasses)."""

from __future__ import annotations

from .profile import (
    CapacityMemory,
    DriverClass,
    Health,
    HealthMode,
    Identity,
    Partitions,
    Parts,
    Profile,
    Share,
    Specimen,
)

PROFILE = Profile(
    name="gpu.nvidia.com",
    classes=(
        DriverClass("gpu.nvidia.com", kind="gpu"),
        DriverClass("mig.nvidia.com", kind="mig", parts=Parts.SLICES),
        DriverClass(
            "vfio.gpu.nvidia.com",
            kind="vfio",
            refusal="its devices are for virtual machines: addressableMemory is their PCI window, rounded up to a "
            "power of two, and productName is not the driver's name of the card",
        ),
    ),
    accelerator=True,
    kind_attribute="type",
    accelerator_kinds=frozenset({"gpu", "mig"}),
    extended_resources=(
        "nvidia.com/gpu",
        "nvidia.com/gpu.shared",
        "nvidia.com/mig-*",
    ),
    memory=(CapacityMemory("memory"),),
    identities=(Identity("productName"),),
    tests=(("type", ("gpu", "mig")),),
    vendor="NVIDIA",
    health=Health(
        default=HealthMode.TAINT,
        means="a sick GPU is tainted (driver 0.4 and later with its gate NVMLDeviceHealthCheck) and so never taken",
        taints=True,
    ),
    partitions=Partitions(frozenset({"mig"}), attribute="profile", parent="parentUUID"),
    share=Share("memory"),
    specimen=Specimen("gpu-{index}", (("type", "gpu"),)),
    limits=(
        "Bandwidth comes from the product table by productName: a product that is not in it is left out.",
        "No attribute tells health: without the driver's health gate a sick GPU looks like any other.",
        "Class gpu.nvidia.com has whole GPUs only and mig.nvidia.com slices only: both take two alternatives.",
        "With the driver's ConsumableShares a GPU may be shared without a limit: --share requests the memory.",
        "GPUs that hide their memory (GB10) count with 0.93 of the table's figure.",
    ),
)
