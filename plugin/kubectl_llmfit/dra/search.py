"""The search for devices: the scheduler's order, and nothing tried twice that is as good as what has failed.

Rules: kube-scheduler 1.37, ``structured/internal/incubating`` allocateOne. The scheduler tries every combination of
devices, alternative by alternative. Three things are left out here, none of which changes what is found first, nor
whether an error is reached: a device that can be exchanged for one that has failed in the same place, a state of the
search that is as good as one that has failed (``symmetry``), and what cannot be met by counting alone (``outlook``).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from enum import Enum

from .outlook import Outlook
from .problem import ENDING, RESULTS_MAX, Problem, Request, Status, Taken, Want, can_end
from .state import State
from .symmetry import Symmetry

LOOKS_MAX = 3_000_000
"""The search gives up once it has looked at so many devices: after about two seconds."""

_AHEAD_LOOKS = 4
"""To look at a device for the requests to come costs as much as so many looks for one that is taken."""


@dataclass(frozen=True, slots=True)
class Found:
    """How the search ended.

    ``taken`` is in the order taken, None where there is no solution. ``stopped_at`` is the device that ended the
    search: its status is ERROR or OPAQUE, or it is one of an All request that a constraint does not allow.
    ``doubted`` is the first DOUBT that was taken at any time: with one, only "no solution" is certain, and
    with ``skipped_errors`` not even that. ``gave_up``: it took too long.
    """

    taken: tuple[Taken, ...] | None = None
    stopped_at: Taken | None = None
    doubted: Taken | None = None
    skipped_errors: bool = False
    gave_up: bool = False


class _Step(Enum):
    """What became of a step: a solution, none, none for want of room in the claim's results, or one step more.

    EXCEEDED is passed on to the nearest list of alternatives, or to the claim before
    (errAllocationResultMaxSizeExceeded), past devices that are not looked at any more.
    """

    FOUND = 0
    FAILED = 1
    EXCEEDED = 2
    DEEPER = 3


@dataclass(slots=True)
class _Choice:
    """A prioritised list; ``want`` is the alternative being tried."""

    request: int
    want: int = -1
    all_exceeded: bool = True


@dataclass(slots=True)
class _Slot:
    """The next device of a want, looked for from ``start`` on; or all devices of an All request at once."""

    request: int
    number: int
    want: Want
    index: int
    start: int
    position: int
    taken: list[int] = field(default_factory=list)
    tried: set[Hashable] = field(default_factory=set)
    looked_ahead: bool = False


class _StoppedError(Exception):
    def __init__(self, slot: _Slot, device: int) -> None:
        super().__init__()
        self.at = Taken(slot.request, slot.number, device)


class _GaveUpError(Exception):
    pass


def search(problem: Problem) -> Found:
    """The first solution in the scheduler's order."""
    return _Search(problem).run()


class _Search:
    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._requests = problem.requests
        self._state = State(problem)
        self._results = {request.claim: 0 for request in problem.requests}
        self._frames: list[_Choice | _Slot] = []
        self._ended: dict[Hashable, _Step] = {}
        self._doubted: Taken | None = None
        self._looks = 0
        self._may_exceed = _may_exceed(problem.requests)
        ends = any(can_end(want) for request in problem.requests for want in request.wants)
        # Which devices are passed over for want of room depends on their order, so nothing may be exchanged then.
        self._order_matters = self._may_exceed and ends
        self._pruning: tuple[Symmetry, Outlook] | None = None

    def run(self) -> Found:
        try:
            step = self._enter(0)
            while step is not _Step.FOUND and self._frames:
                step = self._go_on(self._frames[-1], step)
        except _StoppedError as stop:
            return Found(stopped_at=stop.at, doubted=self._doubted)
        except _GaveUpError:
            return Found(doubted=self._doubted, gave_up=True)
        if step is not _Step.FOUND:
            return Found(doubted=self._doubted, skipped_errors=self._order_matters)
        slots = [frame for frame in self._frames if isinstance(frame, _Slot)]
        taken = tuple(Taken(slot.request, slot.number, device) for slot in slots for device in slot.taken)
        return Found(taken=taken, doubted=self._doubted)

    def _enter(self, number: int) -> _Step:
        """Begins a request."""
        if number == len(self._requests):
            return _Step.FOUND
        if not self._requests[number].prioritized:
            return self._passed_on(number, self._enter_want(number, 0))
        known = self._known(number, None, 0, 0)
        if known is not None:
            return known
        self._frames.append(_Choice(number))
        return _Step.DEEPER

    def _enter_want(self, number: int, alternative: int) -> _Step:
        """Begins a request's one way, or an alternative; All needs at least one device."""
        want = self._requests[number].wants[alternative]
        if want.all_devices is not None and not want.all_devices:
            return _Step.FAILED
        if want.devices_wanted > RESULTS_MAX - self._results[want.claim]:
            return _Step.EXCEEDED
        return self._enter_slot(number, alternative, 0, 0)

    def _enter_slot(self, number: int, alternative: int, index: int, start: int) -> _Step:
        known = self._known(number, alternative, index, start)
        if known is not None:
            return known
        want = self._requests[number].wants[alternative]
        self._frames.append(_Slot(number, alternative, want, index, start, start, looked_ahead=bool(self._pruning)))
        return _Step.DEEPER

    def _go_on(self, frame: _Choice | _Slot, step: _Step) -> _Step:
        """The next thing to try in the innermost frame, ``step`` being what became of the last."""
        if isinstance(frame, _Choice):
            return self._next_alternative(frame, step)
        if not frame.taken:
            return self._next_device(frame)
        failed = frame.taken[-1]
        self._give_back(frame)
        if step is _Step.EXCEEDED or frame.want.all_devices is not None or self._is_hopeless(frame):
            return self._close(frame, step)
        frame.tried.add(self._role(frame, failed))
        return self._next_device(frame)

    def _next_alternative(self, choice: _Choice, step: _Step) -> _Step:
        choice.all_exceeded &= step is not _Step.FAILED
        choice.want += 1
        if choice.want < len(self._requests[choice.request].wants):
            return self._enter_want(choice.request, choice.want)
        return self._close(choice, _Step.EXCEEDED if choice.all_exceeded else _Step.FAILED)

    def _next_device(self, slot: _Slot) -> _Step:
        if slot.want.all_devices is not None:
            if not self._take_all(slot, slot.want.all_devices):
                self._give_back(slot)
                return self._close(slot, _Step.FAILED)
            return self._enter(slot.request + 1)
        want, state, statuses = slot.want, self._state, slot.want.statuses
        while slot.position < len(statuses):
            device = slot.position
            slot.position += 1
            status = statuses[device]
            if status is Status.SKIP or state.in_use(want, device):
                continue
            if status in ENDING:
                raise _StoppedError(slot, device)
            if state.lacks_capacity(want, device) or state.lacks_counters(device) or state.violates(want, device):
                continue
            if slot.tried and self._role(slot, device) in slot.tried:
                continue
            self._take(slot, device)
            if slot.index + 1 == want.count:
                return self._enter(slot.request + 1)
            return self._enter_slot(slot.request, slot.number, slot.index + 1, device + 1)
        return self._close(slot, _Step.FAILED)

    def _take_all(self, slot: _Slot, devices: tuple[int, ...]) -> bool:
        """Takes every device of an All request; a constraint against one of them is an error of the claim."""
        want, state = slot.want, self._state
        for device in devices:
            status = want.statuses[device]
            if status is Status.OPAQUE:
                raise _StoppedError(slot, device)
            if status is Status.SKIP or state.in_use(want, device) or state.lacks_counters(device):
                return False
            if state.violates(want, device):
                raise _StoppedError(slot, device)
            if state.lacks_capacity(want, device):
                return False
            self._take(slot, device)
        return True

    def _take(self, slot: _Slot, device: int) -> None:
        self._look(self._problem.devices.count)
        self._state.take(slot.want, device)
        slot.taken.append(device)
        self._results[slot.want.claim] += 1
        if self._doubted is None and slot.want.statuses[device] is Status.DOUBT:
            self._doubted = Taken(slot.request, slot.number, device)
        if self._pruning is not None:
            self._pruning[0].touch(device)

    def _look(self, devices: int) -> None:
        self._looks += devices
        if self._looks > LOOKS_MAX:
            raise _GaveUpError

    def _give_back(self, slot: _Slot) -> None:
        self._results[slot.want.claim] -= len(slot.taken)
        while slot.taken:
            device = slot.taken.pop()
            self._state.give_back(slot.want, device)
            if self._pruning is not None:
                self._pruning[0].touch(device)

    def _close(self, frame: _Choice | _Slot, result: _Step) -> _Step:
        """Leaves a frame and remembers how it ended; nothing is remembered before the first failure."""
        self._frames.pop()
        if isinstance(frame, _Choice):
            self._ended[self._key(frame.request, None, 0, 0)] = result
        else:
            self._ended[self._key(frame.request, frame.number, frame.index, frame.start)] = result
            if frame.index or self._requests[frame.request].prioritized:
                return result
        return self._passed_on(frame.request, result)

    def _passed_on(self, number: int, result: _Step) -> _Step:
        """Want of room in one claim is a plain failure for the claim before: other devices may leave it more."""
        first = number == 0 or self._requests[number - 1].claim != self._requests[number].claim
        return _Step.FAILED if first and result is _Step.EXCEEDED else result

    def _known(self, number: int, alternative: int | None, index: int, start: int) -> _Step | None:
        """How a place ends in the state as it is, where that is known without trying."""
        if not self._ended:
            return None
        known = self._ended.get(self._key(number, alternative, index, start))
        if known is None and not self._order_matters:
            want = None if alternative is None else self._requests[number].wants[alternative]
            need = 0 if want is None else want.devices_wanted - index
            known = _Step.FAILED if self._looks_hopeless(number, want, need, start) else None
        return known

    def _looks_hopeless(self, number: int, want: Want | None, need: int, start: int) -> bool:
        outlook = self._prune[1]
        before = outlook.looks
        hopeless = outlook.is_hopeless(number, want, need, start)
        self._look(_AHEAD_LOOKS * (outlook.looks - before))
        return hopeless

    def _is_hopeless(self, slot: _Slot) -> bool:
        """Looks ahead once from where the slot began, unless that was done when it did."""
        if slot.looked_ahead or self._order_matters:
            return False
        slot.looked_ahead = True
        need = slot.want.devices_wanted - slot.index
        return self._looks_hopeless(slot.request, slot.want, need, slot.start)

    def _key(self, number: int, alternative: int | None, index: int, start: int) -> Hashable:
        """What decides how a place ends."""
        self._look(self._problem.devices.count)
        results = self._results[self._requests[number].claim] if self._may_exceed else 0
        place = (number, alternative)
        if self._order_matters:
            return place, index, start, results, self._state.snapshot()
        symmetry = self._prune[0]
        symmetry.look_from(place, start)
        return place, index, results, symmetry.form(), tuple([bool(m.count) for m in self._state.memories])

    def _role(self, slot: _Slot, device: int) -> Hashable:
        """What a device is for a slot; another of the same role comes to the same end."""
        if self._order_matters:
            return device
        symmetry = self._prune[0]
        symmetry.look_from((slot.request, slot.number), slot.start)
        return symmetry.role(device)

    @property
    def _prune(self) -> tuple[Symmetry, Outlook]:
        if self._pruning is None:
            self._pruning = Symmetry(self._problem, self._state), Outlook(self._problem, self._state)
        return self._pruning


def _may_exceed(requests: Sequence[Request]) -> bool:
    """Whether a claim could come to want more devices than its results can hold, with its largest alternatives."""
    most: dict[int, int] = {}
    for request in requests:
        largest = max(want.devices_wanted for want in request.wants)
        most[request.claim] = most.get(request.claim, 0) + largest
    return any(count > RESULTS_MAX for count in most.values())
