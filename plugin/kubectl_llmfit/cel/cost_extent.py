"""How large the variables of an environment can be, and the paths by which the estimate looks it up.

Owns the declaration of greatest sizes (dynamic-resource-allocation: cel/compile.go, sizeEstimator). Must not
know which variables there are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .cost_range import Range

# What a path has for the elements, keys and positions of lists and maps (cel-go: checker/cost.go).
ITEMS = "@items"
VALUES = "@values"
KEYS = "@keys"
POSITIONS = "@indices"


@dataclass(frozen=True, slots=True)
class Extent:
    """The greatest size of a value, and the extents of what is in it.

    ``most`` counts characters or entries. ``open_fields``: selecting any name is taking an element.
    """

    most: int = 0
    keys: Extent | None = None
    elements: Extent | None = None
    fields: Mapping[str, Extent] = field(default_factory=dict)
    open_fields: bool = False

    def at(self, name: str) -> Extent | None:
        """The extent one step further along a path; None when nothing is declared."""
        if name in (ITEMS, VALUES):
            return self.elements
        if name == KEYS:
            return self.keys
        return self.fields.get(name) or (self.elements if self.open_fields else None)


class Path:
    """A variable's name and the steps from it.

    A Go slice: appending writes into cells that other paths may share, so that of two steps from the same
    path the later one can show in both. Kubernetes' estimates depend on it.
    """

    __slots__ = ("_cells", "_length")

    def __init__(self, cells: list[str], length: int) -> None:
        self._cells = cells
        self._length = length

    @property
    def root(self) -> str:
        """The variable."""
        return self._cells[0]

    def then(self, step: str) -> Path:
        """The path one step further."""
        cells = self._cells
        if self._length == len(cells):
            cells = cells + [""] * len(cells)
        cells[self._length] = step
        return Path(cells, self._length + 1)

    def copied(self) -> Path:
        """The same path in cells of its own."""
        return Path(self._cells[: self._length], self._length)

    def size(self, extents: Mapping[str, Extent]) -> Range | None:
        """The size of what is there; None when it is not declared."""
        here = extents.get(self._cells[0])
        for step in self._cells[1 : self._length]:
            if here is None:
                return None
            here = here.at(step)
        return None if here is None else Range(0, here.most)


def start(name: str) -> Path:
    """The path of a variable itself."""
    return Path([name], 1)


def extended(path: Path | None, step: str) -> Path:
    """``path`` and one step more; where nothing is known of the path, the step alone."""
    return start(step) if path is None else path.then(step)
