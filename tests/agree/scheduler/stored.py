"""Worlds as an older Kubernetes stores them: without the fields of features that are off by default there.

What its API server would refuse without those fields is made into the nearest that it takes. Source: DropDisabledFields
and dropDisabledFields of ``pkg/registry/resource`` and ``pkg/api/resourceclaimspec`` in the versions concerned.
"""

from __future__ import annotations

from agree.scheduler.world import Object, World
from oracle.scheduler import NEWEST

_LATER_DEVICE_FIELDS = (
    *("consumesCounters", "allowMultipleAllocations", "taints"),
    *("bindingConditions", "bindingFailureConditions", "bindsToNode", "nodeName", "nodeSelector", "allNodes"),
)
_GATES_1_36 = ("DRAConsumableCapacity", "DRADeviceBindingConditions", "DRAPartitionableDevices")


def as_stored(world: World, kubernetes: str) -> World:
    """The world in a cluster of that minor version. Taint rules are off before 1.37."""
    if kubernetes == NEWEST:
        return world
    document = world.document() | {"rules": []}
    if kubernetes == "1.36":
        document["gates"] = {name: on for name, on in world.gates.items() if name in _GATES_1_36}
        return World.of(document)
    for each in document["slices"]:
        each["spec"] = _slice_spec(each["spec"])
    for each in document["classes"]:
        _drop_later_selectors(each["spec"])
    for each in document["claims"]:
        _drop_later_requests(each["spec"]["devices"], keeps_distinct=kubernetes == "1.34")
    for each in document["held"]:
        for result in each["status"]["allocation"]["devices"]["results"]:
            result.pop("shareID", None)
            result.pop("consumedCapacity", None)
    return World.of(document | {"gates": {}})


def _slice_spec(spec: Object) -> Object:
    spec.pop("sharedCounters", None)  # what is left is an empty slice
    if spec.pop("perDeviceNodeSelection", False):
        spec["allNodes"] = True
    for device in spec.get("devices", ()):
        for name in _LATER_DEVICE_FIELDS:
            device.pop(name, None)
        for capacity in device.get("capacity", {}).values():
            capacity.pop("requestPolicy", None)
    return spec


def _drop_later_requests(devices: Object, *, keeps_distinct: bool) -> None:
    """1.34 means to drop distinctAttribute too, but changes a copy."""
    for request in devices["requests"]:
        for part in request.get("firstAvailable") or [request["exactly"]]:
            part.pop("capacity", None)
            part.pop("tolerations", None)
            _drop_later_selectors(part)
    constraints = devices.get("constraints", [])
    devices["constraints"] = [each for each in constraints if keeps_distinct or "matchAttribute" in each]


def _drop_later_selectors(selecting: Object) -> None:
    for selector in selecting.get("selectors", ()):
        if "allowMultipleAllocations" in selector["cel"]["expression"]:
            selector["cel"]["expression"] = "true"
