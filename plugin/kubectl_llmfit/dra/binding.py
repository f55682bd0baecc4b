"""Whether an allocated claim still waits for its devices to be bound, and for how long it may.

Rules: kube-scheduler 1.37, dynamicresources isClaimReadyForBinding, isClaimTimeout and getAllocatedDeviceStatus.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from ..api.values import Claim, DeviceResult, DeviceStatus

BINDING_TIMEOUT = timedelta(minutes=10)
"""How long a pod waits for binding conditions. Source: DynamicResourcesBindingTimeoutDefault."""


def is_unavailable(claim: Claim, now: datetime | None) -> bool | None:
    """Whether binding failed or took too long, so that the claim is not available on any node.

    None where that depends on the time and nobody knows it.
    """
    ready = _is_ready(claim)
    if ready is None or ready:
        return ready is None
    return _has_timed_out(claim, now)


def _is_ready(claim: Claim) -> bool | None:
    """Whether all binding conditions are true, None where one of a failure is. The first device not ready decides."""
    for result in claim.allocation.results if claim.allocation else ():
        if not result.binding_conditions:
            continue
        status = _status_of(claim, result)
        if status is None:
            return False
        holding = {condition.type: condition.status == "True" for condition in reversed(status.conditions)}
        if any(holding.get(name) for name in result.binding_failure_conditions):
            return None
        if not all(holding.get(name) for name in result.binding_conditions):
            return False
    return True


def _status_of(claim: Claim, result: DeviceResult) -> DeviceStatus | None:
    """The first report about the device, whichever share of it that is about."""
    device = (result.driver, result.pool, result.device)
    return next((s for s in claim.device_statuses if (s.driver, s.pool, s.device) == device), None)


def _has_timed_out(claim: Claim, now: datetime | None) -> bool | None:
    allocated_at = claim.allocation.allocated_at if claim.allocation else None
    if allocated_at is None:
        return False
    return None if now is None else allocated_at + BINDING_TIMEOUT < now
