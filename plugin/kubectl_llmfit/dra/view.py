"""What the requests of the claims see of one node, whoever holds what: pools, devices and a test for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from ..api.values import Claim
from .answer import DeviceTest, Match, Pool, PoolDevice
from .constraints import attribute_constraints, constraints_of
from .inventory import Inventory
from .matching import Asked
from .problem import AttributeConstraint, Taken
from .rules import Rules


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
    rules: Rules

    @classmethod
    def of(
        cls, pools: tuple[Pool, ...], asked: tuple[Asked, ...], claims: Sequence[tuple[int, Claim]], rules: Rules
    ) -> NodeView:
        """Tests every device for every request; errors are kept, nothing is raised."""
        devices = tuple(device for pool in pools for device in pool.devices)
        rows = tuple(tuple(map(request.test, devices)) for request in asked)
        constrained = tuple(constraints_of(request, claims) for request in asked)
        return cls(pools, devices, asked, rows, attribute_constraints(claims, devices, rules), constrained, rules)

    def groups(self) -> Iterator[tuple[int, ...]]:
        """Per request, in order, the numbers of its alternatives among ``asked``."""
        numbers = range(len(self.asked))
        for _, group in groupby(numbers, lambda n: (self.asked[n].claim_index, self.asked[n].request_index)):
            yield tuple(group)

    def number_of(self, taken: Taken) -> int:
        """The number among ``asked`` of the alternative that a device was taken for."""
        return list(self.groups())[taken.request][taken.want]

    def reordered(self, order: Sequence[int]) -> NodeView:
        """The view with its devices in another order."""
        rows = tuple(tuple(row[device] for device in order) for row in self.rows)
        return replace(self, devices=tuple(self.devices[device] for device in order), rows=rows)

    def disputed(self) -> str | None:
        """Why it is up to chance what the scheduler makes of a pool."""
        return next((pool.disputed for pool in self.pools if pool.disputed is not None), None)

    def has_unknown_matches(self) -> bool:
        """Whether it is open, of any device, what the selectors say of it."""
        return any(test.match is Match.NOT_KNOWN for row in self.rows for test in row)

    def has_errors(self) -> bool:
        """Whether any device raises for any request, reached or not."""
        return any(test.error is not None for row in self.rows for test in row)

    def why_not_known(self, inventory: Inventory, taken: Taken) -> str:
        """Why what follows from looking at the device is not known, in a person's words."""
        number = self.number_of(taken)
        test, found = self.rows[number][taken.device], self.devices[taken.device]
        if test.match is Match.NOT_KNOWN:
            return doubt_of(found, test)
        if inventory.claims_unread is not None and not (test.opaque or test.doubt):
            return inventory.claims_unread
        return doubt_of(found, test)


def doubt_of(device: PoolDevice, test: DeviceTest) -> str:
    """A test's doubt as a sentence; only what is known to match is about the device itself."""
    return test.doubt or "" if test.match is Match.NOT_KNOWN else f"device {device.id} {test.doubt}"
