from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from dra.search_problems import problem, wants, wants_all
from kubectl_llmfit.dra import search as searching
from kubectl_llmfit.dra.feasible import Demand, Supply, can_meet
from kubectl_llmfit.dra.problem import Taken
from kubectl_llmfit.dra.search import Found


def search(*requests: object, **world: object) -> Found:
    return searching.search(problem(*requests, **world))  # type: ignore[arg-type] # passed on as it is


def place(taken: Taken | None) -> tuple[int, int] | None:
    return None if taken is None else (taken.request, taken.device)


def taken(found: Found) -> list[tuple[int, int] | None] | None:
    return None if found.taken is None else list(map(place, found.taken))


def test_the_first_free_device_is_taken() -> None:
    assert taken(search(wants(".ff"))) == [(0, 1)]


def test_a_count_takes_devices_in_order() -> None:
    assert taken(search(wants("f.ff", 3))) == [(0, 0), (0, 2), (0, 3)]


def test_a_request_gives_way_to_a_later_one_that_has_no_other_choice() -> None:
    assert taken(search(wants("ff"), wants("f."))) == [(0, 1), (1, 0)]


def test_two_claims_cannot_have_one_device() -> None:
    assert taken(search(wants("f"), wants("f", claim=1))) is None


def test_admin_access_takes_what_another_claim_has_but_nothing_twice_in_one_claim() -> None:
    assert taken(search(wants("f"), wants("f", claim=1, admin=True))) == [(0, 0), (1, 0)]
    assert taken(search(wants("f"), wants("f", admin=True))) is None
    assert taken(search(wants("f", 2, admin=True))) is None


def test_what_admin_access_took_first_is_in_use_for_a_later_request() -> None:
    assert taken(search(wants("f", admin=True), wants("f", claim=1))) is None


def test_all_takes_every_device_or_none() -> None:
    assert taken(search(wants_all("ff", 0, 1))) == [(0, 0), (0, 1)]
    assert taken(search(wants_all("f.", 0, 1))) is None
    assert taken(search(wants_all(".."))) is None


def test_an_earlier_request_makes_room_for_all() -> None:
    assert taken(search(wants("fff"), wants_all("ff.", 0, 1))) == [(0, 2), (1, 0), (1, 1)]


def test_an_error_is_reached_only_when_the_search_gets_there() -> None:
    assert taken(search(wants("f!"))) == [(0, 0)]
    assert place(search(wants(".!f")).stopped_at) == (0, 1)


def test_an_error_of_a_later_request_is_not_reached_behind_one_that_cannot_be_met() -> None:
    found = search(wants(".."), wants("!f"))
    assert (found.taken, found.stopped_at) == (None, None)


def test_a_device_taken_in_this_attempt_is_skipped_before_its_error() -> None:
    assert taken(search(wants("f."), wants("!f"))) == [(0, 0), (1, 1)]


def test_backtracking_reaches_an_error_that_the_first_way_did_not() -> None:
    # Request 1 takes device 0, so request 2 does not look at it; once request 3 fails, request 1 gives it up.
    assert place(search(wants("ff."), wants("!.f"), wants("...")).stopped_at) == (1, 0)


def test_a_doubt_is_named_once_taken_even_if_given_back() -> None:
    assert search(wants("f?")).doubted is None
    assert place(search(wants("?f")).doubted) == (0, 0)
    assert place(search(wants("?f"), wants("f.")).doubted) == (0, 0)


def test_a_request_with_too_few_devices_is_seen_before_anything_is_taken() -> None:
    assert search(wants("?."), wants("..")) == Found()


def test_what_is_not_known_ends_the_search_where_it_is_looked_at() -> None:
    assert search(wants("fo")).stopped_at is None
    assert place(search(wants(".o")).stopped_at) == (0, 1)
    assert place(search(wants_all("o", 0)).stopped_at) == (0, 0)


def test_no_requests_are_met_by_nothing() -> None:
    assert taken(search()) == []


def test_many_equal_devices_are_not_tried_one_by_one() -> None:
    # 64 * 63 * … * 58 = 3.1e12 ways to serve the first seven; all are alike.
    assert taken(search(*[wants("f" * 64) for _ in range(7)], wants("." * 64))) is None


def test_many_kinds_of_devices_are_not_tried_in_every_mixture() -> None:
    # 16 of 64 in six kinds: 20,349 mixtures times those of five more requests.
    kinds = [wants("".join("f" if d % 6 == kind else "." for d in range(64))) for kind in range(5)]
    assert taken(search(wants("f" * 64, 16), *kinds, wants("." * 64))) is None


def test_too_many_requests_for_too_few_devices_are_seen_at_once() -> None:
    few = "f" * 8 + "." * 56
    assert taken(search(*[wants(few, claim=index) for index in range(9)])) is None


@pytest.mark.parametrize("seed", range(10))
def test_demands_can_be_met_exactly_when_no_group_of_them_wants_more_than_there_is(seed: int) -> None:
    random = Random(seed)
    for _ in range(30):
        supply = [random.randint(0, 3) for _ in range(3)]
        kinds = [frozenset(k for k in range(3) if random.random() < 0.6) for _ in range(4)]
        demands = [Demand(random.randint(0, 3), chosen) for chosen in kinds]
        # Hall's condition: every group of demands finds enough in the kinds that any of them takes.
        groups = (group for size in range(1, 5) for group in combinations(demands, size))
        enough = all(
            sum(d.need for d in group) <= sum(supply[k] for k in frozenset().union(*(d.kinds for d in group)))
            for group in groups
        )
        assert can_meet(demands, [Supply(each, each) for each in supply]) is enough
