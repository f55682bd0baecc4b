"""The tenstorrent.com driver (tenstorrent/tt-dra-driver)."""

from __future__ import annotations

from .profile import DriverClass, Profile

PROFILE = Profile(
    name="tenstorrent.com",
    classes=(DriverClass("tenstorrent.com"),),
    accelerator=True,
    refusal="devices of tenstorrent.com publish no memoryBandwidthGBs and no healthy attribute",
    extended_resources=("tenstorrent.com/*",),
)
