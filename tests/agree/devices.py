"""Devices for generated expressions: every kind of attribute, every kind of gap.

Owns the devices and their two shapes: as the API writes them for Kubernetes, as values for the engine.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from agree.literals import DOMAIN
from kubectl_llmfit.api.read import read_object
from kubectl_llmfit.api.values import DeviceShape, ResourceSlice

Device = Mapping[str, Any]
_Draw = Callable[[random.Random], Mapping[str, Any]]


def _one_of(kind: str, *values: object) -> _Draw:
    return lambda draw: {kind: draw.choice(values)}


def _some_of(kind: str, *values: object) -> _Draw:
    return lambda draw: {kind: draw.sample(values, draw.randint(1, len(values)))}


_LARGEST = 2**63 - 1
_ATTRIBUTES: Mapping[str, _Draw] = {
    "model": _one_of("string", "A100", "H100-80GB", "NVIDIA A100", "a", ""),
    "count": _one_of("int", 0, 1, 7, 100),
    "healthy": _one_of("bool", True, False),
    "driverVersion": _one_of("version", "1.2.3", "2.0.0-rc.1", "535.104.5", "1.2.3+build.5"),
    "zero": _one_of("int", 0),
    "largest": _one_of("int", _LARGEST, -_LARGEST - 1),
    "negative": _one_of("int", -7),
    "empty": _one_of("string", ""),
    "unicode": _one_of("string", "héllo", "日本語", "\U0001f600"),
    "version": _one_of("string", "1.2.3", "x"),
    "ip": _one_of("string", "10.0.0.1", "::1"),
    "since": _one_of("string", "2026-11-30T00:00:00Z", "1h"),
    "counts": _some_of("ints", 1, 2, 3, 7),
    "names": _some_of("strings", "a", "b", "A100", ""),
    "flags": _some_of("bools", True, False),
    "versions": _some_of("versions", "1.2.3", "2.0.0"),
}
_CAPACITIES: Mapping[str, tuple[str, ...]] = {
    "memory": ("80Gi", "40G", "0", "1"),
    "cores": ("100", "7", "1k"),
    "fraction": ("1500m", "0.1"),
    "none": ("0",),
}
# What another driver, or a careless one, publishes under the same name.
_OTHER_KINDS = (*_ATTRIBUTES.values(),)


def random_device(draw: random.Random) -> Device:
    """A device that publishes most of the names, sometimes as another kind or in another domain."""
    driver = draw.choice((DOMAIN, DOMAIN, DOMAIN, "other.example.com"))
    kept = draw.choice((1.0, 0.8, 0.5, 0.0))
    attributes = {
        _qualified(name, driver, draw): (drawn if draw.random() < 0.9 else draw.choice(_OTHER_KINDS))(draw)
        for name, drawn in {**_ATTRIBUTES, "maybe": draw.choice(_OTHER_KINDS)}.items()
        if draw.random() < kept
    }
    capacity = {
        _qualified(name, driver, draw): {"value": draw.choice(values)}
        for name, values in _CAPACITIES.items()
        if draw.random() < kept
    }
    device: dict[str, Any] = {"driver": driver, "attributes": attributes, "capacity": capacity}
    if draw.random() < 0.3:
        device["allowMultipleAllocations"] = draw.random() < 0.7
    return device


def _qualified(name: str, driver: str, draw: random.Random) -> str:
    """Mostly a name that ends up in DOMAIN, bare where the driver's own domain is that."""
    if draw.random() < 0.1:
        return f"other.example.com/{name}"
    return name if driver == DOMAIN and draw.random() < 0.8 else f"{DOMAIN}/{name}"


def shape_of(device: Device) -> DeviceShape:
    """The device as the program reads it from a ResourceSlice."""
    entry = {name: value for name, value in device.items() if name != "driver"} | {"name": "one"}
    read = read_object(
        {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceSlice",
            "metadata": {"name": "slice"},
            "spec": {
                "driver": device["driver"],
                "nodeName": "node",
                "pool": {"name": "pool", "generation": 1, "resourceSliceCount": 1},
                "devices": [entry],
            },
        }
    )
    assert isinstance(read, ResourceSlice)
    return read.devices[0].shape
