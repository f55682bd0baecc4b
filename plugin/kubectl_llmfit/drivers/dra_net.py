"""The dra.net driver (kubernetes-sigs/dranet): network interfaces."""

from __future__ import annotations

from .profile import Profile

PROFILE = Profile(
    name="dra.net",
    classes=(),
    accelerator=False,
    inexpressible="its devices are network interfaces, no accelerators",
)
