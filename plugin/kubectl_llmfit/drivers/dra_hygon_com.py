"""The dra.hygon.com driver (HYGON-AI/k8s-hcu-dra-driver)."""

from __future__ import annotations

from .profile import CapacityMemory, DriverClass, Identity, Profile, Share, Specimen

PROFILE = Profile(
    name="dra.hygon.com",
    classes=(DriverClass("dra.hygon.com"),),
    accelerator=True,
    extended_resources=(
        "hygon.com/dcu",
        "hygon.com/dcunum",
    ),
    memory=(CapacityMemory("memory"),),
    identities=(Identity("productName"),),
    tests=(("type", ("hcu",)),),
    kind_attribute="type",
    accelerator_kinds=frozenset({"hcu"}),
    vendor="Hygon",
    share=Share("memory", others=(("cores", "30"),), always=True),
    specimen=Specimen("hcu-{index}", (("type", "hcu"),)),
    limits=(
        "The product table has no bandwidth of these products: --accelerators adds it.",
        "The memory floor is held against the card's total, not what sharers leave.",
        "--share requests 30 cores, a quarter of a K100_AI, since a card has at most four sharers.",
        "Nothing tells health.",
    ),
)
