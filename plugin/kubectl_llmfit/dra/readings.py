"""What an expression can read of a device, as a key: equal keys, equal results.

Owns how paths into ``device`` are looked up in a device as published. Must not evaluate.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping

from ..api.values import Capacity, DeviceShape
from ..cel import Quantity

Reading = Callable[[DeviceShape], Hashable]

_ABSENT = object()
_TRUE, _FALSE = object(), object()


def readings(paths: Iterable[tuple[str, ...]], driver: str) -> tuple[Reading, ...]:
    """One function per path (its first name is ``device``) for the devices of one driver."""
    found = (_reading(path[1:], driver) for path in sorted(paths))
    return tuple(reading for reading in found if reading is not None)


def domain_and_name(name: str, driver: str) -> tuple[str, str]:
    """Where an attribute or capacity stands in CEL; a bare name belongs to the driver (parseQualifiedName)."""
    domain, slash, identifier = name.partition("/")
    return (domain, identifier) if slash else (driver, name)


def _reading(path: tuple[str, ...], driver: str) -> Reading | None:
    match path:
        case ():
            return _everything
        case ("allowMultipleAllocations", *_):
            return lambda shape: shape.allow_multiple_allocations
        case ("attributes" | "capacity" as field,):
            return lambda shape: _whole(_entries(shape, field))
        case ("attributes" | "capacity" as field, domain):
            return lambda shape: _domain(_entries(shape, field), domain, driver)
        case ("attributes" | "capacity" as field, domain, identifier, *_):
            bare = identifier if domain == driver else None
            return _entry(field, f"{domain}/{identifier}", bare)
    return None  # the driver, which is the same for all these devices


def _entry(field: str, full: str, bare: str | None) -> Reading:
    def read(shape: DeviceShape) -> Hashable:
        entries = shape.attributes if field == "attributes" else shape.capacity
        value: object = entries.get(full, _ABSENT)
        if value is _ABSENT and bare is not None:
            value = entries.get(bare, _ABSENT)
        return _key(value)

    return read


def _everything(shape: DeviceShape) -> Hashable:
    return shape.allow_multiple_allocations, _whole(shape.attributes), _whole(shape.capacity)


def _entries(shape: DeviceShape, field: str) -> Mapping[str, object]:
    return shape.attributes if field == "attributes" else shape.capacity


def _whole(entries: Mapping[str, object]) -> Hashable:
    return tuple((name, _key(value)) for name, value in entries.items())


def _domain(entries: Mapping[str, object], domain: str, driver: str) -> Hashable:
    return tuple((n, _key(v)) for n, v in entries.items() if domain_and_name(n, driver)[0] == domain)


def _key(value: object) -> Hashable:
    """A value with its type: true is not 1, and quantities of one value may differ in asInteger()."""
    if isinstance(value, Capacity):
        value = value.value
    if isinstance(value, Quantity):
        return value.mantissa, value.exponent, value.is_int64
    if isinstance(value, bool):
        return _TRUE if value else _FALSE
    if isinstance(value, tuple):
        return tuple(_key(entry) for entry in value)
    return value
