"""Small worlds in code for tests of the answer. They name things, no more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kubectl_llmfit.api.values import (
    Allocation,
    AttributeValue,
    Capacity,
    Claim,
    ClaimSpec,
    ClusterState,
    Device,
    DeviceClass,
    DeviceRequest,
    DeviceResult,
    DeviceShape,
    Node,
    NodeSelector,
    NodeSelectorTerm,
    NodeTargeting,
    Request,
    Requirement,
    ResourceSlice,
    Unread,
)
from kubectl_llmfit.cel import Quantity
from kubectl_llmfit.dra.allocate import Trial
from kubectl_llmfit.dra.answer import NodeAnswer
from kubectl_llmfit.dra.inventory import Inventory

DRIVER = "gpu.x.com"
NODE = Node("a")
ANY = DeviceClass("any")
ALL_NODES = NodeTargeting(all_nodes=True)


def attribute(name: str, domain: str = DRIVER) -> str:
    return f"device.attributes['{domain}'].{name}"


def device(
    name: str, attributes: Mapping[str, AttributeValue] | None = None, memory: str | None = None, **shape: Any
) -> Device:
    capacity = {"memory": Capacity(Quantity.parse(memory))} if memory else {}
    return Device(name, DeviceShape(attributes or {}, capacity, **shape))


def devices(count: int, **shape: Any) -> tuple[Device, ...]:
    """Equal devices d0, d1, …"""
    return tuple(device(f"d{i}", **shape) for i in range(count))


def on(node: str = "a") -> NodeTargeting:
    return NodeTargeting(node_name=node)


def where(*requirements: Requirement, fields: Sequence[Requirement] = ()) -> NodeTargeting:
    """Targeting by a selector of one term."""
    return NodeTargeting(node_selector=NodeSelector((NodeSelectorTerm(requirements, tuple(fields)),)))


def pool(*given: Device, name: str = "p", slice_name: str | None = None, **fields: Any) -> ResourceSlice:
    """One slice; a complete pool on node a unless ``fields`` say otherwise."""
    defaults: dict[str, Any] = {"driver": DRIVER, "generation": 1, "slice_count": 1, "targeting": on()}
    return ResourceSlice(name=slice_name or name, pool=name, devices=given, **(defaults | fields))


def request(name: str = "r", *selectors: str, count: int = 1, of: str = "any", **fields: Any) -> Request:
    return Request(name, (DeviceRequest(name, of, selectors, count=count, **fields),))


def everything(name: str = "r", *selectors: str, **fields: Any) -> Request:
    """A request with allocationMode All."""
    return request(name, *selectors, count=0, allocation_mode="All", **fields)


def claim(*requests: Request, name: str = "c", **fields: Any) -> Claim:
    return Claim(name, "ns", ClaimSpec(requests), **fields)


def holding(*names: str, pool_name: str = "p", holder: str = "holder", **result: Any) -> Claim:
    """A claim of another namespace that has devices of the pool."""
    results = tuple(DeviceResult("r", DRIVER, pool_name, name, **result) for name in names)
    return Claim(holder, "other", ClaimSpec(()), allocation=Allocation(results))


def state(*slices: ResourceSlice, held: Sequence[Claim] = (), **fields: Any) -> ClusterState:
    return ClusterState(slices=slices, claims=tuple(held), **({"classes": (ANY,)} | fields))


def unread(*resources: str) -> tuple[Unread, ...]:
    return tuple(Unread(resource, "forbidden") for resource in resources)


def answer(world: ClusterState, *claims: Claim, node: Node = NODE) -> NodeAnswer:
    return Trial(Inventory.prepare(world), claims).answer(node)


def taken(given: NodeAnswer) -> list[str]:
    """``request=device`` in the order recorded."""
    return [f"{entry.request}={entry.id.device}" for entry in given.allocation]
