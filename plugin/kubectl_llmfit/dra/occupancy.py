"""Which devices are taken, and by whom.

Rules: kube-scheduler 1.37, dynamicresources foreachAllocatedDevice: every claim of every namespace that has an
allocation counts, reserved or not, being deleted or not; admin access does not; a share does not take the device.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..api.values import Claim, DeviceResult
from .answer import DeviceID


def held_devices(claims: Iterable[Claim]) -> dict[DeviceID, tuple[str, ...]]:
    """Devices that are taken as a whole, with the claims ("namespace/name") that hold them."""
    return _collect((claim, result) for claim, result in _occupying(claims) if result.share_id is None)


def shared_devices(claims: Iterable[Claim]) -> dict[DeviceID, tuple[str, ...]]:
    """Devices of which shares are taken, with the claims ("namespace/name") that hold them."""
    return _collect((claim, result) for claim, result in _occupying(claims) if result.share_id is not None)


def claim_label(claim: Claim) -> str:
    """A claim as the scheduler names it in messages (klog.KObj): "namespace/name", or the name alone."""
    return f"{claim.namespace}/{claim.name}" if claim.namespace else claim.name


def _occupying(claims: Iterable[Claim]) -> Iterator[tuple[Claim, DeviceResult]]:
    for claim in claims:
        if claim.allocation is not None:
            for result in claim.allocation.results:
                if not result.admin_access:
                    yield claim, result


def _collect(occupied: Iterable[tuple[Claim, DeviceResult]]) -> dict[DeviceID, tuple[str, ...]]:
    holders: dict[DeviceID, tuple[str, ...]] = {}
    for claim, result in occupied:
        device = DeviceID(result.driver, result.pool, result.device)
        known = holders.get(device, ())
        label = claim_label(claim)
        if label not in known:
            holders[device] = (*known, label)
    return holders
