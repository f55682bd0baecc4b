from __future__ import annotations

from dataclasses import replace

import pytest

from dra.dra_worlds import NODE, attribute, claim, device, devices, everything, holding, pool, request, state
from kubectl_llmfit.api.values import Claim, ClusterState, Request
from kubectl_llmfit.dra.copies import CopyCounter
from kubectl_llmfit.dra.inventory import Inventory
from kubectl_llmfit.dra.occupancy import NOTHING, Occupancy


def count(world: ClusterState, *claims: Claim, held: Occupancy | None = None) -> int | None:
    return CopyCounter(Inventory.prepare(world), claims).count(NODE, held)


@pytest.mark.parametrize(("wanted", "expected"), [(1, 7), (2, 3), (3, 2), (8, 0)])
def test_a_count_fits_as_often_as_free_devices_allow(wanted: int, expected: int) -> None:
    # 8 devices, 1 held: 7 // 1, 7 // 2, 7 // 3, 7 // 8.
    assert count(state(pool(*devices(8)), held=[holding("d3")]), claim(request(count=wanted))) == expected


def test_copies_can_be_counted_as_if_nothing_were_held() -> None:
    world = state(pool(*devices(8)), held=[holding("d3")])
    assert count(world, claim(request()), held=NOTHING) == 8


def test_each_copy_takes_what_the_scheduler_would_and_not_what_would_leave_most() -> None:
    # The first copy takes d0 for r1 and, as the first that is free, d1 for r2: no other device has x.
    world = state(pool(device("d0", {"x": 1}), device("d1", {"x": 1}), *(device(f"d{i}") for i in range(2, 6))))
    assert count(world, claim(request("r1", "has(" + attribute("x") + ")"), request("r2"))) == 1
    assert count(world, claim(request("r1"), request("r2", "!has(" + attribute("x") + ")"))) == 3


def test_several_claims_count_as_one_pod() -> None:
    assert count(state(pool(*devices(5))), claim(request()), claim(request(), name="d")) == 2


def test_all_leaves_nothing_for_a_second_copy() -> None:
    assert count(state(pool(*devices(5))), claim(everything())) == 1


@pytest.mark.parametrize("asked", [request(admin_access=True), everything(admin_access=True)])
def test_what_takes_nothing_away_counts_to_a_hundred(asked: Request) -> None:
    assert count(state(pool(*devices(1))), claim(asked)) == 100


def test_no_more_than_a_hundred_are_counted() -> None:
    slices = [pool(*devices(60), name=f"p{i}") for i in range(2)]
    assert count(state(*slices), claim(request())) == 100


def test_an_error_ends_the_counting() -> None:
    world = state(pool(device("d0", {"x": 1}), device("d1"), device("d2", {"x": 1})))
    assert count(world, claim(request("r", attribute("x") + " == 1"))) == 1


def test_a_missing_class_allows_no_copy() -> None:
    assert count(state(pool(*devices(1))), claim(request(of="gone"))) == 0


def test_what_cannot_be_told_has_no_number() -> None:
    odd = pool(device("odd", unknown_fields=("mood",)))
    assert count(state(odd), claim(request())) is None
    constrained = claim(request())
    constrained = replace(constrained, spec=replace(constrained.spec, unknown_fields=("spec.mood",)))
    assert count(state(pool(*devices(1))), constrained) is None


def test_a_claim_that_is_allocated_is_counted_as_if_new() -> None:
    done = replace(claim(request()), allocation=holding("d0").allocation)
    assert count(state(pool(*devices(3)), held=[holding("d0")]), done) == 2
