from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from dra.dra_worlds import ALL_NODES, NODE, claim, device, devices, on, pool, request, state, where
from kubectl_llmfit.api.values import CounterSet, Node, NodeTargeting, Requirement, ResourceSlice
from kubectl_llmfit.cel import Quantity
from kubectl_llmfit.dra.allocate import Trial
from kubectl_llmfit.dra.answer import Outcome, Pool
from kubectl_llmfit.dra.copies import CopyCounter
from kubectl_llmfit.dra.inventory import Inventory
from kubectl_llmfit.dra.nodes import NodeSelectorError
from kubectl_llmfit.dra.pools import gather_pools
from kubectl_llmfit.dra.slice_index import SliceIndex

COUNTERS = CounterSet("memory", {"gb": Quantity.parse("40")})


def gather(*slices: ResourceSlice, node: Node = NODE) -> tuple[Pool, ...]:
    return gather_pools(node, SliceIndex(slices))


def only(*slices: ResourceSlice, node: Node = NODE) -> Pool:
    (found,) = gather(*slices, node=node)
    return found


def names(found: Pool) -> list[str]:
    return [entry.id.device for entry in found.devices]


def test_pools_come_by_driver_and_name_whatever_the_order_of_slices() -> None:
    given = [
        pool(device("d"), name="b", driver="x.com"),
        pool(device("d"), name="a", driver="x.com"),
        pool(device("d"), name="c", driver="a.com"),
    ]
    assert [(p.driver, p.pool) for p in gather(*given)] == [("a.com", "c"), ("x.com", "a"), ("x.com", "b")]


def test_pools_with_binding_conditions_come_last() -> None:
    slow = pool(device("d", binding_conditions=("ready",)), name="a")
    assert [p.pool for p in gather(slow, pool(device("d"), name="b"))] == ["b", "a"]


def test_slices_come_by_name_and_devices_as_listed() -> None:
    late = pool(device("z"), device("y"), slice_name="2", slice_count=2)
    early = pool(device("x"), slice_name="1", slice_count=2)
    assert names(only(late, early)) == ["x", "z", "y"]


@pytest.mark.parametrize(
    ("targeting", "reached"),
    [
        (on("a"), True),
        (on("b"), False),
        (ALL_NODES, True),
        (where(Requirement("zone", "In", ("z1",))), True),
        (where(Requirement("zone", "In", ("z2",))), False),
        (where(Requirement("zone", "Exists")), True),
        (where(fields=[Requirement("metadata.name", "In", ("a",))]), True),
        (NodeTargeting(), False),
    ],
)
def test_a_node_reaches_the_slices_that_target_it(targeting: NodeTargeting, reached: bool) -> None:
    node = Node("a", {"zone": "z1"})
    assert bool(gather(pool(device("d"), targeting=targeting), node=node)) is reached


def test_a_per_device_slice_is_reached_when_one_of_its_devices_is() -> None:
    slices = pool(
        device("mine", targeting=on("a")), device("other", targeting=on("b")), targeting=NodeTargeting(per_device=True)
    )
    assert [(d.id.device, d.reachable) for d in only(slices).devices] == [("mine", True), ("other", False)]
    assert gather(slices, node=Node("c")) == ()


def test_only_the_newest_generation_counts() -> None:
    old, new = pool(device("old"), slice_name="1"), pool(device("new"), slice_name="2", generation=2)
    assert names(only(old, new)) == names(only(new, old)) == ["new"]


def test_a_pool_with_a_missing_slice_is_incomplete() -> None:
    found = only(pool(device("d"), slice_count=2))
    assert (found.state, found.slices, found.expected_slices, found.devices) == ("Incomplete", 1, 2, ())
    assert found.reason == "pool p is being updated (1 of 2 slices)"


def test_a_pool_with_a_slice_too_many_is_incomplete() -> None:
    assert only(pool(device("d"), slice_name="1"), pool(device("e"), slice_name="2")).state == "Incomplete"


def test_an_old_generation_on_the_node_does_not_complete_a_partly_published_new_one() -> None:
    old = pool(device("old"), slice_name="1")
    new = pool(device("new"), slice_name="2", generation=2, slice_count=2)
    found = only(old, new)
    assert (found.generation, found.state) == (2, "Incomplete")


def test_slices_for_other_nodes_complete_a_pool_but_their_devices_are_not_the_nodes() -> None:
    mine = pool(device("mine"), slice_name="1", slice_count=2)
    other = pool(device("other"), slice_name="2", slice_count=2, targeting=on("b"))
    found = only(mine, other)
    assert (found.state, found.slices, names(found)) == ("Complete", 2, ["mine"])


def test_a_newer_generation_on_other_nodes_makes_an_unfinished_pool_outdated() -> None:
    mine = pool(device("mine"), slice_name="1", slice_count=2)
    newer = pool(device("other"), slice_name="2", generation=3, targeting=on("b"))
    found = only(mine, newer)
    assert (found.state, found.devices) == ("Outdated", ())
    assert found.reason == "pool p: generation 3 replaces 1 and has no slice for this node"


def test_a_newer_generation_on_other_nodes_goes_unnoticed_where_the_nodes_own_slices_are_complete() -> None:
    newer = pool(device("other"), slice_name="2", generation=3, targeting=on("b"))
    assert only(pool(device("mine"), slice_name="1"), newer).state == "Complete"


def test_two_devices_of_one_name_make_a_pool_invalid() -> None:
    found = only(pool(*devices(1), slice_name="1", slice_count=2), pool(*devices(1), slice_name="2", slice_count=2))
    assert (found.state, found.reason) == ("Invalid", "pool p is invalid: duplicate device name d0")


def test_the_same_name_on_another_node_is_fine() -> None:
    other = pool(*devices(1), slice_name="2", slice_count=2, targeting=on("b"))
    assert only(pool(*devices(1), slice_name="1", slice_count=2), other).state == "Complete"


def test_an_incomplete_pool_is_not_looked_at_for_validity() -> None:
    assert only(pool(device("d"), device("d"), slice_count=2)).state == "Incomplete"


@pytest.mark.parametrize(
    ("consumed", "fields", "reason"),
    [
        (CounterSet("memory", {"gb": Quantity.parse("1")}), {}, None),
        (CounterSet("other", {"gb": Quantity.parse("1")}), {}, "counter set other not found"),
        (CounterSet("memory", {"tb": Quantity.parse("1")}), {}, "counter tb not found in counter set memory"),
        (None, {"shared_counters": (COUNTERS, COUNTERS)}, "duplicate counter set name memory"),
    ],
)
def test_counters_that_do_not_exist_or_exist_twice_make_a_pool_invalid(
    consumed: CounterSet | None, fields: dict[str, Any], reason: str | None
) -> None:
    using = device("d", consumes_counters=(consumed,) if consumed else ())
    counters = pool(slice_name="0", slice_count=2, **({"shared_counters": (COUNTERS,)} | fields))
    found = only(counters, pool(using, slice_name="1", slice_count=2))
    assert found.reason == (reason and f"pool p is invalid: {reason}")


def test_counters_published_for_another_node_are_found() -> None:
    using = device("d", consumes_counters=(CounterSet("memory", {"gb": Quantity.parse("1")}),))
    counters = pool(slice_name="0", slice_count=2, shared_counters=(COUNTERS,), targeting=on("b"))
    assert only(counters, pool(using, slice_name="1", slice_count=2)).state == "Complete"


def test_a_slice_whose_selector_does_not_parse_is_an_error_for_every_node() -> None:
    broken = pool(device("d"), slice_name="s", targeting=where(Requirement("zone", "In")))
    with pytest.raises(NodeSelectorError, match="failed to perform node selection for slice s"):
        gather(broken, node=Node("far away"))


def test_slices_that_disagree_on_how_many_they_are_leave_the_node_open() -> None:
    # the scheduler believes whichever it has first: with 1 of 1 it would allocate d0, with 1 of 2 it waits
    one = pool(device("d0"), name="p")
    other = replace(one, name="another", slice_count=2, devices=())
    for order in ((one, other), (other, one)):
        answer = Trial(Inventory.prepare(state(*order)), [claim(request())]).answer(NODE)
        assert (answer.outcome, answer.message) == (
            Outcome.UNKNOWN,
            "the slices of pool p disagree on how many they are: 1 and 2",
        )
        assert CopyCounter(Inventory.prepare(state(*order)), [claim(request())]).count(NODE) is None
