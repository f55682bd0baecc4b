"""Why a node has the verdict it has: one sentence for REASON, and notes beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..api.values import Claim, ClusterState, DeviceRequest, Node, Taint
from ..dra.answer import Held, Match, NodeAnswer, Outcome, Pool, PoolDevice, RequestSteps
from ..dra.available import NOT_AVAILABLE
from ..dra.nodes import NAME_FIELD
from ..dra.taints import BLOCKING_EFFECTS, is_untolerated
from .conditions import Conditions
from .devices import Devices
from .kinds import class_names, device_plugin_offers
from .shortfalls import Candidate, Shortfall, nearest_miss
from .values import Verdict
from .verdicts import Judged
from .words import absent, count, listed, one_line, taint_text

MAY_TIME_OUT = "the scheduler may run out of its 10 s here (it tries every combination), and then fails the whole pod"

_MAY_MATCH = frozenset({Match.SELECTABLE, Match.NOT_KNOWN})


class Raised(NamedTuple):
    """A selector that raised on a device: whose it is (``class X`` or ``request r``) and which part."""

    on: PoolDevice
    owner: str
    lack: Shortfall


class Reasons:
    """Writes the reasons of one check."""

    def __init__(
        self, claims: Sequence[Claim], state: ClusterState, conditions: Conditions, devices: Devices, held: Held
    ) -> None:
        self._claims = claims
        self._devices = devices
        self._held = held
        self._conditions = conditions
        self._missing_classes = missing_classes(claims, state)
        self._several_requests = sum(len(claim.spec.requests) for claim in claims) > 1

    def of_node(self, node: Node, answer: NodeAnswer, judged: Judged) -> str | None:
        """What stops the claims on ``node``; None where nothing does."""
        if judged.verdict is Verdict.FITS:
            return None
        if judged.verdict is Verdict.UNKNOWN:
            said = self._doubt(answer, judged)
        else:
            said = self._error(answer) if judged.verdict is Verdict.ERROR else self._refusal(node, answer, judged)
        told = [one_line(said) if said else "", MAY_TIME_OUT if answer.may_time_out else ""]
        return "; ".join(filter(None, told)) or None

    def _doubt(self, answer: NodeAnswer, judged: Judged) -> str | None:
        holders = self._holders(answer, answer.steps) if answer.outcome is Outcome.REFUSES else []
        return f"{held_by(holders)}; {judged.doubt}" if holders else judged.doubt

    def _error(self, answer: NodeAnswer) -> str | None:
        """The device and what its selector raised; in full, with Kubernetes' advice, it is the entry's message."""
        raised = self.raised(answer)
        return f"{raised.on.id.device}: {raised.lack.text} ({raised.owner})" if raised else answer.message

    def raised(self, answer: NodeAnswer) -> Raised | None:
        """What fails the pod; None for what is no matter of one device, as a selector that does not compile."""
        for steps in answer.steps:
            for device, test in zip(answer.devices, steps.tests, strict=True):
                if test.error is not None and test.error == answer.message:
                    return self._raised(device, steps)
        return None

    def _raised(self, device: PoolDevice, steps: RequestSteps) -> Raised | None:
        request = self._devices.request(steps)
        for lack in self._candidate(device, request).shortfalls():
            if lack.entry.error is not None and lack.condition.parts:
                of_class = lack.condition.source == "class"
                owner = f"class {request.device_class_name}" if of_class else f"request {_name(steps)}"
                return Raised(device, owner, lack)
        return None

    def _refusal(self, node: Node, answer: NodeAnswer, judged: Judged) -> str | None:
        if answer.message == NOT_AVAILABLE:
            return allocated_elsewhere(self._claims)
        if self._missing_classes:
            return absent(self._missing_classes)
        if not answer.steps:
            return answer.message
        if not answer.devices:
            return "; ".join(pool_reasons(answer.pools)) or _no_devices(node)
        if judged.verdict is Verdict.IN_USE:
            return self._in_use(answer)
        said = [self._shortage(answer), *pool_reasons(answer.pools)]
        return "; ".join(text for text in said if text) or answer.message

    def _in_use(self, answer: NodeAnswer) -> str:
        """Who holds the devices; for one request of several devices, how many are left."""
        holders = held_by(self._holders(answer, answer.steps))
        wanted = self._devices.request(answer.steps[0]).count
        if self._several_requests or wanted < 2:
            return holders
        left = answer.steps[0].untainted
        free = "free" if left == answer.steps[0].free else "usable"
        return f"{wants(wanted, left, f'is {free}', f'are {free}')}: {holders}"

    def _shortage(self, answer: NodeAnswer) -> str | None:
        """What would be lacking were nothing held; holders are named only where nothing is."""
        for steps in answer.steps:
            lacking = self._lacking(answer, steps)
            if lacking:
                return f"request {_name(steps)}: {lacking}" if self._several_requests else lacking
        if self._several_requests:
            return "each request has devices, but not all of them together"
        holders = self._holders(answer, answer.steps)
        return held_by(holders) if holders else None

    def _lacking(self, answer: NodeAnswer, steps: RequestSteps) -> str | None:
        request = self._devices.request(steps)
        wanted = max(request.count, 1)
        if steps.after_selectors < wanted:
            missed = self._missed(answer, steps, request)
            if not steps.after_selectors:
                return missed
            short = wants(wanted, steps.after_selectors, "matches", "match")
            return f"{short}; {missed}" if missed else short
        if request.allocation_mode == "All":
            wanted = steps.after_selectors
        blocked = [device for device, test in zip(answer.devices, steps.tests, strict=True) if test.tainted]
        if steps.after_selectors - len(blocked) >= wanted:
            return None
        taints = {t for device in blocked for t in device.shape.taints if is_untolerated(t, request.tolerations)}
        said = tainted(taints, len(blocked))
        untainted = steps.after_selectors - len(blocked)
        return f"{wants(wanted, untainted, 'is untainted', 'are untainted')}: {said}" if request.count > 1 else said

    def _missed(self, answer: NodeAnswer, steps: RequestSteps, request: DeviceRequest) -> str | None:
        failing = [
            device
            for device, test in zip(answer.devices, steps.tests, strict=True)
            if device.reachable and test.match not in _MAY_MATCH
        ]
        candidates = [self._candidate(device, request) for device in self._devices.counted(failing)]
        return nearest_miss(candidates, request.device_class_name)

    def _candidate(self, device: PoolDevice, request: DeviceRequest) -> Candidate:
        results = {entry.id: entry for entry in self._devices.conditions(device)}
        tried = ((condition, results[condition.id]) for condition in self._conditions.of_request(request))
        return Candidate(device.id.device, tuple(tried))

    def _holders(self, answer: NodeAnswer, steps: Iterable[RequestSteps]) -> list[str]:
        """The claims that hold devices which pass the selectors, or may pass them."""
        return [
            holder
            for one in steps
            for device, test in zip(answer.devices, one.tests, strict=True)
            if test.match in _MAY_MATCH
            for holder in self._held.get(device.id, ())
        ]


def notes_on(node: Node, answer: NodeAnswer, reason: str | None) -> tuple[str, ...]:
    """What somebody should know of a node beside its ``reason``."""
    notes = []
    blocking = [taint_text(taint) for taint in node.taints if taint.effect in BLOCKING_EFFECTS]
    if blocking:
        notes.append(f"the pod must tolerate {listed(blocking)}")
    if node.ready is False:
        notes.append("the node is not ready: its driver may be gone although its devices are still published")
    offers = device_plugin_offers(node)
    if answer.may_time_out and reason is None:
        notes.append(MAY_TIME_OUT)
    if answer.pools and offers:
        notes.append(f"also offers {listed(offers)} through a device plugin, whose use is not visible here")
    notes.extend(text for text in pool_reasons(answer.pools) if reason is None or text not in reason)
    return tuple(notes)


def missing_classes(claims: Sequence[Claim], state: ClusterState) -> tuple[str, ...]:
    """The classes that unallocated claims name and the cluster does not have; none where classes were not read."""
    if state.is_unread("deviceclasses"):
        return ()
    known = {device_class.name for device_class in state.classes}
    wanted = class_names(claim for claim in claims if claim.allocation is None)
    return tuple(name for name in wanted if name not in known)


def allocated_elsewhere(claims: Iterable[Claim]) -> str | None:
    """``allocated on NODE`` for a claim that has its devices already."""
    for claim in claims:
        if claim.allocation is not None:
            selector = claim.allocation.node_selector
            fields = [r for term in selector.terms for r in term.match_fields] if selector else []
            names = [name for r in fields if r.key == NAME_FIELD and r.operator == "In" for name in r.values]
            return f"allocated on {listed(names)}" if names else "allocated on other nodes"
    return None


def wants(wanted: int, left: int, one: str, several: str) -> str:
    """``wants 3 devices, 2 match``; ``one`` and ``several`` are the verb."""
    return f"wants {count(wanted, 'device')}, {left or 'none'} {several if left > 1 else one}"


def held_by(holders: Iterable[str]) -> str:
    """``held by team-a/llama-70b, team-b/qwen``."""
    return f"held by {listed(sorted(set(holders)))}"


def tainted(taints: Iterable[Taint], devices: int) -> str:
    """``tainted key=value:NoSchedule (2 devices)``."""
    names = sorted({taint_text(taint) for taint in taints})
    return f"tainted {listed(names)} ({count(devices, 'device')})"


def pool_reasons(pools: Iterable[Pool]) -> list[str]:
    """What keeps pools from being used, with what to do about it."""
    return [f"{p.reason}: run again" if p.state == "Incomplete" else p.reason for p in pools if p.reason]


def _no_devices(node: Node) -> str:
    offers = device_plugin_offers(node)
    return (
        f"publishes no devices (offers {listed(offers)} through a device plugin)" if offers else "publishes no devices"
    )


def _name(steps: RequestSteps) -> str:
    return f"{steps.request}/{steps.alternative}" if steps.alternative else steps.request
