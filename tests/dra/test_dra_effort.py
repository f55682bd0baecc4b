"""The steps of the scheduler's own search, which takes no short cuts."""

from __future__ import annotations

from math import comb
from random import Random

import pytest

from dra.plain_search import PlainSearch
from dra.search_problems import TAKE, problem, wants, wants_all
from dra.test_dra_short_cuts import valid_problem
from kubectl_llmfit.dra.effort import may_time_out, steps_of_all, steps_to
from kubectl_llmfit.dra.problem import RESULTS_MAX, Want
from kubectl_llmfit.dra.search import search


def times_out(*requests: Want) -> bool:
    asked = problem(*requests)
    return may_time_out(asked, search(asked))


def test_a_request_that_cannot_be_met_after_one_that_can() -> None:
    # Three times one of three devices is taken; each time four devices are looked at in vain for the second.
    requests = [wants("fff."), wants("....")]
    assert steps_of_all(problem(*requests)) == 4 + 3 * TAKE + 3 * 4


def test_too_few_devices_are_tried_in_every_combination_all_the_same() -> None:
    # Every subset of three devices but the empty one is taken, 7 in all: nobody counts what is left.
    assert steps_of_all(problem(wants("fff", 4))) == 7 * (1 + TAKE)


def test_requests_for_the_same_devices_leave_each_other_less() -> None:
    # 16 of 20 devices, then the 4 that are left: 4845 ways, each of them the one way for the second request.
    first = sum(comb(20, count) for count in range(1, 17))
    second = comb(20, 16) * sum(comb(4, count) for count in range(1, 5))
    looks_in_vain = sum(comb(20, 16) * comb(4, count) * 16 for count in range(4)) + comb(20, 16) * 21
    looks_in_vain += sum(comb(20, count) for count in range(16))  # the device that only the third request could use
    looks_in_vain += sum(comb(20, 16) * comb(4, count) for count in range(4))
    requests = [wants("f" * 20 + ".", 16), wants("f" * 20 + ".", 4), wants("." * 21)]
    assert steps_of_all(problem(*requests)) == (first + second) * (1 + TAKE) + looks_in_vain


def test_nothing_has_failed_before_a_solution_that_is_found_at_once() -> None:
    requests = [wants("ffff", 2), wants("ffff")]
    asked = problem(*requests)
    found = search(asked)
    assert found.taken is not None
    assert steps_to(asked, found.taken) == 0


def test_the_scheduler_times_out_over_eight_of_thirty_two_before_what_is_not_free() -> None:
    # C(32,8) = 10,518,300 combinations: no answer within ten seconds. C(20,8) = 125,970 take one.
    assert times_out(wants("f" * 32 + ".", 8), wants("." * 33))
    assert not times_out(wants("f" * 20 + ".", 8), wants("." * 21))


def test_a_request_for_one_device_too_many() -> None:
    # 2^24 subsets of 24 devices hold fewer than 25; 2^18 of 18.
    assert times_out(wants("f" * 24, 25))
    assert not times_out(wants("f" * 18, 19))


def test_a_solution_that_is_found_late() -> None:
    # The second request needs the first device: all C(31,7) = 2,629,575 combinations that hold it fail before.
    assert times_out(wants("f" * 32, 8), wants("f" + "." * 31))
    assert not times_out(wants("f" * 32, 8), wants("." * 31 + "f"))
    assert not times_out(wants("f" + "." * 31), wants("f" * 32, 8))


def test_what_is_open_may_fail_in_every_combination() -> None:
    assert times_out(wants("?" + "f" * 31, 8), wants("f" * 32))
    assert times_out(wants("o" + "f" * 31, 8), wants("f" * 32))
    assert not times_out(wants("f" * 31 + "?", 8), wants("f" * 32))


def test_all_devices_are_tried_in_one_order_only() -> None:
    every = wants_all("f" * 31 + ".", *range(32))
    assert steps_of_all(problem(every, wants("." * 32))) == 31 * (1 + TAKE)


def test_one_device_of_very_many() -> None:
    assert not times_out(wants("." * 100_000))


def test_alternatives_are_tried_one_after_the_other() -> None:
    # Two of three devices are taken in 3 ways after 3 first ones, one of three in 3; each end looks at three in vain.
    asked = problem([wants("fff", 2), wants("fff", 1)], wants("..."))
    assert steps_of_all(asked) == (3 + 3) * (1 + TAKE) + 3 * (1 + TAKE) + (3 + 3) * 3
    assert steps_of_all(asked) == PlainSearch(asked, RESULTS_MAX).steps


def test_what_can_be_shared_is_taken_again_and_again() -> None:
    # Four requests for any of ten devices that can all be shared: 10 + 100 + 1,000 + 10,000 takes, and at each of
    # the 10,000 ends ten looks.
    asked = problem(*[wants("f" * 10, amounts=[1] * 10) for _ in range(4)], wants("." * 10), shares=[9] * 10)
    assert steps_of_all(asked) == 11_110 * (1 + TAKE) + 10**4 * 10
    assert steps_of_all(asked) == PlainSearch(asked, RESULTS_MAX).steps


@pytest.mark.parametrize("seed", range(1000))
def test_no_search_takes_more_steps_than_are_counted(seed: int) -> None:
    asked = valid_problem(Random(seed))
    plain = PlainSearch(asked, RESULTS_MAX)
    size = asked.devices.count
    if plain.found:  # the steps to the solution itself are not counted: each device taken once, at most all looked at
        assert plain.steps <= steps_to(asked, plain.path) + len(plain.path) * (TAKE + size)
    else:
        assert plain.steps <= steps_of_all(asked)
