"""Devices as values: everything but the name of one. Part of ``values``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..cel.quantity import Quantity
from ..cel.semver import Semver
from .node_values import NodeTargeting, Taint

Scalar = int | bool | str | Semver
AttributeValue = Scalar | tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class CapacityRange:
    """The range of a capacity's request policy."""

    min: Quantity
    max: Quantity | None = None
    step: Quantity | None = None


@dataclass(frozen=True, slots=True)
class RequestPolicy:
    """How much of a shared capacity one request takes."""

    default: Quantity | None = None
    valid_values: tuple[Quantity, ...] = ()
    valid_range: CapacityRange | None = None


@dataclass(frozen=True, slots=True)
class Capacity:
    """One capacity of a device."""

    value: Quantity
    request_policy: RequestPolicy | None = None


@dataclass(frozen=True, slots=True)
class CounterSet:
    """Counters that the devices of a pool share, or what one device takes of them."""

    name: str
    counters: Mapping[str, Quantity]


@dataclass(frozen=True, slots=True, eq=False)
class DeviceShape:
    """Everything of a device but its name: one object per distinct shape, so identity is equality.

    Keys of ``attributes`` and ``capacity`` stand as published: bare, or with their domain.
    ``unreadable`` names attributes whose value this program could not read (no or an unknown kind, no valid
    version). ``unknown_fields`` are paths below the device, of fields that this program does not
    know or that only features off by default use (``nodeAllocatableResources``, compatibility groups), and
    that may change what the scheduler does with the device.
    """

    attributes: Mapping[str, AttributeValue] = field(default_factory=dict)
    capacity: Mapping[str, Capacity] = field(default_factory=dict)
    targeting: NodeTargeting | None = None
    taints: tuple[Taint, ...] = ()
    allow_multiple_allocations: bool = False
    consumes_counters: tuple[CounterSet, ...] = ()
    binds_to_node: bool = False
    binding_conditions: tuple[str, ...] = ()
    binding_failure_conditions: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()
    unknown_fields: tuple[str, ...] = ()
