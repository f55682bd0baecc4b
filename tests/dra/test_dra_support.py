"""What is not known is Unknown where it could change the answer, and nowhere else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

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
    Claim,
    ClaimSpec,
    ClusterState,
    Constraint,
    CounterSet,
    Device,
    DeviceClass,
    Node,
    Request,
    Requirement,
    Taint,
    TaintRule,
    Toleration,
)
from kubectl_llmfit.cel import Quantity
from kubectl_llmfit.dra.answer import NodeAnswer, Outcome

ONE = {"gb": Quantity.parse("1")}
BAD = Taint("bad", "", "NoSchedule")
TOLERANT = (Toleration("", "Exists", "", ""),)
RAISES = attribute("x") + " == 1"


def unknown(given: NodeAnswer, *words: str) -> bool:
    assert given.outcome is Outcome.UNKNOWN
    assert all(word in (given.message or "") for word in words)
    assert given.allocation == ()
    return given.may_fail


def test_a_claim_with_a_field_that_is_not_known_is_unknown() -> None:
    spec = ClaimSpec((request(),), unknown_fields=("spec.devices.requests[0].exactly.mood",))
    unknown(answer(state(pool(*devices(1))), Claim("c", "ns", spec)), "claim ns/c", "mood")


def test_a_missing_class_refuses_whatever_else_the_claim_uses() -> None:
    spec = ClaimSpec((request(of="gone"),), (Constraint(match_attribute="d/x"),))
    assert answer(state(), Claim("c", "ns", spec)).outcome is Outcome.REFUSES


def odd(name: str = "odd", **attributes: Any) -> Device:
    """A device with a field that this program does not know."""
    made = device(name, attributes)
    return replace(made, shape=replace(made.shape, unknown_fields=("mood",)))


def doubtful(*given: Device, **fields: Any) -> ClusterState:
    """A world whose devices may all be tainted, for all we know."""
    return state(pool(*given), unread=unread("devicetaintrules"), **fields)


def test_taking_a_device_with_a_field_that_is_not_known_is_unknown() -> None:
    assert not unknown(answer(state(pool(odd())), claim(request())), f"device {DRIVER}/p/odd", "field mood")


def test_a_device_that_is_not_matched_leaves_the_answer_certain() -> None:
    world = state(pool(odd()), pool(device("plain", {"x": 1}), name="q"))
    guarded = f"'x' in device.attributes['{DRIVER}']"
    assert taken(answer(world, claim(request("r", guarded)))) == ["r=plain"]


def test_a_device_that_comes_later_leaves_the_answer_certain() -> None:
    assert taken(answer(state(pool(*devices(1)), pool(odd(), name="z")), claim(request()))) == ["r=d0"]


def test_a_no_is_certain_where_even_taking_what_is_doubted_would_not_do() -> None:
    world = doubtful(device("d0"))
    assert answer(world, claim(request(count=2))).outcome is Outcome.REFUSES
    assert answer(world, claim(request("r1"), request("r2", "false"))).outcome is Outcome.REFUSES


def test_a_no_is_not_certain_where_a_device_has_a_field_that_is_not_known() -> None:
    unknown(answer(state(pool(odd())), claim(request("r1"), request("r2"))), "mood")


def test_a_tainted_device_is_out_whatever_else_it_has() -> None:
    tainted = replace(odd().shape, unknown_fields=(), taints=(BAD,))
    assert answer(doubtful(Device("d", tainted)), claim(request())).outcome is Outcome.REFUSES


def test_an_error_behind_a_doubted_device_may_fail_the_pod() -> None:
    world = doubtful(device("part", {"x": 1}), device("plain"))
    assert unknown(answer(world, claim(request("r", RAISES))), "part may be tainted")
    assert unknown(answer(world, claim(request("r", RAISES, count=2))), "part may be tainted")


def test_a_no_is_not_certain_where_errors_may_be_passed_over_for_want_of_room() -> None:
    # With d0 to d19 taken there is room for 12 more, so the search gives up before d20, which raises. Were d0 tainted,
    # d20 would be looked at.
    def alternatives(name: str, *parts: tuple[str, int]) -> Request:
        made = (request(f"{name}{i}", text, count=n).alternatives[0] for i, (text, n) in enumerate(parts))
        return Request(name, tuple(made), prioritized=True)

    asked = claim(alternatives("a", (RAISES, 20), ("false", 1)), alternatives("b", ("true", 20), ("true", 13)))
    given = (*(device(f"d{i}", {"x": 1}) for i in range(20)), device("d20"))
    assert unknown(answer(doubtful(*given), asked), "may be tainted")
    assert answer(state(pool(*given)), asked).outcome is Outcome.REFUSES


def test_all_with_a_device_of_an_unknown_field_is_unknown() -> None:
    unknown(answer(state(pool(device("d0"), odd())), claim(everything())), "odd")


def test_an_error_of_all_is_certain_whatever_is_not_known() -> None:
    assert answer(state(pool(odd(x=1), device("d0"))), claim(everything("r", RAISES))).outcome is Outcome.FAILS


def test_the_limit_is_open_where_all_may_leave_devices_out() -> None:
    given = answer(state(pool(*devices(32), odd())), claim(everything()))
    assert unknown(given, "odd")
    assert answer(state(pool(*devices(33), odd())), claim(everything())).outcome is Outcome.FAILS


def test_a_slice_with_a_field_that_is_not_known_is_unknown() -> None:
    strange = pool(*devices(1), unknown_fields=("spec.mood",))
    assert not unknown(answer(state(strange), claim(request())), "slice p", "spec.mood")
    assert answer(state(strange), claim(request("r", "false"))).outcome is Outcome.REFUSES


def test_a_class_with_a_field_that_is_not_known_is_unknown() -> None:
    strange = DeviceClass("odd", unknown_fields=("spec.mood",))
    world = state(pool(*devices(1)), classes=(strange,))
    assert unknown(answer(world, claim(request(of="odd"))), "device class odd", "spec.mood")
    assert answer(state(classes=(strange,)), claim(request(of="odd"))).outcome is Outcome.REFUSES


def test_a_taint_rule_that_selects_in_a_way_not_known_is_unknown_where_its_taint_would_count() -> None:
    def tried(effect: str) -> NodeAnswer:
        rule = TaintRule("r", Taint("bad", "", effect), unknown_fields=("spec.deviceSelector.mood",))
        return answer(state(pool(*devices(1)), taint_rules=(rule,)), claim(request()))

    assert not unknown(tried("NoSchedule"), "DeviceTaintRule r", "d0")
    assert tried("None").outcome is Outcome.ALLOCATES


# What was not read.


def test_without_claims_a_device_that_matches_is_unknown_and_one_that_does_not_is_no() -> None:
    world = state(pool(*devices(1)), unread=unread("resourceclaims"))
    assert not unknown(answer(world, claim(request())), "resourceclaims could not be read (forbidden)")
    assert answer(world, claim(request("r", "false"))).outcome is Outcome.REFUSES
    assert answer(world, claim(request(count=2))).outcome is Outcome.REFUSES


def test_without_claims_admin_access_is_certain() -> None:
    world = state(pool(*devices(1)), unread=unread("resourceclaims"))
    assert answer(world, claim(request(admin_access=True))).outcome is Outcome.ALLOCATES


def test_without_claims_admin_access_to_counters_and_shares_is_not() -> None:
    counters = pool(slice_name="counters", slice_count=2, shared_counters=(CounterSet("memory", ONE),))
    part = pool(device("part", consumes_counters=(CounterSet("memory", ONE),)), slice_count=2)
    shared = pool(device("shared", allow_multiple_allocations=True))
    for slices in ((counters, part), (shared,)):
        world = state(*slices, unread=unread("resourceclaims"))
        assert not unknown(answer(world, claim(request(admin_access=True))), "resourceclaims")


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
    shared = pool(odd(), targeting=ALL_NODES)
    assert answer(state(shared), done, claim(request())).outcome is Outcome.REFUSES
    unknown(answer(state(shared), done, claim(request()), node=Node("b")), "odd")


def test_a_quantity_beyond_all_reason_is_unknown() -> None:
    unknown(answer(state(pool(device("d", memory="1e200000", allow_multiple_allocations=True))), claim(request())))


def test_worlds_without_what_is_unsupported_are_never_unknown() -> None:
    world = state(pool(*devices(1)), pool(*devices(1), name="q", targeting=on("b")), classes=(ANY,))
    assert answer(world, claim(request()), node=NODE).outcome is Outcome.ALLOCATES
