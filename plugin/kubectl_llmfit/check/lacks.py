"""What one alternative of a request lacks on a node, in a person's words: who holds it, or what no device has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..api.values import DeviceRequest
from ..dra.answer import Match, NodeAnswer, PoolDevice
from ..dra.inventory import Inventory
from .conditions import Conditions
from .device_taints import untolerated
from .devices import Devices
from .obstacles import MAY_MATCH, Stage, Way
from .shortages import nearest_shortage, smallest_gap
from .shortfalls import Candidate, distance, is_outside, nearest_miss
from .words import count, listed

CLAUSES_MAX = 2  # what one reason spells out; the rest is counted


@dataclass(frozen=True, slots=True)
class Lack:
    """What an alternative lacks, and how close it comes.

    ``holders`` says who stands behind it, where that is all there is to say with an empty ``text``. ``stage`` is how
    far its devices get, ``distance`` how many things the closest of them lacks and by how much. ``foreign``: there
    are no devices of its class, only others.
    """

    text: str
    stage: Stage
    distance: tuple[int, float] = (0, 0.0)
    foreign: bool = False
    holders: str | None = None

    def __str__(self) -> str:
        """All of it."""
        return ": ".join(filter(None, [self.text, self.holders]))


class Lacks:
    """Says what alternatives lack on the nodes of one check."""

    def __init__(self, conditions: Conditions, devices: Devices, inventory: Inventory) -> None:
        self._conditions = conditions
        self._devices = devices
        self._inventory = inventory
        self._holders = devices.holders

    def of_way(self, answer: NodeAnswer, way: Way, *, if_free: bool, clauses: int = CLAUSES_MAX) -> Lack | None:
        """What the alternative lacks now, or would were nothing held (``if_free``); None where it has its devices."""
        could = len(way.usable(if_free=True))
        if could < way.wanted:
            return self._for_good(way, clauses)
        usable = len(way.usable(if_free=False))
        return None if if_free or usable >= way.wanted else self._occupied(answer, way, usable, clauses)

    def unfit(self, way: Way) -> str | None:
        """What keeps out devices that match, whoever holds what; None where nothing does."""
        short, blocked = way.stopped(Stage.COUNTERS, Stage.CAPACITY), way.stopped(Stage.TAINTED)
        if short:
            return nearest_shortage(way, short, 1)
        return self._tainted(way, blocked) if blocked else None

    def held_by(self, answer: NodeAnswer, ways: Iterable[Way]) -> str | None:
        """Who stands behind what stops the alternatives, None where nobody does."""
        holders = {holder for way in ways for number in way.occupied() for holder in self._behind(answer, way, number)}
        return held_by(holders) if holders else None

    def held_anyhow(self, answer: NodeAnswer) -> str | None:
        """Who holds anything of the node's pools, None where nobody does."""
        holders = self._holders.of_pools(answer.pools)
        return held_by(holders) if holders else None

    def candidate(self, device: PoolDevice, request: DeviceRequest) -> Candidate:
        """A device with what became of the conditions of one alternative."""
        results = {entry.id: entry for entry in self._devices.conditions(device)}
        tried = ((condition, results[condition.id]) for condition in self._conditions.of_request(request))
        return Candidate(device.id.device, tuple(tried))

    def _behind(self, answer: NodeAnswer, way: Way, number: int) -> tuple[str, ...]:
        obstacle = way.obstacles[number]
        return self._holders.of_obstacle(obstacle, way.devices[number].id, answer.pools) if obstacle else ()

    def _occupied(self, answer: NodeAnswer, way: Way, usable: int, clauses: int) -> Lack:
        """Devices that would do were nothing held: what of them is gone, and who has it."""
        held, short = way.stopped(Stage.HELD), way.stopped(Stage.COUNTERS_USED, Stage.CAPACITY_USED)
        holders = self.held_by(answer, [way])
        if short and not held and not way.stopped(Stage.COUNTERS_USED):
            holders = f"shares {holders}"
        others = way.stopped(Stage.TAINTED, Stage.COUNTERS, Stage.CAPACITY) or short
        verb = ("is usable", "are usable") if others else ("is free", "are free")
        text = _counted(way, usable, *verb, nearest_shortage(way, short, clauses) if short else None)
        stage = Stage.COUNTERS_USED if short else Stage.HELD
        return Lack(text, stage, (0, smallest_gap(way, short)), holders=holders)

    def _for_good(self, way: Way, clauses: int) -> Lack:
        """Too few devices would do whoever holds what: the first stage at which there are too few says why."""
        left = len(way.devices) - len(way.stopped(Stage.NO_MATCH))
        if left < way.wanted:
            return self._no_match(way, left, clauses)
        blocked = way.stopped(Stage.TAINTED)
        left -= len(blocked)
        if left < way.wanted:
            return Lack(
                _counted(way, left, "is untainted", "are untainted", self._tainted(way, blocked)), Stage.TAINTED
            )
        short = way.stopped(Stage.COUNTERS, Stage.CAPACITY)
        said = nearest_shortage(way, short, clauses)
        text = _counted(way, left - len(short), "is usable", "are usable", said)
        return Lack(text, Stage.CAPACITY, (0, smallest_gap(way, short)))

    def _tainted(self, way: Way, numbers: Sequence[int]) -> str:
        taints = (untolerated(way.devices[n], way.request.tolerations, self._inventory) for n in numbers)
        return tainted((str(taint) for each in taints for taint in each), len(numbers))

    def _no_match(self, way: Way, matching: int, clauses: int) -> Lack:
        failing = [
            (device, test)
            for device, test in zip(way.devices, way.steps.tests, strict=True)
            if device.reachable and test.match not in MAY_MATCH
        ]
        counted = self._devices.counted([device for device, _ in failing])
        candidates = [self.candidate(device, way.request) for device in counted]
        lacking = [lacks for candidate in candidates if (lacks := candidate.shortfalls())]
        missed = nearest_miss(candidates, way.request.device_class_name, clauses)
        if missed is None and any(test.match is Match.NOT_BINDING for _, test in failing):
            missed = f"has binding conditions, and their feature gate is off ({count(len(failing), 'device')})"
        short = wants(way, matching, "matches", "match") if matching else None
        text = "; ".join(filter(None, [short, missed])) or wants(way, matching, "matches", "match")
        nearest = min(map(distance, lacking), default=(len(way.devices), 0.0))
        return Lack(text, Stage.NO_MATCH, nearest, bool(lacking) and all(map(is_outside, lacking)) and not matching)


def wants(way: Way, left: int, one: str, several: str) -> str:
    """``wants 3 devices, 2 match``, ``wants all 4 devices, 3 are free``; ``one`` and ``several`` are the verb."""
    every = "all " if way.request.allocation_mode == "All" and way.wanted > 1 else ""
    return f"wants {every}{count(way.wanted, 'device')}, {left or 'none'} {several if left > 1 else one}"


def _counted(way: Way, left: int, one: str, several: str, said: str | None) -> str:
    """What is said, after how many devices are wanted and left where that is more than one."""
    wanted = wants(way, left, one, several) if way.wanted > 1 else None
    return ": ".join(filter(None, [wanted, said]))


def held_by(holders: Iterable[str]) -> str:
    """``held by team-a/llama-70b, team-b/qwen``."""
    return f"held by {listed(sorted(set(holders)))}"


def tainted(taints: Iterable[str], devices: int) -> str:
    """``tainted key=value:NoSchedule (2 devices)``."""
    return f"tainted {listed(sorted(set(taints)))} ({count(devices, 'device')})"
