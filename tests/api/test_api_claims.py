"""Claims and templates, in every served version, with the API's defaults."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from kubectl_llmfit.api.read import ReadError, read_claim, read_template
from kubectl_llmfit.api.values import (
    Allocation,
    Claim,
    Condition,
    Constraint,
    DeviceRequest,
    DeviceResult,
    DeviceStatus,
    NodeSelector,
    NodeSelectorTerm,
    Request,
    Requirement,
    Toleration,
)
from kubectl_llmfit.cel.quantity import Quantity

Object = dict[str, Any]


def a_claim(*requests: Object, version: str = "v1", **devices: Any) -> Object:
    return {
        "apiVersion": f"resource.k8s.io/{version}",
        "kind": "ResourceClaim",
        "metadata": {"name": "llama", "namespace": "team-a"},
        "spec": {"devices": {"requests": list(requests)} | devices},
    }


def wishes(**fields: Any) -> Object:
    return {"deviceClassName": "llmfit.ai"} | fields


def exactly(name: str = "gpu", **fields: Any) -> Object:
    return {"name": name, "exactly": wishes(**fields)}


def only_request(claim: Claim) -> DeviceRequest:
    return claim.spec.requests[0].alternatives[0]


def test_a_claim_is_read_with_the_defaults_of_the_api() -> None:
    claim = read_claim(a_claim(exactly(selectors=[{"cel": {"expression": "true"}}], tolerations=[{"key": "a"}])))
    assert (claim.name, claim.namespace, claim.kind) == ("llama", "team-a", "ResourceClaim")
    assert claim.spec.requests == (
        Request(
            "gpu",
            (
                DeviceRequest(
                    name="gpu",
                    device_class_name="llmfit.ai",
                    selectors=("true",),
                    allocation_mode="ExactCount",
                    count=1,
                    tolerations=(Toleration("a", "Equal", "", ""),),
                ),
            ),
        ),
    )
    assert claim.spec.unknown_fields == ()
    assert claim.allocation is None
    assert not claim.being_deleted


def test_all_has_no_count() -> None:
    request = only_request(read_claim(a_claim(exactly(allocationMode="All", adminAccess=True))))
    assert (request.allocation_mode, request.count, request.admin_access) == ("All", 0, True)


def test_capacity_requests_are_quantities() -> None:
    request = only_request(
        read_claim(a_claim(exactly(capacity={"requests": {"memory": "10Gi", "cores": 2, "slots": None}})))
    )
    assert dict(request.capacity) == {
        "memory": Quantity.parse("10Gi"),
        "cores": Quantity.parse("2"),
        "slots": Quantity.parse("0"),
    }


@pytest.mark.parametrize("version", ["v1beta1", "v1alpha3"])
def test_older_versions_have_flat_requests(version: str) -> None:
    fields = wishes(selectors=[{"cel": {"expression": "true"}}], count=3)
    flat, nested = a_claim({"name": "gpu"} | fields, version=version), a_claim(exactly(**fields))
    assert read_claim(flat).spec == read_claim(nested).spec


@pytest.mark.parametrize("version", ["v1", "v1beta2", "v1beta1"])
def test_alternatives_are_read_in_order(version: str) -> None:
    alternatives = [wishes(name="big", count=2), wishes(name="small", allocationMode="All")]
    request = read_claim(a_claim({"name": "gpu", "firstAvailable": alternatives}, version=version)).spec.requests[0]
    assert request.prioritized
    assert [(each.name, each.allocation_mode, each.count) for each in request.alternatives] == [
        ("big", "ExactCount", 2),
        ("small", "All", 0),
    ]


def test_constraints_are_read() -> None:
    constraints = [{"requests": ["gpu"], "matchAttribute": "a/numa"}, {"distinctAttribute": "a/id"}]
    assert read_claim(a_claim(exactly(), constraints=constraints)).spec.constraints == (
        Constraint(("gpu",), "a/numa", None),
        Constraint((), None, "a/id"),
    )


def test_a_template_is_read_as_the_claim_it_makes() -> None:
    raw = a_claim(exactly())
    template = raw | {"kind": "ResourceClaimTemplate", "spec": {"metadata": {"labels": {}}, "spec": raw["spec"]}}
    claim = read_template(template)
    assert claim.kind == "ResourceClaimTemplate"
    assert claim.spec == read_claim(raw).spec


def test_an_allocation_is_read_with_shares_and_its_nodes() -> None:
    raw = a_claim(exactly())
    selector = {"nodeSelectorTerms": [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n"]}]}]}
    shared = {"driver": "d", "pool": "p", "device": "x", "request": "gpu/big"}
    raw["status"] = {
        "allocation": {
            "devices": {
                "results": [
                    shared | {"shareID": "abc", "consumedCapacity": {"memory": "30Gi"}},
                    shared | {"device": "y", "adminAccess": True},
                ]
            },
            "nodeSelector": selector,
        }
    }
    raw["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    claim = read_claim(raw)
    requirement = Requirement("metadata.name", "In", ("n",))
    assert claim.being_deleted
    assert claim.allocation == Allocation(
        results=(
            DeviceResult("gpu/big", "d", "p", "x", False, "abc", {"memory": Quantity.parse("30Gi")}),
            DeviceResult("gpu/big", "d", "p", "y", admin_access=True),
        ),
        node_selector=NodeSelector((NodeSelectorTerm((), (requirement,)),)),
    )


def test_what_an_allocated_device_waits_for_is_read_with_what_its_driver_reports() -> None:
    raw = a_claim(exactly())
    device = {"driver": "d", "pool": "p", "device": "x"}
    waits = {"bindingConditions": ["attached"], "bindingFailureConditions": ["broken"]}
    reported = {"type": "broken", "status": "True", "reason": "Cable", "message": "no link"}
    raw["status"] = {
        "allocation": {
            "devices": {"results": [device | {"request": "gpu"} | waits]},
            "allocationTimestamp": "2026-11-30T12:00:00Z",
        },
        "devices": [device | {"conditions": [reported]}, device | {"shareID": "s"}],
    }
    claim = read_claim(raw)
    assert claim.allocation is not None
    (result,) = claim.allocation.results
    assert (result.binding_conditions, result.binding_failure_conditions) == (("attached",), ("broken",))
    assert claim.allocation.allocated_at == datetime(2026, 11, 30, 12, tzinfo=UTC)
    assert claim.device_statuses == (
        DeviceStatus("d", "p", "x", None, (Condition("broken", "True", "Cable", "no link"),)),
        DeviceStatus("d", "p", "x", "s", ()),
    )


@pytest.mark.parametrize("time", ["yesterday", "2026-11-30", "2026-11-30T12:00:00"])
def test_a_time_without_its_zone_is_no_time(time: str) -> None:
    raw = a_claim()
    raw["status"] = {"allocation": {"allocationTimestamp": time}}
    with pytest.raises(ReadError, match="allocationTimestamp: must be a time such as 2026-01-31T12:00:00Z"):
        read_claim(raw)


def test_an_empty_allocation_is_an_allocation() -> None:
    raw = a_claim()
    raw["status"] = {"allocation": {}}
    assert read_claim(raw).allocation == Allocation(())


def test_a_claim_without_requests_is_read() -> None:
    raw = a_claim()
    raw["spec"] = {}
    assert read_claim(raw).spec.requests == ()


@pytest.mark.parametrize(
    ("raw", "path"),
    [
        (a_claim(exactly(derivedAttributes=[{"name": "a/b"}])), "spec.devices.requests[0].exactly.derivedAttributes"),
        (a_claim(exactly(future=1)), "spec.devices.requests[0].exactly.future"),
        (a_claim(exactly() | {"future": 1}), "spec.devices.requests[0].future"),
        (
            a_claim({"name": "gpu", "future": 1} | wishes(), version="v1beta1"),
            "spec.devices.requests[0].future",
        ),
        (
            a_claim({"name": "gpu", "firstAvailable": [wishes(name="a", adminAccess=True)]}),
            "spec.devices.requests[0].firstAvailable[0].adminAccess",
        ),
        (a_claim(exactly(), future=1), "spec.devices.future"),
        (
            a_claim(exactly(), constraints=[{"matchAttribute": "a/b", "weight": 1}]),
            "spec.devices.constraints[0].weight",
        ),
        (a_claim(exactly(selectors=[{"wasm": "x"}])), "spec.devices.requests[0].exactly.selectors[0].wasm"),
        (
            a_claim(exactly(selectors=[{"cel": {"expression": "true", "strict": True}}])),
            "spec.devices.requests[0].exactly.selectors[0].cel.strict",
        ),
        (a_claim(exactly(capacity={"limits": {"a": "1"}})), "spec.devices.requests[0].exactly.capacity.limits"),
        (a_claim(exactly(tolerations=[{"until": 5}])), "spec.devices.requests[0].exactly.tolerations[0].until"),
    ],
)
def test_unknown_fields_that_may_change_the_answer_are_named(raw: Object, path: str) -> None:
    assert read_claim(raw).spec.unknown_fields == (path,)


def test_the_control_plane_controller_of_kubernetes_1_31_is_an_unknown_field() -> None:
    raw = a_claim({"name": "gpu"} | wishes(), version="v1alpha3")
    raw["spec"]["controller"] = "example.com"
    assert read_claim(raw).spec.unknown_fields == ("spec.controller",)


def test_configuration_and_toleration_seconds_are_not_unknown() -> None:
    config = [{"opaque": {"driver": "d", "parameters": {"any": "thing"}}}]
    raw = a_claim(exactly(tolerations=[{"operator": "Exists", "tolerationSeconds": 5}]), config=config)
    assert read_claim(raw).spec.unknown_fields == ()


def test_a_request_of_a_kind_that_is_not_known_has_no_alternative() -> None:
    claim = read_claim(a_claim({"name": "gpu", "atLeast": wishes()}))
    assert claim.spec.requests == (Request("gpu", ()),)
    assert claim.spec.unknown_fields == ("spec.devices.requests[0].atLeast",)


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (a_claim({"name": "gpu"}), "spec.devices.requests[0]: Required value: exactly one of"),
        (
            a_claim(exactly() | {"firstAvailable": [wishes(name="a")]}),
            "spec.devices.requests[0]: Invalid value: null: exactly one of",
        ),
        (a_claim({"exactly": wishes()}), "spec.devices.requests[0].name: Required value"),
        (
            a_claim({"name": "gpu", "exactly": {"count": 1}}),
            "spec.devices.requests[0].exactly.deviceClassName: Required value",
        ),
        (a_claim(exactly(count="2")), 'spec.devices.requests[0].exactly.count: must be an integer, got "2"'),
        (a_claim(exactly(count=True)), "spec.devices.requests[0].exactly.count: must be an integer, got true"),
        (a_claim(exactly(selectors="true")), "spec.devices.requests[0].exactly.selectors: must be a list"),
        (
            a_claim(exactly(), constraints=[{"requests": [1]}]),
            "spec.devices.constraints[0].requests[0]: must be a string, got 1",
        ),
        (
            a_claim(exactly(capacity={"requests": {"memory": "lots"}})),
            'spec.devices.requests[0].exactly.capacity.requests.memory: "lots": quantities must match',
        ),
    ],
)
def test_a_malformed_claim_is_refused_with_the_field(raw: Object, message: str) -> None:
    with pytest.raises(ReadError) as refusal:
        read_claim(raw)
    assert refusal.value.message.startswith(f'ResourceClaim "llama": {message}')
    assert "\n" not in refusal.value.message


def test_a_claim_needs_a_name_or_a_prefix_for_one() -> None:
    raw = a_claim(exactly())
    raw["metadata"] = {"generateName": "llama-"}
    assert read_claim(raw).name == "llama-"
    raw["metadata"] = {}
    with pytest.raises(ReadError, match=r"metadata\.name: Required value: name or generateName is required"):
        read_claim(raw)


@pytest.mark.parametrize("version", ["v1alpha1", "v1alpha2"])
def test_the_classic_api_is_refused_by_name(version: str) -> None:
    with pytest.raises(ReadError, match=f"resource.k8s.io/{version} is the classic API"):
        read_claim(a_claim(version=version))


def test_a_version_from_the_future_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ReadError, match=r'"resource\.k8s\.io/v2" is not known, must be one of: resource\.k8s\.io/v1, '):
        read_claim(a_claim(version="v2"))
