"""The dra.memory driver (ffromani/dra-driver-memory): host memory and huge pages."""

from __future__ import annotations

from .profile import DriverClass, Profile

PROFILE = Profile(
    name="dra.memory",
    classes=(
        DriverClass("dra.memory"),
        DriverClass("dra.hugepages-2m"),
        DriverClass("dra.hugepages-1g"),
    ),
    accelerator=False,
    inexpressible="its devices are host memory, no accelerators",
)
