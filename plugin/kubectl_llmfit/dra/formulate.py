"""How a node as the requests see it becomes, with what is held, the plain numbers of a problem for the search."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from .answer import DeviceTest, Match, PoolDevice
from .capacity import nanos
from .counters import Accounts, accounts
from .inventory import Inventory
from .matching import Asked
from .occupancy import Occupancy
from .problem import Devices, Problem, Request, Status, Want
from .rules import SharesAndCounters
from .view import NodeView

Capacity = Mapping[int, tuple[int, ...]]


def accounts_of(view: NodeView, inventory: Inventory, occupancy: Occupancy) -> Accounts:
    """The counters of the node's pools with what is held. Raises OverflowError."""
    return accounts(view.pools, view.devices, occupancy, inventory.rules)


def formulate(view: NodeView, inventory: Inventory, occupancy: Occupancy, counters: Accounts) -> Problem:
    """The requests as the search takes them, with what is held. Raises OverflowError."""
    rules = inventory.rules
    shareable = frozenset(_shareable(view)) if rules.shares_capacity else frozenset()
    capacity = dict(_capacity_left(view, occupancy)) if shareable or occupancy.consumed else {}
    free = occupancy.consumed if rules.shares_and_counters is SharesAndCounters.FREE_WITH_CAPACITY else occupancy.shared
    shared = frozenset(n for n in shareable if view.devices[n].id in free)
    devices = Devices(len(view.devices), shareable, shared, capacity, counters.counters)
    requests = tuple(
        Request(
            _wants(view, number, group, inventory, occupancy, capacity),
            prioritized=view.asked[group[0]].alternative_name is not None,
        )
        for number, group in enumerate(view.groups())
    )
    return Problem(
        devices,
        requests,
        view.constraints,
        mixes_alternatives=rules.mixes_up_alternatives,
        permutes=not rules.tries_combinations,
    )


def _shareable(view: NodeView) -> Iterator[int]:
    return (number for number, device in enumerate(view.devices) if device.shape.allow_multiple_allocations)


def _capacity_left(view: NodeView, occupancy: Occupancy) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Capacities less what shares have consumed, of devices that have shares or may have.

    Source: CmpRequestOverCapacity, which counts shares of a device that may no longer be shared, too.
    """
    for number, device in enumerate(view.devices):
        consumed = occupancy.consumed.get(device.id, {})
        if consumed or device.shape.allow_multiple_allocations:
            capacity = device.shape.capacity
            yield (
                number,
                tuple(nanos(c.value) - (nanos(consumed[n]) if n in consumed else 0) for n, c in capacity.items()),
            )


def _wants(
    view: NodeView,
    request: int,
    group: Sequence[int],
    inventory: Inventory,
    occupancy: Occupancy,
    capacity: Capacity,
) -> tuple[Want, ...]:
    wants = [_want(view, request, number, inventory, occupancy, capacity) for number in group]
    first, *others = wants
    if inventory.rules.mixes_up_alternatives and first.all_devices is not None and others:
        second = view.asked[group[1]]
        if second.wants_all:
            wants[1] = _taking_over(view, second, first, others[0], occupancy)
    return tuple(wants)


def _taking_over(view: NodeView, asked: Asked, first: Want, second: Want, occupancy: Occupancy) -> Want:
    """The second alternative's All over the devices that match the first. Source: Allocate, until 1.35.

    Nothing asks again whether they match.
    """
    statuses = [
        Status.SKIP if device.id in occupancy.held or asked.is_tainted(device) else status
        for device, status in zip(view.devices, _unmatched(first.statuses), strict=True)
    ]
    return Want(
        second.claim, 0, second.admin_access, statuses, first.all_devices, second.constraints, {}, second.request
    )


def _unmatched(statuses: Sequence[Status]) -> Iterator[Status]:
    """What the first alternative's statuses say of the devices, its own taints left out."""
    return (Status.FREE if status is Status.SKIP else status for status in statuses)


def _want(
    view: NodeView, request: int, number: int, inventory: Inventory, occupancy: Occupancy, capacity: Capacity
) -> Want:
    asked, row = view.asked[number], view.rows[number]
    amounts = {
        device: tuple(nanos(consumed[name]) for name in view.devices[device].shape.capacity)
        for device in capacity
        if row[device].match is Match.SELECTABLE and (consumed := asked.consumed(view.devices[device]))
    }
    listed = None
    if asked.wants_all:
        waits = inventory.rules.all_waits_for_full_devices
        listed = tuple(
            device
            for device, test in enumerate(row)
            if _is_listed(test) and (waits or not _is_short(amounts.get(device), capacity.get(device)))
        )
    return Want(
        claim=asked.claim_index,
        count=asked.alternative.count,
        admin_access=asked.alternative.admin_access,
        statuses=[_status(asked, t, d, inventory, occupancy) for d, t in zip(view.devices, row, strict=True)],
        all_devices=listed,
        constraints=view.constrained[number],
        amounts=amounts,
        request=request,
    )


def _is_listed(test: DeviceTest) -> bool:
    """Whether an All request wants the device, or may want it. Source: validateDeviceRequest."""
    return test.match in {Match.SELECTABLE, Match.NOT_KNOWN} and test.capacity is None


def _is_short(amounts: tuple[int, ...] | None, left: tuple[int, ...] | None) -> bool:
    return amounts is not None and left is not None and any(map(int.__gt__, amounts, left))


def _status(asked: Asked, test: DeviceTest, device: PoolDevice, inventory: Inventory, occupancy: Occupancy) -> Status:
    """What the device is for the search. Held devices are skipped before any selector, All's are looked at first."""
    exclusive = not asked.alternative.admin_access
    if device.pool_error is not None and not asked.wants_all:
        return Status.ERROR
    if exclusive and device.id in occupancy.held and not (asked.wants_all and test.opaque):
        return Status.SKIP
    if test.match is Match.NOT_KNOWN:
        return Status.OPAQUE
    unread = inventory.claims_unread is not None and (exclusive or _is_accounted(device))
    if test.error is not None:
        return Status.OPAQUE if unread and exclusive else Status.ERROR
    if test.match is not Match.SELECTABLE or test.capacity is not None or (test.tainted and not asked.wants_all):
        return Status.SKIP
    if test.opaque:
        return Status.OPAQUE
    if test.tainted or (device.shape.consumes_counters and not asked.rules.gates.partitionable_devices):
        return Status.SKIP
    if unread and device.shape.allow_multiple_allocations and device.shape.consumes_counters:
        return Status.OPAQUE  # somebody's share would have paid the counters
    return Status.DOUBT if unread or test.doubt is not None else Status.FREE


def _is_accounted(device: PoolDevice) -> bool:
    """Whether what others hold counts for admin access, too."""
    return bool(device.shape.consumes_counters) or device.shape.allow_multiple_allocations
