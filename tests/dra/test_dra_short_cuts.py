"""The search's short cuts beside the scheduler's search without any, on random problems with all there is."""

from __future__ import annotations

from random import Random

import pytest

from dra.plain_search import PlainSearch
from kubectl_llmfit.dra import pruning
from kubectl_llmfit.dra import search as searching
from kubectl_llmfit.dra.problem import AttributeConstraint, Devices, Problem, Request, SharedCounters, Status, Want

ROOM = 4  # devices in a claim's results, for small problems


@pytest.mark.parametrize("seed", range(60))
def test_the_short_cuts_change_neither_the_solution_nor_the_error(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "RESULTS_MAX", ROOM)
    monkeypatch.setattr(pruning, "RESULTS_MAX", ROOM)
    draw = Random(seed)
    for _ in range(25):
        problem = valid_problem(draw)
        plain = PlainSearch(problem, ROOM)
        found = searching.search(problem)
        assert found.taken == (tuple(plain.path) if plain.found else None), problem
        assert found.stopped_at == plain.stopped_at, problem


def valid_problem(draw: Random) -> Problem:
    """A problem whose claims have room for their smallest alternatives: others never come to a search."""
    while True:
        problem = random_problem(draw)
        least: dict[int, int] = {}
        for request in problem.requests:
            smallest = min(want.devices_wanted for want in request.wants)
            least[request.claim] = least.get(request.claim, 0) + smallest
        if max(least.values()) <= ROOM:
            return problem


def random_problem(draw: Random) -> Problem:
    """Two to eight devices, up to six requests of up to three claims; each feature in some of the problems."""
    size = draw.randint(2, 8)
    shareable = frozenset(d for d in range(size) if draw.random() < 0.5) if draw.random() < 0.4 else frozenset()
    shared = frozenset(d for d in shareable if draw.random() < 0.3)
    capacity = {d: (draw.randint(0, 4),) for d in shareable}
    counters = random_counters(draw, size) if draw.random() < 0.5 else SharedCounters()
    claims = sorted(draw.choice([0, 0, 0, 1, 2]) for _ in range(draw.randint(1, 6)))
    constraints = [
        AttributeConstraint(claim, draw.random() < 0.5, random_values(draw, size))
        for claim in sorted(set(claims))
        for _ in range(draw.choice([0, 0, 1, 1, 2]))
    ]
    letters = draw.choice([".f", ".ff", ".fff!", ".ffff!", ".fffffo"])
    requests = []
    for claim in claims:
        own = [number for number, constraint in enumerate(constraints) if constraint.claim == claim]
        many = draw.choice([1, 1, 2, 3]) if draw.random() < 0.5 else 1
        made = tuple(random_want(draw, claim, size, letters, own, shareable) for _ in range(many))
        requests.append(Request(made, prioritized=many > 1 or draw.random() < 0.2))
    return Problem(Devices(size, shareable, shared, capacity, counters), tuple(requests), tuple(constraints))


def random_counters(draw: Random, size: int) -> SharedCounters:
    """Cards of equal partitions, or anything; now and then a counter that is overdrawn or given back."""
    if draw.random() < 0.5:
        each = draw.randint(1, 3)
        left = draw.randint(1, 3)
        needs = {d: ((d // each, draw.choice([1, 1, 2])),) for d in range(size)}
        return SharedCounters((left,) * size, needs)
    number = draw.randint(1, 3)
    least = draw.choice([0, 0, 0, -1])
    amounts = {d: {c: draw.randint(least, 2) for c in range(number) if draw.random() < 0.6} for d in range(size)}
    needs = {d: tuple(sorted(own.items())) for d, own in amounts.items() if draw.random() < 0.7}
    left_over = tuple(draw.randint(least, 4) for _ in range(number))
    guards = {d: tuple(c for c in range(number) if c not in amounts[d]) for d in needs}
    return SharedCounters(left_over, needs, guards if least < 0 or draw.random() < 0.1 else {})


def random_values(draw: Random, size: int) -> list[int]:
    """A few values; some devices have none, now and then one has a list."""
    values = draw.choice([[0, 0, 1], [0, 1, 2], [0, 0, 1, -1]])
    return [-2 - d if draw.random() < 0.05 else draw.choice(values) for d in range(size)]


def random_want(
    draw: Random, claim: int, size: int, letters: str, constraints: list[int], shareable: frozenset[int]
) -> Want:
    meanings = {".": Status.SKIP, "f": Status.FREE, "!": Status.ERROR, "o": Status.OPAQUE}
    statuses = [meanings[draw.choice(letters)] for _ in range(size)]
    listed = None
    if draw.random() < 0.2:
        statuses = [Status.FREE if status is Status.ERROR else status for status in statuses]
        listed = tuple(d for d in range(size) if statuses[d] is not Status.SKIP or draw.random() < 0.1)
        listed = listed[:ROOM]
    under = tuple(number for number in constraints if draw.random() < 0.7)
    amount = draw.randint(0, 3)
    amounts = {d: (amount if draw.random() < 0.9 else 1,) for d in shareable}
    return Want(claim, draw.choice([1, 1, 1, 2, 2, 3]), draw.random() < 0.15, statuses, listed, under, amounts)
