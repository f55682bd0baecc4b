"""Worlds about the limit of 32 devices for a claim, and what the search does when an alternative exceeds it.

There are more devices than any claim can take, all alike, and alternatives that can never be met stand only behind
small requests: so the search stays small although there are many devices.
"""

from __future__ import annotations

import random

from agree.scheduler.asked import claim, device_class
from agree.scheduler.published import API_VERSION
from agree.scheduler.selecting import DRIVERS
from agree.scheduler.world import Object, World

_NEVER = {"cel": {"expression": "false"}}


def limit_world(draw: random.Random) -> World:
    """One claim for whole devices, or one or two for devices that can be shared."""
    shareable = draw.random() < 0.4
    count = draw.choice((33, 34))
    devices: list[Object] = [{"name": f"d{number}"} for number in range(count)]
    if shareable:
        devices = [each | {"allowMultipleAllocations": True} for each in devices]
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1", "labels": {}}}
    names = ("claim0", "claim1")[: draw.choice((1, 2)) if shareable else 1]
    return World(
        nodes=[node],
        slices=_cut(draw, devices),
        classes=[device_class("c0", [])],
        claims=[claim(name, _requests(draw, first=not place), []) for place, name in enumerate(names)],
        held=[],
    )


def _cut(draw: random.Random, devices: list[Object]) -> list[Object]:
    """In one slice, or in two, or 32 of the devices in a pool and the others in one that is incomplete."""
    at = draw.choice((len(devices), len(devices), 20, 32))
    complete = draw.random() < 0.8
    groups = [group for group in (devices[:at], devices[at:]) if group]
    slices = []
    for number, group in enumerate(groups):
        name, missing = ("p1", 0) if complete else (f"p{number}", number)
        pool = {"name": name, "generation": 1, "resourceSliceCount": len(groups) if complete else 1 + missing}
        spec = {"driver": DRIVERS[0], "pool": pool, "allNodes": True, "devices": group}
        metadata = {"name": f"s{number}"}
        slices.append({"apiVersion": API_VERSION, "kind": "ResourceSlice", "metadata": metadata, "spec": spec})
    # of an incomplete pool nothing is taken, and 20 devices alone would make the search large
    return slices if complete or at >= 32 else _cut(draw, devices)


def _requests(draw: random.Random, *, first: bool) -> list[Object]:
    requests: list[Object] = []
    most = 0 if first else 32  # devices of the requests so far
    for number in range(draw.choice((1, 2, 2, 3, 3))):
        alternatives = [_alternative(draw, may_fail=most <= 2) for _ in range(draw.choice((1, 1, 2, 3)))]
        most += max(part.get("count", 32) for part in alternatives)
        if len(alternatives) == 1:
            requests.append({"name": f"r{number}", "exactly": alternatives[0]})
        else:
            named = [{"name": f"s{place}"} | part for place, part in enumerate(alternatives)]
            requests.append({"name": f"r{number}", "firstAvailable": named})
    return requests


def _alternative(draw: random.Random, *, may_fail: bool) -> Object:
    part: Object = {"deviceClassName": "c0"}
    if draw.random() < 0.15:
        part["allocationMode"] = "All"
    else:
        part |= {"allocationMode": "ExactCount", "count": draw.choice((1, 1, 2, 10, 15, 20, 29, 30, 31, 32))}
    if may_fail and draw.random() < 0.2:
        part["selectors"] = [_NEVER]
    return part
