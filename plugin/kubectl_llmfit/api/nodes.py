"""Nodes, and what slices and claims say about nodes: selectors and taints."""

from __future__ import annotations

from typing import Final

from ..cel.quantity import Quantity
from .raw import Raw
from .values import Node, NodeSelector, NodeSelectorTerm, Requirement, Taint

_NATIVE_DOMAIN: Final = "kubernetes.io/"


def read_node(raw: object) -> Node:
    """A core/v1 Node; ReadError names the field that is not as the API says."""
    node = Raw.root(raw, "Node")
    metadata = node.required_child("metadata")
    spec, status = node.child("spec"), node.child("status")
    return Node(
        name=metadata.required_text("name"),
        labels=metadata.text_map("labels"),
        unschedulable=spec.boolean("unschedulable") if spec else False,
        ready=_ready(status) if status else None,
        taints=tuple(read_taint(taint) for taint in spec.children("taints")) if spec else (),
        extended_resources=_extended_resources(status) if status else {},
    )


def read_taint(raw: Raw) -> Taint:
    """A taint of a node or a device."""
    return Taint(raw.required_text("key"), raw.text("value") or "", raw.required_text("effect"))


def read_node_selector(raw: Raw) -> NodeSelector:
    """A node selector: terms of labels and fields."""
    return NodeSelector(
        tuple(
            NodeSelectorTerm(_requirements(term, "matchExpressions"), _requirements(term, "matchFields"))
            for term in raw.children("nodeSelectorTerms")
        )
    )


def _requirements(term: Raw, name: str) -> tuple[Requirement, ...]:
    return tuple(
        Requirement(item.required_text("key"), item.required_text("operator"), item.texts("values"))
        for item in term.children(name)
    )


def _ready(status: Raw) -> bool | None:
    for condition in status.children("conditions"):
        if condition.text("type") == "Ready":
            return {"True": True, "False": False}.get(condition.text("status") or "")
    return None


def _extended_resources(status: Raw) -> dict[str, Quantity]:
    """Allocatable amounts of extended resources (Kubernetes' IsExtendedResourceName)."""
    allocatable = status.child("allocatable")
    if allocatable is None:
        return {}
    names = [name for name in allocatable.names() if "/" in name and _NATIVE_DOMAIN not in name]
    return {name: allocatable.required_quantity(name) for name in names}
