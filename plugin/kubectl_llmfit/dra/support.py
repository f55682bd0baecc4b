"""What this program does not know: reasons, as sentences for a person, why an answer is not known.

Fields that are newer than this program, or that only features off by default use. What can only keep a device from
being taken is a doubt about the device; the search goes on as if it were free, and a "no" found that way holds.
"""

from __future__ import annotations

from ..api.values import Claim, DeviceClass, DeviceShape
from .occupancy import claim_label
from .rules import CounterScope, Rules


def unknown_claim_fields(claim: Claim) -> str | None:
    """Why it is open what the claim asks for."""
    if not claim.spec.unknown_fields:
        return None
    return f"claim {claim_label(claim)}: field {claim.spec.unknown_fields[0]} is not known to this program"


def unknown_device_fields(shape: DeviceShape) -> str | None:
    """Why it is open what the scheduler does once it has found a device of this shape to match."""
    if not shape.unknown_fields:
        return None
    return f"has the field {shape.unknown_fields[0]}, which is not known to this program"


def uncommon_rules(shape: DeviceShape, rules: Rules) -> str | None:
    """Why it is open what an older scheduler does with the device, some of whose alpha features are on."""
    partitions = rules.gates.partitionable_devices and rules.counters_of is not CounterScope.POOL
    shares = rules.shares_capacity and not rules.tries_combinations
    if partitions and shape.consumes_counters:
        return f"consumes shared counters, an alpha feature of Kubernetes {rules.version} that is not supported"
    if shares and (shape.allow_multiple_allocations or (rules.rechecks_another_device and shape.capacity)):
        return f"has capacity to share, an alpha feature of Kubernetes {rules.version} that is not supported"
    return None


def unknown_class_fields(device_class: DeviceClass) -> str | None:
    """Why it is open what the class selects."""
    if not device_class.unknown_fields:
        return None
    return f"device class {device_class.name}: field {device_class.unknown_fields[0]} is not known to this program"
