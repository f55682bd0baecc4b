"""Which devices are taken, wholly or in shares, how much of them, and by whom.

Rules: kube-scheduler 1.37, dynamicresources foreachAllocatedDevice: every claim of every namespace that has an
allocation counts, reserved or not, being deleted or not; admin access does not; a share does not take the device.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Self

from ..api.values import Claim, DeviceResult
from ..cel.quantity import Quantity
from .answer import ClaimDevice, DeviceID, Held, Pool

Consumed = Mapping[DeviceID, Mapping[str, Quantity]]


@dataclass(frozen=True, slots=True)
class Occupancy:
    """What is taken: devices as a whole, devices of which there are shares, and what those consume together.

    The claims that hold a device stand by it ("namespace/name").
    """

    held: Held = field(default_factory=dict)
    shared: Held = field(default_factory=dict)
    consumed: Consumed = field(default_factory=dict)

    @classmethod
    def of(cls, claims: Iterable[Claim], *, capacity: bool = True) -> Self:
        """What the claims hold. Without consumable ``capacity`` a share takes the whole device."""
        occupied = list(_occupying(claims))
        whole = [(claim, r) for claim, r in occupied if not capacity or r.share_id is None]
        shares = [(claim, r) for claim, r in occupied if capacity and r.share_id is not None]
        consumed: dict[DeviceID, dict[str, Quantity]] = {}
        for _, result in shares:
            _add(consumed, _device_of(result), result.consumed_capacity)
        return cls(_collect(whole), _collect(shares), consumed)

    def within(self, pools: Iterable[Pool]) -> Self:
        """What of it concerns these pools."""
        devices = set(_devices_of(pools))
        return type(self)(
            {device: self.held[device] for device in devices if device in self.held},
            {device: self.shared[device] for device in devices if device in self.shared},
            {device: self.consumed[device] for device in devices if device in self.consumed},
        )

    def concerns(self, pools: Iterable[Pool]) -> bool:
        """Whether anything of these pools is taken, also by devices that share counters with a node's own."""
        return bool(self) and any(map(self.occupies, _devices_of(pools)))

    def plus(self, taken: Iterable[ClaimDevice]) -> Self:
        """What is taken after an allocation more, by nobody in particular."""
        held, shared = dict(self.held), dict(self.shared)
        consumed = {device: dict(amounts) for device, amounts in self.consumed.items()}
        for device in taken:
            if not device.admin_access:
                (shared if device.share else held).setdefault(device.id, ())
                if device.share:
                    _add(consumed, device.id, dict(device.consumed_capacity))
        return type(self)(held, shared, consumed)

    def occupies(self, device: DeviceID) -> bool:
        """Whether anybody has the device or a share of it."""
        return device in self.held or device in self.shared

    def __bool__(self) -> bool:
        return bool(self.held or self.shared)


NOTHING = Occupancy()


def held_devices(claims: Iterable[Claim]) -> Held:
    """Devices that are taken as a whole, with the claims ("namespace/name") that hold them."""
    return Occupancy.of(claims).held


def shared_devices(claims: Iterable[Claim]) -> Held:
    """Devices of which shares are taken, with the claims ("namespace/name") that hold them."""
    return Occupancy.of(claims).shared


def claim_label(claim: Claim) -> str:
    """A claim as the scheduler names it in messages (klog.KObj): "namespace/name", or the name alone."""
    return f"{claim.namespace}/{claim.name}" if claim.namespace else claim.name


def _occupying(claims: Iterable[Claim]) -> Iterator[tuple[Claim, DeviceResult]]:
    for claim in claims:
        if claim.allocation is not None:
            for result in claim.allocation.results:
                if not result.admin_access:
                    yield claim, result


def _devices_of(pools: Iterable[Pool]) -> Iterator[DeviceID]:
    for pool in pools:
        for device in pool.devices:
            yield device.id
        for slice_ in pool.elsewhere:
            for other in slice_.devices:
                yield DeviceID(pool.driver, pool.pool, other.name)


def _device_of(result: DeviceResult) -> DeviceID:
    return DeviceID(result.driver, result.pool, result.device)


def _add(consumed: dict[DeviceID, dict[str, Quantity]], device: DeviceID, amounts: Mapping[str, Quantity]) -> None:
    """Source: ConsumedCapacityCollection.Insert."""
    if amounts:
        known = consumed.setdefault(device, {})
        for name, amount in amounts.items():
            known[name] = known[name] + amount if name in known else amount


def _collect(occupied: Iterable[tuple[Claim, DeviceResult]]) -> dict[DeviceID, tuple[str, ...]]:
    holders: dict[DeviceID, tuple[str, ...]] = {}
    for claim, result in occupied:
        device = _device_of(result)
        known = holders.get(device, ())
        label = claim_label(claim)
        if label not in known:
            holders[device] = (*known, label)
    return holders
