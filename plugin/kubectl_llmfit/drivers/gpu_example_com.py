"""The gpu.example.com driver (kubernetes-sigs/dra-example-driver), made for tests."""

from __future__ import annotations

from .profile import CapacityMemory, DriverClass, Identity, Profile, Share, Specimen

PROFILE = Profile(
    name="gpu.example.com",
    classes=(DriverClass("gpu.example.com"),),
    accelerator=True,
    memory=(CapacityMemory("memory"),),
    identities=(Identity("model"),),
    vendor="example",
    share=Share("memory"),
    specimen=Specimen("gpu-{index}"),
    limits=(
        "Its model is made up and the product table has no bandwidth of it: --accelerators adds it.",
        "Nothing tells health.",
    ),
)
