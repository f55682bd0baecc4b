"""What is checked: the claims, where they came from, and their side of the document."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..api.values import Claim, DeviceRequest
from ..cel.quantity import Quantity
from ..claim.alternatives import Alternative as AskedAlternative
from ..dra.created import as_created
from ..dra.environment import selector
from ..dra.occupancy import claim_label
from ..dra.rules import Rules
from ..drivers.products import ProductTable
from ..errors import UsageError
from ..fit.model import Need
from .asked import (
    Alternative,
    ClaimEntry,
    ConstraintEntry,
    Inputs,
    NeedEntry,
    RequestEntry,
    Source,
    TermEntry,
)
from .compile_hints import compile_hint
from .conditions import Conditions
from .words import one_line


@dataclass(frozen=True, slots=True)
class Subject:
    """The claims of one check.

    ``need`` is what a MODEL's claim was computed from. ``with_quant`` makes that claim for another quantisation
    of the table (suggestions try those that are smaller); None where there is none to choose. ``assumed`` says what
    becomes of the claims before they are tried. ``alternatives`` are those of a MODEL's claim and ``table`` is the
    product table that they were made with.
    """

    claims: tuple[Claim, ...]
    source: Source
    need: Need | None = None
    with_quant: Callable[[str], Claim] | None = None
    tool_version: str = ""
    assumed: tuple[str, ...] = ()
    alternatives: tuple[AskedAlternative, ...] = ()
    table: ProductTable | None = None


def stored(subject: Subject, rules: Rules) -> Subject:
    """The subject as the API server would store it: without the fields of features that are off.

    What the cluster stores already stays. Raises UsageError where the API server refuses what is left.
    """
    if subject.source == "cluster":
        return subject
    created = [as_created(claim, rules) for claim in subject.claims]
    dropped = tuple(sentence for each in created for sentence in each.dropped)
    with_quant = subject.with_quant
    return replace(
        subject,
        claims=tuple(each.claim for each in created),
        assumed=dropped,
        with_quant=None if with_quant is None else lambda quant: as_created(with_quant(quant), rules).claim,
    )


def require_valid_selectors(claims: Sequence[Claim]) -> None:
    """Raise UsageError for a selector that the API server would refuse in a new claim.

    For claims that the user hands over; what the cluster stores is judged as the scheduler does instead.
    """
    for claim in claims:
        for request in claim.spec.requests:
            for alternative in request.alternatives:
                for number, text in enumerate(alternative.selectors):
                    error = selector(text, stored=False).compile_error
                    if error is not None:
                        where = f"claim {claim_label(claim)}: request {alternative.name}: selector #{number}"
                        raise UsageError(f"{where}: {one_line(str(error))}", compile_hint(error, text))


def describe_inputs(subject: Subject) -> Inputs | None:
    """What the need was computed from; None for a claim that was handed over."""
    need = subject.need
    if need is None:
        return None
    return Inputs(
        model=need.model,
        quant=need.quant,
        min_tps=need.min_tps,
        efficiency_pct=need.efficiency_pct,
        estimator=need.estimator,
        catalog=need.catalog,
        tool_version=subject.tool_version,
        overrides=need.overrides,
    )


def describe_need(need: Need | None) -> NeedEntry | None:
    """The need and its working."""
    if need is None:
        return None
    terms = tuple(TermEntry(term.name, term.value) for term in need.terms)
    return NeedEntry(Quantity.parse(need.memory), need.bandwidth_gbs, terms)


def describe_claim(claim: Claim, source: Source, conditions: Conditions) -> ClaimEntry:
    """A claim as it was tried, its class selectors included."""
    requests = (
        RequestEntry(request.name, tuple(_alternative(a, conditions) for a in request.alternatives))
        for request in claim.spec.requests
    )
    constraints = (ConstraintEntry(c.requests, c.match_attribute, c.distinct_attribute) for c in claim.spec.constraints)
    return ClaimEntry(
        name=claim.name,
        namespace=claim.namespace,
        source=source,
        kind=claim.kind,
        api_version=claim.api_version,
        requests=tuple(requests),
        constraints=tuple(constraints),
    )


def _alternative(request: DeviceRequest, conditions: Conditions) -> Alternative:
    return Alternative(
        name=request.name,
        device_class_name=request.device_class_name,
        allocation_mode=request.allocation_mode,
        count=request.count if request.allocation_mode == "ExactCount" else None,
        admin_access=request.admin_access,
        conditions=conditions.of_request(request),
    )
