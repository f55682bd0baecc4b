"""What the search need not try: how a place ended before, devices that can be exchanged, requests past hope.

Nothing here changes which solution is found first, nor whether an error is reached. Owns how long the search goes on.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from enum import Enum
from typing import NamedTuple

from .outlook import Outlook
from .problem import RESULTS_MAX, Problem, Request, can_end
from .state import State
from .symmetry import Symmetry

LOOKS_MAX = 3_000_000
"""The search gives up once it has looked at so many devices: after about two seconds."""

_AHEAD_LOOKS = 4
"""To look at a device for the requests to come costs as much as so many looks for one that is taken."""


class Step(Enum):
    """What became of a step: a solution, none, none for want of room in the claim's results, or one step more.

    EXCEEDED is passed on to the nearest list of alternatives, or to the claim before
    (errAllocationResultMaxSizeExceeded), past devices that are not looked at any more.
    """

    FOUND = 0
    FAILED = 1
    EXCEEDED = 2
    DEEPER = 3


class Place(NamedTuple):
    """Where the search stands: before a request's alternatives, or before a want's device number ``slot``.

    The latter is looked for from ``start`` on.
    """

    request: int
    alternative: int | None = None
    slot: int = 0
    start: int = 0


class GaveUpError(Exception):
    """The search takes too long."""


class Pruning:
    """Keeps what the search has learned. Nothing is compared before the first failure.

    ``skips_errors``: want of room in a claim's results may make the scheduler pass over a device that raises.
    """

    def __init__(self, problem: Problem, state: State, looks_max: int) -> None:
        self._problem = problem
        self._state = state
        self._looks_max = looks_max
        self._ended: dict[Hashable, Step] = {}
        self._looks = 0
        self._may_exceed = _may_exceed(problem.requests)
        ends = any(can_end(want) for request in problem.requests for want in request.wants)
        # Which devices are passed over depends on their order, so nothing may be exchanged then.
        self.skips_errors = self._may_exceed and ends
        self._forgets = any(constraint.forgetful for constraint in problem.constraints)
        self._is_exact = self.skips_errors or self._forgets or _mixes_alternatives(problem)
        self._tools: tuple[Symmetry, Outlook] | None = None

    @property
    def looks_ahead(self) -> bool:
        """Whether a place is looked ahead from as soon as the search comes to it."""
        return bool(self._ended)

    def touch(self, device: int) -> None:
        """Says that a device was taken or given back."""
        if self._tools is not None:
            self._tools[0].touch(device)

    def look(self, devices: int) -> None:
        """Counts work. Raises GaveUpError."""
        self._looks += devices
        if self._looks > self._looks_max:
            raise GaveUpError

    def remember(self, place: Place, result: Step) -> None:
        """How a place has ended in the state as it is."""
        if not self._forgets:
            self._ended[self._key(place)] = result

    def known(self, place: Place) -> Step | None:
        """How a place ends in the state as it is, where that is known without trying."""
        if not self._ended:
            return None
        known = self._ended.get(self._key(place))
        return Step.FAILED if known is None and self.is_hopeless(place) else known

    def is_hopeless(self, place: Place) -> bool:
        """Whether there are too few devices for what is to come."""
        if self._is_exact:
            return False
        outlook = self._need_tools()[1]
        want = None if place.alternative is None else self._problem.requests[place.request].wants[place.alternative]
        need = 0 if want is None else want.devices_wanted - place.slot
        before = outlook.looks
        hopeless = outlook.is_hopeless(place.request, want, need, place.start)
        self.look(_AHEAD_LOOKS * (outlook.looks - before))
        return hopeless

    def role(self, place: Place, device: int) -> Hashable:
        """What a device is for a place; another of the same role comes to the same end."""
        if self._is_exact:
            return device
        symmetry = self._need_tools()[0]
        symmetry.look_from((place.request, place.alternative), place.start)
        return symmetry.role(device)

    def _key(self, place: Place) -> Hashable:
        """What decides how a place ends."""
        self.look(self._problem.devices.count)
        results = self._state.results[self._problem.requests[place.request].claim] if self._may_exceed else 0
        if self._is_exact:
            return place, results, self._state.snapshot()
        symmetry = self._need_tools()[0]
        symmetry.look_from((place.request, place.alternative), place.start)
        begun = tuple([bool(memory.count) for memory in self._state.memories])
        return place[:3], results, symmetry.form(), begun

    def _need_tools(self) -> tuple[Symmetry, Outlook]:
        if self._tools is None:
            self._tools = Symmetry(self._problem, self._state), Outlook(self._problem, self._state)
        return self._tools


def _mixes_alternatives(problem: Problem) -> bool:
    """Whether an alternative goes on as another one, so that what it wants is not what it takes."""
    later = (want for request in problem.requests for want in request.wants[1:])
    return problem.mixes_alternatives and any(want.all_devices for want in later)


def _may_exceed(requests: Sequence[Request]) -> bool:
    """Whether a claim could come to want more devices than its results can hold, with its largest alternatives."""
    most: dict[int, int] = {}
    for request in requests:
        largest = max(want.devices_wanted for want in request.wants)
        most[request.claim] = most.get(request.claim, 0) + largest
    return any(count > RESULTS_MAX for count in most.values())
