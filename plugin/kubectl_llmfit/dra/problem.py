"""What the search is about, as plain numbers: devices, what they share and what each request wants of them.

Devices, counters, constraints and attribute values are numbers; amounts are whole nanos of a quantity. Built by
``view``; knows nothing of CEL, claims or nodes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

NO_VALUE = -1
"""A device without the attribute that a constraint reads."""

RESULTS_MAX = 32
"""Devices that one claim's allocation can hold. Source: AllocationResultsMaxSize."""


class Status(IntEnum):
    """What one device is for one request, before anything of this attempt is taken."""

    SKIP = 0
    """Never taken: no match, held, tainted, without the capacity that is asked for."""
    FREE = 1
    DOUBT = 2
    """As FREE, but something not known or not read may keep it from being taken."""
    ERROR = 3
    """Looking at it ends the search with an error."""
    OPAQUE = 4
    """Looking at it ends the search: what follows is not known."""


ENDING = frozenset({Status.ERROR, Status.OPAQUE})


@dataclass(frozen=True, slots=True)
class Want:
    """One request, or one alternative of it.

    ``statuses`` has one entry per device. ``all_devices`` lists the devices of an All request in order, None for a
    count of ``count``. ``constraints`` are the numbers of those that read its devices, in the claim's order.
    ``amounts`` is what it takes of the capacities of those devices that have an account of them. ``request`` is the
    number of the request that it belongs to.
    """

    claim: int
    count: int
    admin_access: bool
    statuses: Sequence[Status]
    all_devices: tuple[int, ...] | None = None
    constraints: tuple[int, ...] = ()
    amounts: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    request: int = 0

    @property
    def devices_wanted(self) -> int:
        """How many devices it wants."""
        return self.count if self.all_devices is None else len(self.all_devices)


def can_end(want: Want) -> bool:
    """Whether trying it may end the search with an error: a device that raises, or All against a constraint."""
    against = want.all_devices is not None and bool(want.constraints)
    return against or not ENDING.isdisjoint(want.statuses)


@dataclass(frozen=True, slots=True)
class Request:
    """One request: a single want, or the alternatives of a prioritised list in order."""

    wants: tuple[Want, ...]
    prioritized: bool = False

    @property
    def claim(self) -> int:
        """The claim it belongs to."""
        return self.wants[0].claim


@dataclass(frozen=True, slots=True)
class SharedCounters:
    """The counters of all pools, numbered.

    ``left`` is what is available of each before the attempt. A device consumes ``needs`` of counters, and may be
    taken only while none of its ``guards`` (counters of an odd pool that others overdraw) is below zero.
    """

    left: tuple[int, ...] = ()
    needs: Mapping[int, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    guards: Mapping[int, tuple[int, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AttributeConstraint:
    """One constraint of one claim: its devices' values are all different (``distinct``) or all the same.

    A ``forgetful`` one remembers of each request the newest value only (``DistinctAttribute.LAST_OF_REQUEST``).
    ``values`` has a number for each device: equal numbers for equal values, NO_VALUE for none, and a number of its
    own below that for a value that equals nothing (a list).
    """

    claim: int
    distinct: bool
    values: Sequence[int]
    forgetful: bool = False


@dataclass(frozen=True, slots=True)
class Devices:
    """The devices of a node in the order they are tried.

    ``shareable`` ones are not in use by being taken; of those in ``shared`` somebody has a share already.
    ``capacity`` is what is left of the capacities of each device that has an account.
    """

    count: int
    shareable: frozenset[int] = frozenset()
    shared: frozenset[int] = frozenset()
    capacity: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    counters: SharedCounters = field(default_factory=SharedCounters)


@dataclass(frozen=True, slots=True)
class Problem:
    """All requests of the claims, claim after claim, on the devices of one node.

    ``mixes_alternatives``: after its first device, an All among alternatives goes on as the first of them (until
    1.35). ``permutes``: the scheduler tries the devices of one request in every order (until 1.35), which takes it
    longer, no more.
    """

    devices: Devices
    requests: tuple[Request, ...]
    constraints: tuple[AttributeConstraint, ...] = ()
    mixes_alternatives: bool = False
    permutes: bool = False


@dataclass(frozen=True, slots=True)
class Taken:
    """A device taken; ``request`` and ``want`` are the numbers of the request and of its alternative."""

    request: int
    want: int
    device: int
