"""The dra.cpu driver (kubernetes-sigs/dra-driver-cpu): processors."""

from __future__ import annotations

from .profile import DriverClass, Profile

PROFILE = Profile(
    name="dra.cpu",
    classes=(DriverClass("dra.cpu"),),
    accelerator=False,
    refusal="devices of dra.cpu are processors: they publish no memory",
    inexpressible="its devices are processors, no accelerators",
)
