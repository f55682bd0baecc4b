"""Which constraints alone stand in the way: without one of them, the node would allocate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from ..api.values import AttributeValue, Claim
from .answer import ConstraintKind, UnmetConstraint
from .constraints import attribute_of, lookup_attribute
from .problem import Problem, Status
from .search import search
from .view import NodeView

_LOOKS_MAX = 300_000
"""What all constraints of a node's claims may cost together: a fifth of a second, for a reason only."""


def unmet_constraints(
    claims: Sequence[tuple[int, Claim]], view: NodeView, problem: Problem
) -> tuple[UnmetConstraint, ...]:
    """In the order of the claims and their constraints; without those that a short search does not tell."""
    everyone = [(c, i) for c, (_, claim) in enumerate(claims) for i in range(len(claim.spec.constraints))]
    return tuple(
        _unmet(*claims[claim], index, view, problem, number)
        for number, (claim, index) in enumerate(everyone)
        if search(_without(problem, number), _LOOKS_MAX // len(everyone)).taken is not None
    )


def _without(problem: Problem, number: int) -> Problem:
    """The problem when nobody heeds a constraint."""
    requests = tuple(
        replace(
            request,
            wants=tuple(
                replace(want, constraints=tuple(c for c in want.constraints if c != number)) for want in request.wants
            ),
        )
        for request in problem.requests
    )
    return replace(problem, requests=requests)


def _unmet(
    claim_index: int, claim: Claim, index: int, view: NodeView, problem: Problem, number: int
) -> UnmetConstraint:
    constraint = claim.spec.constraints[index]
    attribute = attribute_of(constraint)
    bound = [r for r in problem.requests if any(number in want.constraints for want in r.wants)]
    usable = {d for r in bound for w in r.wants for d, status in enumerate(w.statuses) if status is not Status.SKIP}
    values = [lookup_attribute(view.devices[device], attribute) for device in sorted(usable)]
    counts = [want.devices_wanted for request in bound for want in request.wants]
    return UnmetConstraint(
        claim=claim_index,
        index=index,
        kind=ConstraintKind.DISTINCT if constraint.match_attribute is None else ConstraintKind.MATCH,
        attribute=attribute,
        requests=constraint.requests,
        wanted=sum(counts) if len(counts) == len(bound) else None,
        values=tuple((_text(value), n) for (_, value), n in Counter(_typed(values)).most_common()),
        without_attribute=values.count(None),
    )


def _typed(values: Sequence[AttributeValue | None]) -> list[tuple[type, AttributeValue]]:
    """Each value with its type: the number 0 is no match for the text "0", nor for false."""
    return [(type(value), value) for value in values if value is not None]


def _text(value: AttributeValue) -> str:
    """As the API writes it; a text that could be taken for a number or a bool is quoted."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(_text, value))}]"
    if isinstance(value, str):
        return f'"{value}"' if value in {"true", "false"} or value.lstrip("-").isdigit() else value
    return str(value).lower() if isinstance(value, bool) else str(value)
