"""Partitions of one card: counters that devices share."""

from __future__ import annotations

from dra.dra_worlds import answer, claim, device, holding, on, pool, request, state, taken
from kubectl_llmfit.api.values import CounterSet, Device, Node, ResourceSlice
from kubectl_llmfit.cel import Quantity
from kubectl_llmfit.dra.answer import CounterShortage, Outcome


def of_card(card: str, **amounts: str) -> CounterSet:
    return CounterSet(card, {name: Quantity.parse(text) for name, text in amounts.items()})


def partition(name: str, card: str = "card", **amounts: str) -> Device:
    return device(name, consumes_counters=(of_card(card, **amounts),))


def card(*partitions: Device, **fields: object) -> list[ResourceSlice]:
    """A pool of partitions of one card with 40Gi."""
    counters = pool(slice_name="counters", slice_count=2, shared_counters=(of_card("card", memory="40Gi"),))
    return [counters, pool(*partitions, slice_count=2, **fields)]


HALVES = [partition(f"p{i}", memory="20Gi") for i in range(3)]


def test_partitions_are_taken_while_their_counters_last() -> None:
    assert taken(answer(state(*card(*HALVES)), claim(request(count=2)))) == ["r=p0", "r=p1"]
    assert answer(state(*card(*HALVES)), claim(request(count=3))).outcome is Outcome.REFUSES


def test_what_is_held_has_consumed_its_counters() -> None:
    world = state(*card(partition("whole", memory="40Gi"), *HALVES), held=[holding("p0")])
    found = answer(world, claim(request()))
    assert taken(found) == ["r=p1"]
    left = (Quantity.parse("40Gi"), Quantity.parse("20Gi"))
    assert found.steps[0].counter_shortages[0] == CounterShortage("card", "memory", *left)
    assert (found.steps[0].free, found.steps[0].counters) == (3, 2)


def test_what_is_held_with_admin_access_has_not() -> None:
    world = state(*card(partition("whole", memory="40Gi")), held=[holding("whole", admin_access=True)])
    assert answer(world, claim(request())).outcome is Outcome.ALLOCATES


def test_admin_access_consumes_counters_in_its_own_attempt() -> None:
    world = state(*card(*HALVES), held=[holding("p0")])
    assert answer(world, claim(request(count=2, admin_access=True))).outcome is Outcome.REFUSES


def test_partitions_of_another_nodes_slice_count() -> None:
    counters = pool(slice_name="counters", slice_count=3, shared_counters=(of_card("card", memory="40Gi"),))
    here = pool(partition("here", memory="40Gi"), slice_name="s1", slice_count=3)
    there = pool(partition("there", memory="20Gi"), slice_name="s2", slice_count=3, targeting=on("b"))
    assert answer(state(counters, here, there), claim(request())).outcome is Outcome.ALLOCATES
    world = state(counters, here, there, held=[holding("there")])
    assert answer(world, claim(request())).outcome is Outcome.REFUSES
    assert answer(world, claim(request()), node=Node("b")).outcome is Outcome.REFUSES


def test_a_counter_that_is_overdrawn_blocks_all_partitions_of_the_pool() -> None:
    # The driver took counters away while p0 is held; p1 and p2 are of another card.
    counters = pool(
        slice_name="counters",
        slice_count=2,
        shared_counters=(of_card("card", memory="10Gi"), of_card("other", memory="40Gi")),
    )
    parts = pool(HALVES[0], partition("p1", "other", memory="20Gi"), device("plain"), slice_count=2)
    assert taken(answer(state(counters, parts), claim(request()))) == ["r=p1"]
    assert taken(answer(state(counters, parts, held=[holding("p0")]), claim(request()))) == ["r=plain"]


def test_a_share_pays_the_counters_once() -> None:
    shared = device("s", consumes_counters=(of_card("card", memory="40Gi"),), allow_multiple_allocations=True)
    world = state(*card(shared))
    assert taken(answer(world, claim(request("a"), request("b")))) == ["a=s", "b=s"]
    held = state(*card(shared), held=[holding("s", share_id="x")])
    assert taken(answer(held, claim(request("a")))) == ["a=s"]
    assert answer(
        state(*card(shared, *HALVES), held=[holding("s", share_id="x")]), claim(request(count=2))
    ).outcome is (Outcome.REFUSES)
