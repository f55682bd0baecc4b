"""The tenstorrent.com driver (tenstorrent/tt-dra-driver)."""

from __future__ import annotations

from .profile import CapacityMemory, DriverClass, Identity, Profile, Specimen

PROFILE = Profile(
    name="tenstorrent.com",
    classes=(DriverClass("tenstorrent.com"),),
    accelerator=True,
    extended_resources=("tenstorrent.com/*",),
    memory=(CapacityMemory("memory"),),
    identities=(Identity("boardName"),),
    vendor="Tenstorrent",
    specimen=Specimen("chip-{index}", (("vendor", "tenstorrent"),)),
    limits=(
        "Bandwidth comes from the product table by boardName: a board that is not in it is left out.",
        "A device is a whole board: its memory is the sum over its chips (n300: two).",
        "Nothing tells health.",
    ),
)
