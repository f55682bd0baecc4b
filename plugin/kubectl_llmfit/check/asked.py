"""The ask's side of the NodeCheck document: what was computed, and the claims that were tried.

How a field becomes a key: see ``values``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from ..cel.quantity import Quantity
from .names import Name

Source = Literal["model", "file", "cluster"]
ConditionSource = Literal["class", "request"]


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the need was computed from."""

    model: str
    quant: str | None
    min_tps: float | None
    efficiency_pct: int | None
    estimator: str
    catalog: str
    tool_version: str
    overrides: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TermEntry:
    """One term of the working behind the need."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class NeedEntry:
    """What one device must have."""

    memory: Quantity
    bandwidth_gbs: int | None = field(metadata={"key": "bandwidthGBs"})
    terms: tuple[TermEntry, ...] = ()


class PartKind(StrEnum):
    """What an && operand tests, as far as its syntax tree shows it."""

    PRESENCE = "presence"
    COMPARISON = "comparison"
    MEMBERSHIP = "membership"
    TEXT = "text"
    FLAG = "flag"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Part:
    """One && operand of a selector.

    ``about`` is the one attribute or capacity it reads, in a person's word (``memory``) or by its own name; None
    when it reads none or several. ``kind``, ``key`` (its published name), ``operator`` (the one between observed
    and required; ``!`` for a negated flag or presence, the function's name for a test of a text), ``unit`` and
    ``saying`` (what a false one means, where that is more than its words), ``guarded`` (for each name that it
    reads, the operand as CEL that asks for the name first) and ``reads`` (all that it looks at, however) are for
    sentences and no part of the document.
    """

    expression: str
    about: str | None
    kind: PartKind = field(default=PartKind.OTHER, metadata={"hidden": True})
    key: str | None = field(default=None, metadata={"hidden": True})
    operator: str | None = field(default=None, metadata={"hidden": True})
    unit: str | None = field(default=None, metadata={"hidden": True})
    saying: str | None = field(default=None, metadata={"hidden": True})
    guarded: Mapping[str, str] = field(default_factory=dict, metadata={"hidden": True}, compare=False)
    reads: tuple[Name, ...] = field(default=(), metadata={"hidden": True}, compare=False)


@dataclass(frozen=True, slots=True)
class Condition:
    """One CEL selector; the same selector of another request has the same ``id``.

    ``unguarded`` are the names that a device must have, or evaluating it raises and fails the pod.
    """

    id: str
    source: ConditionSource
    expression: str
    parts: tuple[Part, ...]
    unguarded: tuple[Name, ...] = ()


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way to satisfy a request: the request itself, or one entry of its prioritised list."""

    name: str
    device_class_name: str
    allocation_mode: str
    count: int | None
    admin_access: bool
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class RequestEntry:
    """A request of a claim."""

    name: str
    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True, slots=True)
class ConstraintEntry:
    """A constraint over the devices of a claim; no ``requests`` means all."""

    requests: tuple[str, ...]
    match_attribute: str | None = None
    distinct_attribute: str | None = None


@dataclass(frozen=True, slots=True)
class ClaimEntry:
    """A claim that was tried, and where it came from."""

    name: str
    namespace: str | None
    source: Source
    kind: str
    api_version: str
    requests: tuple[RequestEntry, ...]
    constraints: tuple[ConstraintEntry, ...] = ()
