"""The answer: what the scheduler's DynamicResources filter does on one node, and what led there.

Values only; every rule that makes them is in the other files of this package.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, NamedTuple

from ..api.values import CounterSet, DeviceShape, NodeSelector, NodeTargeting, ResourceSlice
from ..cel.quantity import Quantity

PoolStateName = Literal["Complete", "Incomplete", "Invalid", "Outdated"]


class Outcome(StrEnum):
    """What the filter says of a node: success, unschedulable, an error for the whole pod, or not known."""

    ALLOCATES = "Allocates"
    REFUSES = "Refuses"
    FAILS = "Fails"
    UNKNOWN = "Unknown"


class DeviceID(NamedTuple):
    """A device's identity in the cluster; no generation and no node belong to it."""

    driver: str
    pool: str
    device: str

    def __str__(self) -> str:
        return f"{self.driver}/{self.pool}/{self.device}"


Held = Mapping[DeviceID, tuple[str, ...]]
"""Devices that cannot be taken, and the claims ("namespace/name") that hold them."""


@dataclass(frozen=True, slots=True)
class PoolDevice:
    """A device as a pool offers it to one node.

    ``targeting`` is the slice's, or the device's own where its slice selects per device; ``reachable`` is false where
    the latter fails. ``unknown`` says what of its slice this program does not know. ``pool_error`` ends
    every search for a count of devices that comes to it (Kubernetes 1.34).
    """

    id: DeviceID
    shape: DeviceShape
    reachable: bool = True
    unknown: str | None = None
    targeting: NodeTargeting = field(default_factory=NodeTargeting)
    pool_error: str | None = None
    slice_name: str = ""


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool as one node sees it.

    ``slices`` of ``expected_slices`` are published for ``generation``; ``reason`` is a sentence for a person,
    None for a complete pool. Devices are in the order the scheduler tries them; only a complete pool has any
    that count. ``counter_sets`` is what its devices share, ``elsewhere`` the slices of a pool with such sets that do
    not target the node. ``disputed`` says why it is up to chance what the scheduler makes of the pool.
    """

    driver: str
    pool: str
    generation: int
    slices: int
    expected_slices: int
    state: PoolStateName
    reason: str | None
    devices: tuple[PoolDevice, ...]
    has_binding_conditions: bool = False
    counter_sets: tuple[CounterSet, ...] = ()
    elsewhere: tuple[ResourceSlice, ...] = ()
    disputed: str | None = None


class Match(StrEnum):
    """Whether a device passes the selectors of one request, in the order the scheduler tests them."""

    NOT_BINDING = "binding"
    """It has binding conditions, which the scheduler's feature gates do not allow."""
    NOT_CLASS = "class"
    """A selector of the class is false."""
    NOT_REQUEST = "request"
    """A selector of the request is false."""
    NOT_NODE = "node"
    """The device's own node test is false."""
    ERROR = "error"
    """An expression does not compile or raises: the whole pod fails if the scheduler gets there."""
    NOT_KNOWN = "notKnown"
    """The class could not be read, or it or a selector has what this program does not know: may be any other."""
    SELECTABLE = "selectable"


@dataclass(frozen=True, slots=True)
class ClaimDevice:
    """One device that the scheduler would record in a claim's allocation.

    ``claim`` is an index into the claims tried; ``request`` is ``req`` or ``req/sub``. A ``share`` leaves the
    rest of the device to others; ``consumed_capacity`` is what it takes of each capacity, by name. ``share_id`` is
    there for claims that are allocated already: the scheduler draws a new share's by chance.
    """

    claim: int
    request: str
    id: DeviceID
    admin_access: bool = False
    share: bool = False
    share_id: str | None = None
    consumed_capacity: tuple[tuple[str, Quantity], ...] = ()
    binding_conditions: tuple[str, ...] = ()
    binding_failure_conditions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CounterShortage:
    """A counter of which a device consumes ``needed`` while ``left`` is left, with what is held.

    It may be one of another set than the device's: a set that is overdrawn blocks all of its pool that consumes.
    """

    counter_set: str
    counter: str
    needed: Quantity
    left: Quantity


@dataclass(frozen=True, slots=True)
class CapacityShortage:
    """Why a device's capacity does not do for a request.

    ``needed`` is what the request comes to, rounded as the device's policy says, and ``left`` what of the
    ``capacity`` is not consumed. Both are None where the device has no such capacity; ``left`` is None where the
    policy allows no such amount.
    """

    capacity: str
    needed: Quantity | None = None
    left: Quantity | None = None


class ConstraintKind(StrEnum):
    """What a constraint wants of an attribute's values."""

    MATCH = "matchAttribute"
    DISTINCT = "distinctAttribute"


@dataclass(frozen=True, slots=True)
class UnmetConstraint:
    """A constraint without which, all else as it is, the node would allocate.

    ``index`` counts the claim's constraints. ``values`` says how many of the devices that do in all else have each
    value (as text), most first; ``wanted`` is how many devices the constraint's requests want together, None
    where that depends on the alternatives taken.
    """

    claim: int
    index: int
    kind: ConstraintKind
    attribute: str
    requests: tuple[str, ...]
    wanted: int | None
    values: tuple[tuple[str, int], ...]
    without_attribute: int


@dataclass(frozen=True, slots=True)
class DeviceTest:
    """How one device of the node does for one request, all else left out.

    ``error`` is the scheduler's text where reaching the device fails the pod; ``tainted`` says that an
    untolerated taint blocks it; ``capacity`` what it has too little of, whoever has what; ``doubt`` names what is
    not known, or was not read, and may keep the device from being taken; with ``opaque`` it leaves open all that
    follows once the device is looked at.
    """

    match: Match
    error: str | None = None
    tainted: bool = False
    doubt: str | None = None
    opaque: bool = False
    capacity: CapacityShortage | None = None


@dataclass(frozen=True, slots=True)
class RequestSteps:
    """How many devices of the usable pools are left for one request after each step.

    ``devices`` counts all that the node reaches, ``after_class`` and ``after_selectors`` those whose selectors
    hold, ``free`` those of them not held (admin access ignores holding), ``untainted`` those of them without an
    untolerated taint, ``counters`` those of them whose counters are left, ``capacity`` those of them whose capacity
    does, ``constraint`` the most of them that the claim's constraints allow together.

    ``tests``, ``counter_shortages`` and ``capacity_shortages`` have one entry per device of ``NodeAnswer.devices``;
    the latter two are empty where no device is short.
    """

    claim: int
    request: str
    alternative: str | None
    devices: int
    after_class: int
    after_selectors: int
    free: int
    untainted: int
    tests: tuple[DeviceTest, ...] = ()
    counters: int = 0
    capacity: int = 0
    constraint: int = 0
    counter_shortages: tuple[CounterShortage | None, ...] = ()
    capacity_shortages: tuple[CapacityShortage | None, ...] = ()


@dataclass(frozen=True, slots=True)
class NodeAnswer:
    """The filter's answer for one node.

    ``message`` is the scheduler's own text for Refuses and Fails, and what is not known for Unknown.
    ``may_fail`` is true for an Unknown that does not exclude Fails. ``may_time_out``: the scheduler may not come to
    this answer in time, and then fails the whole pod.
    ``allocation`` is in the order the scheduler records. ``devices`` are those of usable pools in the order
    tried, reachable or not; ``steps`` has one entry per request (and alternative) of the claims that are not
    allocated yet. Both are empty where nothing was evaluated. ``unmet`` has the constraints that alone stand in the
    way. ``node_selectors`` says per claim where its allocation could be used, None for everywhere; empty for any
    outcome but Allocates.
    """

    outcome: Outcome
    message: str | None = None
    allocation: tuple[ClaimDevice, ...] = ()
    may_fail: bool = False
    may_time_out: bool = False
    pools: tuple[Pool, ...] = ()
    devices: tuple[PoolDevice, ...] = ()
    steps: tuple[RequestSteps, ...] = ()
    unmet: tuple[UnmetConstraint, ...] = ()
    node_selectors: tuple[NodeSelector | None, ...] = ()
