"""What the API server leaves of a new claim when features are off (``DropDisabledFields``)."""

from __future__ import annotations

import pytest

from kubectl_llmfit.api.values import Claim, ClaimSpec, Constraint, DeviceRequest, Request
from kubectl_llmfit.cel.quantity import Quantity
from kubectl_llmfit.dra.created import as_created
from kubectl_llmfit.dra.rules import Rules, rules_for
from kubectl_llmfit.errors import UsageError

OFF = rules_for("1.36", {"DRAConsumableCapacity": False, "DRAPrioritizedList": False})
ON = rules_for("1.37")


def claim(*requests: Request, constraint: Constraint | None = None, unknown: tuple[str, ...] = ()) -> Claim:
    constraints = (constraint,) if constraint else ()
    return Claim("ask", "team", ClaimSpec(requests, constraints, unknown))


def one(**fields: object) -> Request:
    return Request("gpu", (DeviceRequest("gpu", "c", **fields),))  # type: ignore[arg-type]  # fields of the request


CAPACITY = one(capacity={"memory": Quantity.parse("1Gi")})


def test_a_claim_of_features_that_are_on_is_stored_as_it_is() -> None:
    both = claim(CAPACITY, Request("other", (DeviceRequest("a", "c"),), prioritized=True))
    assert as_created(both, ON).claim == both
    assert as_created(both, ON).dropped == ()


def test_capacity_is_dropped_with_a_word() -> None:
    created = as_created(claim(CAPACITY), OFF)
    assert created.claim == claim(one())
    assert created.dropped == (
        "the API server drops capacity of claim team/ask: request gpu, since DRAConsumableCapacity is off",
    )


def test_the_capacity_of_an_alternative_is_dropped_too() -> None:
    alternative = DeviceRequest("small", "c", capacity={"memory": Quantity.parse("1Gi")})
    rules = rules_for("1.37", {"DRAConsumableCapacity": False})
    (request,) = as_created(claim(Request("gpu", (alternative,), prioritized=True)), rules).claim.spec.requests
    assert request.alternatives == (DeviceRequest("small", "c"),)


def test_admin_access_is_dropped_with_a_word() -> None:
    created = as_created(claim(one(admin_access=True)), rules_for("1.35", {"DRAAdminAccess": False}))
    assert created.claim == claim(one())
    assert "drops adminAccess of claim team/ask: request gpu, since DRAAdminAccess is off" in created.dropped[0]


def test_a_request_that_loses_its_alternatives_is_refused() -> None:
    request = Request("gpu", (DeviceRequest("a", "c"),), prioritized=True)
    with pytest.raises(UsageError, match="drops firstAvailable, since DRAPrioritizedList is off, and refuses"):
        as_created(claim(request), OFF)


def test_a_constraint_that_loses_its_attribute_is_refused_unless_it_has_another() -> None:
    with pytest.raises(UsageError, match="constraint #0: the API server drops distinctAttribute"):
        as_created(claim(constraint=Constraint((), None, "a.com/b")), OFF)
    created = as_created(claim(constraint=Constraint((), "a.com/a", "a.com/b")), OFF)
    assert created.claim.spec.constraints == (Constraint((), "a.com/a"),)
    assert len(created.dropped) == 1


def test_1_34_means_to_drop_a_distinct_attribute_and_does_not() -> None:
    asked = claim(constraint=Constraint((), None, "a.com/b"))
    assert as_created(asked, rules_for("1.34")).claim == asked


@pytest.mark.parametrize(
    ("rules", "left"),
    [(ON, ()), (rules_for("1.37", {"DRADerivedAttributes": True}), ("exactly.derivedAttributes",))],
)
def test_derived_attributes_are_dropped_unless_the_feature_is_on(rules: Rules, left: tuple[str, ...]) -> None:
    created = as_created(claim(unknown=("exactly.derivedAttributes",)), rules)
    assert created.claim.spec.unknown_fields == left
    assert len(created.dropped) == 1 - len(left)


def test_fields_that_nobody_knows_stay() -> None:
    assert as_created(claim(unknown=("spec.devices.topology",)), OFF).claim.spec.unknown_fields
