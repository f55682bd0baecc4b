"""Where the scheduler tries pools and slices in any order: whether that order decides the outcome.

Rules: kube-scheduler until 1.35 (GatherPools walks a Go map) and the stable allocators: ``Rules.order_is_fixed``. What
is found differs by chance; whether anything is found does not, unless something can end the search early.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, islice, permutations, product

from .answer import PoolDevice
from .problem import AttributeConstraint, Devices, Problem, Request, SharedCounters, Status, Want, can_end

ORDERS_MAX = 200
"""More orders than this are not tried."""


def orders(devices: Sequence[PoolDevice], problem: Problem) -> list[tuple[int, ...]] | None:
    """The orders in which devices may be tried and that may matter, without the usual one; None for too many.

    Slices none of whose devices any request could look at may stand anywhere.
    """
    if not _is_sensitive(problem):
        return []
    slices = [
        list(group) for _, group in groupby(range(len(devices)), lambda n: (devices[n].id[:2], devices[n].slice_name))
    ]
    matter = [group for group in slices if any(_matters(device, problem) for device in group)]
    pools = [list(group) for _, group in groupby(matter, lambda group: devices[group[0]].id[:2])]
    rest = [device for group in slices if group not in matter for device in group]
    found = list(islice(_orders(pools), ORDERS_MAX + 1))
    if len(found) > ORDERS_MAX:
        return None
    return [(*order, *rest) for order in found[1:]]


def reordered(problem: Problem, order: Sequence[int]) -> Problem:
    """The problem with its devices in another order."""
    place = {device: new for new, device in enumerate(order)}
    old, counters = problem.devices, problem.devices.counters
    devices = Devices(
        old.count,
        frozenset(place[device] for device in old.shareable),
        frozenset(place[device] for device in old.shared),
        {place[device]: left for device, left in old.capacity.items()},
        SharedCounters(
            counters.left,
            {place[device]: needs for device, needs in counters.needs.items()},
            {place[device]: guards for device, guards in counters.guards.items()},
        ),
    )
    return replace(
        problem,
        devices=devices,
        requests=tuple(
            Request(tuple(_want(want, order, place) for want in request.wants), request.prioritized)
            for request in problem.requests
        ),
        constraints=tuple(_constraint(constraint, order) for constraint in problem.constraints),
    )


def _is_sensitive(problem: Problem) -> bool:
    """Something may end the search, or an All goes on as another alternative after whichever device is its first."""
    wants = [want for request in problem.requests for want in request.wants]
    later = [want for request in problem.requests for want in request.wants[1:]]
    return any(map(can_end, wants)) or (problem.mixes_alternatives and any(want.all_devices for want in later))


def _matters(device: int, problem: Problem) -> bool:
    wants = (want for request in problem.requests for want in request.wants)
    return any(want.statuses[device] is not Status.SKIP or device in (want.all_devices or ()) for want in wants)


def _orders(pools: Sequence[list[list[int]]]) -> Iterator[tuple[int, ...]]:
    """Every order of the pools with every order of each one's slices, the given one first."""
    for order in permutations(pools):
        for slices in product(*(permutations(pool) for pool in order)):
            yield tuple(device for pool in slices for group in pool for device in group)


def _want(want: Want, order: Sequence[int], place: dict[int, int]) -> Want:
    listed = want.all_devices
    return replace(
        want,
        statuses=[want.statuses[device] for device in order],
        all_devices=None if listed is None else tuple(sorted(place[device] for device in listed)),
        amounts={place[device]: amounts for device, amounts in want.amounts.items()},
    )


def _constraint(constraint: AttributeConstraint, order: Sequence[int]) -> AttributeConstraint:
    return replace(constraint, values=[constraint.values[device] for device in order])
