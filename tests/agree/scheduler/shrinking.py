"""Makes a world smaller that two sides answer differently. Owns what may be left out of one."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

from agree.scheduler.differences import Difference
from agree.scheduler.world import Object, World

Find = Callable[[list[World]], list[Difference]]

_BATCH = 60
# Of an object these may go without making the API server refuse it.
_OPTIONAL = {
    *("attributes", "capacity", "taints", "tolerations", "selectors", "constraints", "consumesCounters", "labels"),
    *("allowMultipleAllocations", "requestPolicy", "max", "step", "adminAccess", "bindsToNode", "deviceSelector"),
    "consumedCapacity",
}
# Of these each entry may go.
_TABLES = {"gates", "attributes", "capacity", "labels", "deviceSelector", "consumedCapacity"}
# Lists that may become empty, and all that may become shorter.
_EMPTY_LISTS = {"slices", "held", "rules", "selectors", "constraints", "taints", "tolerations"}
_LISTS = _EMPTY_LISTS | {
    *("nodes", "classes", "claims", "devices", "requests", "firstAvailable", "results", "consumesCounters"),
    *("validValues", "sharedCounters"),
}
_TARGETS = ("nodeName", "nodeSelector")


def shrunk(difference: Difference, find: Find) -> Difference:
    """The smallest world found with a difference of the same kind; ``find`` answers as ``differences`` does."""
    while (smaller := _smaller(difference, find)) is not None:
        difference = smaller
    return difference


def _smaller(difference: Difference, find: Find) -> Difference | None:
    candidates = (each for each in _candidates(difference.world) if _is_sound(each))
    while batch := list(islice(candidates, _BATCH)):
        for found in find(batch):
            if found.kind == difference.kind:
                return found
    return None


def _candidates(world: World) -> Iterator[World]:
    """Every world that has one thing less; big things first."""
    document = world.document()
    for number, each in enumerate(document["slices"]):
        yield World.of(_without_slice(document, number, each))
    edits = sorted(_edits(document, ()), key=lambda edit: len(edit[0]))
    for path, value in edits:
        changed = copy.deepcopy(document)
        place: Any = changed
        for step in path[:-1]:
            place = place[step]
        if value is None:
            del place[path[-1]]
        else:
            place[path[-1]] = value
        yield World.of(changed)


def _without_slice(document: Mapping[str, Any], number: int, gone: Object) -> dict[str, Any]:
    """The pool is told, so that it stays as complete as it was."""
    changed = copy.deepcopy(dict(document))
    del changed["slices"][number]
    pool = gone["spec"]["pool"]
    for each in changed["slices"]:
        if each["spec"]["driver"] == gone["spec"]["driver"] and each["spec"]["pool"] == pool:
            each["spec"]["pool"]["resourceSliceCount"] = max(1, pool["resourceSliceCount"] - 1)
    return changed


Path = tuple[str | int, ...]


def _edits(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """Places to change, and what to put there; None to leave it out."""
    name = next((step for step in reversed(path) if isinstance(step, str)), "")
    if isinstance(value, list):
        if name in _LISTS and (len(value) > 1 or name in _EMPTY_LISTS):
            yield from (((*path, place), None) for place in range(len(value)))
        for place, each in enumerate(value):
            yield from _edits(each, (*path, place))
    elif isinstance(value, dict):
        is_table = bool(path) and path[-1] in _TABLES
        for key, each in value.items():
            if key in _OPTIONAL or is_table or (path[-1:] == ("counters",) and len(value) > 1):
                yield (*path, key), None
            yield from _edits(each, (*path, key))
        yield from _simpler(value, path)


def _simpler(value: Object, path: Path) -> Iterator[tuple[Path, Any]]:
    if not path:
        return
    if value.get("count", 1) > 1:
        yield (*path, "count"), 1
    if "bindingConditions" in value:
        yield path, {key: part for key, part in value.items() if not key.startswith("binding")}
    if "firstAvailable" in value and len(value["firstAvailable"]) == 1:
        only = {key: part for key, part in value["firstAvailable"][0].items() if key != "name"}
        yield path, {"name": value["name"], "exactly": only}
    for target in _TARGETS:
        if target in value and ("driver" in value or "perDeviceNodeSelection" not in value):
            yield path, {key: part for key, part in value.items() if key != target} | {"allNodes": True}
    if "requests" in value and isinstance(value["requests"], dict):
        for key in value["requests"] if len(value["requests"]) > 1 else ():
            yield (*path, "requests", key), None


def _is_sound(world: World) -> bool:
    """Whether the API server would still take it, as far as leaving things out can spoil that."""
    if not (world.nodes and world.claims):
        return False
    known = {each["metadata"]["name"] for each in world.classes}
    return (
        all(map(_holds_together, world.slices))
        and all(_claim_is_sound(each, known) for each in world.claims)
        and all(each["spec"]["devices"]["requests"] for each in world.held)
    )


def _holds_together(published: Object) -> bool:
    devices = published["spec"].get("devices", ())
    whole = (each for each in devices if not each.get("allowMultipleAllocations"))
    policies = any("requestPolicy" in capacity for each in whole for capacity in each.get("capacity", {}).values())
    return not policies and (bool(devices) or "sharedCounters" in published["spec"])


def _claim_is_sound(claim: Object, known: set[str]) -> bool:
    devices = claim["spec"]["devices"]
    names = set()
    for request in devices["requests"]:
        parts = request.get("firstAvailable") or [request["exactly"]]
        names |= {request["name"]} | {f"{request['name']}/{part.get('name')}" for part in parts}
        if any(part["deviceClassName"] not in known for part in parts):
            return False
    return all(names.issuperset(each.get("requests", ())) for each in devices.get("constraints", ()))
