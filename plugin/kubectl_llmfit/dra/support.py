"""What this program does not know: reasons, as sentences for a person, why an answer is not known.

Fields that are newer than this program, or that only features off by default use. What can only keep a device from
being taken is a doubt about the device; the search goes on as if it were free, and a "no" found that way holds.
"""

from __future__ import annotations

from ..api.values import Claim, DeviceClass, DeviceShape
from .occupancy import claim_label


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


def unknown_class_fields(device_class: DeviceClass) -> str | None:
    """Why it is open what the class selects."""
    if not device_class.unknown_fields:
        return None
    return f"device class {device_class.name}: field {device_class.unknown_fields[0]} is not known to this program"
