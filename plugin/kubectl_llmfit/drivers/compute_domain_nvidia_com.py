"""The compute-domain.nvidia.com driver: channels and daemons of NVLink domains, no accelerators."""

from __future__ import annotations

from .profile import DriverClass, Profile

PROFILE = Profile(
    name="compute-domain.nvidia.com",
    classes=(
        DriverClass("compute-domain-daemon.nvidia.com", kind="daemon"),
        DriverClass("compute-domain-default-channel.nvidia.com", kind="channel"),
    ),
    accelerator=False,
    kind_attribute="type",
    inexpressible="its devices are channels and daemons of NVLink domains, no accelerators",
)
