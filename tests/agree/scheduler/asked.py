"""What the pod of a world asks for: classes, and claims with every kind of request and constraint."""

from __future__ import annotations

import random

from agree.scheduler.amounts import asked_amount
from agree.scheduler.published import API_VERSION, Traits
from agree.scheduler.selecting import COMMON, DRIVERS, selectors
from agree.scheduler.world import Object

CLASSES = ("c0", "c1", "c2")
NAMESPACE, ADMIN_NAMESPACE = "default", "admins"
MOST_DEVICES = (1, 2, 2, 3, 5)  # of all claims together, so that the search stays small


def classes(draw: random.Random, traits: Traits) -> list[Object]:
    """Three classes, one of them for everything."""
    return [
        device_class(name, _selectors(draw, traits, (0, 1, 1, 2) if place else (0,)))
        for place, name in enumerate(CLASSES)
    ]


def device_class(name: str, selecting: list[Object]) -> Object:
    """A class with these selectors."""
    spec = {"selectors": selecting} if selecting else {}
    return {"apiVersion": API_VERSION, "kind": "DeviceClass", "metadata": {"name": name}, "spec": spec}


def claims(draw: random.Random, traits: Traits) -> list[Object]:
    """One to three claims in one namespace: with admin access the one whose label allows it."""
    left = draw.choice(MOST_DEVICES)
    made = []
    for number in range(draw.choice((1, 1, 1, 1, 2, 3))):
        if left <= 0:
            break
        requests = _requests(draw, traits, left) if draw.random() < 0.99 else []
        left -= sum(map(_most, requests))
        made.append(
            claim(f"claim{number}", requests, _constraints(draw, requests) if traits.constraints and requests else [])
        )
    admin = any("adminAccess" in each.get("exactly", {}) for one in made for each in one["spec"]["devices"]["requests"])
    for each in made:
        each["metadata"]["namespace"] = ADMIN_NAMESPACE if admin else NAMESPACE
    return made


def claim(name: str, requests: list[Object], constraints: list[Object], namespace: str = NAMESPACE) -> Object:
    """A claim that is not allocated."""
    devices: Object = {"requests": requests} | ({"constraints": constraints} if constraints else {})
    metadata = {"name": name, "namespace": namespace}
    return {"apiVersion": API_VERSION, "kind": "ResourceClaim", "metadata": metadata, "spec": {"devices": devices}}


def _most(request: Object) -> int:
    """The most devices a request may take, counting an All as two."""
    parts = request["firstAvailable"] if "firstAvailable" in request else [request["exactly"]]
    return max(part.get("count", 2) for part in parts)


def _requests(draw: random.Random, traits: Traits, left: int) -> list[Object]:
    made: list[Object] = []
    for number in range(draw.choice((1, 1, 1, 2, 2, 3))):
        request = _request(draw, traits, f"r{number}")
        if made and sum(map(_most, made)) + _most(request) > left:
            break
        made.append(request)
    return made


def _request(draw: random.Random, traits: Traits, name: str) -> Object:
    if traits.alternatives and draw.random() < 0.6:
        count = draw.choice((1, 2, 2, 3))
        return {"name": name, "firstAvailable": [{"name": f"s{i}"} | _part(draw, traits) for i in range(count)]}
    exactly = _part(draw, traits)
    if traits.admin and draw.random() < 0.4:
        exactly["adminAccess"] = True
    return {"name": name, "exactly": exactly}


def _part(draw: random.Random, traits: Traits) -> Object:
    """An exact request, or an alternative without its name."""
    part: Object = {"deviceClassName": draw.choice((*CLASSES, "c0"))}
    if selecting := _selectors(draw, traits, (0, 0, 1, 1, 2)):
        part["selectors"] = selecting
    if traits.everything and draw.random() < 0.35:
        part["allocationMode"] = "All"
    else:
        part |= {"allocationMode": "ExactCount", "count": _count(draw)}
    if traits.taints and draw.random() < 0.5:
        part["tolerations"] = [_toleration(draw) for _ in range(draw.choice((1, 1, 2)))]
    if traits.capacity and draw.random() < 0.7:
        names = draw.choice((("memory",), ("memory",), ("slots",), ("memory", "slots"), ("a.example.com/memory",)))
        part["capacity"] = {"requests": {name: asked_amount(draw, traits.unit, traits.tight) for name in names}}
    return part


def _selectors(draw: random.Random, traits: Traits, counts: tuple[int, ...]) -> list[Object]:
    count = draw.choice(counts) or int(draw.random() < traits.raising)
    return selectors(draw, count, tight=traits.tight, raising=traits.raising)


def _count(draw: random.Random) -> int:
    return 33 if draw.random() < 0.004 else draw.choice((1, 1, 1, 1, 1, 2, 2, 3))


def _toleration(draw: random.Random) -> Object:
    toleration: Object = {}
    if draw.random() < 0.75:
        toleration["key"] = draw.choice(("k", "example.com/l"))
    toleration["operator"] = "Equal" if toleration and draw.random() < 0.6 else "Exists"
    if toleration["operator"] == "Equal" and draw.random() < 0.6:
        toleration["value"] = "v"
    if draw.random() < 0.4:
        toleration["effect"] = draw.choice(("NoSchedule", "NoExecute", "None"))
    return toleration


def _constraints(draw: random.Random, requests: list[Object]) -> list[Object]:
    names = []
    for request in requests:
        subs = [f"{request['name']}/{each['name']}" for each in request.get("firstAvailable", ())]
        names += [request["name"], *subs]
    return [_constraint(draw, names) for _ in range(draw.choice((1, 1, 2)))]


def _constraint(draw: random.Random, names: list[str]) -> Object:
    domain = draw.choice((*DRIVERS, DRIVERS[0], COMMON))
    attribute = f"{domain}/{draw.choice((*4 * ('group',), 'model', 'index', 'version'))}"
    made: Object = {draw.choice(("matchAttribute", "distinctAttribute")): attribute}
    if draw.random() < 0.5:
        made["requests"] = draw.sample(names, draw.randint(1, len(names)))
    return made
