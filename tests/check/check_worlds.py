"""Worlds in code for tests of the check: nodes, slices of one driver, a class, claims. They name things, no more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kubectl_llmfit.api.values import (
    Allocation,
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
    Taint,
)
from kubectl_llmfit.cel.quantity import Quantity
from kubectl_llmfit.check.check import check_nodes
from kubectl_llmfit.check.choice import Choice
from kubectl_llmfit.check.subject import Subject
from kubectl_llmfit.check.values import NodeCheck, NodeEntry
from kubectl_llmfit.claim.selectors import selector
from kubectl_llmfit.drivers.asking import Floor
from kubectl_llmfit.drivers.llmfit_ai import PROFILE
from kubectl_llmfit.drivers.products import ProductTable

DRIVER = "llmfit.ai"
LLMFIT_CLASS = DeviceClass("llmfit.ai", ("device.driver == 'llmfit.ai'",))
GPU_CLASS = DeviceClass(
    "gpu.llmfit.ai", ("device.driver == 'llmfit.ai' && device.attributes['llmfit.ai'].kind == 'gpu'",)
)


def wants(memory: str = "18Gi", bandwidth: int | None = 300) -> str:
    """The selector that a rendered claim has."""
    floor = Floor(Quantity.parse(memory).ceil(), bandwidth)
    return selector(PROFILE, None, floor, ProductTable(()), memory_text=memory)


def gpu(
    name: str,
    memory: str | None = "24Gi",
    *,
    bandwidth: int | None = 400,
    healthy: bool | None = True,
    taints: Sequence[Taint] = (),
    **more: Any,
) -> Device:
    """A device as llmfit.ai publishes it; None leaves a name out, ``more`` adds attributes."""
    published = {"kind": "gpu", "memoryBandwidthGBs": bandwidth, "healthy": healthy} | more
    attributes = {key: value for key, value in published.items() if value is not None}
    capacity = {"memory": Capacity(Quantity.parse(memory))} if memory is not None else {}
    return Device(name, DeviceShape(attributes, capacity, taints=tuple(taints)))


def gpus(number: int, memory: str = "24Gi", **more: Any) -> tuple[Device, ...]:
    """gpu-0, gpu-1, …, all alike."""
    return tuple(gpu(f"gpu-{index}", memory, **more) for index in range(number))


def on(node: str, *devices: Device, generation: int = 1, of: int = 1, driver: str = DRIVER) -> ResourceSlice:
    """A slice that belongs to one node, its pool named as the node; ``of`` slices make it complete."""
    name = f"{node}-{driver}-{generation}"
    return ResourceSlice(name, driver, node, generation, of, NodeTargeting(node_name=node), devices)


def everywhere(pool: str, *devices: Device) -> ResourceSlice:
    """A slice that every node reaches."""
    return ResourceSlice(f"{pool}-slice", DRIVER, pool, 1, 1, NodeTargeting(all_nodes=True), devices)


def claim(*selectors: str, name: str = "model-fit", **request: Any) -> Claim:
    """A claim of one request ``model``; without selectors the rendered one."""
    return claim_of(name, ask("model", *(selectors or (wants(),)), **request))


def ask(name: str, *selectors: str, device_class: str = "llmfit.ai", **more: Any) -> DeviceRequest:
    """One request."""
    return DeviceRequest(name, device_class, selectors, **more)


def claim_of(name: str, *requests: DeviceRequest, **more: Any) -> Claim:
    """A claim of several requests."""
    return Claim(name, "default", ClaimSpec(tuple(Request(each.name, (each,)) for each in requests)), **more)


def allocated(name: str, node: str, *devices: str, namespace: str = "team-a") -> Claim:
    """Somebody's claim that holds devices of the node's own pool."""
    results = tuple(DeviceResult("model", DRIVER, node, device) for device in devices)
    here = NodeSelector((NodeSelectorTerm((), (Requirement("metadata.name", "In", (node,)),)),))
    spec = ClaimSpec((Request("model", (DeviceRequest("model", "llmfit.ai"),)),))
    return Claim(name, namespace, spec, allocation=Allocation(results, here))


def world(
    *slices: ResourceSlice,
    nodes: Sequence[Node | str] = (),
    classes: Sequence[DeviceClass] = (LLMFIT_CLASS,),
    **more: Any,
) -> ClusterState:
    """A cluster; without ``nodes``, those that the slices name."""
    named = nodes or sorted({s.targeting.node_name for s in slices if s.targeting.node_name})
    made = tuple(node if isinstance(node, Node) else Node(node) for node in named)
    return ClusterState(nodes=made, slices=slices, classes=tuple(classes), server_version="v1.37.2", **more)


def check(state: ClusterState, *claims: Claim, choice: Choice | None = None) -> NodeCheck:
    """The check of one claim, the rendered one by default."""
    return check_nodes(Subject(claims or (claim(),), "file"), state, choice)


def by_name(checked: NodeCheck) -> Mapping[str, NodeEntry]:
    """The nodes of a check."""
    return {node.name: node for node in checked.nodes}
