"""How much work the scheduler's own search is, which gives up after ten seconds.

Rules: kube-scheduler 1.37, ``structured/internal/incubating`` allocateOne: every combination of devices within a
request, each with every one of the later requests, and no short cut. Only counts; ``search`` finds the solution.

The counts are upper bounds: constraints, counters and capacities are left out, which only make devices fewer. They
are exact where of any two requests the usable devices of one are all among the other's or none is: a request whose
devices are all among another's takes from the other in every combination.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import comb, perm, prod

from .problem import Problem, Request, Status, Taken, Want
from .search import Found

STEPS_MAX = 10_000_000
"""Steps that the scheduler is sure to do within its ten seconds (filterTimeout); one step looks at one device.

Measured with kube-scheduler 1.37.2 on two busy cores: 0.25 µs a step, so 2.5 s for so many; a machine may be four
times as slow.
"""

_TAKE_STEPS = 8
"""To take a device and give it back costs as much as so many looks (measured: 2 µs)."""

_PATHS_MAX = 256
"""With more ways than this to choose among alternatives, what they take from each other is left out."""

_USABLE = frozenset({Status.FREE, Status.DOUBT, Status.OPAQUE})


@dataclass(frozen=True, slots=True)
class _Draw:
    """``count`` devices still to be taken for one request out of ``free``, which has a bit for each device.

    ``before`` is how many of the free ones are tried as the first of them. ``ahead`` is how many devices, free or
    not, are looked at for one. ``ordered``: an All request, which knows one order only. ``shareable``: others may
    have some of what it takes; ``exclusive``: they lose some of it. ``permuted``:
    every order of its devices is tried.
    """

    claim: int
    admin_access: bool
    free: int
    count: int
    before: int
    ahead: int
    ordered: bool
    shareable: bool
    exclusive: bool
    permuted: bool

    def ways(self, lost: int, count: int) -> int:
        """Combinations of ``count`` devices once others have taken ``lost`` of the free ones."""
        left = self.free.bit_count() - lost
        if count == 0 or left < count:
            return int(count == 0)
        if self.ordered:
            return 1
        if self.permuted:
            return min(left, self.before) * perm(left - 1, count - 1)
        return comb(left, count) - comb(left - min(left, self.before), count)

    def loses_to(self, other: _Draw) -> bool:
        """Whether each device that ``other`` takes is one less for this one."""
        exclusive = self.claim == other.claim if self.admin_access else not other.admin_access
        return exclusive and not other.shareable and not other.free & ~self.free


def may_time_out(problem: Problem, found: Found) -> bool:
    """Whether the scheduler may give up before it comes to the end that ``search`` has found.

    Where that end is not known, every combination counts.
    """
    if found.taken is not None and found.doubted is None:
        return steps_to(problem, found.taken) > STEPS_MAX
    return steps_of_all(problem) > STEPS_MAX


def steps_of_all(problem: Problem) -> int:
    """The steps until every combination has failed."""
    return _steps([_draws(problem, request) for request in problem.requests])


def steps_to(problem: Problem, taken: Sequence[Taken]) -> int:
    """The steps of all that fails before the solution ``taken`` is found, device by device."""
    requests = [_draws(problem, request) for request in problem.requests]
    steps = start = already = 0
    for position, (number, chosen, device) in enumerate((t.request, t.want, t.device) for t in taken):
        left = [[_without(d, problem, taken[:position]) for d in draws] for draws in requests[number:]]
        if position == 0 or taken[position - 1].request != number:
            start = already = 0
            steps += _steps([left[0][:chosen], *left[1:]]) if chosen else 0
        draw = left[0][chosen]
        if not draw.ordered:
            free = draw.free if draw.permuted else draw.free >> start << start
            before = (free & ((1 << device) - 1)).bit_count()
            left[0] = [replace(draw, free=free, count=draw.count - already, before=before, ahead=draw.ahead - start)]
            steps += _steps(left) if before else 0
        start, already = device + 1, already + 1
    return steps


def _draws(problem: Problem, request: Request) -> list[_Draw]:
    return [_draw(problem, want) for want in request.wants]


def _draw(problem: Problem, want: Want) -> _Draw:
    devices = want.all_devices
    usable = [d for d, status in enumerate(want.statuses) if status in _USABLE]
    wanted = usable if devices is None else [d for d in devices if want.statuses[d] in _USABLE]
    bits = bytearray(len(want.statuses) // 8 + 1)
    for device in wanted:
        bits[device // 8] |= 1 << device % 8
    shareable = problem.devices.shareable
    return _Draw(
        claim=want.claim,
        admin_access=want.admin_access,
        free=int.from_bytes(bits, "little"),
        count=want.count if devices is None else max(len(devices), 1),
        before=len(wanted),
        ahead=len(want.statuses),
        ordered=devices is not None,
        shareable=any(d in shareable or want.statuses[d] is Status.OPAQUE for d in wanted),
        exclusive=any(d not in shareable for d in wanted),
        permuted=problem.permutes,
    )


def _without(draw: _Draw, problem: Problem, taken: Sequence[Taken]) -> _Draw:
    """``draw`` when some devices are in use."""
    free = draw.free
    for each in taken:
        in_use = not draw.admin_access or problem.requests[each.request].claim == draw.claim
        if in_use and each.device not in problem.devices.shareable:
            free &= ~(1 << each.device)
    return replace(draw, free=free, before=free.bit_count())


def _steps(requests: Sequence[Sequence[_Draw]]) -> int:
    """The steps until all combinations have failed: every alternative of each request after each of those before."""
    if prod(map(len, requests)) > _PATHS_MAX:
        return _steps_apart(requests)
    steps = 0
    paths: list[tuple[_Draw, ...]] = [()]
    for draws in requests:
        longer = []
        for before in paths:
            for draw in draws:
                own, reached = _steps_after(before, draw)
                steps += own
                if reached:
                    longer.append((*before, draw))
        paths = longer
    return steps


def _steps_apart(requests: Sequence[Sequence[_Draw]]) -> int:
    """The same, when no request takes anything from another."""
    steps, reached = 0, 1
    for draws in requests:
        steps += reached * sum(_steps_after((), replace(draw, shareable=True))[0] for draw in draws)
        reached *= sum(draw.ways(0, draw.count) for draw in draws)
    return steps


def _steps_after(before: Sequence[_Draw], draw: _Draw) -> tuple[int, int]:
    """The steps of one request after every combination of those before, and its own combinations with those."""
    steps = 0
    taken = sum(each.count for each in before if each.exclusive)
    in_vain = 0 if draw.ordered else draw.ahead - max(draw.free.bit_count() - taken, 0)
    reached = _ways(before, draw, 0)
    for count in range(1, draw.count + 1):
        if not reached:
            break
        steps += reached * in_vain
        reached = _ways(before, draw, count)
        steps += reached * (1 + _TAKE_STEPS)
    return steps, reached


def _ways(before: Sequence[_Draw], draw: _Draw, count: int) -> int:
    """Combinations of all of ``before`` and of ``count`` devices for ``draw``; those with few to choose from first."""
    chosen: list[tuple[_Draw, int]] = []
    ways = 1
    for each, wanted in sorted(
        [*((one, one.count) for one in before), (draw, count)], key=lambda one: one[0].free.bit_count()
    ):
        ways *= each.ways(sum(n for other, n in chosen if each.loses_to(other)), wanted)
        chosen.append((each, wanted))
    return ways
