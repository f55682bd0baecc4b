"""The devices of one node: their verdicts, grouped where nothing tells them apart."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import NamedTuple

from ..api.values import Claim, DeviceRequest, ResourceSlice, Taint
from ..dra.answer import DeviceID, Match, NodeAnswer, PoolDevice, RequestSteps
from ..dra.inventory import Inventory
from ..drivers.registry import is_counted
from .conditions import Conditions
from .device_taints import taints_of
from .kinds import class_names
from .obstacles import Holders, Obstacle, Stage
from .shortages import shortage_words
from .shortfalls import Candidate, is_foreign
from .values import ConditionEntry, DeviceGroup, MatchCount, Verdict
from .verdicts import DeviceView, judge_device


class _GroupKey(NamedTuple):
    """What tells devices apart; ``conditions`` is the identity of the interned results."""

    driver: str
    pool: str
    verdict: Verdict
    taints: tuple[Taint, ...]
    conditions: int
    short_of: tuple[str, ...]


class _Seen(NamedTuple):
    """A device of an answer with all that is said of it."""

    device: PoolDevice
    key: _GroupKey
    held_by: tuple[str, ...]


class Devices:
    """Describes the devices of nodes for one set of claims."""

    def __init__(self, claims: Sequence[Claim], conditions: Conditions, inventory: Inventory) -> None:
        self._conditions = conditions
        self._inventory = inventory
        self.holders = Holders(inventory)
        self._classes = class_names(claims)
        self._foreign: dict[int, bool] = {}  # by the identity of the interned results
        self._requests: Mapping[tuple[int, str, str | None], DeviceRequest] = {
            (index, request.name, alternative.name if request.prioritized else None): alternative
            for index, claim in enumerate(claims)
            for request in claim.spec.requests
            for alternative in request.alternatives
        }

    def match(self, answer: NodeAnswer) -> MatchCount | None:
        """How many devices pass the selectors of a request, of all that count; None where that is not known.

        Two drivers may publish one accelerator: the devices of a driver that no class selects count only where
        there are no others.
        """
        if not answer.steps or not all(map(is_known, answer.steps)):
            return None
        passing = counted = of_others = 0
        for position, device in enumerate(answer.devices):
            if not device.reachable:
                continue
            passes = any(steps.tests[position].match is Match.SELECTABLE for steps in answer.steps)
            passing += passes
            if passes or is_counted(device.id.driver, device.shape, self._classes):
                foreign = not passes and self._is_foreign(device)
                of_others += foreign
                counted += not foreign
        return MatchCount(passing, counted or of_others)

    def counted(self, devices: Sequence[PoolDevice]) -> list[PoolDevice]:
        """Those of ``devices`` that count, or all where none does."""
        counted = [d for d in devices if is_counted(d.id.driver, d.shape, self._classes)]
        return counted or list(devices)

    def groups(self, answer: NodeAnswer, shared: Container[DeviceID]) -> tuple[DeviceGroup, ...]:
        """The devices that only this node reaches, equal ones together, in the scheduler's order."""
        members: dict[_GroupKey, list[_Seen]] = {}
        for position, device in enumerate(answer.devices):
            if device.reachable and device.id not in shared:
                seen = self._see(answer, position)
                members.setdefault(seen.key, []).append(seen)
        return tuple(self._group(devices, None) for devices in members.values())

    def shared_groups(
        self, answers: Mapping[str, NodeAnswer], shared: Mapping[DeviceID, Sequence[str]]
    ) -> tuple[DeviceGroup, ...]:
        """The devices that several nodes reach, each once, with those of its nodes that ``answers`` names."""
        members: dict[tuple[_GroupKey, tuple[str, ...]], list[_Seen]] = {}
        known: set[DeviceID] = set()
        for answer in answers.values():
            for position, device in enumerate(answer.devices):
                if device.id in shared and device.reachable and device.id not in known:
                    known.add(device.id)
                    nodes = tuple(name for name in shared[device.id] if name in answers)
                    seen = self._see(answer, position)
                    members.setdefault((seen.key, nodes), []).append(seen)
        return tuple(self._group(devices, nodes) for (_, nodes), devices in members.items())

    def request(self, steps: RequestSteps) -> DeviceRequest:
        """The request, or alternative, that ``steps`` are about."""
        return self._requests[steps.claim, steps.request, steps.alternative]

    def conditions(self, device: PoolDevice) -> tuple[ConditionEntry, ...]:
        """What became of each condition on a device."""
        return self._conditions.on_device(device.id.driver, device.shape)

    def _is_foreign(self, device: PoolDevice) -> bool:
        """Whether the classes of all requests leave the device out because of its driver."""
        entries = self.conditions(device)
        known = self._foreign.get(id(entries))
        if known is None:
            results = {entry.id: entry for entry in entries}
            tried = (
                Candidate(device.id.device, tuple((c, results[c.id]) for c in self._conditions.of_request(request)))
                for request in self._requests.values()
            )
            known = self._foreign[id(entries)] = all(is_foreign(candidate.shortfalls()) for candidate in tried)
        return known

    def _see(self, answer: NodeAnswer, position: int) -> _Seen:
        """One of ``answer.devices`` as its entry shows it."""
        device = answer.devices[position]
        requests = [self.request(steps) for steps in answer.steps]
        obstacles = [
            self.holders.obstacle(answer, steps, request, position)
            for steps, request in zip(answer.steps, requests, strict=True)
        ]
        verdict = self._verdict(answer, position, obstacles)
        held_by = dict.fromkeys(self.holders.of_device(device.id))
        if verdict is Verdict.IN_USE:
            behind = (self.holders.of_obstacle(o, device.id, answer.pools) for o in obstacles if o is not None)
            held_by.update(dict.fromkeys(claim for claims in behind for claim in claims))
        short = dict.fromkeys(
            str(words)
            for obstacle, request in zip(obstacles, requests, strict=True)
            if obstacle is not None and (words := shortage_words(obstacle, request, device.shape)) is not None
        )
        taints = tuple(tainted.taint for tainted in taints_of(device, self._inventory))
        entries = id(self.conditions(device))
        key = _GroupKey(device.id.driver, device.id.pool, verdict, taints, entries, tuple(short))
        return _Seen(device, key, tuple(held_by))

    def _verdict(self, answer: NodeAnswer, position: int, obstacles: Sequence[Obstacle | None]) -> Verdict:
        """The verdict of one of ``answer.devices`` alone."""
        device = answer.devices[position]
        views = []
        for steps, obstacle in zip(answer.steps, obstacles, strict=True):
            request = self.request(steps)
            stage = obstacle.stage if obstacle is not None else None
            views.append(
                DeviceView(
                    steps.tests[position],
                    looks_at_held=request.admin_access or request.allocation_mode == "All",
                    takes_held=request.admin_access,
                    beyond=stage in {Stage.COUNTERS, Stage.CAPACITY},
                    used=stage in {Stage.COUNTERS_USED, Stage.CAPACITY_USED},
                    accounted=bool(device.shape.consumes_counters) or device.shape.allow_multiple_allocations,
                )
            )
        return judge_device(
            views,
            held=device.id in self._inventory.held,
            holders_unread=self._inventory.claims_unread is not None,
            node_unread=self._inventory.nodes_unread is not None,
        )

    def _group(self, members: Sequence[_Seen], nodes: tuple[str, ...] | None) -> DeviceGroup:
        first, key = members[0].device, members[0].key
        return DeviceGroup(
            driver=key.driver,
            pool=key.pool,
            devices=tuple(seen.device.id.device for seen in members),
            verdict=key.verdict,
            held_by={seen.device.id.device: seen.held_by for seen in members if seen.held_by},
            taints=key.taints,
            conditions=self.conditions(first),
            short_of=key.short_of,
            nodes=nodes,
        )


def is_known(steps: RequestSteps) -> bool:
    """Whether it is known of every device what the selectors say of it."""
    return all(test.match is not Match.NOT_KNOWN for test in steps.tests)


def shared_pools(slices: Iterable[ResourceSlice]) -> frozenset[tuple[str, str]]:
    """The pools of which several nodes may reach the same device."""
    return frozenset((s.driver, s.pool) for s in slices if not s.targeting.node_name)


def shared_devices(answers: Mapping[str, NodeAnswer], pools: frozenset[tuple[str, str]]) -> dict[DeviceID, list[str]]:
    """The devices that several nodes reach, with the nodes."""
    reached: dict[DeviceID, list[str]] = {}
    if pools:
        for node, answer in answers.items():
            for device in answer.devices:
                if device.reachable and (device.id.driver, device.id.pool) in pools:
                    reached.setdefault(device.id, []).append(node)
    return {device: nodes for device, nodes in reached.items() if len(nodes) > 1}
