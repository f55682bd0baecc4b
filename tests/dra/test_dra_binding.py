"""Devices that have to be bound, and allocated claims that wait for it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from dra.dra_worlds import DRIVER, NODE, answer, claim, device, holding, pool, request, state, taken
from kubectl_llmfit.api.values import Claim, Condition, DeviceStatus
from kubectl_llmfit.dra.allocate import Trial
from kubectl_llmfit.dra.answer import Outcome
from kubectl_llmfit.dra.inventory import Inventory
from kubectl_llmfit.dra.rules import rules_for

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def waiting(*conditions: Condition, minutes: int = 1) -> Claim:
    """A claim that was allocated some minutes ago and waits for its device to be attached."""
    held = holding("d0", binding_conditions=("attached",), binding_failure_conditions=("broken",)).allocation
    assert held is not None
    statuses = (DeviceStatus(DRIVER, "p", "d0", None, conditions),) if conditions else ()
    allocation = replace(held, allocated_at=NOW - timedelta(minutes=minutes))
    return replace(claim(name="done"), allocation=allocation, device_statuses=statuses)


def outcome(done: Claim, observed_at: str | None = NOW.isoformat()) -> Outcome:
    return answer(state(observed_at=observed_at), done).outcome


@pytest.mark.parametrize(
    ("done", "expected"),
    [
        (waiting(), Outcome.ALLOCATES),
        (waiting(Condition("attached", "True"), minutes=60), Outcome.ALLOCATES),
        (waiting(Condition("attached", "False")), Outcome.ALLOCATES),
        (waiting(Condition("attached", "False"), minutes=11), Outcome.REFUSES),
        (waiting(minutes=11), Outcome.REFUSES),
        (waiting(Condition("attached", "True"), Condition("broken", "True")), Outcome.REFUSES),
        (waiting(Condition("attached", "True"), Condition("broken", "False"), minutes=11), Outcome.ALLOCATES),
    ],
)
def test_a_claim_is_there_unless_binding_failed_or_took_over_ten_minutes(done: Claim, expected: Outcome) -> None:
    assert outcome(done) is expected


def test_without_a_time_it_is_open_whether_ten_minutes_have_passed() -> None:
    assert outcome(waiting(), observed_at=None) is Outcome.UNKNOWN
    assert outcome(waiting(Condition("attached", "True")), observed_at=None) is Outcome.ALLOCATES
    assert outcome(waiting(Condition("broken", "True")), observed_at=None) is Outcome.REFUSES


def test_the_allocators_own_no_comes_before_a_claim_that_is_not_there() -> None:
    found = answer(state(observed_at=NOW.isoformat()), waiting(minutes=11), claim(request()))
    assert found.message == "cannot allocate all claims"


def test_devices_to_be_bound_are_tried_last_and_recorded_with_their_conditions() -> None:
    bound = device("bound", binding_conditions=("attached",), binding_failure_conditions=("broken",))
    world = state(pool(bound, name="a"), pool(device("plain"), name="z"))
    found = answer(world, claim(request(count=2)))
    assert taken(found) == ["r=plain", "r=bound"]
    conditions = (found.allocation[1].binding_conditions, found.allocation[1].binding_failure_conditions)
    assert conditions == (("attached",), ("broken",))


def test_without_the_gate_such_devices_are_never_taken() -> None:
    world = state(pool(device("bound", binding_conditions=("attached",), binding_failure_conditions=("broken",))))
    rules = rules_for(None, {"DRADeviceBindingConditions": False})
    assert Trial(Inventory.prepare(world, rules), [claim(request())]).answer(NODE).outcome is Outcome.REFUSES
