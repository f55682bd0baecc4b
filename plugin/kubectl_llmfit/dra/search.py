"""The search for one device per slot: the scheduler's order, and no equal choice tried twice.

Rules: kube-scheduler 1.37, ``structured/internal/incubating`` allocateOne and allocateDevice. Knows nothing of
CEL, claims or nodes: devices and requests are numbers, what a device is for a request is a Status.

The scheduler tries every combination. Two devices with the same status for this and all later requests lead to
the same end, so the second is skipped once the first has failed; a state of the search that has failed is not
entered again; nor is one whose next requests, none of which can end the search, cannot be met together. None of
this changes which solution is found first, nor whether an error is reached.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from .feasible import Demand, can_meet


class Status(IntEnum):
    """What one device is for one request, before anything of this attempt is taken."""

    SKIP = 0
    """Never taken: no match, held, tainted."""
    FREE = 1
    DOUBT = 2
    """As FREE, but something not supported or not read may keep it from being taken."""
    ERROR = 3
    """Looking at it ends the search with an error."""
    OPAQUE = 4
    """Looking at it ends the search: what follows is not known."""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One request as the search sees it.

    ``statuses`` has one entry per device. ``all_devices`` lists the devices of an All request in order, None for
    a count of ``count``. ``claim`` counts the claims from 0; requests stand in the order of claims.
    """

    claim: int
    count: int
    admin_access: bool
    statuses: Sequence[Status]
    all_devices: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """How the search ended.

    ``taken`` holds (request, device) in the order taken, None where there is no solution. ``stopped_at`` is the
    (request, device) whose ERROR or OPAQUE ended it. ``doubted`` is the first DOUBT that the search has taken at
    any time: with one, only "no solution" is certain.
    """

    taken: tuple[tuple[int, int], ...] | None = None
    stopped_at: tuple[int, int] | None = None
    doubted: tuple[int, int] | None = None


@dataclass(slots=True)
class _Slot:
    """One device still to be found, or all devices of an All request at once."""

    request: int
    first: bool
    position: int = 0
    start: int = 0
    tried: set[tuple[int, bool]] = field(default_factory=set)
    taken: tuple[int, ...] = ()


class _StoppedError(Exception):
    def __init__(self, request: int, device: int) -> None:
        super().__init__()
        self.at = (request, device)


def search(requests: Sequence[SearchRequest]) -> Found:
    """The first solution in the scheduler's order."""
    return _Search(requests).run()


class _Search:
    def __init__(self, requests: Sequence[SearchRequest]) -> None:
        self._requests = requests
        self._slots = [slot for number in range(len(requests)) for slot in _slots_of(number, requests[number])]
        self._classes = _equal_devices(requests)
        self._claims_of: dict[int, set[int]] = {}
        self._dead: set[tuple[object, ...]] = set()
        self._doubted: tuple[int, int] | None = None
        self._safe_until = _safe_until(requests)

    def run(self) -> Found:
        current = 0
        try:
            while 0 <= current < len(self._slots):
                slot = self._slots[current]
                self._release(slot)
                if self._advance(slot):
                    current += 1
                    if current < len(self._slots) and not self._enter(current):
                        current -= 1
                else:
                    self._dead.add(self._state(current))
                    current -= 1
        except _StoppedError as stop:
            return Found(stopped_at=stop.at, doubted=self._doubted)
        if current < 0:
            return Found(doubted=self._doubted)
        taken = tuple((slot.request, device) for slot in self._slots for device in slot.taken)
        return Found(taken=taken, doubted=self._doubted)

    def _enter(self, current: int) -> bool:
        """Starts a slot afresh; false where it is known to fail. Nothing is known before the first failure."""
        slot = self._slots[current]
        slot.tried = set()
        slot.start = 0 if slot.first else self._slots[current - 1].position
        slot.position = slot.start
        return not self._dead or (self._state(current) not in self._dead and self._can_go_on(current))

    def _advance(self, slot: _Slot) -> bool:
        """Takes the next device that may lead somewhere; false where there is none."""
        request = self._requests[slot.request]
        if request.all_devices is not None:
            return self._take_all(slot, request, request.all_devices)
        classes = self._classes[slot.request]
        statuses = request.statuses
        while slot.position < len(statuses):
            device = slot.position
            slot.position += 1
            status = statuses[device]
            kind = (classes[device], bool(self._claims_of.get(device)))
            if status is Status.SKIP or kind in slot.tried or self._in_use(device, request):
                continue
            if status in {Status.ERROR, Status.OPAQUE}:
                raise _StoppedError(slot.request, device)
            slot.tried.add(kind)
            self._take(slot, request, (device,))
            return True
        return False

    def _take_all(self, slot: _Slot, request: SearchRequest, devices: tuple[int, ...]) -> bool:
        """Takes every device of an All request or none; there is no second way to do it."""
        if slot.tried or not devices:
            return False
        slot.tried.add((slot.request, True))
        for device in devices:
            if request.statuses[device] is Status.OPAQUE:
                raise _StoppedError(slot.request, device)
            if request.statuses[device] is Status.SKIP or self._in_use(device, request):
                return False
        self._take(slot, request, devices)
        return True

    def _in_use(self, device: int, request: SearchRequest) -> bool:
        """Taken in this attempt: by any claim, or with admin access by the same claim."""
        claims = self._claims_of.get(device, set())
        return bool(claims) and (not request.admin_access or request.claim in claims)

    def _take(self, slot: _Slot, request: SearchRequest, devices: tuple[int, ...]) -> None:
        slot.taken = devices
        for device in devices:
            self._claims_of.setdefault(device, set()).add(request.claim)
            if self._doubted is None and request.statuses[device] is Status.DOUBT:
                self._doubted = (slot.request, device)

    def _release(self, slot: _Slot) -> None:
        claim = self._requests[slot.request].claim
        for device in slot.taken:
            self._claims_of[device].discard(claim)
        slot.taken = ()

    def _can_go_on(self, current: int) -> bool:
        """Whether the requests from here to the next one that can end the search can be met together.

        Admin access is only counted, not matched, since it may take what others have.
        """
        slot = self._slots[current]
        supply = [0] * (2 * len(self._classes[slot.request]))
        for device in range(len(self._classes[slot.request])):
            supply[self._kind(slot, device)] += not self._claims_of.get(device)
        demands = []
        for number in range(slot.request, self._safe_until[slot.request]):
            demand = self._demand(number, slot, sum(s.request == slot.request for s in self._slots[current:]))
            if demand is None:
                return False
            if not self._requests[number].admin_access:
                demands.append(demand)
        return can_meet(demands, supply)

    def _demand(self, number: int, slot: _Slot, remaining: int) -> Demand | None:
        """What a request still needs, seen from ``slot``; None where too few devices are left for it alone."""
        request = self._requests[number]
        is_current = number == slot.request
        wanted: Sequence[int] = range(slot.start if is_current else 0, len(request.statuses))
        need = remaining if is_current else request.count
        if request.all_devices is not None:
            wanted = request.all_devices
            need = max(len(wanted), 1)
        usable = [d for d in wanted if request.statuses[d] is not Status.SKIP and not self._in_use(d, request)]
        return Demand(need, frozenset(self._kind(slot, d) for d in usable)) if len(usable) >= need else None

    def _kind(self, slot: _Slot, device: int) -> int:
        """A number for equal devices on the same side of the slot's start."""
        return 2 * self._classes[slot.request][device] + (device >= slot.start)

    def _state(self, current: int) -> tuple[object, ...]:
        """What decides the rest of the search: how many devices of each kind are taken, and are still ahead."""
        slot = self._slots[current]
        request, classes = self._requests[slot.request], self._classes[slot.request]
        used: Counter[tuple[int, bool]] = Counter()
        passed: Counter[tuple[int, bool, bool]] = Counter()
        for device, claims in self._claims_of.items():
            if claims:
                used[classes[device], request.claim in claims] += 1
        for device in range(slot.start):
            claims = self._claims_of.get(device, set())
            passed[classes[device], bool(claims), request.claim in claims] += 1
        return current, frozenset(used.items()), frozenset(passed.items())


def _slots_of(number: int, request: SearchRequest) -> list[_Slot]:
    if request.all_devices is not None:
        return [_Slot(number, first=True)]
    return [_Slot(number, first=index == 0) for index in range(request.count)]


def _equal_devices(requests: Sequence[SearchRequest]) -> list[list[int]]:
    """Per request a number for each device; equal numbers, equal statuses in this and all later requests."""
    classes: list[list[int]] = []
    later = [0] * (len(requests[0].statuses) if requests else 0)
    for request in reversed(requests):
        listed = frozenset(request.all_devices or ())
        numbers: dict[tuple[int, int, bool], int] = {}
        row = [
            numbers.setdefault((rest, status, device in listed), len(numbers))
            for device, (rest, status) in enumerate(zip(later, request.statuses, strict=True))
        ]
        classes.append(row)
        later = row
    return classes[::-1]


def _safe_until(requests: Sequence[SearchRequest]) -> list[int]:
    """Per request the number of the next one, itself included, that has a device which ends the search."""
    until = [len(requests)] * (len(requests) + 1)
    for number in range(len(requests) - 1, -1, -1):
        ends = any(status in {Status.ERROR, Status.OPAQUE} for status in requests[number].statuses)
        until[number] = number if ends else until[number + 1]
    return until
