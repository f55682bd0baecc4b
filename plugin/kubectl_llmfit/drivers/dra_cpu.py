"""The dra.cpu driver (kubernetes-sigs/dra-driver-cpu): processors."""

from __future__ import annotations

from .profile import DriverClass, Profile

PROFILE = Profile(
    name="dra.cpu",
    classes=(DriverClass("dra.cpu"),),
    accelerator=False,
    inexpressible="its devices are processors, no accelerators",
)
