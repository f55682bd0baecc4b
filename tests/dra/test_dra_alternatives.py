"""Prioritised lists: the first alternative that leads to a whole solution is taken."""

from __future__ import annotations

from dra.dra_worlds import answer, attribute, claim, device, devices, everything, holding, pool, request, state, taken
from kubectl_llmfit.api.values import Request
from kubectl_llmfit.dra.answer import Outcome

BIG, SMALL = attribute("size") + " == 80", attribute("size") + " == 24"


def first_of(name: str, *alternatives: Request) -> Request:
    """A prioritised list of the requests' own parts."""
    return Request(name, tuple(each.alternatives[0] for each in alternatives), prioritized=True)


ONE_BIG_OR_TWO_SMALL = first_of("r", request("big", BIG), request("small", SMALL, count=2))
NODE_OF_THREE = pool(device("b", {"size": 80}), device("s0", {"size": 24}), device("s1", {"size": 24}))


def test_the_first_alternative_is_taken_where_it_can_be() -> None:
    assert taken(answer(state(NODE_OF_THREE), claim(ONE_BIG_OR_TWO_SMALL))) == ["r/big=b"]


def test_the_second_is_taken_where_the_first_is_held() -> None:
    world = state(NODE_OF_THREE, held=[holding("b")])
    assert taken(answer(world, claim(ONE_BIG_OR_TWO_SMALL))) == ["r/small=s0", "r/small=s1"]


def test_an_alternative_gives_way_to_a_later_request() -> None:
    found = answer(state(NODE_OF_THREE), claim(ONE_BIG_OR_TWO_SMALL, request("q", BIG)))
    assert taken(found) == ["r/small=s0", "r/small=s1", "q=b"]


def test_all_is_an_alternative_like_any_other() -> None:
    every = first_of("r", everything("all", SMALL), request("one"))
    assert taken(answer(state(NODE_OF_THREE), claim(every))) == ["r/all=s0", "r/all=s1"]
    assert taken(answer(state(NODE_OF_THREE, held=[holding("s0")]), claim(every))) == ["r/one=b"]


def test_the_smallest_alternative_counts_for_the_limit_of_the_claim() -> None:
    lists = first_of("r", request("many", count=30), request("few", count=2))
    world = state(pool(*devices(64)))
    assert answer(world, claim(request("q", count=30), lists)).outcome is Outcome.ALLOCATES
    found = answer(world, claim(request("q", count=31), lists))
    assert found.message == (
        "claim ns/c, request r: adding 2 devices exceeds the claim limit of 32, with 31 already accounted for"
    )


def test_an_alternative_without_room_in_the_results_is_passed_over() -> None:
    # 30 + 30 is too many, 30 + 2 is not.
    lists = [first_of(name, request("many", count=30), request("few", count=2)) for name in ("a", "b")]
    found = answer(state(pool(*devices(64))), claim(*lists))
    assert [entry.request for entry in found.allocation] == ["a/many"] * 30 + ["b/few"] * 2


def test_want_of_room_passes_over_a_device_that_raises() -> None:
    # 20 of the list's first 20 devices leave no room for 13 more; d20 raises but is not looked at.
    raises = attribute("x") + " == 1"
    world = state(pool(*(device(f"d{i}", {"x": 1}) for i in range(20)), device("d20")))
    first = first_of("a", request("a0", raises, count=20), request("a1", "false"))
    second = first_of("b", request("b0", "true", count=20), request("b1", "true", count=13))
    assert answer(world, claim(first, second)).outcome is Outcome.REFUSES
    alone = first_of("a", request("a0", raises, count=21), request("a1", "false"))
    assert answer(world, claim(alone)).outcome is Outcome.FAILS
