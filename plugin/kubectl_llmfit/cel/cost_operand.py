"""What the estimate knows of an operand, and what it says of a call.

Owns the records that the estimate and its tables share. Must not compute.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .ast import Literal, Node
from .cost_extent import Extent, Path
from .cost_range import UNKNOWN, Range


@dataclass(frozen=True, slots=True)
class Operand:
    """An argument or target: its node, its path from a variable if it has one, and its size if it is known."""

    node: Node
    path: Path | None
    size: Range | None

    @property
    def size_or_unknown(self) -> Range:
        """Its size, from nothing to anything when it is not known."""
        return UNKNOWN if self.size is None else self.size

    @property
    def literal_int(self) -> int | None:
        """The int it is written as; None for anything else."""
        value = self.node.value if isinstance(self.node, Literal) else None
        return value if type(value) is int else None


@dataclass(frozen=True, slots=True)
class CallEstimate:
    """The cost of a call, and the size of its result where that can be told."""

    cost: Range
    size: Range | None = None


@dataclass(frozen=True, slots=True)
class LibraryCall:
    """One call of a library's function; ``extents`` are the sizes of the variables."""

    function: str
    overload: str
    target: Operand | None
    args: list[Operand]
    extents: Mapping[str, Extent]

    def size(self, index: int) -> Range:
        """The size of an argument."""
        return self.args[index].size_or_unknown


LibraryEstimate = Callable[[LibraryCall], CallEstimate | None]
