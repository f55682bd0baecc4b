"""The tpu.google.com driver (kubernetes-sigs/dra-driver-google-tpu: cmd/tpu-dra-kubeletplugin/manager.go)."""

from __future__ import annotations

from .profile import DriverClass, Health, Identity, Profile, Specimen

PROFILE = Profile(
    name="tpu.google.com",
    classes=(DriverClass("tpu.google.com"),),
    accelerator=True,
    extended_resources=("google.com/tpu",),
    identities=(Identity("tpuGen"),),
    vendor="Google",
    health=Health(means="the driver takes a sick chip out of its slice"),
    allocation_mode="All",
    specimen=Specimen("accel{index}", (("brand", "Google"),)),
    limits=(
        "No memory is published: a generation counts with 0.93 of the product table's figure.",
        "Bandwidth comes from the product table by tpuGen: a generation that is not in it is left out.",
        "A pod takes all chips of a node (allocationMode All); the floors are one chip's.",
    ),
)
