"""Where this program and the scheduler's allocator differ about a world. Owns what counts as a difference."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from agree.scheduler import ours
from agree.scheduler.stored import as_stored
from agree.scheduler.world import World
from kubectl_llmfit.dra.answer import NodeAnswer, Outcome
from kubectl_llmfit.dra.rules import rules_for
from oracle import scheduler
from oracle.scheduler import NEWEST, SchedulerOracle, TakenDevice

_BATCH = 240  # questions
# In any order of the pools and slices of a small world, and where that did not do, in more.
_TIMES = 12
_MORE_TIMES = 400


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


class Comparison:
    """Asks both sides about the worlds of one version of Kubernetes.

    Where the scheduler goes over pools in any order, one that it does not fix, it is asked many times, and any of its
    answers will do. ``outcomes`` counts the first answers for the nodes, ``left_to_chance`` the nodes that it answers
    with more than one outcome.
    """

    def __init__(self, oracle: SchedulerOracle, kubernetes: str = NEWEST) -> None:
        self._oracle, self._kubernetes = oracle, kubernetes
        self._times = 1 if rules_for(kubernetes).order_is_fixed else _TIMES
        self.outcomes: Counter[str] = Counter()
        self.left_to_chance = 0

    def differences(self, worlds: Iterable[World]) -> Iterator[Difference]:
        """At most one difference for each world, in order."""
        remaining = iter(worlds)
        while batch := list(islice(remaining, _BATCH // self._times)):
            stored = [as_stored(world, self._kubernetes) for world in batch]
            found = list(self._of_batch(stored, self._times))
            if found and self._times > 1:
                found = list(self._of_batch([each.world for each in found], _MORE_TIMES, again=True))
            yield from found

    def _of_batch(self, batch: Sequence[World], times: int, *, again: bool = False) -> Iterator[Difference]:
        """Takes all answers of the oracle, as it wants it."""
        answers = self._oracle.ask([scenario for world in batch for scenario in [world.scenario()] * times])
        for world in batch:
            theirs = list(zip(*islice(answers, times), strict=True))  # by node
            if not again:
                self.outcomes.update(given[0].outcome for given in theirs)
                self.left_to_chance += sum(len({each.outcome for each in given}) > 1 for given in theirs)
            found = difference(world, theirs, self._kubernetes)
            if found is not None:
                yield found


def difference(world: World, theirs: Sequence[Sequence[scheduler.NodeAnswer]], kubernetes: str) -> Difference | None:
    """The gravest difference among the nodes: one in what is said before one in what is not known."""
    first = theirs[0][0]
    try:
        answered = ours.answers(world, kubernetes)
    except Exception as error:  # whatever it is, it is to be shrunk and shown
        return Difference(f"crash: {type(error).__name__}", world, first.node, repr(error), first.outcome)
    found = [
        Difference(kind, world, given[0].node, _ours_told(our), " | ".join(map(_theirs_told, dict.fromkeys(given))))
        for our, given in zip(answered, theirs, strict=True)
        if (kind := kind_of_difference(our, given)) is not None
    ]
    return min(found, key=lambda each: each.kind == "unknown", default=None)


def kind_of_difference(our: NodeAnswer, theirs: Sequence[scheduler.NodeAnswer]) -> str | None:
    """In what our answer for a node differs from all that the scheduler gives; None where it is one of them.

    Where chance decides about the outcome it is right not to know it.
    """
    outcomes = sorted({each.outcome for each in theirs})
    if our.outcome == Outcome.UNKNOWN:
        return "unknown" if len(outcomes) == 1 else None
    alike = [each for each in theirs if each.outcome == our.outcome]
    if not alike:
        return f"outcome {' or '.join(outcomes)}"
    if tuple(map(ours.taken, our.allocation)) not in {each.devices for each in alike}:
        return "devices"
    return None if (our.message or "") in {_plain(each.message) for each in alike} else "message"


def _plain(message: str) -> str:
    """Without the node selector as Go prints it, and the place in it."""
    return re.sub(r" &NodeSelector\{.*\}: nodeSelectorTerms\S+ Invalid value: \S+", ":", message)


def _theirs_told(answer: scheduler.NodeAnswer) -> str:
    return _told(answer.outcome, answer.message, answer.devices)


def _ours_told(answer: NodeAnswer) -> str:
    return _told(str(answer.outcome), answer.message or "", tuple(map(ours.taken, answer.allocation)))


def _told(outcome: str, message: str, devices: Sequence[TakenDevice]) -> str:
    return " ".join([outcome, message, *map(device_told, devices)])


def device_told(device: TakenDevice) -> str:
    """A device of an allocation for a person."""
    marks = (" admin" if device.admin_access else "") + (" share" if device.shared else "")
    consumed = "".join(f" {name}={amount}" for name, amount in device.consumed)
    return f"[{device.claim}:{device.request} {device.driver}/{device.pool}/{device.device}{marks}{consumed}]"
