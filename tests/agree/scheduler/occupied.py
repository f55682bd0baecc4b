"""Who holds devices of a world already: allocated claims of any namespace, whole devices, shares, admin access."""

from __future__ import annotations

import random
from collections.abc import Iterator

from agree.scheduler.asked import ADMIN_NAMESPACE, claim
from agree.scheduler.published import LONG_AGO, Traits
from agree.scheduler.world import Object

OTHER_NAMESPACE = "team-a"


def held(draw: random.Random, traits: Traits, published: list[Object]) -> list[Object]:
    """Claims with one or two results each."""
    results = [
        result
        for each in published
        for device in each["spec"].get("devices", ())
        for result in _results(draw, traits, each["spec"], device)
    ]
    if draw.random() < 0.1 and results:
        results.append(results[0] | {"device": "gone"})
    claims = []
    while results:
        taken = [results.pop() for _ in range(min(len(results), draw.choice((1, 1, 2))))]
        claims.append(_holding(f"held{len(claims)}", taken))
    return claims


def _results(draw: random.Random, traits: Traits, spec: Object, device: Object) -> Iterator[Object]:
    result = {"request": "held", "driver": spec["driver"], "pool": spec["pool"]["name"], "device": device["name"]}
    shareable = device.get("allowMultipleAllocations", False)
    if shareable or (traits.shares and draw.random() < 0.05):
        for _ in range(draw.choice((0, 0, 1, 1, 2) if draw.random() < max(0.3, traits.tight) else (0,))):
            yield result | _share(draw, traits, device)
    if draw.random() < (0.04 if shareable else 0.25) * max(0.15, traits.tight):
        yield result | ({"adminAccess": True} if draw.random() < 0.15 else {})


def _share(draw: random.Random, traits: Traits, device: Object) -> Object:
    """An identity and, for all, some or none of the capacities, what is consumed of them."""
    share: Object = {"shareID": f"{draw.getrandbits(32):08x}-0000-4000-8000-{draw.getrandbits(48):012x}"}
    names = [
        name for name in (*device.get("capacity", ()), "unknown") if draw.random() < (0.1 if name == "unknown" else 0.9)
    ]
    if names:
        share["consumedCapacity"] = {name: traits.unit.text(draw.choice((0, 1, 2, 4, 8)), draw) for name in names}
    return share


def _holding(name: str, results: list[Object]) -> Object:
    admin = any("adminAccess" in each for each in results)
    exactly = {"deviceClassName": "c0", "allocationMode": "ExactCount", "count": len(results)}
    request = {"name": "held", "exactly": exactly | ({"adminAccess": True} if admin else {})}
    made = claim(name, [request], [], ADMIN_NAMESPACE if admin else OTHER_NAMESPACE)
    allocation = {"devices": {"results": results}, "allocationTimestamp": LONG_AGO}
    return made | {"status": {"allocation": allocation}}
