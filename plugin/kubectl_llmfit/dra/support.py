"""What is not supported yet, or was not read: reasons why an answer is not known.

Each reason is a sentence for a person. What can only keep a device from being taken is a doubt about the device;
the search goes on as if it were free, and a "no" found that way holds whatever the truth is.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..api.values import Claim, DeviceClass, DeviceShape, TaintRule, Toleration
from .answer import DeviceID
from .occupancy import claim_label
from .taints import is_untolerated, rule_selects


def unsupported_claim(claim: Claim) -> str | None:
    """The first thing in the claim that is not supported, None where all is."""
    spec, label = claim.spec, claim_label(claim)
    if spec.unknown_fields:
        return f"claim {label}: field {spec.unknown_fields[0]} is not known to this program"
    for request in spec.requests:
        if request.prioritized:
            return f"claim {label}: request {request.name}: firstAvailable is not supported yet"
        if any(alternative.capacity for alternative in request.alternatives):
            return f"claim {label}: request {request.name}: capacity requests are not supported yet"
    if spec.constraints:
        return f"claim {label}: constraints are not supported yet"
    return None


def opaque_reason(shape: DeviceShape) -> str | None:
    """Why it is open what the scheduler does once it has found a device of this shape to match.

    A device that several claims can share gives the search more choices, not fewer.
    """
    if shape.unknown_fields:
        return f"has the field {shape.unknown_fields[0]}, which is not known to this program"
    if shape.allow_multiple_allocations or any(c.request_policy for c in shape.capacity.values()):
        return "has shared capacity, which is not supported yet"
    return None


def unknown_class_fields(device_class: DeviceClass) -> str | None:
    """Why it is open what the class selects."""
    if not device_class.unknown_fields:
        return None
    return f"device class {device_class.name}: field {device_class.unknown_fields[0]} is not known to this program"


def device_doubt(shape: DeviceShape) -> str | None:
    """Why a device of this shape may be refused although it looks free."""
    if shape.consumes_counters:
        return "consumes shared counters, which are not supported yet"
    if shape.binding_conditions:
        return "has binding conditions, which are not supported yet"
    return None


def taint_rule_doubt(rules: Iterable[TaintRule], device: DeviceID, tolerations: tuple[Toleration, ...]) -> str | None:
    """Why a DeviceTaintRule may keep the device away; a rule whose taint is tolerated or inert cannot."""
    for rule in rules:
        if rule_selects(rule, device) and is_untolerated(rule.taint, tolerations):
            return f"is selected by DeviceTaintRule {rule.name}, and taint rules are not supported yet"
    return None
