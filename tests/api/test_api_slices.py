"""Slices and their devices, in every served version."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from kubectl_llmfit.api.read import Interner, ReadError, read_slice
from kubectl_llmfit.api.values import (
    Capacity,
    CapacityRange,
    CounterSet,
    NodeSelector,
    NodeSelectorTerm,
    NodeTargeting,
    RequestPolicy,
    Requirement,
    ResourceSlice,
    Taint,
)
from kubectl_llmfit.cel.quantity import Quantity
from kubectl_llmfit.cel.semver import Semver

Object = dict[str, Any]
TERM = {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a"]}]}


def a_slice(*devices: Object, version: str = "v1", **spec: Any) -> Object:
    return {
        "apiVersion": f"resource.k8s.io/{version}",
        "kind": "ResourceSlice",
        "metadata": {"name": "slice-1"},
        "spec": {
            "driver": "gpu.example.com",
            "nodeName": "gpu-a",
            "pool": {"name": "gpu-a", "generation": 3, "resourceSliceCount": 2},
            "devices": list(devices),
        }
        | spec,
    }


def a_device(name: str = "gpu-0", **fields: Any) -> Object:
    return {
        "name": name,
        "attributes": {"model": {"string": "A100"}, "example.com/cores": {"int": 108}},
        "capacity": {"memory": {"value": "80Gi"}},
    } | fields


def read(raw: Object) -> ResourceSlice:
    return read_slice(raw, Interner())


def test_a_slice_is_read_whole() -> None:
    read_slice_ = read(a_slice(a_device(), a_device("gpu-1")))
    assert (read_slice_.name, read_slice_.driver, read_slice_.pool) == ("slice-1", "gpu.example.com", "gpu-a")
    assert (read_slice_.generation, read_slice_.slice_count) == (3, 2)
    assert read_slice_.targeting == NodeTargeting(node_name="gpu-a")
    assert [device.name for device in read_slice_.devices] == ["gpu-0", "gpu-1"]
    assert read_slice_.unknown_fields == ()


def test_every_kind_of_attribute_is_read() -> None:
    kinds = {
        "i": {"int": -(2**63)},
        "b": {"bool": False},
        "s": {"string": ""},
        "v": {"version": "1.2.3"},
        "is": {"ints": [1, 2]},
        "bs": {"bools": [True]},
        "ss": {"strings": []},
        "vs": {"versions": ["1.0.0", "2.0.0"]},
    }
    shape = read(a_slice(a_device(attributes=kinds))).devices[0].shape
    assert dict(shape.attributes) == {
        "i": -(2**63),
        "b": False,
        "s": "",
        "v": Semver.parse("1.2.3"),
        "is": (1, 2),
        "bs": (True,),
        "ss": (),
        "vs": (Semver.parse("1.0.0"), Semver.parse("2.0.0")),
    }
    assert shape.attributes["b"] is False
    assert shape.unreadable == ()


@pytest.mark.parametrize(
    "value",
    [
        {"version": "v1"},
        {"versions": ["1.0"]},
        {"quantity": "5Gi"},
        {"string": None},
        {},
    ],
)
def test_an_attribute_that_cannot_be_read_is_named_and_the_others_stay(value: Object) -> None:
    shape = read(a_slice(a_device(attributes={"odd": value, "fine": {"int": 1}}))).devices[0].shape
    assert shape.unreadable == ("odd",)
    assert dict(shape.attributes) == {"fine": 1}


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"int": 2**63}, "odd.int: 9223372036854775808 is beyond a 64-bit integer"),
        ({"int": True}, "odd.int: must be an integer, got true"),
        ({"int": "5"}, 'odd.int: must be an integer, got "5"'),
        ({"ints": [1, 2**63]}, "odd.ints[1]: 9223372036854775808 is beyond"),
        ({"ints": 1}, "odd.ints: must be a list, got 1"),
        ({"bool": 1}, "odd.bool: must be a boolean, got 1"),
        ({"string": 5}, "odd.string: must be a string, got 5"),
        ({"versions": [1]}, "odd.versions[0]: must be a string, got 1"),
    ],
)
def test_an_attribute_that_no_server_can_hold_is_an_error(value: Object, words: str) -> None:
    """Such a slice is of no cluster: what the scheduler would do with it is not to be guessed."""
    with pytest.raises(ReadError) as caught:
        read(a_slice(a_device(attributes={"odd": value})))
    assert f"spec.devices[0].attributes.{words}" in caught.value.message


def test_everything_else_of_a_device_is_read() -> None:
    device = a_device(
        capacity={
            "memory": {
                "value": "80Gi",
                "requestPolicy": {"default": "10Gi", "validRange": {"min": "5Gi", "max": "40Gi", "step": "5Gi"}},
            },
            "links": {"value": 4, "requestPolicy": {"validValues": ["1", "2"]}},
        },
        taints=[{"key": "broken", "effect": "NoSchedule", "timeAdded": "2026-01-01T00:00:00Z"}],
        allowMultipleAllocations=True,
        consumesCounters=[{"counterSet": "gpu", "counters": {"slices": {"value": "2"}}}],
        bindsToNode=True,
        bindingConditions=["attached"],
        bindingFailureConditions=["failed"],
        nodeSelector={"nodeSelectorTerms": [TERM]},
    )
    shape = read(a_slice(device, perDeviceNodeSelection=True, nodeName=None)).devices[0].shape
    span = CapacityRange(*map(Quantity.parse, ("5Gi", "40Gi", "5Gi")))
    assert dict(shape.capacity) == {
        "memory": Capacity(Quantity.parse("80Gi"), RequestPolicy(Quantity.parse("10Gi"), (), span)),
        "links": Capacity(Quantity.parse("4"), RequestPolicy(valid_values=(Quantity.parse("1"), Quantity.parse("2")))),
    }
    assert shape.taints == (Taint("broken", "", "NoSchedule"),)
    assert shape.allow_multiple_allocations
    assert shape.consumes_counters == (CounterSet("gpu", {"slices": Quantity.parse("2")}),)
    assert shape.binds_to_node
    assert shape.binding_conditions == ("attached",)
    assert shape.binding_failure_conditions == ("failed",)
    assert shape.targeting == NodeTargeting(
        node_selector=NodeSelector((NodeSelectorTerm((Requirement("zone", "In", ("a",)),)),))
    )
    assert shape.unknown_fields == ()


@pytest.mark.parametrize(
    ("fields", "targeting"),
    [
        ({"nodeName": "gpu-b"}, NodeTargeting(node_name="gpu-b")),
        ({"nodeName": "", "allNodes": True}, NodeTargeting(all_nodes=True)),
        ({"nodeName": None, "perDeviceNodeSelection": True}, NodeTargeting(per_device=True)),
        ({"nodeName": None, "allNodes": False}, NodeTargeting()),
    ],
)
def test_targeting_is_one_of_four_or_none(fields: Object, targeting: NodeTargeting) -> None:
    assert read(a_slice(**fields)).targeting == targeting


def test_shared_counters_are_read() -> None:
    counters = [{"name": "gpu", "counters": {"memory": {"value": "80Gi"}}}]
    assert read(a_slice(sharedCounters=counters)).shared_counters == (
        CounterSet("gpu", {"memory": Quantity.parse("80Gi")}),
    )


@pytest.mark.parametrize("version", ["v1beta1", "v1alpha3"])
def test_older_versions_have_their_devices_below_basic(version: str) -> None:
    modern = a_device()
    basic = {"name": "gpu-0", "basic": {name: value for name, value in modern.items() if name != "name"}}
    old, new = read(a_slice(basic, version=version)), read(a_slice(modern))
    assert old.devices[0].name == "gpu-0"
    assert old.devices[0].shape.attributes == new.devices[0].shape.attributes
    assert old.devices[0].shape.capacity == new.devices[0].shape.capacity


def test_the_oldest_version_has_bare_capacities() -> None:
    device = {"name": "gpu-0", "basic": {"capacity": {"memory": "40Gi"}}}
    shape = read(a_slice(device, version="v1alpha3")).devices[0].shape
    assert dict(shape.capacity) == {"memory": Capacity(Quantity.parse("40Gi"))}


def test_a_slice_that_names_no_version_is_read_as_v1() -> None:
    raw = a_slice({"name": "gpu-0", "attributes": {"a": {"int": 1}}})
    del raw["apiVersion"], raw["kind"]
    assert dict(read(raw).devices[0].shape.attributes) == {"a": 1}


def test_equal_devices_share_one_shape_across_slices() -> None:
    intern = Interner()
    first = read_slice(a_slice(a_device("gpu-0"), a_device("gpu-1")), intern)
    second = read_slice(a_slice(deepcopy(a_device("gpu-7"))), intern)
    shapes = {id(device.shape) for device in (*first.devices, *second.devices)}
    assert len(shapes) == 1


def test_the_order_of_fields_and_the_time_of_a_taint_make_no_other_shape() -> None:
    def tainted(added: str) -> list[Object]:
        return [{"key": "broken", "effect": "NoSchedule", "timeAdded": added}]

    one = a_device(taints=tainted("2026-01-01T00:00:00Z"))
    other = dict(reversed(a_device(taints=tainted("2026-02-02T00:00:00Z")).items()))
    other["attributes"] = dict(reversed(other["attributes"].items()))
    slice_ = read(a_slice(one, other))
    assert slice_.devices[0].shape is slice_.devices[1].shape


@pytest.mark.parametrize(
    "change",
    [
        {"attributes": {"model": {"string": "A100"}, "example.com/cores": {"int": 109}}},
        {"attributes": {"model": {"string": "A100"}, "example.com/cores": {"bool": True}}},
        {"capacity": {"memory": {"value": "81Gi"}}},
        {"taints": [{"key": "broken", "effect": "NoSchedule"}]},
        {"allowMultipleAllocations": True},
        {"nodeName": "gpu-a"},
    ],
)
def test_devices_that_differ_have_shapes_of_their_own(change: Object) -> None:
    slice_ = read(a_slice(a_device(), a_device(**change)))
    assert slice_.devices[0].shape is not slice_.devices[1].shape


def test_versions_that_differ_in_build_metadata_only_have_shapes_of_their_own() -> None:
    devices = [a_device(attributes={"driver": {"version": f"1.0.0+{build}"}}) for build in "ab"]
    slice_ = read(a_slice(*devices))
    assert [str(device.shape.attributes["driver"]) for device in slice_.devices] == ["1.0.0+a", "1.0.0+b"]


@pytest.mark.parametrize(
    ("device", "path"),
    [
        (a_device(nodeAllocatableResources={"cpu": {}}), "nodeAllocatableResources"),
        (a_device(futureThing=True), "futureThing"),
        (
            a_device(consumesCounters=[{"counterSet": "gpu", "compatibilityGroups": ["a"]}]),
            "consumesCounters[0].compatibilityGroups",
        ),
        (a_device(capacity={"memory": {"value": "1Gi", "sharedBy": "x"}}), "capacity.memory.sharedBy"),
        (
            a_device(capacity={"memory": {"value": "1Gi", "requestPolicy": {"new": 1}}}),
            "capacity.memory.requestPolicy.new",
        ),
    ],
)
def test_unknown_fields_of_a_device_are_named_from_the_device_on(device: Object, path: str) -> None:
    assert read(a_slice(a_device(), device)).devices[1].shape.unknown_fields == (path,)


def test_unknown_fields_of_a_slice_are_named() -> None:
    raw = a_slice(futureTargeting={"rack": "r1"}, skipNodeOperations=["*"], partitionTypeAttribute="a/b")
    raw["spec"]["pool"]["future"] = 1
    assert read(raw).unknown_fields == ("spec.futureTargeting", "spec.pool.future")


def test_fields_that_say_nothing_are_not_unknown() -> None:
    assert read(a_slice(future=None, other=[], more={})).unknown_fields == ()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"driver": None}, 'ResourceSlice "slice-1": spec.driver: Required value'),
        ({"driver": 5}, 'ResourceSlice "slice-1": spec.driver: must be a string, got 5'),
        ({"pool": []}, 'ResourceSlice "slice-1": spec.pool: must be an object, got []'),
        (
            {"pool": {"name": "p", "generation": "3"}},
            'ResourceSlice "slice-1": spec.pool.generation: must be an integer, got "3"',
        ),
        (
            {"pool": {"name": "p", "generation": 2**63}},
            'ResourceSlice "slice-1": spec.pool.generation: 9223372036854775808 is beyond a 64-bit integer',
        ),
        ({"devices": {}}, 'ResourceSlice "slice-1": spec.devices: must be a list, got {}'),
        ({"devices": ["gpu"]}, 'ResourceSlice "slice-1": spec.devices[0]: must be an object, got "gpu"'),
        ({"devices": [{}]}, 'ResourceSlice "slice-1": spec.devices[0].name: Required value'),
        (
            {"devices": [a_device(capacity={"memory": {"value": "80GB"}})]},
            'ResourceSlice "slice-1": spec.devices[0].capacity.memory.value: "80GB": '
            "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
        ),
        (
            {"devices": [a_device(attributes={"model": "A100"})]},
            'ResourceSlice "slice-1": spec.devices[0].attributes.model: must be an object, got "A100"',
        ),
        (
            {"devices": [a_device(allowMultipleAllocations="yes")]},
            'ResourceSlice "slice-1": spec.devices[0].allowMultipleAllocations: must be a boolean, got "yes"',
        ),
        (
            {"devices": [a_device(attributes={1: {"int": 1}})]},
            'ResourceSlice "slice-1": spec.devices[0].attributes: field names must be strings, got 1',
        ),
    ],
)
def test_a_malformed_slice_is_refused_with_the_field(change: Object, message: str) -> None:
    with pytest.raises(ReadError) as refusal:
        read(a_slice(**change))
    assert refusal.value.message == message


def test_a_slice_without_a_name_is_refused_in_one_line() -> None:
    raw = a_slice()
    raw["metadata"] = {"name": ""}
    with pytest.raises(ReadError, match=r"^ResourceSlice without a name: metadata\.name: Required value$"):
        read(raw)
    with pytest.raises(ReadError, match=r"^ResourceSlice: must be an object, got null$"):
        read_slice(None, Interner())
