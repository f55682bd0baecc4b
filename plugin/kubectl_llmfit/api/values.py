"""What the cluster publishes, as frozen values in one shape: that of resource.k8s.io/v1.

Every served version is read into these values (``read_*`` modules); nothing here does I/O.
Optional fields that an older version lacks have the API's own default. Field meanings: Kubernetes
``k8s.io/api/resource/v1/types.go`` and ``k8s.io/api/core/v1/types.go``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from ..cel.quantity import Quantity
from .device_values import (
    AttributeValue,
    Capacity,
    CapacityRange,
    CounterSet,
    DeviceShape,
    RequestPolicy,
    Scalar,
)
from .node_values import Node, NodeSelector, NodeSelectorTerm, NodeTargeting, Requirement, Taint

__all__ = [
    "Allocation",
    "AttributeValue",
    "Capacity",
    "CapacityRange",
    "Claim",
    "ClaimKind",
    "ClaimSpec",
    "ClusterState",
    "Condition",
    "Constraint",
    "CounterSet",
    "Device",
    "DeviceClass",
    "DeviceRequest",
    "DeviceResult",
    "DeviceShape",
    "DeviceStatus",
    "Node",
    "NodeSelector",
    "NodeSelectorTerm",
    "NodeTargeting",
    "Request",
    "RequestPolicy",
    "Requirement",
    "ResourceSlice",
    "Scalar",
    "Taint",
    "TaintRule",
    "Toleration",
    "Unread",
]


@dataclass(frozen=True, slots=True)
class Toleration:
    """A toleration of a device request; empty ``key`` or ``effect`` stands for any."""

    key: str
    operator: str
    value: str
    effect: str


@dataclass(frozen=True, slots=True)
class Device:
    """A device of a slice."""

    name: str
    shape: DeviceShape


@dataclass(frozen=True, slots=True)
class ResourceSlice:
    """A ResourceSlice; ``slice_count`` is how many slices of ``generation`` make the pool complete.

    ``unknown_fields`` are paths of fields beside the devices that this program does not know.
    """

    name: str
    driver: str
    pool: str
    generation: int
    slice_count: int
    targeting: NodeTargeting
    devices: tuple[Device, ...] = ()
    shared_counters: tuple[CounterSet, ...] = ()
    unknown_fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DeviceClass:
    """A DeviceClass; ``selectors`` are its CEL expressions in order ("" for a selector that is not CEL).

    ``unknown_fields`` are paths of fields that this program does not know and that may select nodes or devices.
    """

    name: str
    selectors: tuple[str, ...] = ()
    extended_resource_name: str | None = None
    unknown_fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DeviceRequest:
    """What one request, or one alternative of it, asks for (ExactDeviceRequest or DeviceSubRequest).

    ``name`` is the request's, or the sub-request's for an alternative of ``firstAvailable``.
    ``count`` is 1 by default and 0 with allocationMode All.
    """

    name: str
    device_class_name: str
    selectors: tuple[str, ...] = ()
    allocation_mode: str = "ExactCount"
    count: int = 1
    admin_access: bool = False
    tolerations: tuple[Toleration, ...] = ()
    capacity: Mapping[str, Quantity] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Request:
    """One request of a claim: a single alternative (``exactly``), or a prioritised list (``firstAvailable``).

    No alternative stands for a kind of request that this program does not know (``ClaimSpec.unknown_fields``).
    """

    name: str
    alternatives: tuple[DeviceRequest, ...]
    prioritized: bool = False


@dataclass(frozen=True, slots=True)
class Constraint:
    """A constraint over the devices of a claim's requests (all requests when ``requests`` is empty)."""

    requests: tuple[str, ...] = ()
    match_attribute: str | None = None
    distinct_attribute: str | None = None


@dataclass(frozen=True, slots=True)
class ClaimSpec:
    """The spec of a claim or of a template, defaulted as the API server does.

    ``unknown_fields`` are paths of fields that this program does not know, or that only features off by default
    use (``derivedAttributes``), and that may change what the scheduler does.
    """

    requests: tuple[Request, ...]
    constraints: tuple[Constraint, ...] = ()
    unknown_fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DeviceResult:
    """One device of an allocation; ``request`` is ``req`` or ``req/sub``.

    A share of a device has a ``share_id``; ``consumed_capacity`` is empty where it has no capacities. The pod waits
    for ``binding_conditions``, and is tried again when one of ``binding_failure_conditions`` is true.
    """

    request: str
    driver: str
    pool: str
    device: str
    admin_access: bool = False
    share_id: str | None = None
    consumed_capacity: Mapping[str, Quantity] = field(default_factory=dict)
    binding_conditions: tuple[str, ...] = ()
    binding_failure_conditions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Allocation:
    """An allocation; no ``node_selector`` means every node. ``allocated_at`` is None where nobody wrote it down."""

    results: tuple[DeviceResult, ...]
    node_selector: NodeSelector | None = None
    allocated_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that a driver reports of an allocated device; ``status`` is True, False or Unknown."""

    type: str
    status: str
    reason: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class DeviceStatus:
    """What a driver reports of one allocated device, or of one share of it."""

    driver: str
    pool: str
    device: str
    share_id: str | None
    conditions: tuple[Condition, ...]


ClaimKind = Literal["ResourceClaim", "ResourceClaimTemplate"]


@dataclass(frozen=True, slots=True)
class Claim:
    """A ResourceClaim, or what a ResourceClaimTemplate would make; ``api_version`` is the one it was read in.

    ``consumers`` counts the pods, and whatever else, that it is reserved for.
    """

    name: str
    namespace: str | None
    spec: ClaimSpec
    kind: ClaimKind = "ResourceClaim"
    api_version: str = "resource.k8s.io/v1"
    allocation: Allocation | None = None
    being_deleted: bool = False
    device_statuses: tuple[DeviceStatus, ...] = ()
    consumers: int = 0


@dataclass(frozen=True, slots=True)
class TaintRule:
    """A DeviceTaintRule: the taint it adds to every device that all its set fields name.

    ``selects_any`` is false where it has no selector. ``device_class_name`` and ``selectors`` (CEL) are fields of
    Kubernetes 1.33 and 1.34. ``unknown_fields`` are paths of fields of its selector that this program does not know.
    """

    name: str
    taint: Taint
    driver: str | None = None
    pool: str | None = None
    device: str | None = None
    selects_any: bool = True
    unknown_fields: tuple[str, ...] = ()
    device_class_name: str | None = None
    selectors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unread:
    """A resource that could not be read, and why (in a person's words)."""

    resource: str
    reason: str


@dataclass(frozen=True, slots=True)
class ClusterState:
    """The have: one consistent cut of what a check reads. A resource in ``unread`` stands empty here.

    ``assumed_nodes`` are nodes that were added to what was read, or of which something was.
    """

    nodes: tuple[Node, ...] = ()
    slices: tuple[ResourceSlice, ...] = ()
    classes: tuple[DeviceClass, ...] = ()
    claims: tuple[Claim, ...] = ()
    templates: tuple[Claim, ...] = ()
    taint_rules: tuple[TaintRule, ...] = ()
    unread: tuple[Unread, ...] = ()
    assumed: tuple[str, ...] = ()
    context: str | None = None
    server_version: str | None = None
    served: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    snapshot: str | None = None
    resource_version: str | None = None
    observed_at: str | None = None
    assumed_nodes: frozenset[str] = frozenset()

    def is_unread(self, resource: str) -> bool:
        """Whether ``resource`` (plural, lower case) could not be read."""
        return any(unread.resource == resource for unread in self.unread)
