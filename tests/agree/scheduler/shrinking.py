"""Makes a world smaller that two sides answer differently. Owns what may be left out of one."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from agree.scheduler.differences import Difference
from agree.scheduler.world import Object, World

Path = tuple[str | int, ...]
Edit = tuple[Path, Any]  # a place, and what is to stand there; None for nothing
Find = Callable[[list[World]], Iterable[Difference]]

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


def shrunk(difference: Difference, find: Find) -> Difference:
    """The smallest world found with a difference of the same kind; ``find`` answers as ``differences`` does."""
    while (smaller := _smaller(difference, find)) is not None:
        difference = smaller
    return difference


def _smaller(difference: Difference, find: Find) -> Difference | None:
    missing = _missing_classes(difference.world)
    candidates = (each for each in _candidates(difference.world) if _is_sound(each, missing))
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
    for edit in edits:
        yield World.of(_changed(document, edit))
    devices = [edit for edit in edits if edit[0][-2:-1] == ("devices",) and edit[1] is None]
    counts = [(path, value - 1) for path, value in _counts(document, ()) if value > 1]
    for device, count in itertools.product(devices, counts):  # a request that needs all devices needs one less
        yield World.of(_changed(_changed(document, count), device))


def _changed(document: Mapping[str, Any], edit: Edit) -> dict[str, Any]:
    path, value = edit
    changed = copy.deepcopy(dict(document))
    place: Any = changed
    for step in path[:-1]:
        place = place[step]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return changed


def _counts(value: Any, path: Path) -> Iterator[Edit]:
    """The counts of requests, and where they are."""
    if isinstance(value, dict) and "count" in value:
        yield (*path, "count"), value["count"]
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in parts:
        yield from _counts(each, (*path, key))


def _without_slice(document: Mapping[str, Any], number: int, gone: Object) -> dict[str, Any]:
    """The pool is told, so that it stays as complete as it was."""
    changed = copy.deepcopy(dict(document))
    del changed["slices"][number]
    pool = gone["spec"]["pool"]
    for each in changed["slices"]:
        if each["spec"]["driver"] == gone["spec"]["driver"] and each["spec"]["pool"] == pool:
            each["spec"]["pool"]["resourceSliceCount"] = max(1, pool["resourceSliceCount"] - 1)
    return changed


def _edits(value: Any, path: Path) -> Iterator[Edit]:
    """All single changes."""
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


def _simpler(value: Object, path: Path) -> Iterator[Edit]:
    if not path:
        return
    if value.get("count", 1) > 1:
        yield (*path, "count"), 1
    if "bindingConditions" in value:
        yield path, {key: part for key, part in value.items() if not key.startswith("binding")}
    if "firstAvailable" in value and len(value["firstAvailable"]) == 1:
        only = {key: part for key, part in value["firstAvailable"][0].items() if key != "name"}
        yield path, {"name": value["name"], "exactly": only}
    if path[0] == "slices":
        yield from _wider(value, path)
    if "requests" in value and isinstance(value["requests"], dict):
        for key in value["requests"] if len(value["requests"]) > 1 else ():
            yield (*path, "requests", key), None


def _wider(value: Object, path: Path) -> Iterator[Edit]:
    """A slice or device that every node reaches."""
    for target in ("nodeName", "nodeSelector"):
        if target in value:
            yield path, {key: part for key, part in value.items() if key != target} | {"allNodes": True}
    if "perDeviceNodeSelection" in value:
        own = ("nodeName", "nodeSelector", "allNodes")
        devices = [{key: part for key, part in each.items() if key not in own} for each in value.get("devices", ())]
        rest = {key: part for key, part in value.items() if key != "perDeviceNodeSelection"}
        yield path, rest | {"allNodes": True, "devices": devices}


def _missing_classes(world: World) -> set[str]:
    known = {each["metadata"]["name"] for each in world.classes}
    requests = [request for each in world.claims for request in each["spec"]["devices"]["requests"]]
    return {part["deviceClassName"] for request in requests for part in _parts(request)} - known


def _parts(request: Object) -> list[Object]:
    return request.get("firstAvailable") or [request["exactly"]]


def _is_sound(world: World, missing: set[str]) -> bool:
    """Whether the API server would still take it, as far as leaving things out can spoil that.

    No other class may be missing than before.
    """
    return (
        bool(world.nodes and world.claims)
        and _missing_classes(world) <= missing
        and all(map(_holds_together, world.slices))
        and all(map(_claim_is_sound, world.claims))
        and all(each["spec"]["devices"]["requests"] for each in world.held)
    )


def _holds_together(published: Object) -> bool:
    whole = (each for each in published["spec"].get("devices", ()) if not each.get("allowMultipleAllocations"))
    return not any("requestPolicy" in capacity for each in whole for capacity in each.get("capacity", {}).values())


def _claim_is_sound(claim: Object) -> bool:
    devices = claim["spec"]["devices"]
    names = set()
    for request in devices["requests"]:
        names |= {request["name"]} | {f"{request['name']}/{part.get('name')}" for part in _parts(request)}
    return all(names.issuperset(each.get("requests", ())) for each in devices.get("constraints", ()))
