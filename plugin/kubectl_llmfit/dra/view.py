"""What the requests of the claims see of one node, whoever holds what: pools, devices and a test for each.

Rules: kube-scheduler 1.37, ``structured/internal/incubating`` validateDeviceRequest and Allocate (what is checked
before the search begins).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .answer import DeviceTest, Held, Match, Pool, PoolDevice, RequestSteps
from .inventory import Inventory
from .matching import Asked
from .search import SearchRequest, Status

RESULTS_MAX = 32
"""Devices that one claim's allocation can hold. Source: AllocationResultsMaxSize."""


@dataclass(frozen=True, slots=True)
class NodeView:
    """One node as the requests see it.

    ``devices`` are those of the complete pools in the order tried; ``rows`` has a test of each per request.
    """

    pools: tuple[Pool, ...]
    devices: tuple[PoolDevice, ...]
    asked: tuple[Asked, ...]
    rows: tuple[tuple[DeviceTest, ...], ...]

    @classmethod
    def of(cls, pools: tuple[Pool, ...], asked: tuple[Asked, ...]) -> NodeView:
        """Tests every device for every request; errors are kept, nothing is raised."""
        devices = tuple(device for pool in pools for device in pool.devices)
        return cls(pools, devices, asked, tuple(tuple(map(request.test, devices)) for request in asked))

    def validate(self) -> str | None:
        """The error that ends the attempt before any search, None where there is none.

        All requests look at every device here, held or not; each claim may want at most 32 devices.
        """
        certain: dict[int, int] = {}
        listed: dict[int, int] = {}
        for request, row in zip(self.asked, self.rows, strict=True):
            problem = self._validate_all(request, row) if request.wants_all else None
            if problem is not None:
                return problem
            claim = request.claim_index
            certain[claim] = certain.get(claim, 0) + _certain_count(request, row)
            already, count = listed.get(claim, 0), _listed_count(request, row)
            if certain[claim] > RESULTS_MAX:
                return (
                    f"claim {request.claim_label}, request {request.alternative.name}: adding {count} devices"
                    f" exceeds the claim limit of {RESULTS_MAX}, with {already} already accounted for"
                )
            listed[claim] = already + count
        return None

    def may_exceed_limit(self) -> bool:
        """Whether a claim wants too many devices should every device that is not certain count for All."""
        wanted: dict[int, int] = {}
        for request, row in zip(self.asked, self.rows, strict=True):
            wanted[request.claim_index] = wanted.get(request.claim_index, 0) + _listed_count(request, row)
        return any(count > RESULTS_MAX for count in wanted.values())

    def why_limit_not_known(self) -> str:
        """The first device, as a reason, that makes it open how many an All request wants."""
        found = ((d, t) for row in self.rows for d, t in zip(self.devices, row, strict=True) if t.opaque)
        return next((_doubt(device, test) for device, test in found), "")

    def has_unknown_matches(self) -> bool:
        """Whether it is open, of any device, what the selectors say of it."""
        return any(test.match is Match.NOT_KNOWN for row in self.rows for test in row)

    def has_errors(self) -> bool:
        """Whether any device raises for any request, reached or not."""
        return any(test.error is not None for row in self.rows for test in row)

    def search_requests(self, inventory: Inventory, held: Held) -> list[SearchRequest]:
        """The requests as the search takes them, with what is held now."""
        return [
            SearchRequest(
                claim=request.claim_index,
                count=request.alternative.count,
                admin_access=request.alternative.admin_access,
                statuses=[
                    _status(request, test, device, inventory, held)
                    for device, test in zip(self.devices, row, strict=True)
                ],
                all_devices=tuple(i for i, test in enumerate(row) if _listed(test)) if request.wants_all else None,
            )
            for request, row in zip(self.asked, self.rows, strict=True)
        ]

    def why_not_known(self, inventory: Inventory, request: int, device: int) -> str:
        """Why what follows from looking at the device is not known, in a person's words."""
        test, found = self.rows[request][device], self.devices[device]
        if test.match is Match.NOT_KNOWN:
            return _doubt(found, test)
        if inventory.claims_unread is not None and not self.asked[request].alternative.admin_access:
            return inventory.claims_unread
        if not test.opaque and found.id in inventory.shared:
            return f"device {found.id} is shared, which is not supported yet"
        return _doubt(found, test)

    def steps(self, held: Held) -> tuple[RequestSteps, ...]:
        """How many of the node's devices are left for each request after each step."""
        return tuple(
            _steps(request, row, self.devices, held) for request, row in zip(self.asked, self.rows, strict=True)
        )

    def _validate_all(self, request: Asked, row: Sequence[DeviceTest]) -> str | None:
        where = f"claim {request.claim_label}, request {request.alternative.name}"
        position = 0
        for pool in self.pools:
            if pool.state in {"Incomplete", "Invalid"}:
                state = "being updated" if pool.state == "Incomplete" else "invalid"
                return (
                    f"{where}: asks for all devices, but resource pool {pool.driver}/{pool.pool} is currently {state}"
                )
            for test in row[position : position + len(pool.devices)]:
                if test.error is not None:
                    return test.error
            position += len(pool.devices)
        return None


def _certain_count(request: Asked, row: Sequence[DeviceTest]) -> int:
    """How many devices the request wants at least."""
    if not request.wants_all:
        return request.alternative.count
    return sum(test.match is Match.SELECTABLE and not test.opaque for test in row)


def _listed_count(request: Asked, row: Sequence[DeviceTest]) -> int:
    """How many devices the request wants, should All want every one that it may."""
    return sum(map(_listed, row)) if request.wants_all else request.alternative.count


def _doubt(device: PoolDevice, test: DeviceTest) -> str:
    """A test's doubt as a sentence; only what is known to match is about the device itself."""
    return test.doubt or "" if test.match is Match.NOT_KNOWN else f"device {device.id} {test.doubt}"


def _listed(test: DeviceTest) -> bool:
    """Whether an All request wants the device, or may want it."""
    return test.match in {Match.SELECTABLE, Match.NOT_KNOWN}


def _status(request: Asked, test: DeviceTest, device: PoolDevice, inventory: Inventory, held: Held) -> Status:
    """What the device is for the search. Held devices are skipped before any selector, All's are looked at first."""
    exclusive = not request.alternative.admin_access
    if exclusive and device.id in held and not (request.wants_all and test.opaque):
        return Status.SKIP
    if test.match is Match.NOT_KNOWN:
        return Status.OPAQUE
    unread = exclusive and inventory.claims_unread is not None
    if test.error is not None:
        return Status.OPAQUE if unread else Status.ERROR
    if test.match is not Match.SELECTABLE or (test.tainted and not request.wants_all):
        return Status.SKIP
    if test.opaque:
        return Status.OPAQUE
    if test.tainted:
        return Status.SKIP
    return Status.DOUBT if unread or test.doubt is not None or device.id in inventory.shared else Status.FREE


def _steps(request: Asked, row: Sequence[DeviceTest], devices: Sequence[PoolDevice], held: Held) -> RequestSteps:
    tested = [(device, test) for device, test in zip(devices, row, strict=True) if device.reachable]
    after_class = [t for _, t in tested if t.match in {Match.NOT_REQUEST, Match.SELECTABLE}]
    selectable = [(device, test) for device, test in tested if test.match is Match.SELECTABLE]
    free = [t for device, t in selectable if request.alternative.admin_access or device.id not in held]
    return RequestSteps(
        claim=request.claim_index,
        request=request.request_name,
        alternative=request.alternative_name,
        devices=len(tested),
        after_class=len(after_class),
        after_selectors=len(selectable),
        free=len(free),
        untainted=sum(not test.tainted for test in free),
        tests=tuple(row),
    )
