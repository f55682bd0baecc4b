"""Why a node has the verdict it has: one sentence for REASON.

What a single alternative lacks is in ``lacks``, what requests cannot have together in ``together``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from ..api.values import Claim, ClusterState, Node
from ..dra.answer import NodeAnswer, Outcome, PoolDevice, RequestSteps
from ..dra.available import NOT_AVAILABLE
from ..dra.inventory import Inventory
from ..dra.nodes import NAME_FIELD, selector_matches
from .conditions import Conditions
from .devices import Devices
from .kinds import class_names, device_plugin_offers
from .lacks import CLAUSES_MAX, Lack, Lacks
from .notes import MAY_TIME_OUT, pool_reasons
from .obstacles import Way
from .shortfalls import Shortfall
from .together import (
    Wish,
    capacity_together,
    constraint_words,
    constraints_together,
    counters_together,
    not_together,
    too_few,
)
from .tried import Tried
from .values import Verdict
from .words import absent, count, listed, one_line


class Raised(NamedTuple):
    """A selector that raised on a device: whose it is (``class X`` or ``request r``) and which part."""

    on: PoolDevice
    owner: str
    lack: Shortfall


class _Named(NamedTuple):
    """What an alternative lacks; None for a request without a choice."""

    alternative: str | None
    lack: Lack


class Reasons:
    """Writes the reasons of one check."""

    def __init__(
        self,
        claims: Sequence[Claim],
        state: ClusterState,
        conditions: Conditions,
        devices: Devices,
        inventory: Inventory,
    ) -> None:
        self._claims = claims
        self._devices = devices
        self._holders = devices.holders
        self._lacks = Lacks(conditions, devices, inventory)
        self._missing_classes = missing_classes(claims, state)

    def of_node(self, tried: Tried) -> str | None:
        """What stops the claims on a node; None where nothing does."""
        verdict, answer = tried.judged.verdict, tried.answer
        if verdict is Verdict.FITS:
            return None
        if verdict is Verdict.UNKNOWN:
            said = self._doubt(tried)
        else:
            said = self._error(answer) if verdict is Verdict.ERROR else self._refusal(tried)
        told = [one_line(said) if said else "", MAY_TIME_OUT if answer.may_time_out else ""]
        return "; ".join(filter(None, told)) or None

    def raised(self, answer: NodeAnswer) -> Raised | None:
        """What fails the pod; None for what is no matter of one device, as a selector that does not compile."""
        for steps in answer.steps:
            for device, test in zip(answer.devices, steps.tests, strict=True):
                if test.error is not None and test.error == answer.message:
                    return self._raised(device, steps)
        return None

    def _raised(self, device: PoolDevice, steps: RequestSteps) -> Raised | None:
        request = self._devices.request(steps)
        for lack in self._lacks.candidate(device, request).shortfalls():
            if lack.entry.error is not None and lack.condition.parts:
                of_class = lack.condition.source == "class"
                owner = f"class {request.device_class_name}" if of_class else f"request {_name(steps)}"
                return Raised(device, owner, lack)
        return None

    def _doubt(self, tried: Tried) -> str | None:
        """What is not known, after who holds the devices where somebody does."""
        doubt, answer = tried.judged.doubt, tried.answer
        holders = self._lacks.held_by(answer, self._ways(answer)) if answer.outcome is Outcome.REFUSES else None
        return f"{holders}; {doubt}" if holders else doubt

    def _error(self, answer: NodeAnswer) -> str | None:
        """The device and what its selector raised; in full, with Kubernetes' advice, it is the entry's message."""
        raised = self.raised(answer)
        return f"{raised.on.id.device}: {raised.lack.text} ({raised.owner})" if raised else answer.message

    def _refusal(self, tried: Tried) -> str | None:
        node, answer = tried.node, tried.answer
        if answer.message == NOT_AVAILABLE:
            return allocated_elsewhere(self._claims, node)
        if self._missing_classes:
            return absent(self._missing_classes)
        if not answer.steps:
            return answer.message
        if not answer.devices:
            return "; ".join(pool_reasons(answer.pools)) or _no_devices(node)
        if tried.judged.verdict is Verdict.IN_USE:
            return self._why(answer, answer, if_free=False)
        if tried.if_free is not None and tried.if_free.outcome is Outcome.FAILS:
            said = f"{self._lacks.held_anyhow(answer)}; once free it fails the pod: {self._error(tried.if_free)}"
        else:
            said = self._why(answer, tried.if_free or answer, if_free=True)
        return "; ".join([said, *pool_reasons(answer.pools)])

    def _why(self, answer: NodeAnswer, searched: NodeAnswer, *, if_free: bool) -> str:
        """What requests lack on their own, else what they lack together; ``searched`` found the constraints unmet."""
        wishes = self._wishes(answer)
        lacking = [(wish, lacks) for wish in wishes if (lacks := self._wish_lacks(answer, wish, len(wishes), if_free))]
        if lacking:
            return _of_several(lacking, wishes) if len(wishes) > 1 else _of_one(lacking[0][1])
        said = (
            constraint_words(searched.unmet, wishes)
            or self._too_few(wishes, if_free=if_free)
            or constraints_together(wishes, searched.steps)
            or counters_together(wishes, answer.pools, self._holders, if_free=if_free)
            or capacity_together(wishes, self._holders, if_free=if_free)
            or not_together(wishes)
        )
        if if_free:
            return said
        holders = self._lacks.held_by(answer, (way for wish in wishes for way in wish.ways))
        return f"{said}: {holders or self._lacks.held_anyhow(answer)}"

    def _too_few(self, wishes: Sequence[Wish], *, if_free: bool) -> str | None:
        """Requests that want more devices than there are, and what keeps others out that match."""
        said = too_few(wishes, if_free=if_free)
        if said is None or not if_free:
            return said
        unfit = (self._lacks.unfit(way) for wish in wishes for way in wish.ways)
        return ": ".join(filter(None, [said, next(filter(None, unfit), None)]))

    def _wish_lacks(self, answer: NodeAnswer, wish: Wish, wishes: int, if_free: bool) -> list[_Named]:
        """What each alternative lacks; of others than the class only where all are. Empty where one has its devices."""
        clauses = CLAUSES_MAX if wishes == 1 and len(wish.ways) == 1 else 1
        lacks = [self._lacks.of_way(answer, way, if_free=if_free, clauses=clauses) for way in wish.ways]
        named = [
            _Named(w.steps.alternative, lack) for w, lack in zip(wish.ways, lacks, strict=True) if lack is not None
        ]
        if len(named) < len(lacks):
            return []
        return [each for each in named if not each.lack.foreign] or named

    def _wishes(self, answer: NodeAnswer) -> list[Wish]:
        """The requests of the claims that are not allocated; of several claims, each by its claim's name too."""
        several = len({steps.claim for steps in answer.steps}) > 1
        grouped = groupby(answer.steps, lambda steps: (steps.claim, steps.request))
        return [
            Wish(
                claim,
                f"{request} of {self._claims[claim].name}" if several else request,
                tuple(self._holders.way(answer, steps, self._devices.request(steps)) for steps in group),
            )
            for (claim, request), group in grouped
        ]

    def _ways(self, answer: NodeAnswer) -> Iterator[Way]:
        return (way for wish in self._wishes(answer) for way in wish.ways)


def missing_classes(claims: Sequence[Claim], state: ClusterState) -> tuple[str, ...]:
    """The classes that unallocated claims name and the cluster does not have; none where classes were not read."""
    if state.is_unread("deviceclasses"):
        return ()
    known = {device_class.name for device_class in state.classes}
    wanted = class_names(claim for claim in claims if claim.allocation is None)
    return tuple(name for name in wanted if name not in known)


def allocated_elsewhere(claims: Iterable[Claim], node: Node) -> str:
    """``allocated on NODE`` for a claim that has its devices already; on that very node they are not bound."""
    for claim in claims:
        selector = claim.allocation.node_selector if claim.allocation is not None else None
        if selector is not None and not selector_matches(selector, node):
            fields = [r for term in selector.terms for r in term.match_fields]
            names = [name for r in fields if r.key == NAME_FIELD and r.operator == "In" for name in r.values]
            return f"allocated on {listed(names)}" if names else "allocated on other nodes"
    return "allocated here, but its devices are not bound: the driver reports a failure, or the time for it is over"


def _of_one(lacks: Sequence[_Named]) -> str:
    """What a request's alternatives lack: once where it is the same, else the two that come closest."""
    if len({str(each.lack) for each in lacks}) == 1:
        return str(lacks[0].lack)
    closest = sorted((each.lack for each in lacks), key=_closeness)[:CLAUSES_MAX]
    shown = [each for each in lacks if any(each.lack is one for one in closest)]
    holders = shown[0].lack.holders if len({each.lack.holders for each in shown}) == 1 else None
    if len({str(each.lack) for each in shown}) == 1:
        said = str(shown[0].lack)
    elif holders is not None and all(each.lack.text for each in shown):  # said of both, once
        said = f"{'; '.join(f'{each.alternative}: {each.lack.text}' for each in shown)}: {holders}"
    else:
        said = "; ".join(f"{each.alternative}: {each.lack}" for each in shown)
    more = len(lacks) - len(shown)
    return f"{said}; {count(more, 'other alternative')}" if more else said


def _of_several(lacking: Sequence[tuple[Wish, list[_Named]]], wishes: Sequence[Wish]) -> str:
    """What some requests lack: once where all of them lack the same, else the first two, each by its closest."""
    if len(lacking) == 1:
        ((wish, lacks),) = lacking
        return f"request {wish.label}: {_of_one(lacks)}"
    if len(lacking) == len(wishes) and len({_of_one(lacks) for _, lacks in lacking}) == 1:
        return _of_one(lacking[0][1])
    said = []
    for wish, lacks in lacking[:CLAUSES_MAX]:
        closest = min(lacks, key=lambda each: _closeness(each.lack))
        which = f" ({closest.alternative})" if len(lacks) > 1 else ""
        said.append(f"request {wish.label}{which}: {closest.lack}")
    more = len(lacking) - len(said)
    return "; ".join([*said, count(more, "other request")] if more else said)


def _closeness(lack: Lack) -> tuple[int, tuple[int, float]]:
    return -lack.stage, lack.distance


def _no_devices(node: Node) -> str:
    offers = device_plugin_offers(node)
    return (
        f"publishes no devices (offers {listed(offers)} through a device plugin)" if offers else "publishes no devices"
    )


def _name(steps: RequestSteps) -> str:
    return f"{steps.request}/{steps.alternative}" if steps.alternative else steps.request
