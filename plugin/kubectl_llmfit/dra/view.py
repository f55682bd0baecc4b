"""What the requests of the claims see of one node, whoever holds what: pools, devices and a test for each.

Owns how that, with what is held, becomes the plain numbers of a ``Problem``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from ..api.values import Claim
from .answer import DeviceTest, Match, Pool, PoolDevice
from .capacity import nanos
from .constraints import attribute_constraints, constraints_of
from .counters import Accounts, accounts
from .inventory import Inventory
from .matching import Asked
from .occupancy import Occupancy
from .problem import AttributeConstraint, Devices, Problem, Request, Status, Taken, Want


@dataclass(frozen=True, slots=True)
class NodeView:
    """One node as the requests see it.

    ``devices`` are those of the complete pools in the order tried; ``rows`` has a test of each per request or
    alternative (``asked``).
    """

    pools: tuple[Pool, ...]
    devices: tuple[PoolDevice, ...]
    asked: tuple[Asked, ...]
    rows: tuple[tuple[DeviceTest, ...], ...]
    constraints: tuple[AttributeConstraint, ...]
    constrained: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, pools: tuple[Pool, ...], asked: tuple[Asked, ...], claims: Sequence[tuple[int, Claim]]) -> NodeView:
        """Tests every device for every request; errors are kept, nothing is raised."""
        devices = tuple(device for pool in pools for device in pool.devices)
        rows = tuple(tuple(map(request.test, devices)) for request in asked)
        constrained = tuple(constraints_of(request, claims) for request in asked)
        return cls(pools, devices, asked, rows, attribute_constraints(claims, devices), constrained)

    def groups(self) -> Iterator[tuple[int, ...]]:
        """Per request, in order, the numbers of its alternatives among ``asked``."""
        numbers = range(len(self.asked))
        for _, group in groupby(numbers, lambda n: (self.asked[n].claim_index, self.asked[n].request_index)):
            yield tuple(group)

    def number_of(self, taken: Taken) -> int:
        """The number among ``asked`` of the alternative that a device was taken for."""
        return list(self.groups())[taken.request][taken.want]

    def has_unknown_matches(self) -> bool:
        """Whether it is open, of any device, what the selectors say of it."""
        return any(test.match is Match.NOT_KNOWN for row in self.rows for test in row)

    def has_errors(self) -> bool:
        """Whether any device raises for any request, reached or not."""
        return any(test.error is not None for row in self.rows for test in row)

    def accounts(self, inventory: Inventory, occupancy: Occupancy) -> Accounts:
        """The counters of the node's pools with what is held."""
        return accounts(self.pools, self.devices, occupancy, inventory.rules)

    def problem(self, inventory: Inventory, occupancy: Occupancy, counters: Accounts) -> Problem:
        """The requests as the search takes them, with what is held."""
        shareable = inventory.rules.shares_capacity and any(d.shape.allow_multiple_allocations for d in self.devices)
        capacity = dict(self._capacity_left(occupancy)) if shareable or occupancy.consumed else {}
        devices = Devices(
            count=len(self.devices),
            shareable=frozenset(self._shareable()) if shareable else frozenset(),
            shared=frozenset(n for n, d in enumerate(self.devices) if d.id in occupancy.shared)
            if shareable
            else frozenset(),
            capacity=capacity,
            counters=counters.counters,
        )
        requests = tuple(
            Request(
                tuple(self._want(number, inventory, occupancy, capacity) for number in group),
                prioritized=self.asked[group[0]].alternative_name is not None,
            )
            for group in self.groups()
        )
        return Problem(devices, requests, self.constraints)

    def why_not_known(self, inventory: Inventory, taken: Taken) -> str:
        """Why what follows from looking at the device is not known, in a person's words."""
        number = self.number_of(taken)
        test, found = self.rows[number][taken.device], self.devices[taken.device]
        if test.match is Match.NOT_KNOWN:
            return doubt_of(found, test)
        if inventory.claims_unread is not None and not (test.opaque or test.doubt):
            return inventory.claims_unread
        return doubt_of(found, test)

    def _shareable(self) -> Iterator[int]:
        return (n for n, device in enumerate(self.devices) if device.shape.allow_multiple_allocations)

    def _capacity_left(self, occupancy: Occupancy) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Capacities less what shares have consumed, of devices that have shares or may have.

        Source: CmpRequestOverCapacity, which counts shares of a device that may no longer be shared, too.
        """
        for number, device in enumerate(self.devices):
            consumed = occupancy.consumed.get(device.id)
            if consumed is not None or device.shape.allow_multiple_allocations:
                yield (
                    number,
                    tuple(
                        nanos(capacity.value) - (nanos(consumed[name]) if consumed and name in consumed else 0)
                        for name, capacity in device.shape.capacity.items()
                    ),
                )

    def _want(
        self, number: int, inventory: Inventory, occupancy: Occupancy, capacity: Mapping[int, tuple[int, ...]]
    ) -> Want:
        asked, row = self.asked[number], self.rows[number]
        amounts = {
            device: tuple(
                nanos(asked.consumed(self.devices[device])[name]) for name in self.devices[device].shape.capacity
            )
            for device in capacity
            if row[device].match is Match.SELECTABLE and asked.consumed(self.devices[device])
        }
        return Want(
            claim=asked.claim_index,
            count=asked.alternative.count,
            admin_access=asked.alternative.admin_access,
            statuses=[_status(asked, t, d, inventory, occupancy) for d, t in zip(self.devices, row, strict=True)],
            all_devices=tuple(n for n, test in enumerate(row) if is_listed(test)) if asked.wants_all else None,
            constraints=self.constrained[number],
            amounts=amounts,
        )


def is_listed(test: DeviceTest) -> bool:
    """Whether an All request wants the device, or may want it. Source: validateDeviceRequest."""
    return test.match in {Match.SELECTABLE, Match.NOT_KNOWN} and test.capacity is None


def doubt_of(device: PoolDevice, test: DeviceTest) -> str:
    """A test's doubt as a sentence; only what is known to match is about the device itself."""
    return test.doubt or "" if test.match is Match.NOT_KNOWN else f"device {device.id} {test.doubt}"


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
