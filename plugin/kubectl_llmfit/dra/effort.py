"""How much work the scheduler's own search is, which gives up after ten seconds.

Rules: kube-scheduler 1.37, ``structured/internal/incubating`` allocateOne: every combination of devices within a
request, each with every one of the later requests, and no short cut. Only counts; ``search`` finds the solution.

The counts are upper bounds. They are exact where of any two requests the usable devices of one are all among the
other's or none is: a request whose devices are all among another's takes from the other in every combination.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import comb

from .search import Found, SearchRequest, Status

STEPS_MAX = 10_000_000
"""Steps that the scheduler is sure to do within its ten seconds (filterTimeout); one step looks at one device.

Measured with kube-scheduler 1.37.2 on two busy cores: 0.25 µs a step, so 2.5 s for so many; a machine may be four
times as slow.
"""

_TAKE_STEPS = 8
"""To take a device and give it back costs as much as so many looks (measured: 2 µs)."""

_USABLE = frozenset({Status.FREE, Status.DOUBT, Status.OPAQUE})


@dataclass(frozen=True, slots=True)
class _Draw:
    """``count`` devices still to be taken for one request out of ``free``, which has a bit for each device.

    ``before`` is how many of the free ones are tried as the first of them. ``ahead`` is how many devices, free or
    not, are looked at for one. ``ordered``: an All request, which knows one order only. ``shareable``: others may
    have what it takes.
    """

    claim: int
    admin_access: bool
    free: int
    count: int
    before: int
    ahead: int
    ordered: bool
    shareable: bool

    def ways(self, lost: int, count: int) -> int:
        """Combinations of ``count`` devices once others have taken ``lost`` of the free ones."""
        left = self.free.bit_count() - lost
        if count == 0 or left < count:
            return int(count == 0)
        return 1 if self.ordered else comb(left, count) - comb(left - min(left, self.before), count)

    def loses_to(self, other: _Draw) -> bool:
        """Whether each device that ``other`` takes is one less for this one."""
        exclusive = self.claim == other.claim if self.admin_access else not other.admin_access
        return exclusive and not other.shareable and not other.free & ~self.free


def may_time_out(requests: Sequence[SearchRequest], found: Found) -> bool:
    """Whether the scheduler may give up before it comes to the end that ``search`` has found.

    Where that end is not known, every combination counts.
    """
    if found.taken is not None and found.doubted is None:
        return steps_to(requests, found.taken) > STEPS_MAX
    return steps_of_all(requests) > STEPS_MAX


def steps_of_all(requests: Sequence[SearchRequest]) -> int:
    """The steps until every combination has failed."""
    return _steps([_draw(request) for request in requests])


def steps_to(requests: Sequence[SearchRequest], taken: Sequence[tuple[int, int]]) -> int:
    """The steps of all that fails before the solution ``taken`` is found, device by device."""
    draws = [_draw(request) for request in requests]
    steps = start = already = 0
    for position, (number, device) in enumerate(taken):
        if position == 0 or taken[position - 1][0] != number:
            start = already = 0
        if requests[number].all_devices is None:
            left = [_without(draw, requests, taken[:position]) for draw in draws[number:]]
            free = left[0].free >> start << start
            before = (free & ((1 << device) - 1)).bit_count()
            left[0] = replace(
                left[0],
                free=free,
                count=left[0].count - already,
                before=before,
                ahead=left[0].ahead - start,
            )
            steps += _steps(left) if before else 0
        start, already = device + 1, already + 1
    return steps


def _draw(request: SearchRequest) -> _Draw:
    devices = request.all_devices
    usable = [d for d, status in enumerate(request.statuses) if status in _USABLE]
    wanted = usable if devices is None else [d for d in devices if request.statuses[d] in _USABLE]
    bits = bytearray(len(request.statuses) // 8 + 1)
    for device in wanted:
        bits[device // 8] |= 1 << device % 8
    return _Draw(
        claim=request.claim,
        admin_access=request.admin_access,
        free=int.from_bytes(bits, "little"),
        count=request.count if devices is None else max(len(devices), 1),
        before=len(wanted),
        ahead=len(request.statuses),
        ordered=devices is not None,
        shareable=any(request.statuses[device] is Status.OPAQUE for device in wanted),
    )


def _without(draw: _Draw, requests: Sequence[SearchRequest], taken: Sequence[tuple[int, int]]) -> _Draw:
    """``draw`` when some devices are in use."""
    free = draw.free
    for number, device in taken:
        if not draw.admin_access or requests[number].claim == draw.claim:
            free &= ~(1 << device)
    return replace(draw, free=free, before=free.bit_count())


def _steps(draws: Sequence[_Draw]) -> int:
    """The steps until all combinations of ``draws``, in the order of the requests, have failed."""
    steps = 0
    for number, draw in enumerate(draws):
        before = draws[:number]
        taken = sum(each.count for each in before)
        in_vain = 0 if draw.ordered else draw.ahead - max(draw.free.bit_count() - taken, 0)
        reached = _ways(before, draw, 0)
        for count in range(1, draw.count + 1):
            if not reached:
                return steps
            steps += reached * in_vain
            reached = _ways(before, draw, count)
            steps += reached * (1 + _TAKE_STEPS)
    return steps


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
