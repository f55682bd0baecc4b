"""Clusters that hold a given string in one place, once for each string: a node, its slice, its holder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Object = dict[str, Any]
GROUP = "resource.k8s.io/v1"
CLASS = "any"


class Cell:
    """The objects of one node, in parts that a place may change."""

    def __init__(self, index: int) -> None:
        name = f"node-{index}"
        self.node: Object = {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name}},
            "spec": {"taints": [{"key": "gpu", "value": "only", "effect": "NoSchedule"}]},
            "status": {"conditions": [{"type": "Ready", "status": "True"}]},
        }
        self.device: Object = {
            "name": "gpu-0",
            "attributes": {"productName": {"string": "A"}, "odd": {"int": 1}},
            "capacity": {"memory": {"value": "80Gi"}},
            "taints": [{"key": "dusty", "value": "very", "effect": "None"}],
        }
        self.spec: Object = {
            "driver": "gpu.example.net",
            "nodeName": name,
            "pool": {"name": name, "generation": 1, "resourceSliceCount": 1},
            "devices": [self.device],
        }
        self.slice: Object = {
            "apiVersion": GROUP,
            "kind": "ResourceSlice",
            "metadata": {"name": f"slice-{index}"},
            "spec": self.spec,
        }
        self.holder: Object = {
            "apiVersion": GROUP,
            "kind": "ResourceClaim",
            "metadata": {"name": f"holder-{index}", "namespace": "team"},
            "spec": {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": CLASS}}]}},
        }
        self.rule: Object = {
            "apiVersion": GROUP,
            "kind": "DeviceTaintRule",
            "metadata": {"name": f"rule-{index}"},
            "spec": {
                "deviceSelector": {"pool": name},
                "taint": {"key": "broken", "value": "fan", "effect": "None"},
            },
        }

    def objects(self) -> list[Object]:
        """Everything, the device held by the holder."""
        pool = self.spec["pool"]["name"]
        self.rule["spec"]["deviceSelector"]["pool"] = pool
        result = {"request": "r", "driver": self.spec["driver"], "pool": pool, "device": self.device["name"]}
        self.holder["status"] = {"allocation": {"devices": {"results": [result]}}}
        return [self.node, self.slice, self.holder, self.rule]


def _node_name(cell: Cell, text: str) -> None:
    cell.node["metadata"]["name"] = cell.spec["nodeName"] = text


def _attribute_name(cell: Cell, text: str) -> None:
    cell.device["attributes"][text] = {"string": "x"}


def _label(cell: Cell, text: str) -> None:
    cell.node["metadata"]["labels"][text] = text


PLACES: dict[str, Callable[[Cell, str], None]] = {
    "node name": _node_name,
    "node label": _label,
    "node taint key": lambda cell, text: cell.node["spec"]["taints"][0].update(key=text),
    "node taint value": lambda cell, text: cell.node["spec"]["taints"][0].update(value=text),
    "slice name": lambda cell, text: cell.slice["metadata"].update(name=text),
    "driver": lambda cell, text: cell.spec.update(driver=text),
    "pool": lambda cell, text: cell.spec["pool"].update(name=text),
    "device name": lambda cell, text: cell.device.update(name=text),
    "attribute name": _attribute_name,
    "product": lambda cell, text: cell.device["attributes"]["productName"].update(string=text),
    "attribute value": lambda cell, text: cell.device["attributes"].update(odd={"string": text}),
    "attribute values": lambda cell, text: cell.device["attributes"].update(odd={"strings": [text]}),
    "capacity name": lambda cell, text: cell.device["capacity"].update({text: {"value": "1"}}),
    "device taint key": lambda cell, text: cell.device["taints"][0].update(key=text),
    "device taint value": lambda cell, text: cell.device["taints"][0].update(value=text),
    "counter set": lambda cell, text: cell.device.update(
        consumesCounters=[{"counterSet": text, "counters": {text: {"value": "1"}}}]
    ),
    "binding condition": lambda cell, text: cell.device.update(
        bindsToNode=True, bindingConditions=[text], bindingFailureConditions=["bad"]
    ),
    "unknown field": lambda cell, text: cell.device.update({f"x{text}": {text: text}}),
    "holder's name": lambda cell, text: cell.holder["metadata"].update(name=text),
    "holder's namespace": lambda cell, text: cell.holder["metadata"].update(namespace=text),
    "rule's name": lambda cell, text: cell.rule["metadata"].update(name=text),
    "rule's taint key": lambda cell, text: cell.rule["spec"]["taint"].update(key=text),
    "rule's taint value": lambda cell, text: cell.rule["spec"]["taint"].update(value=text),
}


def world(place: str, texts: Sequence[str], *, held: bool = True) -> Object:
    """A List with one cell for each of ``texts``, which stands at ``place``."""
    head = {
        "apiVersion": "kubectl-llmfit/v1alpha1",
        "kind": "ClusterSnapshot",
        "serverVersion": "v1.37.2",
        "served": {},
        "unread": [],
    }
    class_ = {"apiVersion": GROUP, "kind": "DeviceClass", "metadata": {"name": CLASS}, "spec": {}}
    items: list[Object] = [head, class_]
    for index, text in enumerate(texts):
        cell = Cell(index)
        PLACES[place](cell, text)
        items += [each for each in cell.objects() if held or each is not cell.holder]
    return {"apiVersion": "v1", "kind": "List", "items": items}
