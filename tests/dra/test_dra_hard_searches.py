"""Searches that the scheduler cannot end: too many combinations for it, few enough here."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from dra.search_problems import cards, problem, wants, wants_all
from kubectl_llmfit.dra.problem import Problem, SharedCounters, Want
from kubectl_llmfit.dra.search import search

ALL, NONE = "f" * 64, "." * 64
# Eight groups of eight devices, of which seven are free.
SEVEN_EACH = "fffffff." * 8
GROUPS = [device // 8 for device in range(64)]


def striped(number: int) -> list[int]:
    """Values that come round: 0, 1, 2, 0, 1, 2 …"""
    return [device % number for device in range(64)]


def mig(number: int) -> tuple[SharedCounters, str]:
    """Cards with seven slices of one and eight of memory: seven partitions of one slice, three of two, one of all.

    With a letter for each partition: its number of slices.
    """
    left: list[int] = []
    needs: dict[int, tuple[tuple[int, int], ...]] = {}
    letters = ""
    for _ in range(number):
        base, memory = len(left), len(left) + 7
        left += [1] * 7 + [8]
        partitions = [[k] for k in range(7)] + [[0, 1], [2, 3], [4, 5], list(range(7))]
        for slices in partitions:
            size = 8 if len(slices) == 7 else len(slices)
            needs[len(needs)] = (*((base + k, 1) for k in slices), (memory, size))
            letters += str(len(slices))
    return SharedCounters(tuple(left), needs), letters


MIG, LETTERS = mig(8)


def partition(sizes: str) -> str:
    """Partitions of these sizes are free."""
    return "".join("f" if letter in sizes else "." for letter in LETTERS)


def either(*alternatives: Want) -> Sequence[Want]:
    return alternatives


HARD = {
    "eight of sixty-four, and one that is not there": problem(*[wants(ALL)] * 8, wants(NONE)),
    "eight of sixty-four, and two for the same one": problem(*[wants(ALL)] * 8, *[wants(NONE[1:] + "f")] * 2),
    "sixteen of sixty-four, and one that is not there": problem(wants(ALL, 16), wants(NONE)),
    "an error behind what cannot be met": problem(*[wants(ALL)] * 8, wants(NONE), wants("!" * 64)),
    "one group, requests": problem(*[wants(SEVEN_EACH, under=[0])] * 8, match=[GROUPS]),
    "one group, a count": problem(wants(SEVEN_EACH, 8, under=[0]), match=[GROUPS]),
    "one of scattered groups": problem(*[wants("f" * 56 + "." * 8, under=[0])] * 8, match=[striped(8)]),
    "one group, all of another kind": problem(
        *[wants(SEVEN_EACH, under=[0, 1])] * 8, match=[GROUPS], distinct=[list(range(64))]
    ),
    "two groups at once": problem(
        *[wants(ALL, under=[0])] * 4, *[wants(ALL, under=[1])] * 4, wants(ALL, 9, under=[0]), match=[GROUPS, striped(8)]
    ),
    "eight different of seven, requests": problem(*[wants(ALL, under=[0])] * 8, distinct=[striped(7)]),
    "eight different of seven, a count": problem(wants(ALL, 8, under=[0]), distinct=[striped(7)]),
    "thirty-two different of thirty-one": problem(wants(ALL, 32, under=[0]), distinct=[striped(31)]),
    "different in two ways": problem(*[wants(ALL, under=[0, 1])] * 16, distinct=[striped(15), striped(16)]),
    "seventeen partitions of eight cards for two each": problem(*[wants(ALL)] * 17, counters=cards(8, 8, 2)),
    "twenty-five pairs of slices where there are twenty-four": problem(*[wants(partition("2"))] * 25, counters=MIG),
    "whole cards after one slice of each size": problem(
        *[wants(partition("1"))] * 8, *[wants(partition("7"))] * 8, counters=MIG
    ),
    "57 slices of 56": problem(*[wants(partition("2"))] * 20, *[wants(partition("1"), claim=1)] * 17, counters=MIG),
    "eight shares where seven have room": problem(*[wants(ALL, amounts=[6] * 64)] * 8, shares=[10] * 7 + [5] * 57),
    "sixty-five shares of sixty-four devices": problem(
        *[wants(ALL, amounts=[6] * 64)] * 32, *[wants(ALL, claim=1, amounts=[6] * 64)] * 33, shares=[10] * 64
    ),
    "twenty-five shares of one group": problem(
        *[wants(ALL, amounts=[3] * 64, under=[0])] * 25, match=[GROUPS], shares=[9] * 64
    ),
    "eight lists of alternatives": problem(
        *[either(wants(NONE[8:] + "f" * 8, 2), wants("f" * 8 + NONE[8:]), wants(SEVEN_EACH, 3))] * 8, wants(NONE)
    ),
    "alternatives of one group": problem(
        *[either(wants(SEVEN_EACH, under=[0]), wants(SEVEN_EACH, 2, under=[0]))] * 8, match=[GROUPS]
    ),
    "alternatives that are too many": problem(*[either(wants(ALL, 4), wants(ALL, 3), wants(ALL, 2))] * 16, wants(NONE)),
    "all, which a constraint could be against": problem(
        *[wants(ALL)] * 8, wants_all(NONE[2:] + "ff", 62, 63, under=[0]), wants(NONE), match=[[0] * 64]
    ),
}


@pytest.mark.parametrize("asked", HARD.values(), ids=HARD)
def test_what_cannot_be_met_is_seen_without_trying_everything(asked: Problem) -> None:
    found = search(asked)
    assert (found.taken, found.stopped_at, found.gave_up) == (None, None, False)


def test_a_search_that_takes_too_long_gives_up() -> None:
    # Want of room passes over devices that may raise, so nothing may be exchanged: 3^10 ways with 5, 3 or 2 of 64.
    lists = [either(wants(ALL, 5), wants(ALL, 3), wants(ALL, 2))] * 10
    last = wants("." * 63 + "f")
    found = search(problem(*lists, last, last, wants("." * 63 + "!")))
    assert found.gave_up
    assert found.taken is None
