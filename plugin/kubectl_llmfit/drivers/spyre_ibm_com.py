"""The spyre.ibm.com driver (ibm-aiu/dra-driver-spyre)."""

from __future__ import annotations

from .profile import DriverClass, Profile

PROFILE = Profile(
    name="spyre.ibm.com",
    classes=(DriverClass("spyre.ibm.com"),),
    accelerator=True,
    extended_resources=(
        "ibm.com/spyre_pf*",
        "ibm.com/spyre_vf*",
    ),
    inexpressible="its devices publish no memory, and the bandwidth of the card is not known",
)
