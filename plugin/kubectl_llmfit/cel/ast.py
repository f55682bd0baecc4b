"""The syntax tree: what the parser makes, the checker annotates and the evaluator compiles.

Owns the node classes. Every node has the offset (in code points) that cel-go reports it at, and the span
of source text it was written as. Must not hold behaviour beyond walking.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum, auto

from .types import ERROR, Type


@dataclass(slots=True, eq=False)
class Node:
    """Any expression. ``start`` and ``end`` span its source text; ``offset`` is where errors point."""

    offset: int = field(kw_only=True)
    start: int = field(kw_only=True, default=-1)
    end: int = field(kw_only=True, default=-1)
    depth: int = field(kw_only=True, default=0)
    type: Type = field(kw_only=True, default=ERROR)

    def children(self) -> tuple[Node, ...]:
        """The direct sub-expressions, in source order."""
        return ()


@dataclass(slots=True, eq=False)
class Literal(Node):
    """A constant: int, UInt, float, str, bytes, bool or None."""

    value: object


@dataclass(slots=True, eq=False)
class Ident(Node):
    """A name. The checker says whether it is a variable from outside, or the ``constant``, type or number, it names."""

    name: str
    is_global: bool = False
    constant: Type | int | None = None


@dataclass(slots=True, eq=False)
class Select(Node):
    """``operand.field``, or has(operand.field) when ``test_only``."""

    operand: Node
    field: str
    test_only: bool = False
    constant: Type | int | None = None

    def children(self) -> tuple[Node, ...]:
        """What is selected from."""
        return (self.operand,)


@dataclass(slots=True, eq=False)
class Call(Node):
    """A function or operator; ``target`` is the receiver of ``target.function(args)``.

    ``overloads`` are the ids the checker found possible.
    """

    function: str
    args: list[Node]
    target: Node | None = None
    overloads: tuple[str, ...] = ()

    def children(self) -> tuple[Node, ...]:
        """The receiver, where there is one, and the arguments."""
        return tuple(self.args) if self.target is None else (self.target, *self.args)


@dataclass(slots=True, eq=False)
class ListLiteral(Node):
    """``[a, ?b]``; ``optional`` says per element whether it was written with ``?``."""

    elements: list[Node]
    optional: list[bool]

    def children(self) -> tuple[Node, ...]:
        """The elements."""
        return tuple(self.elements)


@dataclass(slots=True)
class Entry:
    """``key: value`` or ``?key: value`` of a map literal."""

    key: Node
    value: Node
    optional: bool


@dataclass(slots=True, eq=False)
class MapLiteral(Node):
    """``{key: value, …}``."""

    entries: list[Entry]

    def children(self) -> tuple[Node, ...]:
        """Keys and values by turns."""
        return tuple(part for entry in self.entries for part in (entry.key, entry.value))


@dataclass(slots=True)
class FieldEntry:
    """``name: value`` or ``?name: value`` of a message literal."""

    name: str
    value: Node
    optional: bool
    offset: int


@dataclass(slots=True, eq=False)
class MessageLiteral(Node):
    """``Type{name: value, …}``."""

    name: str
    entries: list[FieldEntry]

    def children(self) -> tuple[Node, ...]:
        """The fields' values."""
        return tuple(entry.value for entry in self.entries)


class Fold(Enum):
    """What a comprehension computes: which macro made it."""

    ALL = auto()
    EXISTS = auto()
    EXISTS_ONE = auto()
    COLLECT = auto()
    INSERT = auto()
    BIND = auto()


@dataclass(slots=True, eq=False)
class Comprehension(Node):
    """A loop over ``range``, which all macros expand to (cel-spec: the comprehension expression)."""

    fold: Fold
    range: Node
    variable: str
    second: str | None
    accumulator: str
    initial: Node
    condition: Node
    step: Node
    result: Node

    def children(self) -> tuple[Node, ...]:
        """The range, and what is worked out before, in, and after its rounds."""
        return (self.range, self.initial, self.condition, self.step, self.result)


def walk(*roots: Node) -> Iterator[Node]:
    """Every node below and including ``roots`` once, parents first; without recursion."""
    pending = [*reversed(roots)]
    seen: set[int] = set()
    while pending:
        node = pending.pop()
        if id(node) not in seen:
            seen.add(id(node))
            yield node
            pending.extend(reversed(node.children()))


def qualified_name(node: Node) -> str | None:
    """``a.b.c`` for a chain of plain selections from a name; None for anything else."""
    parts: list[str] = []
    while isinstance(node, Select) and not node.test_only:
        parts.append(node.field)
        node = node.operand
    if not isinstance(node, Ident):
        return None
    parts.append(node.name)
    return ".".join(reversed(parts))


def deepest(nodes: Iterable[Node]) -> int:
    """The greatest depth among nodes."""
    return max((node.depth for node in nodes), default=0)


def balanced(function: str, terms: list[Node], places: list[int], low: int, high: int) -> Node:
    """``a && b && c …`` as a balanced tree, each call at its own sign (cel-go: logicManager)."""
    middle = (low + high + 1) // 2
    left = terms[middle] if middle == low else balanced(function, terms, places, low, middle - 1)
    right = terms[middle + 1] if middle == high else balanced(function, terms, places, middle + 1, high)
    depth = deepest((left, right))
    return Call(function, [left, right], offset=places[middle], start=left.start, end=right.end, depth=depth)
