"""What an evaluation has cost so far, and its end when that is too much.

Owns the frame that counts (cel-go: interpreter/runtimecost.go, CostTracker). Must not know what costs how much.
"""

from __future__ import annotations

from typing import Final

from .cost_range import MAX_COST
from .errors import CostLimitError
from .plan import Frame, Run

# Characters, bytes and elements that one evaluation may make. What Kubernetes charges for allows 10 million
# characters; what it does not charge for, such as sums of values of unknown type, ends here.
_MOST_MADE: Final = 12_000_000


class MeteredFrame(list[object]):
    """A frame that counts the cost of the evaluation that uses it."""

    __slots__ = ("cost", "made")

    def __init__(self, slots: Frame) -> None:
        super().__init__(slots)
        self.reset()

    def reset(self) -> None:
        """Count from nothing again."""
        self.cost = 0
        self.made = 0

    def charge(self, units: int) -> None:
        """Add to the cost; CostLimitError when it exceeds what Kubernetes allows."""
        self.cost += units
        if self.cost > MAX_COST:
            raise CostLimitError

    def make(self, size: int) -> None:
        """Count what is about to be made; CostLimitError when it would not fit."""
        self.made += size
        if self.made > _MOST_MADE:
            raise CostLimitError


def charge(frame: Frame, units: int) -> None:
    """Charge the evaluation that ``frame`` belongs to."""
    assert isinstance(frame, MeteredFrame)
    frame.charge(units)


def charged(run: Run, units: int) -> Run:
    """The same code at a fixed cost, which an error does not save."""

    def metered(frame: Frame) -> object:
        charge(frame, units)
        return run(frame)

    return metered
