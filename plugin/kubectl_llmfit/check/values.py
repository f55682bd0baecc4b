"""The NodeCheck document as frozen values, one field for one key.

A field's key is its name in camelCase unless its metadata says otherwise (``key``). A field whose metadata says
``optional`` is left out when it is None, one that says ``hidden`` always; every other field is always there.
Owns no rule: verdicts are made in ``check``, words in ``reasons``. Fields are only ever added (the document is
described by ``docs/node-check.schema.json``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from ..api.values import Taint, Unread
from ..cel.quantity import Quantity
from .asked import ClaimEntry, Inputs, NeedEntry


class Verdict(StrEnum):
    """What a node, or one device, means for the claims."""

    FITS = "Fits"
    IN_USE = "InUse"
    NO_FIT = "NoFit"
    UNKNOWN = "Unknown"
    ERROR = "Error"


class Answer(StrEnum):
    """What the whole check says."""

    YES = "Yes"
    NO = "No"
    CANNOT_TELL = "CannotTell"


Result = Literal["true", "false", "error", "skipped"]


@dataclass(frozen=True, slots=True)
class Copies:
    """How many such claims a node can take: now, and were nothing held. 100 means more than 99."""

    now: int
    if_free: int


@dataclass(frozen=True, slots=True)
class MatchCount:
    """Devices that pass the selectors of at least one request, of all devices of the kind that is asked for."""

    matching: int
    total: int


@dataclass(frozen=True, slots=True)
class ClusterEntry:
    """What was read, and by which version's rules and which feature gates it was judged."""

    context: str | None
    server_version: str | None
    rules: str
    feature_gates: Mapping[str, bool]
    snapshot: str | None
    observed_at: str | None
    resource_version: str | None


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What would turn a "no": a flag (None where no flag helps), the nodes it would open, and the sentence."""

    flag: str | None
    nodes: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class ErrorElsewhere:
    """A node that was not asked about and yet fails the pod, or may."""

    node: str
    message: str | None


@dataclass(frozen=True, slots=True)
class Summary:
    """The answer and its counts, over the chosen nodes; cordoned nodes count in ``cordoned`` only.

    ``error`` counts nodes everywhere, those of ``errors_elsewhere`` too: the scheduler fails the pod whatever
    was chosen. ``may_time_out`` counts nodes of any verdict.
    """

    verdict: Answer
    fits: int
    in_use: int
    no_fit: int
    unknown: int
    error: int
    cordoned: int
    copies: Copies | None
    errors_elsewhere: tuple[ErrorElsewhere, ...]
    may_time_out: int
    may_fail_elsewhere: tuple[ErrorElsewhere, ...]
    unread: tuple[Unread, ...]
    assumed: tuple[str, ...]
    suggestions: tuple[Suggestion, ...]


@dataclass(frozen=True, slots=True)
class Steps:
    """How many devices are left for one alternative after each step of the scheduler; None where not reached.

    ``device_class`` counts devices that pass the class, ``selectors`` those that pass the request too, ``counters`` and
    ``capacity`` those of the free ones that have enough left, ``constraint`` how many of these can be together.
    """

    claim: str
    request: str
    alternative: str | None
    device_class: int | None = field(metadata={"key": "class"})
    selectors: int | None
    free: int | None
    untainted: int | None
    counters: int | None = None
    capacity: int | None = None
    constraint: int | None = None


@dataclass(frozen=True, slots=True)
class AllocatedDevice:
    """A device that the scheduler would take."""

    claim: str
    request: str
    driver: str
    pool: str
    device: str
    share_id: str | None = field(default=None, metadata={"key": "shareID", "optional": True})
    consumed_capacity: Mapping[str, Quantity] | None = field(default=None, metadata={"optional": True})


@dataclass(frozen=True, slots=True)
class PoolEntry:
    """A pool that a node reaches."""

    driver: str
    pool: str
    generation: int
    slices: int
    expected_slices: int
    state: str
    reason: str | None


@dataclass(frozen=True, slots=True)
class PartEntry:
    """One && operand on one device; ``observed`` and ``required`` as a person writes them.

    ``saying`` is what a false one means, where that is more than its two sides.
    """

    result: Result
    observed: str | None
    required: str | None
    error: str | None
    saying: str | None = field(default=None, metadata={"hidden": True})


@dataclass(frozen=True, slots=True)
class ConditionEntry:
    """One condition on one device; ``id`` refers to ``claims[].requests[].alternatives[].conditions``."""

    id: str
    result: Result
    parts: tuple[PartEntry, ...]


@dataclass(frozen=True, slots=True)
class DeviceGroup:
    """Equal devices of one pool.

    ``held_by`` has the claims that hold a device, shares of it or, where that stops it, the counters that it needs.
    ``short_of`` says what it has too little of for a request. ``nodes`` is given only for devices that several
    nodes reach (``shared``).
    """

    driver: str
    pool: str
    devices: tuple[str, ...]
    verdict: Verdict
    held_by: Mapping[str, tuple[str, ...]]
    taints: tuple[Taint, ...]
    conditions: tuple[ConditionEntry, ...]
    short_of: tuple[str, ...] = ()
    nodes: tuple[str, ...] | None = field(default=None, metadata={"optional": True})


@dataclass(frozen=True, slots=True)
class NodeEntry:
    """One node: what the scheduler does there, what that means, and why.

    ``may_time_out``: the scheduler may give up its search there, and then fails the whole pod.
    ``scheduler`` is Allocates, Refuses, Fails or Unknown and speaks of the DynamicResources filter alone.
    ``assumed``: the node was added to what was read, or is only known from a slice (nodes could not be read).
    """

    name: str
    verdict: Verdict
    scheduler: str
    may_time_out: bool
    message: str | None
    reason: str | None
    notes: tuple[str, ...]
    unschedulable: bool
    taints: tuple[Taint, ...]
    assumed: bool
    match: MatchCount | None
    copies: Copies | None
    requests: tuple[Steps, ...]
    allocation: tuple[AllocatedDevice, ...]
    pools: tuple[PoolEntry, ...]
    devices: tuple[DeviceGroup, ...]


@dataclass(frozen=True, slots=True)
class NodeCheck:
    """A check of one subject against a cluster."""

    inputs: Inputs | None
    need: NeedEntry | None
    claims: tuple[ClaimEntry, ...]
    cluster: ClusterEntry
    summary: Summary
    nodes: tuple[NodeEntry, ...]
    shared: tuple[DeviceGroup, ...]
