"""The dra.hygon.com driver (HYGON-AI/k8s-hcu-dra-driver)."""

from __future__ import annotations

from .profile import DriverClass, Profile

PROFILE = Profile(
    name="dra.hygon.com",
    classes=(DriverClass("dra.hygon.com"),),
    accelerator=True,
    refusal="devices of dra.hygon.com publish no memoryBandwidthGBs and no healthy attribute",
    extended_resources=(
        "hygon.com/dcu",
        "hygon.com/dcunum",
    ),
)
