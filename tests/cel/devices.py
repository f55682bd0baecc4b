"""Devices for the tests of the engine, and the variable ``device`` as selectors know it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kubectl_llmfit.cel import (
    ANY,
    BOOL,
    DYN,
    QUANTITY,
    STRING,
    DefaultMap,
    Environment,
    Extent,
    MapType,
    ObjectType,
    Quantity,
    Semver,
)

# The greatest sizes that the API allows: domains, names, values, entries of a device.
_ATTRIBUTES = Extent(32, keys=Extent(32), elements=Extent(64), open_fields=True)
_CAPACITY = Extent(32, keys=Extent(32), elements=Extent())
_EXTENT = Extent(
    fields={
        "driver": Extent(63),
        "allowMultipleAllocations": Extent(1),
        "attributes": Extent(32, keys=Extent(63), elements=_ATTRIBUTES),
        "capacity": Extent(32, keys=Extent(63), elements=_CAPACITY),
    }
)


def environment(stored: bool = False, limited: bool = False) -> Environment:
    """Selectors over one device, as Kubernetes 1.37 compiles new or stored ones; whatever they cost, unless limited."""
    value = DYN if stored else ANY
    fields = {
        "driver": STRING,
        "attributes": MapType(STRING, MapType(STRING, value)),
        "capacity": MapType(STRING, MapType(STRING, QUANTITY)),
        "allowMultipleAllocations": BOOL,
    }
    kind = ObjectType("kubernetes.DRADevice", fields)
    return Environment({"device": kind}, stored=stored, extents={"device": _EXTENT}, limited=limited)


def variables(device: Mapping[str, Any]) -> dict[str, object]:
    """The variables for a device written as the API writes one."""
    driver = device["driver"]
    attributes = {name: _attribute(value) for name, value in device.get("attributes", {}).items()}
    capacity = {name: Quantity.parse(entry["value"]) for name, entry in device.get("capacity", {}).items()}
    value = {
        "driver": driver,
        "allowMultipleAllocations": bool(device.get("multi")),
        "attributes": _by_domain(driver, attributes),
        "capacity": _by_domain(driver, capacity),
    }
    return {"device": value}


def device(attributes: Mapping[str, Any] | None = None, capacity: Mapping[str, str] | None = None) -> dict[str, object]:
    """The variables for a device of driver ``d`` with plain values as attributes."""
    value = {
        "driver": "d",
        "allowMultipleAllocations": False,
        "attributes": DefaultMap({"d": dict(attributes)} if attributes else {}, {}),
        "capacity": DefaultMap(
            {"d": {name: Quantity.parse(text) for name, text in capacity.items()}} if capacity else {}, {}
        ),
    }
    return {"device": value}


def _attribute(value: Mapping[str, Any]) -> object:
    ((kind, content),) = value.items()
    if kind == "version":
        return Semver.parse(content)
    if kind == "versions":
        return [Semver.parse(text) for text in content]
    return content


def _by_domain(driver: str, entries: Mapping[str, object]) -> DefaultMap:
    domains: dict[str, dict[str, object]] = {}
    for name, value in entries.items():
        domain, _, identifier = name.rpartition("/")
        domains.setdefault(domain or driver, {})[identifier] = value
    return DefaultMap(domains, {})
