"""Where older schedulers decide otherwise. Each rule was seen in the source and in the allocator of that version."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dra.dra_worlds import (
    ALL_NODES,
    DRIVER,
    NODE,
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
)
from dra.test_dra_alternatives import first_of
from kubectl_llmfit.api.values import (
    Capacity,
    Claim,
    ClusterState,
    Constraint,
    CounterSet,
    Device,
    DeviceShape,
    Taint,
    TaintRule,
)
from kubectl_llmfit.cel import Quantity
from kubectl_llmfit.dra.allocate import Trial
from kubectl_llmfit.dra.answer import NodeAnswer, Outcome
from kubectl_llmfit.dra.inventory import Inventory
from kubectl_llmfit.dra.rules import rules_for

RAISES = attribute("x") + " == 1"
ONE = Quantity.parse("1")


def by(version: str, world: ClusterState, *claims: Claim, **gates: bool) -> NodeAnswer:
    """The answer on node a of a scheduler of that version."""
    return Trial(Inventory.prepare(world, rules_for(version, gates)), claims).answer(NODE)


def outcomes(world: ClusterState, *claims: Claim) -> list[str]:
    """Of 1.34, 1.35, 1.36 and 1.37."""
    return [by(version, world, *claims).outcome.value for version in ("1.34", "1.35", "1.36", "1.37")]


A, R, F, U = "Allocates", "Refuses", "Fails", "Unknown"


def test_until_1_34_a_pool_may_lack_slices() -> None:
    world = state(pool(*devices(1), slice_count=2))
    assert outcomes(world, claim(request())) == [A, R, R, R]
    assert outcomes(world, claim(everything())) == [F, F, F, F]


def test_until_1_34_only_the_nodes_own_slices_are_counted() -> None:
    here = pool(device("d0"), slice_name="s0", slice_count=2)
    there = pool(device("d1"), slice_name="s1", slice_count=2, targeting=on("b"))
    assert outcomes(state(here, there), claim(everything())) == [F, A, A, A]


def test_until_1_34_a_device_name_that_is_there_twice_fails_the_pod() -> None:
    world = state(pool(device("d"), slice_name="s0", slice_count=2), pool(device("d"), slice_name="s1", slice_count=2))
    assert outcomes(world, claim(request())) == [F, R, R, R]
    assert by("1.34", world, claim(request())).message == "pool p is invalid: duplicate device name d"
    # Held or not, and whatever the class: the pool is reached.
    assert by("1.34", replace(world, claims=(holding("d"),)), claim(request("r", "false"))).outcome is Outcome.FAILS


def test_until_1_35_the_order_of_pools_is_open() -> None:
    fits, raises = pool(device("d0", {"x": 1}), name="a"), pool(device("d1"), name="b")
    assert outcomes(state(fits, raises), claim(request("r", RAISES))) == [U, U, A, A]
    found = by("1.35", state(fits, raises), claim(request("r", RAISES)))
    assert found.message == "Kubernetes 1.35 tries pools in any order, which decides the outcome here"
    assert found.may_fail
    # Where either order comes to the same, it is not.
    assert outcomes(state(fits, raises), claim(request("r", RAISES, count=2))) == [F, F, F, F]
    assert outcomes(state(fits, raises), claim(request())) == [A, A, A, A]
    # Slices of one pool come in any order, too.
    slices = [replace(each, pool="p", slice_count=2) for each in (fits, raises)]
    assert outcomes(state(*slices), claim(request("r", RAISES))) == [U, U, A, A]


def test_until_1_35_an_all_among_alternatives_goes_on_as_the_first_of_them() -> None:
    # One device of all, then the first alternative is met already: a second device that is held stands in no way.
    asked = first_of("r", request("one", "false"), everything("all"))
    world = state(pool(*devices(2)), held=[holding("d1")])
    assert outcomes(world, claim(asked)) == [A, A, R, R]
    assert taken(by("1.35", world, claim(asked))) == ["r/all=d0"]


def test_until_1_35_the_second_alternatives_all_is_the_firsts() -> None:
    # Both want all: the second gets what matches the first, which is held in part and so is no more to be had.
    world = state(pool(device("d0", {"x": 1}), device("d1")), held=[holding("d0")])
    guarded = f"'x' in device.attributes['{DRIVER}']"
    asked = first_of("r", everything("first", guarded), everything("second", f"!({guarded})"))
    assert outcomes(world, claim(asked)) == [R, R, A, A]


def test_until_1_36_a_slice_with_counters_is_seen_from_every_node() -> None:
    counters = pool(slice_name="c", slice_count=9, shared_counters=(CounterSet("card", {"m": ONE}),), targeting=on("b"))
    world = state(pool(*devices(1), name="q"), counters)
    assert outcomes(world, claim(everything())) == [A, A, F, A]  # partitions are off by default until 1.35
    assert outcomes(world, claim(request())) == [A, A, A, A]
    assert by("1.35", world, claim(everything()), DRAPartitionableDevices=True).outcome is Outcome.FAILS


def test_in_1_36_distinct_attribute_forgets() -> None:
    # Of the request's three devices only the last is remembered: 0, 1, 0 passes.
    given = pool(*(device(f"d{i}", {"group": i % 2}) for i in range(3)))
    constraint = Constraint((), distinct_attribute=f"{DRIVER}/group")
    asked = claim(request(count=3))
    asked = replace(asked, spec=replace(asked.spec, constraints=(constraint,)))
    assert by("1.36", state(given), asked).outcome is Outcome.ALLOCATES
    assert by("1.37", state(given), asked).outcome is Outcome.REFUSES


def test_until_1_36_all_leaves_out_what_has_too_little_left() -> None:
    half = {"m": Quantity.parse("5")}
    eight = {"m": Capacity(Quantity.parse("8"))}
    shared = [Device(f"d{i}", DeviceShape({}, eight, allow_multiple_allocations=True)) for i in range(2)]
    world = state(pool(*shared), held=[holding("d0", share_id="x", consumed_capacity=half)])
    asked = claim(everything(capacity=half))
    assert taken(by("1.36", world, asked)) == ["r=d1"]
    assert by("1.37", world, asked).outcome is Outcome.REFUSES


def test_until_1_36_an_attribute_with_a_list_fails_every_expression() -> None:
    world = state(pool(device("d", {"x": (1, 2)})))
    assert outcomes(world, claim(request("r", "true"))) == [F, F, F, A]
    assert outcomes(world, claim(request())) == [A, A, A, A]


def test_until_1_36_an_error_names_no_device() -> None:
    world = state(pool(device("d")))
    said = [by(version, world, claim(request("r", RAISES))).message or "" for version in ("1.36", "1.37")]
    assert said[0] == "claim ns/c: selector #0: CEL runtime error: no such key: x"
    assert said[1].startswith(f"claim ns/c: selector #0 on device {DRIVER}/p/d: CEL runtime error: no such key: x. ")


@pytest.mark.parametrize(("effect", "expected"), [("None", [R, A, A, A]), ("NoSchedule", [R, R, R, R])])
def test_until_1_34_a_taint_of_any_effect_blocks(effect: str, expected: list[str]) -> None:
    world = state(pool(device("d", taints=(Taint("k", "", effect),))))
    found = [
        by(version, world, claim(request()), DRADeviceTaints=True).outcome.value for version in ("1.34", "1.35", "1.36")
    ]
    assert found == expected[:3]
    assert by("1.37", world, claim(request())).outcome.value == expected[3]


def test_taint_rules_count_where_their_gate_is_on() -> None:
    rule = TaintRule("r", Taint("k", "", "NoSchedule"))
    world = state(pool(*devices(1)), taint_rules=(rule,))
    assert outcomes(world, claim(request())) == [A, A, A, R]
    assert by("1.36", world, claim(request()), DRADeviceTaintRules=True).outcome is Outcome.REFUSES
    unselecting = state(pool(*devices(1)), taint_rules=(replace(rule, selects_any=False),))
    assert by("1.36", unselecting, claim(request()), DRADeviceTaintRules=True).outcome is Outcome.REFUSES
    assert by("1.37", unselecting, claim(request())).outcome is Outcome.ALLOCATES


def test_partitions_need_their_gate() -> None:
    part = device("d", consumes_counters=(CounterSet("card", {"m": ONE}),))
    counters = pool(slice_name="c", slice_count=2, shared_counters=(CounterSet("card", {"m": ONE}),))
    world = state(counters, pool(part, slice_count=2))
    assert outcomes(world, claim(request())) == [R, R, A, A]
    found = by("1.35", world, claim(request()), DRAPartitionableDevices=True)
    assert (found.outcome, "alpha feature of Kubernetes 1.35" in (found.message or "")) == (Outcome.UNKNOWN, True)


def test_a_search_that_takes_too_long_refuses_the_node_until_1_35() -> None:
    # C(32,8) is more than the scheduler tries in time; its permutations all the more.
    world = state(pool(*devices(32), targeting=ALL_NODES))
    asked = claim(request("a", count=8), request("b", "false"))
    assert [by(version, world, asked).may_time_out for version in ("1.35", "1.36")] == [False, True]
