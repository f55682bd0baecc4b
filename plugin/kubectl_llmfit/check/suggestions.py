"""What would change a "no": a class that exists, a cheaper quantisation, the nearest miss, a guard."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..api.values import ClusterState, DeviceRequest
from ..dra.allocate import Trial
from ..dra.answer import Outcome
from ..dra.inventory import Inventory
from ..errors import UsageError
from ..fit.quantisation import QUANTISATIONS, Quantisation, find
from .asked import PartKind
from .classes import NOTHING_PUBLISHED, existing_class, nothing_published
from .conditions import Conditions
from .hints import corrections, missing_key, overload_hint
from .names import Published
from .reasons import Raised, Reasons, missing_classes
from .shortfalls import Candidate, Shortfall, distance, is_foreign, is_outside
from .subject import Subject
from .tried import Tried
from .values import NodeEntry, Steps, Suggestion, Verdict
from .words import listed, on_one_line, shorten

_ABOUT_THE_SAME = 0.03
"""Cards report up to so much less memory than their label says (an 80 GB card: 81559Mi)."""

_FULL_PRECISION = frozenset({"F32", "F16", "BF16"})


@dataclass(frozen=True, slots=True)
class Found:
    """What a check found, as far as suggestions need it."""

    tried: Sequence[Tried]
    nodes: Sequence[NodeEntry]
    conditions: Conditions
    reasons: Reasons


class _Miss(NamedTuple):
    """A device that comes close: how far off, where, and what it lacks; ``wanted`` names one request of several.

    ``outside``: it is none of the class, so that what the request asks was not even looked at.
    """

    outside: bool
    distance: tuple[int, float]
    node: str
    device: str
    lacking: list[Shortfall]
    wanted: str | None


def suggest(subject: Subject, state: ClusterState, inventory: Inventory, found: Found) -> tuple[Suggestion, ...]:
    """Suggestions for a check whose answer is no, the most telling first."""
    missing = missing_classes(subject.claims, state)
    if missing:
        return (existing_class(subject, state, missing),)
    if not any(slice_.devices for slice_ in state.slices):
        text = f"no device is published: {NOTHING_PUBLISHED}"
        return (Suggestion(None, (), text),)
    unpublished = tuple(_unpublished(subject, state, found))
    errors = tuple(_guards(found))
    if errors:
        return (*unpublished, *errors)
    return (
        *unpublished,
        *_nowhere(subject, found),
        *_uncordon(found.nodes),
        *_cheaper(subject, inventory, found.tried),
        *_closest(subject, found),
    )


def _nowhere(subject: Subject, found: Found) -> Iterator[Suggestion]:
    """The classes of which there is no device, where no pool hides what it has."""
    answers = [one.answer for one in found.tried]
    if all(pool.state in {"Complete", "Outdated"} for answer in answers for pool in answer.pools):
        yield from nothing_published(subject.claims, answers)


def _unpublished(subject: Subject, state: ClusterState, found: Found) -> Iterator[Suggestion]:
    """For a claim that somebody wrote: names in selectors without a match that no device publishes."""
    if subject.source == "model":
        return
    results = ((e.id, e.result) for node in found.nodes for group in node.devices for e in group.conditions)
    matching = {name for name, result in results if result == "true"}
    parts = (
        part
        for condition in found.conditions.all().values()
        if condition.source == "request" and condition.id not in matching
        for part in condition.parts
    )
    for text in corrections(parts, Published(state)):
        yield Suggestion(None, (), text)


def _guards(found: Found) -> Iterator[Suggestion]:
    """For a selector that reads what a device does not publish: whose it is, and what to write instead."""
    nodes_of: dict[str, list[str]] = {}
    for one in found.tried:
        if one.judged.verdict is Verdict.ERROR and not one.node.unschedulable:
            raised = found.reasons.raised(one.answer)
            text = _guard(raised) if raised else None
            if text:
                nodes_of.setdefault(text, []).append(one.node.name)
    for text, nodes in nodes_of.items():
        yield Suggestion(None, tuple(nodes), text)


def _guard(raised: Raised) -> str | None:
    part, entry = raised.lack.part, raised.lack.entry
    whose = f"device {raised.owner} of the cluster" if raised.lack.condition.source == "class" else raised.owner
    name = missing_key(part, entry)
    guarded = part.guarded.get(name.name) if name else None
    if name is None or guarded is None:
        hint = overload_hint(part, entry, raised.on.id.driver, raised.on.shape)
        return f"in {whose}: {hint}" if hint else None
    return (
        f"in {whose}, write {on_one_line(guarded)} instead of {shorten(part.expression)}:"
        f" as it is, a device without {name.name} fails the pod"
    )


def _uncordon(nodes: Sequence[NodeEntry]) -> Iterator[Suggestion]:
    fitting = tuple(node.name for node in nodes if node.unschedulable and node.verdict is Verdict.FITS)
    if fitting:
        verb = "fits but is" if len(fitting) == 1 else "fit but are"
        yield Suggestion(None, fitting, f"{listed(fitting)} {verb} cordoned: kubectl uncordon {fitting[0]}")


def _cheaper(subject: Subject, inventory: Inventory, tried: Sequence[Tried]) -> Iterator[Suggestion]:
    """The largest smaller quantisation with which a chosen node fits.

    A smaller one asks for less memory and bandwidth, so what fits for one fits for all below it: halving finds it.
    """
    if subject.with_quant is None or subject.need is None or subject.need.quant is None:
        return
    sizes = _smaller(subject.need.quant)
    best: tuple[Quantisation, tuple[str, ...]] | None = None
    low, high = 0, len(sizes)
    while low < high:
        middle = (low + high) // 2
        try:
            claim = subject.with_quant(sizes[middle].name)
        except UsageError:  # more products pass, and so more alternatives than the API server takes
            fitting: tuple[str, ...] = ()
        else:
            fitting = _fitting(Trial(inventory, (claim,)), tried)
        if fitting:
            best, high = (sizes[middle], fitting), middle
        else:
            low = middle + 1
    if best is not None:
        quant, nodes = best
        verb = "would fit on" if len(nodes) == 1 else "would fit on each of"
        yield Suggestion("--quant", nodes, f"--quant {quant.name} {verb} {listed(nodes)}")


def _smaller(current: str) -> list[Quantisation]:
    """The table's entries of the same family below ``current``, largest first."""
    now = find(current)
    if now is None:
        return []
    smaller = [q for q in QUANTISATIONS if q.bytes_per_parameter < now.bytes_per_parameter and _related(now, q)]
    return sorted(smaller, key=lambda quant: -quant.bytes_per_parameter)


def _related(current: Quantisation, other: Quantisation) -> bool:
    """Whether whoever runs ``current`` can run ``other``: full precision turns into anything but MLX."""
    if current.name in _FULL_PRECISION:
        return _family(other) != "mlx"
    return _family(current) == _family(other)


def _family(quant: Quantisation) -> str:
    if quant.name.startswith("mlx-"):
        return "mlx"
    gguf = quant.name in _FULL_PRECISION or re.match(r"I?Q\d", quant.name)
    return "gguf" if gguf else "checkpoint"


def _fitting(trial: Trial, tried: Sequence[Tried]) -> tuple[str, ...]:
    candidates = (one.node for one in tried if one.chosen and not one.node.unschedulable)
    return tuple(node.name for node in candidates if trial.answer(node).outcome is Outcome.ALLOCATES)


def _closest(subject: Subject, found: Found) -> Iterator[Suggestion]:
    """The device of all nodes that comes closest, with both numbers."""
    misses = [miss for node in found.nodes for miss in _misses(subject, found, node)]
    if misses:
        best = min(misses, key=lambda miss: (miss.outside, miss.distance, miss.node))
        wanted = f" for request {best.wanted}" if best.wanted is not None and subject.source != "model" else ""
        text = f"closest{wanted}: {best.device} on {best.node}: {', '.join(lack.text for lack in best.lacking)}"
        close = best.distance[1] <= _ABOUT_THE_SAME and subject.need is not None
        memory = _memory_at_fault(best.lacking) if close else None
        if memory is not None:
            yield Suggestion("--min-memory", (best.node,), f"{text}; --min-memory {memory} takes it")
        else:
            yield Suggestion(None, (best.node,), text)


def _misses(subject: Subject, found: Found, node: NodeEntry) -> Iterator[_Miss]:
    """The devices of a node that does not fit, as each request or alternative sees them that too few match."""
    if node.verdict is not Verdict.NO_FIT or node.unschedulable:
        return
    several = len(node.requests) > 1
    for steps in node.requests:
        request = _request_of(subject, steps)
        if (steps.selectors or 0) >= max(request.count, 1):
            continue
        name = f"{steps.request}/{steps.alternative}" if steps.alternative else steps.request
        conditions = found.conditions.of_request(request)
        for group in node.devices:
            entries = {entry.id: entry for entry in group.conditions}
            tried = tuple((condition, entries[condition.id]) for condition in conditions)
            lacking = Candidate(group.devices[0], tried).shortfalls()
            if lacking and not is_foreign(lacking):
                wanted = name if several else None
                yield _Miss(is_outside(lacking), distance(lacking), node.name, group.devices[0], lacking, wanted)


def _request_of(subject: Subject, steps: Steps) -> DeviceRequest:
    """The request, or alternative, that the steps are about."""
    return next(
        alternative
        for claim in subject.claims
        if claim.name == steps.claim
        for request in claim.spec.requests
        if request.name == steps.request
        for alternative in request.alternatives
        if steps.alternative in {None, alternative.name}
    )


def _memory_at_fault(lacking: Sequence[Shortfall]) -> str | None:
    """How much memory a device has that lacks nothing else."""
    (lack, *more) = lacking
    comparison = lack.part.about == "memory" and lack.part.kind is PartKind.COMPARISON
    return lack.entry.observed if comparison and not more else None
