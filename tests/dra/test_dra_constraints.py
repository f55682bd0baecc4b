"""Constraints over attributes, and which of them stand in the way."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dra.dra_worlds import DRIVER, answer, claim, device, everything, pool, request, state, taken
from kubectl_llmfit.api.values import AttributeValue, Claim, Constraint, Request
from kubectl_llmfit.cel import Semver
from kubectl_llmfit.dra.answer import ConstraintKind, Outcome, UnmetConstraint

GROUP = f"{DRIVER}/group"


def under(*constraints: Constraint, of: tuple[Request, ...]) -> Claim:
    made = claim(*of)
    return replace(made, spec=replace(made.spec, constraints=constraints))


def same(*requests: str) -> Constraint:
    return Constraint(requests, match_attribute=GROUP)


def different(*requests: str) -> Constraint:
    return Constraint(requests, distinct_attribute=GROUP)


def grouped(*values: AttributeValue | None) -> list[str]:
    """What two requests under matchAttribute take of devices with these values."""
    return tried(same(), *values)


def tried(constraint: Constraint, *values: AttributeValue | None, count: int = 2) -> list[str]:
    given = [device(f"d{i}", {} if value is None else {"group": value}) for i, value in enumerate(values)]
    return taken(answer(state(pool(*given)), under(constraint, of=(request(count=count),))))


def test_match_attribute_takes_devices_of_one_value() -> None:
    assert grouped(0, 1, 0) == ["r=d0", "r=d2"]
    assert grouped(0, 1, 2) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [(0, "0"), (1, True), (0, False), ("1.0.0", Semver.parse("1.0.0"))],
)
def test_values_of_different_types_do_not_match(one: AttributeValue, other: AttributeValue) -> None:
    assert grouped(one, other) == []
    assert tried(different(), one, other) == ["r=d0", "r=d1"]


def test_versions_match_as_texts() -> None:
    assert grouped(Semver.parse("1.0.0+a"), Semver.parse("1.0.0+a")) == ["r=d0", "r=d1"]
    assert grouped(Semver.parse("1.0.0+a"), Semver.parse("1.0.0+b")) == []


def test_a_device_without_the_attribute_is_never_taken() -> None:
    assert tried(same(), None, count=1) == []
    assert tried(different(), None, count=1) == []


def test_a_list_can_only_be_the_first() -> None:
    assert tried(same(), (1, 2), count=1) == ["r=d0"]
    assert grouped((1, 2), (1, 2)) == []
    assert tried(different(), (1,), (2,)) == []
    assert tried(different(), (1,), 2) == ["r=d0", "r=d1"]


def test_the_full_name_goes_before_the_bare_one() -> None:
    world = state(pool(device("d0", {"group": 0, GROUP: 1}), device("d1", {"group": 1}), device("d2", {"group": 0})))
    assert taken(answer(world, under(same(), of=(request(count=2),)))) == ["r=d0", "r=d1"]


def test_distinct_attribute_takes_each_value_once() -> None:
    assert tried(different(), 0, 0, 1) == ["r=d0", "r=d2"]
    assert tried(different(), 0, 0, 0) == []


def test_a_constraint_reads_only_the_requests_it_names() -> None:
    world = state(pool(device("d0", {"group": 0}), device("d1", {"group": 1}), device("d2", {"group": 0})))
    requests = (request("a"), request("b"), request("c"))
    assert taken(answer(world, under(same("a", "c"), of=requests))) == ["a=d0", "b=d1", "c=d2"]
    assert answer(world, under(same(), of=requests)).outcome is Outcome.REFUSES


def test_a_constraint_may_name_an_alternative() -> None:
    either = Request("r", (request("x").alternatives[0], request("y").alternatives[0]), prioritized=True)
    world = state(pool(device("d0", {"group": 0}), device("d1", {"group": 1})))
    assert taken(answer(world, under(same("q", "r/x"), of=(request("q"), either)))) == ["q=d0", "r/y=d1"]
    assert answer(world, under(same("q", "r"), of=(request("q"), either))).outcome is Outcome.REFUSES


def test_all_against_a_constraint_fails_the_pod() -> None:
    world = state(pool(device("d0", {"group": 0}), device("d1", {"group": 1})))
    found = answer(world, under(same(), of=(everything(),)))
    assert (found.outcome, found.message) == (
        Outcome.FAILS,
        f"claim ns/c, request r: cannot add device {DRIVER}/p/d1 because a claim constraint would not be satisfied",
    )


def test_all_comes_to_its_constraint_once_an_earlier_request_moves_on() -> None:
    # While the first request has d0, All is refused at d0; once it has d1, the constraint is asked about d0. So the
    # two devices, equal in all else, are no exchange for each other.
    world = state(pool(device("d0"), device("d1")))
    found = answer(world, claim(request()), replace(under(same(), of=(everything(),)), name="other"))
    assert found.outcome is Outcome.FAILS


def test_the_constraint_that_alone_stands_in_the_way_is_named() -> None:
    world = state(pool(*(device(f"d{i}", {"group": i // 3}) for i in range(6)), device("d6")))
    found = answer(world, under(different("r"), same(), of=(request(count=4),)))
    assert found.unmet == ()  # each alone would do
    found = answer(world, under(same(), of=(request(count=4),)))
    assert found.unmet == (
        UnmetConstraint(0, 0, ConstraintKind.MATCH, GROUP, (), 4, (("0", 3), ("1", 3)), without_attribute=1),
    )
    assert found.steps[0].constraint == 3
