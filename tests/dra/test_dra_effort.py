"""The steps of the scheduler's own search, which takes no short cuts."""

from __future__ import annotations

from math import comb
from random import Random

import pytest

from kubectl_llmfit.dra.effort import may_time_out, steps_of_all, steps_to
from kubectl_llmfit.dra.search import SearchRequest, Status, search

LETTERS = {".": Status.SKIP, "f": Status.FREE, "?": Status.DOUBT, "o": Status.OPAQUE}
TAKE = 8  # a device that is taken costs as much as eight that are looked at


def wants(statuses: str, count: int = 1, *, claim: int = 0, admin: bool = False) -> SearchRequest:
    return SearchRequest(claim, count, admin, [LETTERS[letter] for letter in statuses])


def times_out(*requests: SearchRequest) -> bool:
    return may_time_out(requests, search(requests))


def test_a_request_that_cannot_be_met_after_one_that_can() -> None:
    # Three times one of three devices is taken; each time four devices are looked at in vain for the second.
    requests = [wants("fff."), wants("....")]
    assert steps_of_all(requests) == 4 + 3 * TAKE + 3 * 4


def test_too_few_devices_are_tried_in_every_combination_all_the_same() -> None:
    # Every subset of three devices but the empty one is taken, 7 in all: nobody counts what is left.
    assert steps_of_all([wants("fff", 4)]) == 7 * (1 + TAKE)


def test_requests_for_the_same_devices_leave_each_other_less() -> None:
    # 16 of 20 devices, then the 4 that are left: 4845 ways, each of them the one way for the second request.
    first = sum(comb(20, count) for count in range(1, 17))
    second = comb(20, 16) * sum(comb(4, count) for count in range(1, 5))
    looks_in_vain = sum(comb(20, 16) * comb(4, count) * 16 for count in range(4)) + comb(20, 16) * 21
    looks_in_vain += sum(comb(20, count) for count in range(16))  # the device that only the third request could use
    looks_in_vain += sum(comb(20, 16) * comb(4, count) for count in range(4))
    requests = [wants("f" * 20 + ".", 16), wants("f" * 20 + ".", 4), wants("." * 21)]
    assert steps_of_all(requests) == (first + second) * (1 + TAKE) + looks_in_vain


def test_nothing_has_failed_before_a_solution_that_is_found_at_once() -> None:
    requests = [wants("ffff", 2), wants("ffff")]
    found = search(requests)
    assert found.taken is not None
    assert steps_to(requests, found.taken) == 0


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
    every = SearchRequest(0, 0, False, [Status.FREE] * 31 + [Status.SKIP], tuple(range(32)))
    assert steps_of_all([every, wants("." * 32)]) == 31 * (1 + TAKE)


def test_one_device_of_very_many() -> None:
    assert not times_out(wants("." * 100_000))


@pytest.mark.parametrize("seed", range(300))
def test_no_search_takes_more_steps_than_are_counted(seed: int) -> None:
    draw = Random(seed)
    size, claim, requests = draw.randint(2, 7), 0, []
    for _ in range(draw.randint(1, 4)):
        claim += draw.random() < 0.3
        share = draw.choice([0.2, 0.5, 0.9, 1.0])
        statuses = [Status.FREE if draw.random() < share else Status.SKIP for _ in range(size)]
        admin, every = draw.random() < 0.2, draw.random() < 0.2
        listed = tuple(range(size)) if every else None
        requests.append(SearchRequest(claim, draw.randint(1, 4), admin, statuses, listed))
    plain = PlainSearch(requests)
    taken = tuple(plain.path) if plain.go(0, 0, 0) else None
    assert search(requests).taken == taken
    if taken is None:
        assert plain.steps <= steps_of_all(requests)
    else:  # the steps to the solution itself are not counted: each device taken once, at most all looked at
        assert plain.steps <= steps_to(requests, taken) + len(taken) * (TAKE + size)


class PlainSearch:
    """The scheduler's search with a counter."""

    def __init__(self, requests: list[SearchRequest]) -> None:
        self.steps = 0
        self.path: list[tuple[int, int]] = []
        self._requests = requests
        self._claims_of: list[list[int]] = [[] for _ in requests[0].statuses]

    def go(self, number: int, index: int, start: int) -> bool:
        if number == len(self._requests):
            return True
        request = self._requests[number]
        if request.all_devices is not None:
            if index == len(request.all_devices):
                return self.go(number + 1, 0, 0)
            return self._take(number, request.all_devices[index], index, 0)
        if index == request.count:
            return self.go(number + 1, 0, 0)
        for device in range(start, len(request.statuses)):
            self.steps += 1
            if self._take(number, device, index, device + 1):
                return True
        return False

    def _take(self, number: int, device: int, index: int, start: int) -> bool:
        request, claims = self._requests[number], self._claims_of[device]
        in_use = claims and (not request.admin_access or request.claim in claims)
        if in_use or request.statuses[device] is Status.SKIP:
            return False
        self.steps += TAKE
        claims.append(request.claim)
        self.path.append((number, device))
        if self.go(number, index + 1, start):
            return True
        self.path.pop()
        claims.pop()
        return False
