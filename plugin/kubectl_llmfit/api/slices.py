"""ResourceSlices of every served version."""

from __future__ import annotations

from typing import Final

from .devices import Interner, read_counter_set, read_targeting
from .raw import FLAT_VERSIONS, Raw, version_of
from .values import Device, ResourceSlice

# ResourceSliceSpec of k8s.io/api/resource/v1 0.37. partitionTypeAttribute (for status reports) and
# skipNodeOperations (for the kubelet) never decide what the scheduler takes.
_KNOWN_FIELDS: Final = frozenset((
    "driver", "pool", "nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection", "devices",
    "sharedCounters", "partitionTypeAttribute", "skipNodeOperations",
))  # fmt: skip
_KNOWN_POOL_FIELDS: Final = frozenset(("name", "generation", "resourceSliceCount"))


def read_slice(raw: object, intern: Interner) -> ResourceSlice:
    """A ResourceSlice. ReadError names the field that is not as the API says."""
    root = Raw.root(raw, "ResourceSlice")
    version = version_of(root)
    spec = root.required_child("spec")
    pool = spec.required_child("pool")
    return ResourceSlice(
        name=root.required_child("metadata").required_text("name"),
        driver=spec.required_text("driver"),
        pool=pool.required_text("name"),
        generation=pool.integer("generation") or 0,
        slice_count=pool.integer("resourceSliceCount") or 0,
        targeting=read_targeting(spec),
        devices=tuple(_read_device(device, version, intern) for device in spec.children("devices")),
        shared_counters=tuple(read_counter_set(item, "name") for item in spec.children("sharedCounters")),
        unknown_fields=(*spec.unknown(_KNOWN_FIELDS), *pool.unknown(_KNOWN_POOL_FIELDS)),
    )


def _read_device(device: Raw, version: str, intern: Interner) -> Device:
    """A device; its fields stand under ``basic`` in the older versions."""
    body = device.child("basic") if version in FLAT_VERSIONS else None
    return Device(device.required_text("name"), intern.shape(body or device, version))
