"""A small cluster as the API server answers for it: discovery, version and one list a resource."""

from __future__ import annotations

from typing import Any

from fakes.api_server import forbidden

GROUP = "resource.k8s.io"
RESOURCES = {
    "resourceslices": "ResourceSlice",
    "deviceclasses": "DeviceClass",
    "resourceclaims": "ResourceClaim",
    "resourceclaimtemplates": "ResourceClaimTemplate",
    "devicetaintrules": "DeviceTaintRule",
}
NAMESPACED = ("resourceclaims", "resourceclaimtemplates")
CLASS_SELECTOR = "device.driver == 'llmfit.ai'"


def node(name: str) -> dict[str, Any]:
    return {
        "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name}},
        "spec": {},
        "status": {"conditions": [{"type": "Ready", "status": "True"}]},
    }


def resource_slice(node_name: str, devices: int = 1) -> dict[str, Any]:
    device = {
        "attributes": {"memoryBandwidthGBs": {"int": 300}, "healthy": {"bool": True}},
        "capacity": {"memory": {"value": "24Gi"}},
    }
    return {
        "metadata": {"name": f"{node_name}-llmfit"},
        "spec": {
            "driver": "llmfit.ai",
            "nodeName": node_name,
            "pool": {"name": node_name, "generation": 1, "resourceSliceCount": 1},
            "devices": [{"name": f"gpu-{index}", **device} for index in range(devices)],
        },
    }


def device_class(name: str = "llmfit.ai") -> dict[str, Any]:
    return {"metadata": {"name": name}, "spec": {"selectors": [{"cel": {"expression": CLASS_SELECTOR}}]}}


def claim(name: str, namespace: str = "default") -> dict[str, Any]:
    exactly = {"deviceClassName": "llmfit.ai", "allocationMode": "ExactCount", "count": 1}
    return {
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"devices": {"requests": [{"name": "gpu", "exactly": exactly}]}},
    }


def template(name: str, namespace: str = "default") -> dict[str, Any]:
    return {"metadata": {"name": name, "namespace": namespace}, "spec": {"spec": claim(name)["spec"]}}


def taint_rule(name: str) -> dict[str, Any]:
    taint = {"key": "example.com/broken", "value": "yes", "effect": "NoSchedule"}
    return {"metadata": {"name": name}, "spec": {"deviceSelector": {"driver": "llmfit.ai"}, "taint": taint}}


def lists(nodes: int = 3) -> dict[str, list[dict[str, Any]]]:
    """The objects of the cluster by resource: a slice a node, one class, one claim, one template, no rule."""
    names = [f"node-{index:04}" for index in range(nodes)]
    return {
        "nodes": [node(name) for name in names],
        "resourceslices": [resource_slice(name) for name in names],
        "deviceclasses": [device_class()],
        "resourceclaims": [claim("llama")],
        "resourceclaimtemplates": [template("llama-template")],
        "devicetaintrules": [],
    }


def answers(
    objects: dict[str, list[dict[str, Any]]] | None = None,
    versions: dict[str, tuple[str, ...]] | None = None,
    git_version: str = "v1.37.2",
) -> dict[str, Any]:
    """The table of a server. ``versions``: the versions that serve each resource (all: v1).

    Namespaces are not shown, and the user's own namespace gives no rights of its own: ``grant`` changes that.
    """
    objects = lists() if objects is None else objects
    served = versions if versions is not None else dict.fromkeys(RESOURCES, ("v1",))
    table: dict[str, Any] = {
        "/version": {"major": "1", "minor": "37", "gitVersion": git_version},
        "/api/v1/nodes": {"kind": "NodeList", "apiVersion": "v1", "items": objects["nodes"]},
        "/api/v1/namespaces": forbidden("namespaces", ""),
    }
    every = list(dict.fromkeys(version for found in served.values() for version in found))
    if every:
        entries = [{"groupVersion": f"{GROUP}/{version}", "version": version} for version in every]
        table[f"/apis/{GROUP}"] = {"kind": "APIGroup", "apiVersion": "v1", "name": GROUP, "versions": entries}
    for version in every:
        names = [resource for resource, found in served.items() if version in found]
        table[f"/apis/{GROUP}/{version}"] = {
            "kind": "APIResourceList",
            "groupVersion": f"{GROUP}/{version}",
            "resources": [{"name": name, "kind": RESOURCES[name], "verbs": ["get", "list"]} for name in names],
        }
        for name in names:
            table[f"/apis/{GROUP}/{version}/{name}"] = {
                "kind": f"{RESOURCES[name]}List",
                "apiVersion": f"{GROUP}/{version}",
                "items": objects[name],
            }
            if name in NAMESPACED:
                table[f"/apis/{GROUP}/{version}/namespaces/default/{name}"] = forbidden(name, namespace="default")
    return table


def grant(table: dict[str, Any], resource: str, namespace: str, *, version: str = "v1") -> None:
    """Let the user list a resource in one namespace: its share of the whole list."""
    path = f"/apis/{GROUP}/{version}"
    whole = table[f"{path}/{resource}"]
    share = [each for each in whole["items"] if each["metadata"]["namespace"] == namespace]
    table[f"{path}/namespaces/{namespace}/{resource}"] = {**whole, "items": share}


def show_namespaces(table: dict[str, Any], *names: str) -> None:
    """Let the user list the namespaces."""
    items = [{"metadata": {"name": name}} for name in names]
    table["/api/v1/namespaces"] = {"kind": "NamespaceList", "apiVersion": "v1", "items": items}
