"""What is not known is Unknown where it could change the answer, and nowhere else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from dra.dra_worlds import (
    ALL_NODES,
    ANY,
    DRIVER,
    NODE,
    answer,
    attribute,
    claim,
    device,
    devices,
    everything,
    holding,
    on,
    pool,
    request,
    state,
    taken,
    unread,
    where,
)
from kubectl_llmfit.api.values import (
    Capacity,
    Claim,
    ClaimSpec,
    Constraint,
    CounterSet,
    DeviceClass,
    Node,
    RequestPolicy,
    Requirement,
    ResourceSlice,
    Taint,
    TaintRule,
    Toleration,
)
from kubectl_llmfit.cel import Quantity
from kubectl_llmfit.dra.answer import NodeAnswer, Outcome

ONE = {"gb": Quantity.parse("1")}
COUNTERS = pool(slice_name="counters", slice_count=2, shared_counters=(CounterSet("memory", ONE),))
BAD = Taint("bad", "", "NoSchedule")
TOLERANT = (Toleration("", "Exists", "", ""),)
RAISES = attribute("x") + " == 1"


def partition(name: str = "part", **attributes: Any) -> ResourceSlice:
    """A pool with one device that consumes counters."""
    return pool(device(name, attributes, consumes_counters=(CounterSet("memory", ONE),)), slice_count=2)


def unknown(given: NodeAnswer, *words: str) -> bool:
    assert given.outcome is Outcome.UNKNOWN
    assert all(word in (given.message or "") for word in words)
    assert given.allocation == ()
    return given.may_fail


@pytest.mark.parametrize(
    ("spec", "word"),
    [
        (ClaimSpec((replace(request(), prioritized=True),)), "firstAvailable"),
        (ClaimSpec((request(),), (Constraint(match_attribute="d/x"),)), "constraints"),
        (ClaimSpec((request(capacity={"memory": Quantity.parse("1Gi")}),)), "capacity requests"),
        (ClaimSpec((request(),), unknown_fields=("spec.devices.requests[0].exactly.mood",)), "mood"),
    ],
)
def test_a_claim_that_uses_what_is_not_supported_is_unknown(spec: ClaimSpec, word: str) -> None:
    given = answer(state(pool(*devices(1))), Claim("c", "ns", spec))
    unknown(given, "claim ns/c", word)


def test_a_missing_class_refuses_whatever_else_the_claim_uses() -> None:
    spec = ClaimSpec((request(of="gone"),), (Constraint(match_attribute="d/x"),))
    assert answer(state(), Claim("c", "ns", spec)).outcome is Outcome.REFUSES


@pytest.mark.parametrize(
    ("shape", "word"),
    [
        ({"allow_multiple_allocations": True}, "shared capacity"),
        (
            {"capacity": {"m": Capacity(Quantity.parse("1"), RequestPolicy(default=Quantity.parse("1")))}},
            "shared capacity",
        ),
        ({"binding_conditions": ("ready",)}, "binding conditions"),
        ({"unknown_fields": ("nodeAllocatableResources",)}, "nodeAllocatableResources"),
    ],
)
def test_taking_a_device_that_is_not_supported_is_unknown(shape: dict[str, Any], word: str) -> None:
    odd = device("odd")
    odd = replace(odd, shape=replace(odd.shape, **shape))
    assert not unknown(answer(state(pool(odd)), claim(request())), f"device {DRIVER}/p/odd", word)


def test_taking_a_device_that_consumes_counters_is_unknown() -> None:
    assert not unknown(answer(state(COUNTERS, partition()), claim(request())), "part", "counters")


def test_a_device_that_is_not_matched_leaves_the_answer_certain() -> None:
    world = state(COUNTERS, partition(), pool(device("plain", {"x": 1}), name="q"))
    guarded = f"'x' in device.attributes['{DRIVER}']"
    assert taken(answer(world, claim(request("r", guarded)))) == ["r=plain"]


def test_a_device_that_comes_later_leaves_the_answer_certain() -> None:
    odd = pool(device("odd", allow_multiple_allocations=True), name="z")
    assert taken(answer(state(pool(*devices(1)), odd), claim(request()))) == ["r=d0"]


def test_a_no_is_certain_where_even_taking_what_is_doubted_would_not_do() -> None:
    world = state(COUNTERS, partition())
    assert answer(world, claim(request(count=2))).outcome is Outcome.REFUSES
    assert answer(world, claim(request("r1"), request("r2", "false"))).outcome is Outcome.REFUSES


def test_a_no_is_not_certain_where_a_device_could_be_shared() -> None:
    odd = pool(device("odd", allow_multiple_allocations=True))
    unknown(answer(state(odd), claim(request("r1"), request("r2"))), "shared capacity")


def test_a_tainted_device_is_out_whatever_else_it_has() -> None:
    odd = pool(device("odd", allow_multiple_allocations=True, taints=(BAD,)))
    assert answer(state(odd), claim(request())).outcome is Outcome.REFUSES


def test_an_error_behind_a_doubted_device_may_fail_the_pod() -> None:
    world = state(COUNTERS, partition(x=1), pool(device("plain"), name="q"))
    assert unknown(answer(world, claim(request("r", RAISES))), "counters")
    assert unknown(answer(world, claim(request("r", RAISES, count=2))), "counters")


def test_all_with_a_device_that_is_not_supported_is_unknown() -> None:
    odd = device("odd", allow_multiple_allocations=True)
    unknown(answer(state(pool(device("d0"), odd)), claim(everything())), "odd")


def test_an_error_of_all_is_certain_whatever_is_not_supported() -> None:
    odd = device("odd", {"x": 1}, allow_multiple_allocations=True)
    assert answer(state(pool(odd, device("d0"))), claim(everything("r", RAISES))).outcome is Outcome.FAILS


def test_the_limit_is_open_where_all_may_leave_devices_out() -> None:
    odd = device("odd", allow_multiple_allocations=True)
    given = answer(state(pool(*devices(32), odd)), claim(everything()))
    assert unknown(given, "odd")
    assert answer(state(pool(*devices(33), odd)), claim(everything())).outcome is Outcome.FAILS


def test_a_device_of_which_shares_are_taken_is_unknown() -> None:
    world = state(pool(*devices(1)), held=[holding("d0", share_id="1")])
    assert not unknown(answer(world, claim(request())), "d0 is shared")


def test_a_slice_with_a_field_that_is_not_known_is_unknown() -> None:
    odd = pool(*devices(1), unknown_fields=("spec.mood",))
    assert not unknown(answer(state(odd), claim(request())), "slice p", "spec.mood")
    assert answer(state(odd), claim(request("r", "false"))).outcome is Outcome.REFUSES


def test_a_class_with_a_field_that_is_not_known_is_unknown() -> None:
    odd = DeviceClass("odd", unknown_fields=("spec.mood",))
    world = state(pool(*devices(1)), classes=(odd,))
    assert unknown(answer(world, claim(request(of="odd"))), "device class odd", "spec.mood")
    assert answer(state(classes=(odd,)), claim(request(of="odd"))).outcome is Outcome.REFUSES


# Taint rules.


@pytest.mark.parametrize(
    ("rule", "outcome"),
    [
        (TaintRule("r", BAD, device="d0"), Outcome.UNKNOWN),
        (TaintRule("r", BAD, device="other"), Outcome.ALLOCATES),
        (TaintRule("r", BAD, selects_any=False), Outcome.ALLOCATES),
        (TaintRule("r", Taint("bad", "", "None"), device="d0"), Outcome.ALLOCATES),
    ],
)
def test_a_taint_rule_is_unknown_where_its_taint_would_count(rule: TaintRule, outcome: Outcome) -> None:
    given = answer(state(pool(*devices(1)), taint_rules=(rule,)), claim(request()))
    assert given.outcome is outcome
    assert outcome is not Outcome.UNKNOWN or "DeviceTaintRule r" in (given.message or "")


def test_a_taint_rule_that_is_tolerated_changes_nothing() -> None:
    world = state(pool(*devices(1)), taint_rules=(TaintRule("r", BAD),))
    assert taken(answer(world, claim(request(tolerations=TOLERANT)))) == ["r=d0"]


# What was not read.


def test_without_claims_a_device_that_matches_is_unknown_and_one_that_does_not_is_no() -> None:
    world = state(pool(*devices(1)), unread=unread("resourceclaims"))
    assert not unknown(answer(world, claim(request())), "resourceclaims could not be read (forbidden)")
    assert answer(world, claim(request("r", "false"))).outcome is Outcome.REFUSES
    assert answer(world, claim(request(count=2))).outcome is Outcome.REFUSES


def test_without_claims_admin_access_is_certain() -> None:
    world = state(pool(*devices(1)), unread=unread("resourceclaims"))
    assert answer(world, claim(request(admin_access=True))).outcome is Outcome.ALLOCATES


def test_without_claims_an_error_may_be_behind_a_held_device() -> None:
    world = state(pool(*devices(1)), unread=unread("resourceclaims"))
    assert unknown(answer(world, claim(request("r", RAISES))), "resourceclaims")
    assert answer(world, claim(everything("r", RAISES))).outcome is Outcome.FAILS


def test_without_classes_any_device_is_unknown_and_none_is_no() -> None:
    world = state(pool(*devices(1)), classes=(), unread=unread("deviceclasses"))
    assert unknown(answer(world, claim(request())), "deviceclasses could not be read (forbidden)")
    assert answer(world, claim(request()), node=Node("empty")).outcome is Outcome.REFUSES


def test_without_classes_no_failure_is_certain() -> None:
    # A class that does not exist refuses the pod before All looks at the pool.
    world = state(pool(*devices(1), slice_count=2), classes=(), unread=unread("deviceclasses"))
    assert unknown(answer(world, claim(everything())), "deviceclasses")


def test_without_taint_rules_a_device_is_unknown_unless_everything_is_tolerated() -> None:
    world = state(pool(*devices(1)), unread=unread("devicetaintrules"))
    assert not unknown(answer(world, claim(request())), "d0 may be tainted", "devicetaintrules could not be read")
    assert answer(world, claim(request(tolerations=TOLERANT))).outcome is Outcome.ALLOCATES
    assert answer(world, claim(request("r", "false"))).outcome is Outcome.REFUSES


def test_without_nodes_slices_that_name_the_node_are_answered() -> None:
    world = state(pool(*devices(1)), unread=unread("nodes"))
    assert answer(world, claim(request("r", "false"))).outcome is Outcome.REFUSES


def test_without_nodes_no_answer_is_certain_where_labels_decide() -> None:
    by_label = pool(device("d"), name="q", targeting=where(Requirement("zone", "In", ("z1",))))
    world = state(pool(*devices(1)), by_label, unread=unread("nodes"))
    assert unknown(answer(world, claim(request("r", "false"))), "nodes could not be read (forbidden)")


def test_a_selector_that_names_the_node_needs_no_labels() -> None:
    by_name = pool(device("d"), targeting=where(fields=[Requirement("metadata.name", "In", ("a",))]))
    world = state(by_name, unread=unread("nodes"))
    assert answer(world, claim(request("r", "false"))).outcome is Outcome.REFUSES


def test_an_unknown_answer_that_cannot_fail_is_a_no_where_an_allocated_claim_is_elsewhere() -> None:
    held = holding("gone").allocation
    assert held is not None
    elsewhere = where(fields=[Requirement("metadata.name", "In", ("b",))]).node_selector
    done = replace(claim(name="done"), allocation=replace(held, node_selector=elsewhere))
    shared = pool(device("odd", allow_multiple_allocations=True), targeting=ALL_NODES)
    assert answer(state(shared), done, claim(request())).outcome is Outcome.REFUSES
    unknown(answer(state(shared), done, claim(request()), node=Node("b")), "odd")


def test_worlds_without_what_is_unsupported_are_never_unknown() -> None:
    world = state(pool(*devices(1)), pool(*devices(1), name="q", targeting=on("b")), classes=(ANY,))
    assert answer(world, claim(request()), node=NODE).outcome is Outcome.ALLOCATES
