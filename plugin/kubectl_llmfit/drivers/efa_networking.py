"""The efa.networking.k8s.aws driver: network interfaces of AWS."""

from __future__ import annotations

from .profile import Profile

PROFILE = Profile(
    name="efa.networking.k8s.aws",
    classes=(),
    accelerator=False,
    inexpressible="its devices are network interfaces, no accelerators",
)
