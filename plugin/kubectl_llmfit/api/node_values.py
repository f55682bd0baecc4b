"""Nodes as values, and what names them: selectors and targeting. Part of ``values``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..cel.quantity import Quantity


@dataclass(frozen=True, slots=True)
class Requirement:
    """One expression of a node selector term; ``operator`` as the API spells it (In, NotIn, Exists, …)."""

    key: str
    operator: str
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NodeSelectorTerm:
    """Requirements on labels and on fields (metadata.name); all must hold."""

    match_expressions: tuple[Requirement, ...] = ()
    match_fields: tuple[Requirement, ...] = ()


@dataclass(frozen=True, slots=True)
class NodeSelector:
    """Terms of which one must hold."""

    terms: tuple[NodeSelectorTerm, ...]


@dataclass(frozen=True, slots=True)
class Taint:
    """A taint of a node or of a device."""

    key: str
    value: str
    effect: str


@dataclass(frozen=True, slots=True)
class Node:
    """A node; ``extended_resources`` are the allocatable amounts of names outside kubernetes.io.

    ``ready`` is its Ready condition; None when that is Unknown or missing.
    """

    name: str
    labels: Mapping[str, str] = field(default_factory=dict)
    unschedulable: bool = False
    ready: bool | None = None
    taints: tuple[Taint, ...] = ()
    extended_resources: Mapping[str, Quantity] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NodeTargeting:
    """Which nodes reach a slice or a device: one of the four is set (``per_device`` on slices only).

    A slice or device with none of them is reachable from no node.
    """

    node_name: str | None = None
    node_selector: NodeSelector | None = None
    all_nodes: bool = False
    per_device: bool = False
