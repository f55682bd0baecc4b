"""A profile in a person's words, and as a plain document. Pure."""

from __future__ import annotations

from typing import Any

from .products import ProductTable
from .profile import AttributeMemory, CapacityMemory, DriverClass, HealthMode, Memory, Parts, Profile

_UNITS = {1 << 30: "GiB", 1 << 20: "MiB", 1: "bytes"}


def memory_words(profile: Profile) -> str | None:
    """Where the memory floor is held against; None where nothing can be asked."""
    if profile.inexpressible:
        return None
    return " or ".join(map(_memory, profile.memory)) or f"product table × {float(profile.assumed_share):g}"


def bandwidth_words(profile: Profile) -> str | None:
    """Where the bandwidth floor is held against; None where nothing can be asked."""
    if profile.inexpressible:
        return None
    if profile.bandwidth is not None:
        return f"attribute {profile.bandwidth}"
    return f"product table ({' or '.join(identity.attribute for identity in profile.identities)})"


def health_words(profile: Profile) -> str | None:
    """How health is told, the default first; None where it is not, or nothing can be asked."""
    ways = {
        HealthMode.ATTRIBUTE: f"attribute {' or '.join(each.name for each in profile.health.attributes)}",
        HealthMode.TAINT: "taint",
    }
    modes = sorted(profile.health.modes, key=lambda mode: mode is not profile.health.default)
    return ", ".join(ways[mode] for mode in modes if mode in ways) or None


def parts_words(profile: Profile) -> str | None:
    """Parts of cards and shares of devices; None where there are none."""
    parts = sorted(profile.partitions.kinds) if profile.partitions else []
    share = [f"shares of {profile.share.memory}"] if profile.share else []
    return ", ".join([*parts, *share]) or None


COLUMNS = (memory_words, bandwidth_words, health_words, parts_words)
"""What a table of drivers says of each, in this order."""


def document(profile: Profile, table: ProductTable) -> dict[str, Any]:
    """The profile as JSON values; keys are only ever added."""
    products = table.of(profile)
    return {
        "name": profile.name,
        "accelerator": profile.accelerator,
        "refused": profile.inexpressible,
        "classes": [_class(profile, entry) for entry in profile.classes],
        "memory": [_memory_document(memory) for memory in profile.memory],
        "assumedShare": float(profile.assumed_share),
        "bandwidthAttribute": profile.bandwidth,
        "productAttributes": [identity.attribute for identity in profile.identities],
        "products": len(products),
        "productsWithoutBandwidth": [p.product for p in products if p.bandwidth_gbs is None],
        "health": {
            "default": profile.health.default.value,
            "modes": [mode.value for mode in profile.health.modes],
            "means": profile.health.means,
        },
        "partitions": sorted(profile.partitions.kinds) if profile.partitions else [],
        "share": profile.share and {"memory": profile.share.memory, "others": dict(profile.share.others)},
        "allocationMode": profile.allocation_mode,
        "limits": list(profile.limits),
    }


def _class(profile: Profile, entry: DriverClass) -> dict[str, Any]:
    parts = entry.parts or profile.parts
    return {
        "name": entry.name,
        "kind": entry.kind,
        "selects": "cards and slices" if parts is Parts.BOTH else parts.value,
        "refused": profile.inexpressible or entry.refusal,
    }


def _memory(memory: Memory) -> str:
    if isinstance(memory, CapacityMemory):
        return f"capacity {memory.name}"
    return f"attribute {memory.name} ({_UNITS[memory.unit_bytes]})"


def _memory_document(memory: CapacityMemory | AttributeMemory) -> dict[str, Any]:
    if isinstance(memory, CapacityMemory):
        return {"capacity": memory.name, "unitBytes": 1}
    return {"attribute": memory.name, "unitBytes": memory.unit_bytes}
