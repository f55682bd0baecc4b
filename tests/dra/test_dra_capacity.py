"""Capacities that several claims share: what a request comes to, what is left, what fails the pod."""

from __future__ import annotations

import pytest

from dra.dra_worlds import DRIVER, answer, claim, device, holding, pool, request, state, taken
from kubectl_llmfit.api.values import Capacity, CapacityRange, Device, DeviceShape, RequestPolicy
from kubectl_llmfit.cel import Quantity
from kubectl_llmfit.dra.answer import CapacityShortage
from kubectl_llmfit.dra.capacity import CapacityError, consumed_capacity
from kubectl_llmfit.dra.rules import rules_for

q = Quantity.parse
FRACTIONS = rules_for(None, {"DRAFractionalCapacityRange": True})
OLD = rules_for("1.36")


def shared(name: str, value: str = "80Gi", policy: RequestPolicy | None = None) -> Device:
    return Device(name, DeviceShape({}, {"memory": Capacity(q(value), policy)}, allow_multiple_allocations=True))


def steps(least: str, step: str | None = None, most: str | None = None, default: str | None = None) -> RequestPolicy:
    limits = CapacityRange(q(least), q(most) if most else None, q(step) if step else None)
    return RequestPolicy(q(default or least), valid_range=limits)


def consumed(asked: str | None, policy: RequestPolicy | None, value: str = "80", rules: object = None) -> str | None:
    """What is consumed, as text; None where the device does not do."""
    shape = DeviceShape({}, {"m": Capacity(q(value), policy)}, allow_multiple_allocations=True)
    found = consumed_capacity({"m": q(asked)} if asked else {}, shape, rules or rules_for(None))  # type: ignore[arg-type] # Rules
    return None if isinstance(found, CapacityShortage) else str(found["m"])


@pytest.mark.parametrize(
    ("asked", "policy", "expected"),
    [
        (None, None, "80"),  # all of it
        (None, RequestPolicy(q("10")), "10"),
        ("30", None, "30"),
        ("81", None, None),
        ("5", steps("4", "4"), "8"),  # 4 + 1 * 4
        ("1", steps("4", "4"), "4"),
        ("8", steps("4", "4"), "8"),
        ("41", steps("4", "4", "40"), None),  # 44 is beyond the range
        ("5500m", steps("4"), "5500m"),
        ("5", RequestPolicy(q("1"), (q("1"), q("8"))), "8"),
        ("9", RequestPolicy(q("1"), (q("1"), q("8"))), None),
        ("5500m", steps("4", "4"), "8"),
    ],
)
def test_a_request_is_rounded_as_the_policy_says(
    asked: str | None, policy: RequestPolicy | None, expected: str
) -> None:
    assert consumed(asked, policy) == expected


def test_fractions_of_a_range_need_their_gate() -> None:
    halves = steps("500m", "500m")
    assert consumed("600m", halves, rules=FRACTIONS) == "1"
    assert consumed("1100m", halves, rules=FRACTIONS) == "1500m"
    assert consumed("1100m", halves) == "2"  # in whole numbers min and step are both 1


@pytest.mark.parametrize(
    ("asked", "policy", "words"),
    [
        ("9223372036854775808", steps("0", "1"), "request 9223372036854775808 exceeds MaxInt64"),
        ("9223372036854775807", steps("0", "2"), "up to the next step passes MaxInt64"),
        ("-1", None, "capacity value is negative"),
    ],
)
def test_an_amount_beyond_all_arithmetic_fails_the_pod(asked: str, policy: RequestPolicy | None, words: str) -> None:
    with pytest.raises(CapacityError, match=words):
        consumed(asked, policy)


def test_older_schedulers_let_it_wrap() -> None:
    # 9223372036854775807 rounds to 0 + 2 * 4611686018427387904 = 2^63, which wraps to -2^63: less than there is.
    assert consumed("9223372036854775807", steps("0", "2"), rules=OLD) == "-9223372036854775808"


def test_an_amount_that_fails_is_named_with_device_and_capacity() -> None:
    world = state(pool(shared("d0", policy=steps("0", "1"))))
    found = answer(world, claim(request(capacity={"memory": q("1e30")})))
    assert found.message == (
        f'claim ns/c, request r: checking capacity for device {DRIVER}/p/d0: capacity "memory": capacity request cannot'
        " be represented in the device's range arithmetic: request 1e30 exceeds MaxInt64"
    )


def test_shares_are_taken_while_the_capacity_lasts() -> None:
    thirty = [request(name, capacity={"memory": q("30Gi")}) for name in "abc"]
    found = answer(state(pool(shared("d0"), shared("d1"))), claim(*thirty))
    assert taken(found) == ["a=d0", "b=d0", "c=d1"]
    assert [(entry.share, entry.consumed_capacity) for entry in found.allocation] == [
        (True, (("memory", q("30Gi")),))
    ] * 3


def test_one_request_takes_a_share_of_each_of_several_devices() -> None:
    world = state(pool(shared("d0"), shared("d1")))
    assert taken(answer(world, claim(request(count=2, capacity={"memory": q("1Gi")})))) == ["r=d0", "r=d1"]


def test_what_shares_hold_is_added_up() -> None:
    held = [holding("d0", share_id=name, holder=name, consumed_capacity={"memory": q("25Gi")}) for name in "xy"]
    found = answer(state(pool(shared("d0"), shared("d1")), held=held), claim(request(capacity={"memory": q("60Gi")})))
    assert taken(found) == ["r=d1"]
    assert found.steps[0].capacity_shortages[0] == CapacityShortage("memory", q("60Gi"), q("30Gi"))
    assert (found.steps[0].free, found.steps[0].capacity) == (2, 1)


def test_without_a_request_or_default_a_share_is_all_there_is() -> None:
    world = state(pool(shared("d0")), held=[holding("d0", share_id="x", consumed_capacity={"memory": q("1")})])
    assert taken(answer(world, claim(request()))) == []
    world = state(pool(shared("d0", policy=RequestPolicy(q("1Gi")))))
    assert taken(answer(world, claim(request("a"), request("b")))) == ["a=d0", "b=d0"]


def test_a_device_that_is_not_shared_is_taken_as_a_whole() -> None:
    world = state(pool(device("d0", memory="80Gi")))
    found = answer(world, claim(request(capacity={"memory": q("40Gi")})))
    assert taken(found) == ["r=d0"]
    assert (found.allocation[0].share, found.allocation[0].consumed_capacity) == (False, ())
    assert taken(answer(world, claim(request(capacity={"memory": q("81Gi")})))) == []


def test_a_capacity_that_a_device_lacks_passes_it_over() -> None:
    # Names are compared as written: the driver's domain is another name.
    found = answer(state(pool(device("d0", memory="80Gi"))), claim(request(capacity={f"{DRIVER}/memory": q("1")})))
    assert taken(found) == []
    assert found.steps[0].capacity_shortages == (CapacityShortage(f"{DRIVER}/memory"),)


def test_admin_access_takes_its_share_in_the_attempt() -> None:
    sixty = {"memory": q("60Gi")}
    world = state(pool(shared("d0")))
    assert (
        taken(answer(world, claim(request("a", admin_access=True, capacity=sixty), request("b", capacity=sixty)))) == []
    )
