"""The gpu.example.com driver (kubernetes-sigs/dra-example-driver), made for tests."""

from __future__ import annotations

from .profile import DriverClass, Profile

PROFILE = Profile(
    name="gpu.example.com",
    classes=(DriverClass("gpu.example.com"),),
    accelerator=True,
    refusal="devices of gpu.example.com publish no memoryBandwidthGBs and no healthy attribute",
)
