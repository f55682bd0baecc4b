"""The search for devices: the scheduler's order, and nothing tried twice that is as good as what has failed.

Rules: kube-scheduler 1.37, ``structured/internal/incubating`` allocateOne. The scheduler tries every combination of
devices, alternative by alternative. Three things are left out here, none of which changes what is found first, nor
whether an error is reached: a device that can be exchanged for one that has failed in the same place, a state of the
search that is as good as one that has failed (``symmetry``), and what cannot be met by counting alone (``outlook``).
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from .problem import ENDING, RESULTS_MAX, Problem, Status, Taken, Want, can_end
from .pruning import LOOKS_MAX, GaveUpError, Place, Pruning, Step
from .state import State


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


@dataclass(slots=True)
class _Choice:
    """A prioritised list; ``want`` is the alternative being tried."""

    request: int
    want: int = -1
    all_exceeded: bool = True


@dataclass(slots=True)
class _Slot:
    """The next device of a want, looked for from its place on; or all devices of an All request at once."""

    place: Place
    request: int
    number: int
    want: Want
    index: int
    position: int
    taken: list[int] = field(default_factory=list)
    tried: set[Hashable] = field(default_factory=set)
    looked_ahead: bool = False


class _StoppedError(Exception):
    def __init__(self, slot: _Slot, device: int) -> None:
        super().__init__()
        self.at = Taken(slot.request, slot.number, device)


def search(problem: Problem, looks_max: int = LOOKS_MAX) -> Found:
    """The first solution in the scheduler's order; gives up after looking at so many devices."""
    return _Search(problem, looks_max).run()


class _Search:
    def __init__(self, problem: Problem, looks_max: int) -> None:
        self._problem = problem
        self._requests = problem.requests
        self._state = State(problem)
        self._pruning = Pruning(problem, self._state, looks_max)
        self._frames: list[_Choice | _Slot] = []
        self._doubted: Taken | None = None
        forgetful = any(constraint.forgetful for constraint in problem.constraints)
        self._violates = self._state.refuses if forgetful else self._state.violates

    def run(self) -> Found:
        """The end of the search."""
        if _has_too_few(self._problem):
            return Found()
        try:
            step = self._enter(0)
            while step is not Step.FOUND and self._frames:
                step = self._go_on(self._frames[-1], step)
        except _StoppedError as stop:
            return Found(stopped_at=stop.at, doubted=self._doubted)
        except GaveUpError:
            return Found(doubted=self._doubted, gave_up=True)
        if step is not Step.FOUND:
            return Found(doubted=self._doubted, skipped_errors=self._pruning.skips_errors)
        slots = [frame for frame in self._frames if isinstance(frame, _Slot)]
        taken = tuple(Taken(slot.request, slot.number, device) for slot in slots for device in slot.taken)
        return Found(taken=taken, doubted=self._doubted)

    def _enter(self, number: int) -> Step:
        """Begins a request."""
        if number == len(self._requests):
            return Step.FOUND
        if not self._requests[number].prioritized:
            return self._passed_on(number, self._enter_want(number, 0))
        known = self._pruning.known(Place(number))
        if known is not None:
            return known
        self._frames.append(_Choice(number))
        return Step.DEEPER

    def _enter_want(self, number: int, alternative: int) -> Step:
        """Begins a request's one way, or an alternative."""
        return self._enter_want_at(number, alternative, 0)

    def _enter_want_at(self, number: int, alternative: int, index: int) -> Step:
        """Goes on with a want's next device; All needs at least one device."""
        if self._requests[number].wants[alternative].all_devices == ():
            return Step.FAILED
        return self._enter_slot(number, alternative, index, 0)

    def _enter_slot(self, number: int, alternative: int, index: int, start: int) -> Step:
        want = self._requests[number].wants[alternative]
        if index >= want.devices_wanted:
            return self._enter(number + 1)
        if want.devices_wanted - index > RESULTS_MAX - self._state.results[want.claim]:
            return Step.EXCEEDED
        place = Place(number, alternative, index, start)
        known = self._pruning.known(place)
        if known is not None:
            return known
        self._frames.append(
            _Slot(place, number, alternative, want, index, start, looked_ahead=self._pruning.looks_ahead)
        )
        return Step.DEEPER

    def _go_on(self, frame: _Choice | _Slot, step: Step) -> Step:
        """The next thing to try in the innermost frame, ``step`` being what became of the last."""
        if isinstance(frame, _Choice):
            return self._next_alternative(frame, step)
        if not frame.taken:
            return self._next_device(frame)
        failed = frame.taken[-1]
        self._give_back(frame)
        if step is Step.EXCEEDED or frame.want.all_devices is not None or self._is_hopeless(frame):
            return self._close(frame, step)
        frame.tried.add(self._pruning.role(frame.place, failed))
        return self._next_device(frame)

    def _is_hopeless(self, slot: _Slot) -> bool:
        """Looks ahead once from where the slot began, unless that was done when it did."""
        if slot.looked_ahead:
            return False
        slot.looked_ahead = True
        return self._pruning.is_hopeless(slot.place)

    def _next_alternative(self, choice: _Choice, step: Step) -> Step:
        choice.all_exceeded &= step is not Step.FAILED
        choice.want += 1
        if choice.want < len(self._requests[choice.request].wants):
            return self._enter_want(choice.request, choice.want)
        return self._close(choice, Step.EXCEEDED if choice.all_exceeded else Step.FAILED)

    def _next_device(self, slot: _Slot) -> Step:
        if slot.want.all_devices is not None:
            mixed = self._problem.mixes_alternatives and slot.number > 0
            if not self._take_all(slot, slot.want.all_devices[slot.index : 1 if mixed else None]):
                self._give_back(slot)
                return self._close(slot, Step.FAILED)
            return self._enter_want_at(slot.request, 0, 1) if mixed else self._enter(slot.request + 1)
        want, state, statuses = slot.want, self._state, slot.want.statuses
        while slot.position < len(statuses):
            device = slot.position
            slot.position += 1
            status = statuses[device]
            if status is Status.SKIP or state.in_use(want, device):
                continue
            if status in ENDING:
                raise _StoppedError(slot, device)
            if state.lacks_capacity(want, device) or state.lacks_counters(device) or self._violates(want, device):
                continue
            if slot.tried and self._pruning.role(slot.place, device) in slot.tried:
                continue
            self._take(slot, device)
            return self._enter_slot(slot.request, slot.number, slot.index + 1, device + 1)
        return self._close(slot, Step.FAILED)

    def _take_all(self, slot: _Slot, devices: tuple[int, ...]) -> bool:
        """Takes every device of an All request; a constraint against one of them is an error of the claim."""
        want, state = slot.want, self._state
        for device in devices:
            status = want.statuses[device]
            if status is Status.OPAQUE:
                raise _StoppedError(slot, device)
            if status is Status.SKIP or state.in_use(want, device) or state.lacks_counters(device):
                return False
            if self._violates(want, device):
                raise _StoppedError(slot, device)
            if state.lacks_capacity(want, device):
                return False
            self._take(slot, device)
        return True

    def _take(self, slot: _Slot, device: int) -> None:
        self._pruning.look(self._problem.devices.count)
        self._state.take(slot.want, device)
        slot.taken.append(device)
        if self._doubted is None and slot.want.statuses[device] is Status.DOUBT:
            self._doubted = Taken(slot.request, slot.number, device)
        self._pruning.touch(device)

    def _give_back(self, slot: _Slot) -> None:
        while slot.taken:
            device = slot.taken.pop()
            self._state.give_back(slot.want, device)
            self._pruning.touch(device)

    def _close(self, frame: _Choice | _Slot, result: Step) -> Step:
        """Leaves a frame and remembers how it ended."""
        self._frames.pop()
        if isinstance(frame, _Choice):
            self._pruning.remember(Place(frame.request), result)
        else:
            self._pruning.remember(frame.place, result)
            if frame.index or self._requests[frame.request].prioritized:
                return result
        return self._passed_on(frame.request, result)

    def _passed_on(self, number: int, result: Step) -> Step:
        """Want of room in one claim is a plain failure for the claim before: other devices may leave it more."""
        first = number == 0 or self._requests[number - 1].claim != self._requests[number].claim
        return Step.FAILED if first and result is Step.EXCEEDED else result


def _has_too_few(problem: Problem) -> bool:
    """Whether a request that no error can come before has too few devices, whatever the others take."""
    for request in problem.requests:
        if any(map(can_end, request.wants)):
            return False
        if all(want.all_devices is None and _usable(want) < want.count for want in request.wants):
            return True
    return False


def _usable(want: Want) -> int:
    return len(want.statuses) - want.statuses.count(Status.SKIP)
