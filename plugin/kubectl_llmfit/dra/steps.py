"""How many devices of a node are left for each request after each step, and what the others are short of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from .answer import CapacityShortage, CounterShortage, DeviceTest, Match, RequestSteps
from .capacity import quantity
from .counters import Accounts
from .matching import Asked
from .occupancy import Occupancy
from .problem import NO_VALUE, Problem, Want
from .view import NodeView


def request_steps(
    view: NodeView, problem: Problem, counters: Accounts, occupancy: Occupancy
) -> tuple[RequestSteps, ...]:
    """One entry per request or alternative of the claims that are not allocated."""
    wants = [want for request in problem.requests for want in request.wants]
    return tuple(
        _steps(view, asked, row, want, problem, counters, occupancy)
        for asked, row, want in zip(view.asked, view.rows, wants, strict=True)
    )


def _steps(
    view: NodeView,
    asked: Asked,
    row: Sequence[DeviceTest],
    want: Want,
    problem: Problem,
    counters: Accounts,
    occupancy: Occupancy,
) -> RequestSteps:
    reached = [number for number, device in enumerate(view.devices) if device.reachable]
    after_class = [n for n in reached if row[n].match in {Match.NOT_REQUEST, Match.SELECTABLE}]
    selectable = [n for n in reached if row[n].match is Match.SELECTABLE]
    free = [n for n in selectable if want.admin_access or view.devices[n].id not in occupancy.held]
    untainted = [n for n in free if not row[n].tainted]
    counter_shortages = tuple(_counter_shortages(problem, counters))
    with_counters = [n for n in untainted if not counter_shortages or counter_shortages[n] is None]
    capacity_shortages = tuple(_capacity_shortages(view, row, want, problem))
    with_capacity = [n for n in with_counters if not capacity_shortages or capacity_shortages[n] is None]
    return RequestSteps(
        claim=asked.claim_index,
        request=asked.request_name,
        alternative=asked.alternative_name,
        devices=len(reached),
        after_class=len(after_class),
        after_selectors=len(selectable),
        free=len(free),
        untainted=len(untainted),
        counters=len(with_counters),
        capacity=len(with_capacity),
        constraint=min([len(with_capacity), *(_together(problem, n, with_capacity) for n in want.constraints)]),
        tests=tuple(row),
        counter_shortages=counter_shortages,
        capacity_shortages=capacity_shortages if any(capacity_shortages) else (),
    )


def _counter_shortages(problem: Problem, counters: Accounts) -> Iterator[CounterShortage | None]:
    """Nothing where no device consumes counters. A device of which there are shares has paid already."""
    if counters.counters.needs:
        devices = problem.devices
        for device in range(devices.count):
            paid = device in devices.shareable and device in devices.shared
            yield None if paid else counters.shortage(device)


def _capacity_shortages(
    view: NodeView, row: Sequence[DeviceTest], want: Want, problem: Problem
) -> Iterator[CapacityShortage | None]:
    for number, test in enumerate(row):
        left, needed = problem.devices.capacity.get(number), want.amounts.get(number)
        if test.capacity is not None or left is None or needed is None:
            yield test.capacity
            continue
        names = view.devices[number].shape.capacity
        short = ((name, n, m) for name, n, m in zip(names, needed, left, strict=True) if n > m)
        yield next((CapacityShortage(name, quantity(n), quantity(m)) for name, n, m in short), None)


def _together(problem: Problem, constraint: int, devices: Sequence[int]) -> int:
    """How many of the devices a constraint allows beside each other."""
    values = problem.constraints[constraint].values
    sizes = Counter(values[device] for device in devices if values[device] != NO_VALUE)
    return len(sizes) if problem.constraints[constraint].distinct else max(sizes.values(), default=0)
