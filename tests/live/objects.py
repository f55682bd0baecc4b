"""Builders of plain Kubernetes objects (resource.k8s.io/v1, v1) for the worlds. They name things, nothing more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Object = dict[str, Any]
RESOURCE = "resource.k8s.io/v1"
DRIVER = "gpu.example.com"
CLASS = "gpu.example.com"
NAMESPACE = "default"
ADMIN_NAMESPACE = "admins"  # labelled for admin access by the fixture
OTHER_NAMESPACE = "team-a"
LONG_AGO = "2026-01-01T00:00:00Z"
DELETE_PROTECTION = "resource.kubernetes.io/delete-protection"
SCOPE = f'device.attributes["{DRIVER}"]'
CAPACITY = f'device.capacity["{DRIVER}"]'
NodeSelector = dict[str, Any]
Targeting = dict[str, Any]


class Version(str):
    """An attribute value of type version."""

    __slots__ = ()


def node(
    name: str,
    *,
    labels: Mapping[str, str] | None = None,
    taints: Sequence[Object] = (),
    cordoned: bool = False,
    ready: bool = True,
) -> Object:
    """A node with room for pods; ``cordoned`` is spec.unschedulable."""
    spec = ({"taints": list(taints)} if taints else {}) | ({"unschedulable": True} if cordoned else {})
    resources = {"cpu": "64", "memory": "512Gi", "pods": "110"}
    condition = {"type": "Ready", "status": "True" if ready else "False"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name} | dict(labels or {})},
        "spec": spec,
        "status": {"capacity": resources, "allocatable": resources, "conditions": [condition]},
    }


def device(name: str, *, memory: str | None = "24Gi", more: Mapping[str, Any] | None = None, **values: Any) -> Object:
    """A device with its memory and, as keywords, attributes: int, bool, str or Version."""
    attributes = {key: attribute(value) for key, value in values.items()}
    capacity = {} if memory is None else {"memory": {"value": memory}}
    parts = {"attributes": attributes, "capacity": capacity}
    return {"name": name} | {key: part for key, part in parts.items() if part} | dict(more or {})


def attribute(value: int | bool | str | Version) -> Object:
    """The API's form of an attribute value."""
    match value:
        case bool():
            return {"bool": value}
        case int():
            return {"int": value}
        case Version():
            return {"version": str(value)}
    return {"string": value}


def tainted(effect: str = "NoSchedule", key: str = "example.com/broken", value: str = "yes") -> Object:
    """For ``device(more=…)``: one device taint."""
    return {"taints": [{"key": key, "value": value, "effect": effect, "timeAdded": LONG_AGO}]}


def on_node(name: str) -> Targeting:
    """A slice (or, with per_device, a device) of one node."""
    return {"nodeName": name}


def on_labelled(key: str, *values: str) -> Targeting:
    """A slice or device of the nodes whose label has one of the values."""
    return {"nodeSelector": {"nodeSelectorTerms": [{"matchExpressions": [_in(key, values)]}]}}


def on_named(name: str) -> Targeting:
    """A slice or device of the node of this name, by a selector on the metadata.name field."""
    return {"nodeSelector": only_node(name)}


ON_ALL: Targeting = {"allNodes": True}
PER_DEVICE: Targeting = {"perDeviceNodeSelection": True}


def resource_slice(
    name: str,
    where: Targeting,
    *devices: Object,
    driver: str = DRIVER,
    pool: str | None = None,
    generation: int = 1,
    of: int = 1,
) -> Object:
    """One slice of a pool (by default named as the node, else as the slice) that has ``of`` slices."""
    pool_fields = {
        "name": pool or where.get("nodeName", name),
        "generation": generation,
        "resourceSliceCount": of,
    }
    spec = {"driver": driver, "pool": pool_fields, "devices": list(devices)} | where
    return {"apiVersion": RESOURCE, "kind": "ResourceSlice", "metadata": {"name": name}, "spec": spec}


def device_class(name: str = CLASS, *expressions: str) -> Object:
    """A class; without expressions it selects by the driver of the same name."""
    selectors = [cel(text) for text in expressions or (f'device.driver == "{name}"',)]
    return {
        "apiVersion": RESOURCE,
        "kind": "DeviceClass",
        "metadata": {"name": name},
        "spec": {"selectors": selectors},
    }


def open_class(name: str) -> Object:
    """A class that selects every device of every driver."""
    return device_class(name) | {"spec": {}}


def cel(expression: str) -> Object:
    """A selector."""
    return {"cel": {"expression": expression}}


def request(
    name: str = "gpu",
    *expressions: str,
    of_class: str = CLASS,
    count: int | None = None,
    every: bool = False,
    admin: bool = False,
    tolerations: Sequence[Object] = (),
) -> Object:
    """A request for exactly ``count`` devices (one), or for ``every`` one that matches."""
    exactly: Object = {"deviceClassName": of_class}
    if expressions:
        exactly["selectors"] = [cel(text) for text in expressions]
    if every:
        exactly["allocationMode"] = "All"
    if count is not None:
        exactly["count"] = count
    if admin:
        exactly["adminAccess"] = True
    if tolerations:
        exactly["tolerations"] = list(tolerations)
    return {"name": name, "exactly": exactly}


def claim(*requests: Object, name: str = "ask", namespace: str = NAMESPACE) -> Object:
    """A ResourceClaim."""
    return {
        "apiVersion": RESOURCE,
        "kind": "ResourceClaim",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"devices": {"requests": list(requests)}},
    }


def template_of(asked: Object) -> Object:
    """A ResourceClaimTemplate of the same name that makes such claims."""
    return asked | {"kind": "ResourceClaimTemplate", "spec": {"spec": asked["spec"]}}


def held(
    name: str,
    *devices: str,
    pool: str,
    driver: str = DRIVER,
    namespace: str = OTHER_NAMESPACE,
    admin: bool = False,
    deleting: bool = False,
    selector: NodeSelector | None = None,
) -> Object:
    """An allocated claim that holds devices of one pool; ``deleting`` ones wait for their finalizer."""
    namespace = ADMIN_NAMESPACE if admin else namespace
    made = claim(request("held", count=len(devices), admin=admin), name=name, namespace=namespace)
    marks = {"adminAccess": True} if admin else {}
    results = [{"request": "held", "driver": driver, "pool": pool, "device": each} | marks for each in devices]
    # with the time, as the scheduler writes it: it would add a missing one, and an allocation cannot change
    allocation: Object = {"devices": {"results": results}, "allocationTimestamp": LONG_AGO}
    if selector:
        allocation["nodeSelector"] = selector
    made["metadata"]["finalizers"] = [DELETE_PROTECTION]
    if deleting:
        made["metadata"]["deletionTimestamp"] = LONG_AGO
    return made | {"status": {"allocation": allocation}}


def only_node(name: str) -> NodeSelector:
    """An allocation's node selector, as the scheduler writes it for a device of one node."""
    return {"nodeSelectorTerms": [{"matchFields": [_in("metadata.name", (name,))]}]}


def taint_rule(name: str, *, effect: str = "NoSchedule", **selector: str) -> Object:
    """A DeviceTaintRule; ``selector`` is of driver, pool, device."""
    taint = {"key": "example.com/rule", "effect": effect}
    return {
        "apiVersion": RESOURCE,
        "kind": "DeviceTaintRule",
        "metadata": {"name": name},
        "spec": {"deviceSelector": selector, "taint": taint},
    }


def _in(key: str, values: Sequence[str]) -> Object:
    return {"key": key, "operator": "In", "values": list(values)}
