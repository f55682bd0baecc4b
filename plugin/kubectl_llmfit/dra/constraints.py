"""Which attribute values constraints see, and what a claim's constraints are about.

Rules: kube-scheduler 1.37, ``structured/internal/incubating`` lookupAttribute, matchAttributeConstraint and
distinctAttributeConstraint. What they remember during a search is ``state``'s.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from ..api.values import AttributeValue, Claim, Constraint
from ..cel.semver import Semver
from .answer import PoolDevice
from .matching import Asked
from .problem import NO_VALUE, AttributeConstraint
from .rules import DistinctAttribute, Rules


def attribute_constraints(
    claims: Sequence[tuple[int, Claim]], devices: Sequence[PoolDevice], rules: Rules
) -> tuple[AttributeConstraint, ...]:
    """The constraints of all claims in order, each with a number for the value of every device."""
    return tuple(
        _constraint(index, constraint, devices, rules)
        for index, claim in claims
        for constraint in claim.spec.constraints
    )


def _constraint(index: int, constraint: Constraint, devices: Sequence[PoolDevice], rules: Rules) -> AttributeConstraint:
    values = _numbered(devices, attribute_of(constraint))
    if constraint.match_attribute is not None:
        return AttributeConstraint(index, distinct=False, values=values)
    if rules.distinct_attribute is DistinctAttribute.NOTHING:  # not values but devices are compared
        values = [value if value == NO_VALUE else device for device, value in enumerate(values)]
    forgetful = rules.distinct_attribute is DistinctAttribute.LAST_OF_REQUEST
    return AttributeConstraint(index, distinct=True, values=values, forgetful=forgetful)


def constraints_of(asked: Asked, claims: Sequence[tuple[int, Claim]]) -> tuple[int, ...]:
    """The numbers of the constraints that read the devices of a request or alternative."""
    everyone = [(index, constraint) for index, claim in claims for constraint in claim.spec.constraints]
    return tuple(
        number
        for number, (index, constraint) in enumerate(everyone)
        if index == asked.claim_index and concerns(constraint, asked)
    )


def concerns(constraint: Constraint, asked: Asked) -> bool:
    """Whether it names the request, or the alternative as ``request/alternative``; naming none, it names all."""
    return not constraint.requests or not {asked.request_name, asked.result_name}.isdisjoint(constraint.requests)


def attribute_of(constraint: Constraint) -> str:
    """The attribute that it reads."""
    return constraint.match_attribute or constraint.distinct_attribute or ""


def lookup_attribute(device: PoolDevice, name: str) -> AttributeValue | None:
    """An attribute by its full name; a bare one belongs to the driver's domain. A value nobody can read is ()."""
    domain, _, identifier = name.partition("/")
    for key in (name, identifier) if domain == device.id.driver else (name,):
        if key in device.shape.attributes:
            return device.shape.attributes[key]
        if key in device.shape.unreadable:
            return ()
    return None


def _numbered(devices: Sequence[PoolDevice], name: str) -> list[int]:
    """Lists, and what this program cannot read, equal nothing: each has a number of its own below NO_VALUE."""
    numbers: dict[Hashable, int] = {}
    values = []
    for place, device in enumerate(devices):
        value = lookup_attribute(device, name)
        if value is None:
            values.append(NO_VALUE)
        elif isinstance(value, tuple):
            values.append(NO_VALUE - 1 - place)
        else:
            values.append(numbers.setdefault(_typed(value), len(numbers)))
    return values


def _typed(value: AttributeValue) -> Hashable:
    """A value with its kind, since true is not 1; versions are the same only as texts, build metadata included."""
    return (type(value), value, value.build) if isinstance(value, Semver) else (type(value), value)
