"""Worlds about what a device must be like: class and request selectors, and when one raises an error."""

from __future__ import annotations

from typing import Any

from live.objects import (
    CAPACITY,
    CLASS,
    DRIVER,
    SCOPE,
    Object,
    Version,
    claim,
    device,
    device_class,
    node,
    on_node,
    open_class,
    request,
    resource_slice,
)
from live.worlds import ERROR, NO_FIT, Expected, World, fits

ENOUGH_MEMORY = f'"memory" in {CAPACITY} && {CAPACITY}.memory.compareTo(quantity("18Gi")) >= 0'
UNGUARDED = f'{SCOPE}.zone == "east"'
GUARDED = f'"zone" in {SCOPE} && {UNGUARDED}'


def on_a(*devices: Object) -> Object:
    """The slice of node a."""
    return resource_slice("a-gpus", on_node("a"), *devices)


def on_b(*devices: Object) -> Object:
    """The slice of node b."""
    return resource_slice("b-gpus", on_node("b"), *devices)


def asked_of(expression: str, expected: Expected, *devices: Object) -> World:
    """One selector, the devices of one node."""
    return World(claim(request("gpu", expression)), {"a": expected}, [on_a(*devices)])


def only(expression: str, expected: Expected, **values: Any) -> World:
    """One selector, one device with these attributes."""
    return asked_of(expression, expected, device("gpu-0", **values))


LACKS_ZONE = [on_a(device("gpu-0", zone="east")), on_b(device("gpu-0"))]

CASES: dict[str, World] = {
    "memory is enough on one node and short on another": World(
        claim(request("gpu", ENOUGH_MEMORY)),
        {"a": fits("gpu-0"), "b": NO_FIT},
        [on_a(device("gpu-0", memory="24Gi")), on_b(device("gpu-0", memory="16Gi"))],
    ),
    "the first device that matches is taken, not the best": asked_of(
        ENOUGH_MEMORY,
        fits("gpu-1"),
        device("gpu-0", memory="16Gi"),
        device("gpu-1", memory="80Gi"),
        device("gpu-2", memory="18Gi"),
    ),
    "equal memory is enough in any unit": asked_of(ENOUGH_MEMORY, fits("gpu-0"), device("gpu-0", memory="19327352832")),
    "a byte less is not enough": asked_of(ENOUGH_MEMORY, NO_FIT, device("gpu-0", memory="19327352831")),
    "a device without the capacity does not match a guarded selector": asked_of(
        ENOUGH_MEMORY, NO_FIT, device("gpu-0", memory=None, zone="east")
    ),
    "two requirements in one selector": World(
        claim(request("gpu", f"{ENOUGH_MEMORY} && {GUARDED}")),
        {"a": NO_FIT, "b": fits("gpu-1")},
        [
            on_a(device("gpu-0", zone="west"), device("gpu-1", memory="8Gi", zone="east")),
            on_b(device("gpu-0"), device("gpu-1", zone="east")),
        ],
    ),
    "all selectors of a request must hold": World(
        claim(request("gpu", ENOUGH_MEMORY, GUARDED)),
        {"a": NO_FIT, "b": fits("gpu-0")},
        [on_a(device("gpu-0", zone="west")), on_b(device("gpu-0", zone="east"))],
    ),
    "all selectors of a class must hold": World(
        claim(request("gpu")),
        {"a": NO_FIT, "b": fits("gpu-0")},
        [on_a(device("gpu-0", memory="8Gi")), on_b(device("gpu-0"))],
        classes=[device_class(CLASS, f'device.driver == "{DRIVER}"', ENOUGH_MEMORY)],
    ),
    "a selector that raises on one of two nodes fails the whole pod": World(
        claim(request("gpu", UNGUARDED)), {"a": fits("gpu-0"), "b": ERROR}, LACKS_ZONE
    ),
    "with that node cordoned it does not": World(
        claim(request("gpu", UNGUARDED)),
        {"a": fits("gpu-0"), "b": ERROR},
        LACKS_ZONE,
        [node("a"), node("b", cordoned=True)],
    ),
    "a guarded lookup does not raise": World(
        claim(request("gpu", GUARDED)), {"a": fits("gpu-0"), "b": NO_FIT}, LACKS_ZONE
    ),
    "has guards as well": World(
        claim(request("gpu", f"has({SCOPE}.zone) && {UNGUARDED}")), {"a": fits("gpu-0"), "b": NO_FIT}, LACKS_ZONE
    ),
    "a guard after its use does not help": asked_of(
        # false && error is false: the guard is false where the lookup raises
        f'{UNGUARDED} && "zone" in {SCOPE}',
        NO_FIT,
        device("gpu-0"),
    ),
    "an optional lookup has its default": World(
        claim(request("gpu", f'{SCOPE}.?zone.orValue("east") == "east"')),
        {"a": fits("gpu-0"), "b": NO_FIT},
        [on_a(device("gpu-0")), on_b(device("gpu-0", zone="west"))],
    ),
    "a device that would raise is not reached after one that matches": asked_of(
        UNGUARDED, fits("gpu-0"), device("gpu-0", zone="east"), device("gpu-1")
    ),
    "a device that raises comes before one that matches": asked_of(
        UNGUARDED, ERROR, device("gpu-0"), device("gpu-1", zone="east")
    ),
    "an error is swallowed by or-true": only(f'{UNGUARDED} || device.driver == "{DRIVER}"', fits("gpu-0")),
    "an error is not swallowed by or-false": only(f'device.driver == "x" || {UNGUARDED}', ERROR),
    "an error is not swallowed by and-true": only(f'device.driver == "{DRIVER}" && {UNGUARDED}', ERROR),
    "an unknown domain reads as empty": only('device.attributes["nope.example.com"].zone == "east"', ERROR),
    "an unknown domain is not in the map": only('"nope.example.com" in device.attributes', NO_FIT),
    "an unknown domain reads as an empty optional map": only(
        'device.attributes[?"nope.example.com"].hasValue()', fits("gpu-0")
    ),
    "domains can be searched": only(f'device.attributes.exists(d, d == "{DRIVER}")', fits("gpu-0"), zone="east"),
    "a version is no string": only(f'{SCOPE}.firmware == "1.2.0"', ERROR, firmware=Version("1.2.0")),
    "versions compare by precedence": World(
        claim(request("gpu", f'{SCOPE}.firmware.compareTo(semver("1.10.0")) >= 0')),
        {"a": NO_FIT, "b": fits("gpu-0")},
        [on_a(device("gpu-0", firmware=Version("1.9.0"))), on_b(device("gpu-0", firmware=Version("1.10.0")))],
    ),
    "a pre-release is older than its release": only(
        f'{SCOPE}.firmware.isLessThan(semver("2.0.0"))', fits("gpu-0"), firmware=Version("2.0.0-rc.1")
    ),
    "a true attribute is a selector": only(f"{SCOPE}.healthy", fits("gpu-0"), healthy=True),
    "a false attribute does not match": only(f"{SCOPE}.healthy", NO_FIT, healthy=False),
    "a string is no answer": only(f"{SCOPE}.healthy", ERROR, healthy="true"),
    "a number is not the string of it": only(f'{SCOPE}.cores == "8"', NO_FIT, cores=8),
    "a string does not compare with a number": only(f"{SCOPE}.cores > 4", ERROR, cores="8"),
    "a whole number equals its double": only(f"{SCOPE}.cores == 8.0", fits("gpu-0"), cores=8),
    "a quantity equals by value": only(f'{CAPACITY}.memory == quantity("24576Mi")', fits("gpu-0")),
    "a list holds the product": only(f'{SCOPE}.product in ["L4", "L40S"]', fits("gpu-0"), product="L40S"),
    "the class shields the request selector": World(
        claim(request("gpu", UNGUARDED)),
        {"a": fits("gpu-0")},
        [
            on_a(device("gpu-0", zone="east")),
            resource_slice("a-nics", on_node("a"), device("nic-0"), driver="a.example.com"),
        ],
    ),
    "a class without selectors does not shield": World(
        claim(request("gpu", UNGUARDED, of_class="any")),
        {"a": ERROR},
        [
            on_a(device("gpu-0", zone="east")),
            resource_slice("a-nics", on_node("a"), device("nic-0"), driver="a.example.com"),
        ],
        classes=[open_class("any")],
    ),
    "a false class selector comes before one that raises": World(
        claim(request("gpu")),
        {"a": NO_FIT},
        [on_a(device("gpu-0"))],
        classes=[device_class(CLASS, 'device.driver == "other.example.com"', UNGUARDED)],
    ),
    "a class selector that raises": World(
        claim(request("gpu")), {"a": ERROR}, [on_a(device("gpu-0"))], classes=[device_class(CLASS, UNGUARDED)]
    ),
    "an attribute under a domain of its own": only(
        'device.attributes["resource.kubernetes.io"].pcieRoot == "pci0000:00"',
        fits("gpu-0"),
        **{"resource.kubernetes.io/pcieRoot": "pci0000:00"},
    ),
    "an attribute qualified with the driver is the driver's": only(
        UNGUARDED, fits("gpu-0"), **{f"{DRIVER}/zone": "east"}
    ),
    "the class of a request is missing": World(
        claim(request("gpu", of_class="missing.example.com")),
        {"a": NO_FIT, "b": NO_FIT},
        [on_a(device("gpu-0")), on_b(device("gpu-0"))],
    ),
    "the class of a later request is missing": World(
        claim(request("gpu"), request("nic", of_class="missing.example.com")),
        {"a": NO_FIT},
        [on_a(device("gpu-0"), device("gpu-1"))],
    ),
}
