"""Where this program and the scheduler's allocator differ about a world. Owns what counts as a difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from agree.scheduler import ours
from agree.scheduler.world import World
from kubectl_llmfit.dra.answer import NodeAnswer
from oracle import scheduler
from oracle.scheduler import NEWEST, SchedulerOracle, TakenDevice

_BATCH = 200


@dataclass(frozen=True, slots=True)
class Difference:
    """A node that the two sides answer differently; ``kind`` says in what, "unknown" that we do not tell."""

    kind: str
    world: World
    node: str
    ours: str
    theirs: str

    def report(self) -> str:
        """For a person."""
        return f"{self.kind} on {self.node}\n  ours:          {self.ours}\n  the scheduler: {self.theirs}"


@dataclass(slots=True)
class Comparison:
    """Asks both sides; counts the outcomes of the nodes that were compared."""

    oracle: SchedulerOracle
    kubernetes: str = NEWEST
    outcomes: Counter[str] = field(default_factory=Counter)

    def differences(self, worlds: Iterable[World]) -> Iterator[Difference]:
        """At most one difference for each world, in order."""
        remaining = iter(worlds)
        while batch := list(islice(remaining, _BATCH)):
            answers = self.oracle.ask([world.scenario() for world in batch])
            for world, theirs in zip(batch, answers, strict=True):
                self.outcomes.update(answer.outcome for answer in theirs)
                found = difference(world, theirs, self.kubernetes)
                if found is not None:
                    yield found


def difference(world: World, theirs: Sequence[scheduler.NodeAnswer], kubernetes: str) -> Difference | None:
    """The gravest difference among the nodes: one in what is said before one in what is not known."""
    try:
        answered = ours.answers(world, kubernetes)
    except Exception as error:  # whatever it is, it is to be shrunk and shown
        return Difference(f"crash: {type(error).__name__}", world, theirs[0].node, repr(error), theirs[0].outcome)
    found = [
        Difference(kind, world, their.node, _ours_told(our), _told(their.outcome, their.message, their.devices))
        for our, their in zip(answered, theirs, strict=True)
        if (kind := kind_of_difference(our, their)) is not None
    ]
    return min(found, key=lambda each: each.kind == "unknown", default=None)


def kind_of_difference(our: NodeAnswer, their: scheduler.NodeAnswer) -> str | None:
    """In what two answers for a node differ; None where they agree."""
    if our.outcome == "Unknown":
        return "unknown"
    if our.outcome != their.outcome:
        return f"outcome {their.outcome}"
    if tuple(map(ours.taken, our.allocation)) != their.devices:
        return "devices"
    return "message" if (our.message or "") != their.message else None


def _ours_told(answer: NodeAnswer) -> str:
    return _told(str(answer.outcome), answer.message or "", tuple(map(ours.taken, answer.allocation)))


def _told(outcome: str, message: str, devices: Sequence[TakenDevice]) -> str:
    return " ".join([outcome, message, *map(device_told, devices)])


def device_told(device: TakenDevice) -> str:
    """A device of an allocation for a person."""
    marks = (" admin" if device.admin_access else "") + (" share" if device.shared else "")
    consumed = "".join(f" {name}={amount}" for name, amount in device.consumed)
    return f"[{device.claim}:{device.request} {device.driver}/{device.pool}/{device.device}{marks}{consumed}]"
