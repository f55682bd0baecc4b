"""How large values are, as far as their expression or their type tells.

Owns the sizes that an estimate starts from (cel-go: checker/cost.go, computeSize, isScalar). Must not walk.
"""

from __future__ import annotations

from dataclasses import dataclass

from .ast import ListLiteral, Literal, MapLiteral, Node
from .cost_extent import Path
from .cost_range import ONE, Range, fixed
from .types import Kind, Type, unwrap_optional

_SCALARS = frozenset({Kind.BOOL, Kind.DOUBLE, Kind.DURATION, Kind.INT, Kind.TIMESTAMP, Kind.UINT})


@dataclass(frozen=True, slots=True)
class Entries:
    """The sizes of the keys and values of a list or map."""

    kind: Kind
    key: Range
    value: Range

    def union(self, other: Entries) -> Entries:
        """The sizes of what may be either."""
        return Entries(self.kind, self.key.union(other.key), self.value.union(other.value))


@dataclass(frozen=True, slots=True)
class Local:
    """A variable of a macro."""

    path: Path | None
    size: Range | None
    entries: Entries | None


def written_size(node: Node) -> Range | None:
    """The size of what is written out in the expression."""
    if isinstance(node, Literal):
        return fixed(len(node.value)) if isinstance(node.value, str | bytes) else ONE
    if isinstance(node, ListLiteral):
        return fixed(len(node.elements))
    if isinstance(node, MapLiteral):
        return fixed(len(node.entries))
    return None


def is_scalar(type_: Type) -> bool:
    """Whether every value of a type has the size of one."""
    inner, is_optional = unwrap_optional(type_)
    return is_scalar(inner) if is_optional else type_.kind in _SCALARS
