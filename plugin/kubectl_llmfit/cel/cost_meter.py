"""What an evaluation has cost so far, and its end when that is too much.

Owns the frame that counts (cel-go: interpreter/runtimecost.go, CostTracker). Must not know what costs how much.
"""

from __future__ import annotations

from collections.abc import Mapping, Sized
from typing import Final

from .cost_range import MAX_COST
from .errors import CelRuntimeError, CostLimitError
from .plan import Frame, Run
from .values import Optional, map_find

# Characters, bytes and elements that one evaluation may make. What Kubernetes charges for allows 10 million
# characters; what it does not charge for, such as sums of values of unknown type, ends here.
_MOST_MADE: Final = 12_000_000
# Elements within elements that comparisons may look at, and calls that may fail, in one evaluation. Kubernetes charges
# for neither by their number, and here both take longer.
_MOST_SEEN: Final = 500_000
_MOST_FAILED: Final = 100_000


class MeteredFrame(list[object]):
    """A frame that counts the cost of the evaluation that uses it."""

    __slots__ = ("cost", "failed", "made", "seen")

    def __init__(self, slots: Frame) -> None:
        super().__init__(slots)
        self.reset()

    def reset(self) -> None:
        """Count from nothing again."""
        self.cost = 0
        self.made = 0
        self.seen = 0
        self.failed = 0

    def charge(self, units: int) -> None:
        """Add to the cost; CostLimitError when it exceeds what Kubernetes allows, as a cost below nothing does."""
        self.cost += units
        if not 0 <= self.cost <= MAX_COST:
            raise CostLimitError

    def make(self, size: int) -> None:
        """Count what is about to be made; CostLimitError when it would not fit."""
        self.made += size
        if self.made > _MOST_MADE:
            raise CostLimitError

    def fail(self) -> None:
        """Count a call that failed."""
        self.failed += 1
        if self.failed > _MOST_FAILED:
            raise CostLimitError

    def see(self, count: int) -> None:
        """Count values that are looked at for nothing; CostLimitError when they are too many."""
        self.seen += count
        if self.seen > _MOST_SEEN:
            raise CostLimitError

    def compare(self, values: list[object]) -> None:
        """Count what is in the elements of values that are about to be compared."""
        pending = [inner for value in values for inner in _containers_in(value)]
        while pending:
            value = pending.pop()
            self.see(len(value))
            pending.extend(_containers_in(value))


def _containers_in(value: object) -> list[Sized]:
    """The lists and maps that are elements of a list or values of a map, and what they hold."""
    if isinstance(value, Optional):
        value = value.value
    if isinstance(value, list | tuple):
        return [element for element in value if isinstance(element, list | tuple | Mapping)]
    if isinstance(value, Mapping):
        return [inner for key in value if isinstance(inner := map_find(value, key), list | tuple | Mapping)]
    return []


def charge(frame: Frame, units: int) -> None:
    """Charge the evaluation that ``frame`` belongs to."""
    assert isinstance(frame, MeteredFrame)
    frame.charge(units)


def start_anew(frame: Frame) -> None:
    """Let the next evaluation on a frame have the whole limit for itself."""
    if isinstance(frame, MeteredFrame):
        frame.reset()


def charged(run: Run, units: int) -> Run:
    """The same code at a fixed cost, which an error does not save; a panic comes before the charge."""

    def _metered(frame: Frame) -> object:
        try:
            value = run(frame)
        except CelRuntimeError:
            charge(frame, units)
            raise
        assert isinstance(frame, MeteredFrame)
        frame.cost += units
        if frame.cost > MAX_COST:
            raise CostLimitError
        return value

    return _metered
