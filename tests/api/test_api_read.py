"""Nodes, classes, taint rules, and the reader that picks by kind; and that nothing but ReadError ever comes out."""

from __future__ import annotations

from contextlib import suppress
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_llmfit.api.differences import spec_differences
from kubectl_llmfit.api.read import (
    Interner,
    ReadError,
    read_class,
    read_node,
    read_object,
    read_taint_rule,
)
from kubectl_llmfit.api.validation import validate_claim
from kubectl_llmfit.api.values import (
    Claim,
    DeviceClass,
    Node,
    ResourceSlice,
    Taint,
    TaintRule,
)
from kubectl_llmfit.cel.quantity import Quantity
from kubectl_llmfit.errors import ExitCode

Object = dict[str, Any]

NODE: Object = {
    "apiVersion": "v1",
    "kind": "Node",
    "metadata": {"name": "gpu-a", "labels": {"zone": "a", "empty": None}},
    "spec": {"unschedulable": True, "taints": [{"key": "gpu", "value": "yes", "effect": "NoSchedule"}]},
    "status": {
        "allocatable": {"cpu": "8", "kubernetes.io/x": "1", "hugepages-1Gi": "0", "nvidia.com/gpu": "8"},
        "conditions": [{"type": "DiskPressure", "status": "True"}, {"type": "Ready", "status": "False"}],
    },
}
WISHES: Object = {
    "deviceClassName": "c",
    "selectors": [{"cel": {"expression": "true"}}],
    "allocationMode": "ExactCount",
    "count": 2,
    "adminAccess": False,
    "tolerations": [{"key": "k", "operator": "Equal", "value": "v", "effect": "NoSchedule"}],
    "capacity": {"requests": {"memory": "1Gi"}},
}
CLAIM: Object = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceClaim",
    "metadata": {"name": "c", "namespace": "n"},
    "spec": {
        "devices": {
            "requests": [{"name": "a", "exactly": WISHES}, {"name": "b", "firstAvailable": [{"name": "x"} | WISHES]}],
            "constraints": [{"requests": ["a", "b/x"], "matchAttribute": "d.com/a"}],
            "config": [{"requests": ["a"], "opaque": {"driver": "d.com", "parameters": {}}}],
        }
    },
    "status": {
        "allocation": {
            "devices": {"results": [{"request": "a", "driver": "d", "pool": "p", "device": "x"}]},
            "nodeSelector": {"nodeSelectorTerms": [{"matchFields": [{"key": "k", "operator": "Exists"}]}]},
        }
    },
}
TEMPLATE: Object = CLAIM | {"kind": "ResourceClaimTemplate", "spec": {"metadata": {}, "spec": CLAIM["spec"]}}
CLASS: Object = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "DeviceClass",
    "metadata": {"name": "c"},
    "spec": {"selectors": WISHES["selectors"], "extendedResourceName": "example.com/gpu"},
}
RULE: Object = {
    "apiVersion": "resource.k8s.io/v1alpha3",
    "kind": "DeviceTaintRule",
    "metadata": {"name": "r"},
    "spec": {"deviceSelector": {"driver": "d", "pool": "p"}, "taint": {"key": "k", "value": "v", "effect": "None"}},
}
SLICE: Object = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceSlice",
    "metadata": {"name": "s"},
    "spec": {
        "driver": "d",
        "pool": {"name": "p", "generation": 1, "resourceSliceCount": 1},
        "perDeviceNodeSelection": True,
        "sharedCounters": [{"name": "s", "counters": {"c": {"value": "1"}}}],
        "devices": [
            {
                "name": "x",
                "attributes": {"a": {"int": 1}, "b": {"versions": ["1.0.0"]}},
                "capacity": {"m": {"value": "1Gi", "requestPolicy": {"validRange": {"min": "1"}}}},
                "taints": [{"key": "k", "effect": "NoSchedule"}],
                "consumesCounters": [{"counterSet": "s", "counters": {"c": {"value": "1"}}}],
                "nodeSelector": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "k", "operator": "In"}]}]},
                "bindingConditions": ["a"],
            }
        ],
    },
}


def test_a_node_is_read() -> None:
    assert read_node(NODE) == Node(
        name="gpu-a",
        labels={"zone": "a", "empty": ""},
        unschedulable=True,
        ready=False,
        taints=(Taint("gpu", "yes", "NoSchedule"),),
        extended_resources={"nvidia.com/gpu": Quantity.parse("8")},
    )


@pytest.mark.parametrize(("status", "ready"), [("True", True), ("False", False), ("Unknown", None)])
def test_a_node_is_ready_not_ready_or_unknown(status: str, ready: bool | None) -> None:
    raw = NODE | {"status": {"conditions": [{"type": "Ready", "status": status}]}}
    assert read_node(raw).ready is ready


def test_a_bare_node_is_read() -> None:
    assert read_node({"metadata": {"name": "n"}}) == Node("n")


def test_a_class_is_read() -> None:
    assert read_class(CLASS) == DeviceClass("c", ("true",), "example.com/gpu")
    assert read_class({"metadata": {"name": "c"}}) == DeviceClass("c")


def test_a_class_that_selects_in_unknown_ways_says_so() -> None:
    spec = {"selectors": [{"cel": {"expression": "true"}}, {"wasm": "x"}], "suitableNodes": {"nodeSelectorTerms": []}}
    device_class = read_class(CLASS | {"spec": spec})
    assert device_class.selectors == ("true", "")
    assert device_class.unknown_fields == ("spec.suitableNodes", "spec.selectors[1].wasm")


def test_a_taint_rule_is_read() -> None:
    assert read_taint_rule(RULE) == TaintRule("r", Taint("k", "v", "None"), "d", "p", None)


def test_a_taint_rule_without_a_selector_selects_nothing_and_an_empty_one_everything() -> None:
    taint = RULE["spec"]["taint"]
    assert not read_taint_rule(RULE | {"spec": {"taint": taint}}).selects_any
    assert read_taint_rule(RULE | {"spec": {"taint": taint, "deviceSelector": {}}}).selects_any


def test_the_class_and_the_expressions_of_a_taint_rule_of_1_34_are_read() -> None:
    cel = {"cel": {"expression": "true"}}
    rule = read_taint_rule(
        RULE | {"spec": RULE["spec"] | {"deviceSelector": {"deviceClassName": "c", "selectors": [cel]}}}
    )
    assert (rule.device_class_name, rule.selectors, rule.unknown_fields) == ("c", ("true",), ())


def test_a_taint_rule_that_selects_in_unknown_ways_says_so() -> None:
    spec = RULE["spec"] | {"deviceSelector": {"rack": "r", "selectors": [{"wasm": "x"}]}}
    rule = read_taint_rule(RULE | {"spec": spec})
    assert rule.unknown_fields == ("spec.deviceSelector.rack", "spec.deviceSelector.selectors[0].wasm")


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        (NODE, Node),
        (SLICE, ResourceSlice),
        (CLASS, DeviceClass),
        (CLAIM, Claim),
        (TEMPLATE, Claim),
        (RULE, TaintRule),
    ],
)
def test_objects_are_read_by_their_kind(raw: Object, kind: type) -> None:
    assert isinstance(read_object(raw), kind)


@pytest.mark.parametrize(
    "raw",
    [
        {"apiVersion": "v1", "kind": "Pod"},
        {"apiVersion": "apps/v1", "kind": "ResourceClaim"},
        {"apiVersion": "resource.k8s.io/v1", "kind": "ResourcePoolStatusRequest"},
        {"apiVersion": "resource.k8s.io/v1", "kind": ["ResourceClaim"]},
        {"apiVersion": 1, "kind": "Node"},
        {},
    ],
)
def test_other_kinds_are_nothing_to_us(raw: Object) -> None:
    assert read_object(raw) is None


def test_what_is_no_object_is_refused() -> None:
    with pytest.raises(ReadError, match="must be a Kubernetes object"):
        read_object(["ResourceClaim"])


def test_a_read_error_is_wrong_input() -> None:
    assert ReadError("x").exit_code is ExitCode.USAGE


def test_slices_read_one_by_one_share_the_given_interner() -> None:
    intern = Interner()
    first, second = read_object(SLICE, intern), read_object(deepcopy(SLICE), intern)
    assert isinstance(first, ResourceSlice)
    assert isinstance(second, ResourceSlice)
    assert first.devices[0].shape is second.devices[0].shape


JUNK = st.sampled_from(
    [None, True, False, 0, -1, 2**63, 1.5, float("nan"), "", "x", "1Gi", "\x1b[31m\n", [], {}, [None], [1], ["x"],
     [[]], [{}], {"a\nb": 1}, {"x": None}, {"x": 1}, {1: 2}, {"name": "x"}, {"cel": 1}, {"value": "1"}, {"int": 1},
     {"": {}}]
)  # fmt: skip


def _paths(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    inside: list[tuple[str | int, ...]] = [path] if path else []
    if isinstance(value, dict):
        inside += [found for key, item in value.items() for found in _paths(item, (*path, key))]
    if isinstance(value, list):
        inside += [found for index, item in enumerate(value) for found in _paths(item, (*path, index))]
    return inside


@st.composite
def _damaged(draw: st.DrawFn) -> Object:
    """A well-formed object with one or two of its parts replaced by something else, or gone."""
    raw: Any = deepcopy(draw(st.sampled_from([NODE, SLICE, CLASS, CLAIM, TEMPLATE, RULE])))
    raw["apiVersion"] = draw(
        st.sampled_from([raw["apiVersion"], "resource.k8s.io/v1beta1", "resource.k8s.io/v1alpha3"])
    )
    for _ in range(draw(st.integers(1, 2))):
        *parents, last = draw(st.sampled_from(_paths(raw)))
        place = raw
        for step in parents:
            place = place[step]
        if draw(st.booleans()):
            place[last] = deepcopy(draw(JUNK))
        else:
            del place[last]
        if not isinstance(raw, dict) or not _paths(raw):
            break
    return dict(raw)


@given(_damaged())
def test_a_damaged_object_is_read_or_refused_in_one_line_and_never_crashes(raw: Object) -> None:
    with suppress(ReadError):
        read_object(raw)
        return
    with pytest.raises(ReadError) as refusal:
        read_object(raw)
    assert refusal.value.message.isprintable()


@given(_damaged())
def test_checking_and_comparing_a_damaged_claim_never_crashes(raw: Object) -> None:
    assert all(isinstance(message, str) and message.isprintable() for message in validate_claim(raw))
    spec = raw.get("spec")
    if isinstance(spec, dict):
        try:
            differences = spec_differences(spec, CLAIM["spec"])
        except ReadError:
            return
        assert all(difference.isprintable() for difference in differences)
