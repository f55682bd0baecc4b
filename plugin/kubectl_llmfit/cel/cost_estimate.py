"""What an expression can cost at most, from its typed tree.

Owns the walk over the tree: costs of nodes, sizes of values, the loops (cel-go: checker/cost.go, coster).
Its figures decide what Kubernetes accepts, so they are kept to the last unit. Must not evaluate.
"""

from __future__ import annotations

from collections.abc import Mapping

from . import operators as op
from .ast import (
    Call,
    Comprehension,
    Fold,
    Ident,
    ListLiteral,
    Literal,
    MapLiteral,
    MessageLiteral,
    Node,
    Select,
)
from .cost_extent import ITEMS, KEYS, POSITIONS, VALUES, Extent, Path, extended, start
from .cost_functions import call_estimate
from .cost_operand import CallEstimate, Operand
from .cost_range import MOST, NEW_LIST, NEW_MAP, NEW_MESSAGE, NOTHING, ONE, READ, UNKNOWN, Range, fixed, total
from .cost_size import Entries, Local, is_scalar, written_size
from .macros import ACCUMULATOR
from .types import Kind

_READ = fixed(READ)
_WITH_FIELDS = frozenset({Kind.MAP, Kind.OBJECT, Kind.PARAM})


def estimate(root: Node, extents: Mapping[str, Extent]) -> Range:
    """The cost of a checked tree; ``extents`` has the greatest sizes of the variables."""
    return _Estimator(extents).cost(root)


class _Estimator:
    """One walk over one tree. Shared nodes, which cel-go has as copies, are walked once."""

    def __init__(self, extents: Mapping[str, Extent]) -> None:
        self._extents = extents
        self._paths: dict[int, Path | None] = {}
        self._locals: dict[str, list[Local]] = {}
        self._sizes: dict[int, Range] = {}
        self._entries: dict[int, Entries] = {}
        self._costs: dict[int, Range] = {}

    def cost(self, node: Node) -> Range:
        """The cost of a node and all below it, worked out once."""
        known = self._costs.get(id(node))
        if known is None:
            known = self._costs[id(node)] = self._cost(node)
        return known

    def _cost(self, node: Node) -> Range:
        match node:
            case Literal():
                return NOTHING
            case Ident():
                return self._ident(node)
            case Select():
                return self._select(node)
            case Call():
                return self._call(node)
            case ListLiteral():
                return self._list(node)
            case MapLiteral():
                return self._map(node)
            case Comprehension():
                return self._bind(node) if node.fold is Fold.BIND else self._loop(node)
            case MessageLiteral():
                return total([self.cost(entry.value) for entry in node.entries]).plus(fixed(NEW_MESSAGE))
        raise TypeError(f"cannot estimate {type(node).__name__}")

    # Nodes

    def _ident(self, node: Ident) -> Range:
        local = self._local(node)
        name = node.name.removeprefix(".")
        # Only a variable that a macro's hides keeps its dot, and is then no variable that a size is declared for.
        self._paths[id(node)] = start(node.name if self._locals.get(name) else name) if local is None else local.path
        return _READ

    def _select(self, node: Select) -> Range:
        if node.constant is not None:
            return _READ
        cost = self.cost(node.operand)
        if node.test_only:
            return cost
        self._paths[id(node)] = extended(self._path(node.operand), node.field)
        return cost.plus(_READ) if node.operand.type.kind in _WITH_FIELDS else cost

    def _list(self, node: ListLiteral) -> Range:
        cost = total([self.cost(element) for element in node.elements])
        value = self._joined(node.elements)
        self._entries[id(node)] = Entries(Kind.LIST, ONE, value)
        return cost.plus(fixed(NEW_LIST))

    def _map(self, node: MapLiteral) -> Range:
        cost = total([self.cost(part) for part in node.children()])
        key = self._joined([entry.key for entry in node.entries])
        value = self._joined([entry.value for entry in node.entries])
        self._entries[id(node)] = Entries(Kind.MAP, key, value)
        return cost.plus(fixed(NEW_MAP))

    def _joined(self, nodes: list[Node]) -> Range:
        """The size that any of the nodes can have."""
        joined = Range(MOST if nodes else 0, 0)
        for node in nodes:
            joined = joined.union(self._size_or_unknown(node))
        return joined

    def _call(self, node: Call) -> Range:
        if node.function == "dyn":
            cost = self.cost(node.args[0]).plus(ONE)
            self._copy_sizes(node, node.args[0])
            return cost
        costs: list[Range] = []
        args: list[Operand] = []
        for argument in node.args:
            costs.append(self.cost(argument))
            args.append(self._operand(argument))
        target: Operand | None = None
        before = NOTHING
        if node.target is not None:
            before = self.cost(node.target)
            target = self._operand(node.target)
        cost = Range(MOST, 0)
        result: Range | None = None
        for overload in node.overloads or (_LOGIC[node.function],):
            if overload in _KEEPS_ENTRIES:
                self._join_entries(node, node.args[-2], node.args[-1])
            called: CallEstimate = call_estimate(node.function, overload, target, args, costs, self._extents)
            cost = cost.union(called.cost)
            if called.size is not None:
                result = called.size if result is None else result.union(called.size)
            if overload in _INDEXES and node.args:
                entries = self._entries_of(node.args[0])
                result = entries.value if entries is not None else None
                self._paths[id(node)] = extended(self._path(node.args[0]), _INDEXES[overload])
            if result is None:
                result = self._size(node)
        self._note_size(node, result)
        return before.plus(cost)

    def _bind(self, node: Comprehension) -> Range:
        cost = self.cost(node.range).plus(self.cost(node.initial))
        self._push(node.accumulator, self._as_local(node.initial))
        cost = cost.plus(self.cost(node.result))
        self._locals[node.accumulator].pop()
        self._copy_sizes(node, node.result)
        return cost

    def _loop(self, node: Comprehension) -> Range:
        cost = self.cost(node.range).plus(self.cost(node.initial))
        self._push(node.accumulator, self._as_local(node.initial))
        self._push_iteration(node)
        round_cost = self.cost(node.condition)
        round_cost = self.cost(node.step).plus(round_cost)
        self._locals[node.variable].pop()
        if node.second:
            self._locals[node.second].pop()
        cost = cost.plus(self.cost(node.result))
        self._locals[node.accumulator].pop()
        rounds = self._size_or_unknown(node.range)
        if isinstance(node.initial, Literal):
            self._note_size(node, self._size(node.initial))
        else:
            self._sizes[id(node)] = rounds
            self._note_entries(node, self._entries_of(node.step))
        return cost.plus(rounds.times(round_cost))

    # Variables of macros

    def _local(self, node: Ident) -> Local | None:
        known = self._locals.get(node.name)
        return known[-1] if known else None

    def _push(self, name: str, local: Local) -> None:
        self._locals.setdefault(name, []).append(local)

    def _as_local(self, node: Node) -> Local:
        path = self._path(node)
        entries = self._entries_of(node)
        return Local(path, self._size(node), entries)

    def _push_iteration(self, node: Comprehension) -> None:
        entries = self._entries_of(node.range)
        is_list = (node.range.type.kind if entries is None else entries.kind) is Kind.LIST
        key, value = (None, None) if entries is None else (entries.key, entries.value)
        path = self._path(node.range)
        if node.second:
            self._push(node.variable, Local(extended(path, POSITIONS if is_list else KEYS), key, None))
            self._push(node.second, Local(extended(path, ITEMS if is_list else VALUES), value, None))
        elif is_list:
            self._push(node.variable, Local(extended(path, ITEMS), value, None))
        else:
            self._push(node.variable, Local(extended(path, KEYS), key, None))

    # Paths and sizes

    def _path(self, node: Node) -> Path | None:
        if isinstance(node, Ident) and (local := self._local(node)) is not None:
            return local.path
        return self._paths.get(id(node))

    def _operand(self, node: Node) -> Operand:
        path = self._path(node)
        if path is not None and path.root == ACCUMULATOR:
            path = None
        return Operand(node, path, self._size(node))

    def _size_or_unknown(self, node: Node) -> Range:
        size = self._size(node)
        return UNKNOWN if size is None else size

    def _size(self, node: Node) -> Range | None:
        known = self._sizes.get(id(node))
        if known is not None:
            return known
        written = written_size(node)
        if written is not None:
            return written
        path = self._path(node)
        declared = None if path is None else path.size(self._extents)
        if declared is not None:
            self._sizes[id(node)] = declared
            return declared
        if is_scalar(node.type):
            return ONE
        local = self._local(node) if isinstance(node, Ident) else None
        return None if local is None else local.size

    def _note_size(self, node: Node, size: Range | None) -> None:
        if size is not None:
            self._sizes[id(node)] = size

    def _entries_of(self, node: Node) -> Entries | None:
        known = self._entries.get(id(node))
        if known is None and isinstance(node, Ident) and (local := self._local(node)) is not None:
            return local.entries
        return known

    def _note_entries(self, node: Node, entries: Entries | None) -> None:
        if entries is not None:
            self._entries[id(node)] = entries

    def _join_entries(self, node: Call, first: Node, second: Node) -> None:
        one, other = self._entries_of(first), self._entries_of(second)
        if one is not None and other is not None:
            self._entries[id(node)] = one.union(other)

    def _copy_sizes(self, node: Node, source: Node) -> None:
        self._note_size(node, self._size(source))
        self._note_entries(node, self._entries_of(source))


_LOGIC = {op.LOGICAL_AND: "logical_and", op.LOGICAL_OR: "logical_or"}
_INDEXES = {"index_list": ITEMS, "index_map": VALUES}
_KEEPS_ENTRIES = frozenset({"conditional", "add_string", "add_bytes", "add_list"})
