"""The tpu.google.com driver (kubernetes-sigs/dra-driver-google-tpu: cmd/tpu-dra-kubeletplugin/manager.go)."""

from __future__ import annotations

from .profile import DriverClass, Profile

PROFILE = Profile(
    name="tpu.google.com",
    classes=(DriverClass("tpu.google.com"),),
    accelerator=True,
    refusal="devices of tpu.google.com publish no memory, no memoryBandwidthGBs and no healthy attribute",
    extended_resources=("google.com/tpu",),
)
