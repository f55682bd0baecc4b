"""ResourceClaims and ResourceClaimTemplates of every served version, with the API's defaults.

Reads what is well-formed. What the API server would refuse in a well-formed object is ``validation``'s.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from .nodes import read_node_selector
from .raw import FLAT_VERSIONS, Raw, version_of
from .values import (
    Allocation,
    Claim,
    ClaimKind,
    ClaimSpec,
    Condition,
    Constraint,
    DeviceRequest,
    DeviceResult,
    DeviceStatus,
    Request,
    Toleration,
)

# The types of k8s.io/api/resource/v1 0.37. Configuration is for drivers, tolerationSeconds for eviction: neither
# decides what the scheduler takes. derivedAttributes is left out on purpose: a feature that is off by default.
_KNOWN_SPEC_FIELDS: Final = frozenset(("devices",))
_KNOWN_DEVICES_FIELDS: Final = frozenset(("requests", "constraints", "config"))
_KNOWN_REQUEST_FIELDS: Final = frozenset(("name", "exactly", "firstAvailable"))
_KNOWN_ALTERNATIVE_FIELDS: Final = frozenset(
    ("name", "deviceClassName", "selectors", "allocationMode", "count", "tolerations", "capacity")
)
_KNOWN_EXACT_FIELDS: Final = _KNOWN_ALTERNATIVE_FIELDS - {"name"} | {"adminAccess"}
_KNOWN_TOLERATION_FIELDS: Final = frozenset(("key", "operator", "value", "effect", "tolerationSeconds"))
_KNOWN_CONSTRAINT_FIELDS: Final = frozenset(("requests", "matchAttribute", "distinctAttribute"))


def read_claim(raw: object) -> Claim:
    """A ResourceClaim. ReadError names the field that is not as the API says."""
    root = Raw.root(raw, "ResourceClaim")
    version = version_of(root)
    spec = read_claim_spec(root.required_child("spec"), version)
    return _claim(root, "ResourceClaim", version, spec, root.child("status"))


def read_template(raw: object) -> Claim:
    """A ResourceClaimTemplate, as the claim it would make; otherwise as ``read_claim``."""
    root = Raw.root(raw, "ResourceClaimTemplate")
    version = version_of(root)
    spec = read_claim_spec(root.required_child("spec").required_child("spec"), version)
    return _claim(root, "ResourceClaimTemplate", version, spec, None)


def read_claim_spec(spec: Raw, version: str) -> ClaimSpec:
    """The spec of a claim (a template's lies one level deeper)."""
    devices = spec.child("devices") or Raw(spec.label, spec.at("devices"), {})
    requests = devices.children("requests")
    constraints = devices.children("constraints")
    return ClaimSpec(
        requests=tuple(_read_request(request, version) for request in requests),
        constraints=tuple(_read_constraint(constraint) for constraint in constraints),
        unknown_fields=tuple(_unknown_fields(spec, devices, version)),
    )


def exact_part(request: Raw, version: str) -> Raw | None:
    """Where a request's own wishes stand: ``exactly``, or the flat request itself in the older versions.

    None for a request that has none (hasAnyMainRequestFieldsSet of v1beta1/conversion.go).
    """
    if version not in FLAT_VERSIONS:
        return request.child("exactly")
    return request if any(map(request.has, (*_KNOWN_EXACT_FIELDS, "derivedAttributes"))) else None


def union_problem(request: Raw, version: str) -> str | None:
    """What is wrong with which of ``exactly`` and ``firstAvailable`` is set (validateDeviceRequest)."""
    has_exact, has_first = exact_part(request, version) is not None, bool(request.children("firstAvailable"))
    if has_exact != has_first:
        return None
    rule = "exactly one of `exactly` or `firstAvailable` is required"
    if has_exact:
        return f"Invalid value: null: {rule}, but multiple fields are set"
    if request.has("deviceClassName"):
        return f"Required value: {rule} (the fields of a request stand below `exactly` in this version)"
    if request.has("exactly"):
        return f"Required value: {rule} (this version knows no `exactly`: its fields stand in the request)"
    return f"Required value: {rule}"


def _claim(root: Raw, kind: ClaimKind, version: str, spec: ClaimSpec, status: Raw | None) -> Claim:
    metadata = root.required_child("metadata")
    name = metadata.text("name") or metadata.text("generateName")
    if not name:
        raise metadata.error("name", "Required value: name or generateName is required")
    allocation = status.child("allocation") if status else None
    return Claim(
        name=name,
        namespace=metadata.text("namespace") or None,
        spec=spec,
        kind=kind,
        api_version=version,
        allocation=None if allocation is None else _read_allocation(allocation),
        being_deleted=metadata.has("deletionTimestamp"),
        device_statuses=tuple(map(_read_device_status, status.children("devices"))) if status else (),
        consumers=len(status.children("reservedFor")) if status else 0,
    )


def _read_request(raw: Raw, version: str) -> Request:
    name = raw.required_text("name")
    exact, alternatives = exact_part(raw, version), raw.children("firstAvailable")
    problem = union_problem(raw, version)
    # A kind of request that is newer than this program is told by unknown_fields.
    if problem and not raw.unknown(_KNOWN_REQUEST_FIELDS):
        raise raw.error("", problem)
    if exact is not None:
        return Request(name, (_read_device_request(exact, name),))
    named = tuple(_read_device_request(item, item.required_text("name")) for item in alternatives)
    return Request(name, named, prioritized=bool(named))


def _read_device_request(raw: Raw, name: str) -> DeviceRequest:
    """What is asked for, defaulted (pkg/apis/resource/v1/defaults.go)."""
    mode = raw.text("allocationMode") or "ExactCount"
    count = raw.integer("count") or 0
    capacity = raw.child("capacity")
    return DeviceRequest(
        name=name,
        device_class_name=raw.required_text("deviceClassName"),
        selectors=read_selectors(raw),
        allocation_mode=mode,
        count=1 if mode == "ExactCount" and count == 0 else count,
        admin_access=raw.boolean("adminAccess"),
        tolerations=tuple(_read_toleration(item) for item in raw.children("tolerations")),
        capacity=capacity.quantity_map("requests") if capacity else {},
    )


def read_selectors(raw: Raw) -> tuple[str, ...]:
    """The CEL texts of a request's or a class' selectors; "" for a selector that is not CEL."""
    parts = (selector.child("cel") for selector in raw.children("selectors"))
    return tuple((part.text("expression") or "") if part else "" for part in parts)


def _read_toleration(raw: Raw) -> Toleration:
    return Toleration(
        key=raw.text("key") or "",
        operator=raw.text("operator") or "Equal",
        value=raw.text("value") or "",
        effect=raw.text("effect") or "",
    )


def _read_constraint(raw: Raw) -> Constraint:
    return Constraint(raw.texts("requests"), raw.text("matchAttribute"), raw.text("distinctAttribute"))


def _read_allocation(raw: Raw) -> Allocation:
    devices, selector = raw.child("devices"), raw.child("nodeSelector")
    results = devices.children("results") if devices else ()
    return Allocation(
        results=tuple(_read_result(result) for result in results),
        node_selector=None if selector is None else read_node_selector(selector),
        allocated_at=raw.timestamp("allocationTimestamp"),
    )


def _read_result(raw: Raw) -> DeviceResult:
    return DeviceResult(
        request=raw.required_text("request"),
        driver=raw.required_text("driver"),
        pool=raw.required_text("pool"),
        device=raw.required_text("device"),
        admin_access=raw.boolean("adminAccess"),
        share_id=raw.text("shareID") or None,
        consumed_capacity=raw.quantity_map("consumedCapacity"),
        binding_conditions=raw.texts("bindingConditions"),
        binding_failure_conditions=raw.texts("bindingFailureConditions"),
    )


def _read_device_status(raw: Raw) -> DeviceStatus:
    return DeviceStatus(
        driver=raw.required_text("driver"),
        pool=raw.required_text("pool"),
        device=raw.required_text("device"),
        share_id=raw.text("shareID") or None,
        conditions=tuple(map(_read_condition, raw.children("conditions"))),
    )


def _read_condition(raw: Raw) -> Condition:
    return Condition(
        type=raw.required_text("type"),
        status=raw.required_text("status"),
        reason=raw.text("reason") or "",
        message=raw.text("message") or "",
    )


def _unknown_fields(spec: Raw, devices: Raw, version: str) -> Iterator[str]:
    yield from spec.unknown(_KNOWN_SPEC_FIELDS)
    yield from devices.unknown(_KNOWN_DEVICES_FIELDS)
    for request in devices.children("requests"):
        exact = exact_part(request, version)
        if exact is request:
            yield from request.unknown(_KNOWN_REQUEST_FIELDS | _KNOWN_EXACT_FIELDS)
        else:
            yield from request.unknown(_KNOWN_REQUEST_FIELDS)
            yield from exact.unknown(_KNOWN_EXACT_FIELDS) if exact else ()
        yield from _unknown_inside(exact) if exact else ()
        for alternative in request.children("firstAvailable"):
            yield from alternative.unknown(_KNOWN_ALTERNATIVE_FIELDS)
            yield from _unknown_inside(alternative)
    for constraint in devices.children("constraints"):
        yield from constraint.unknown(_KNOWN_CONSTRAINT_FIELDS)


def _unknown_inside(raw: Raw) -> Iterator[str]:
    """Unknown fields of the selectors, tolerations and capacity of one device request."""
    yield from unknown_in_selectors(raw)
    for toleration in raw.children("tolerations"):
        yield from toleration.unknown(_KNOWN_TOLERATION_FIELDS)
    capacity = raw.child("capacity")
    yield from capacity.unknown(("requests",)) if capacity else ()


def unknown_in_selectors(raw: Raw) -> Iterator[str]:
    """Unknown fields of a request's or a class' selectors."""
    for selector in raw.children("selectors"):
        yield from selector.unknown(("cel",))
        cel = selector.child("cel")
        yield from cel.unknown(("expression",)) if cel else ()
