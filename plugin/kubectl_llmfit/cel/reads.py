"""What of its variables an expression can read, from its syntax tree alone.

Owns the paths that memoisation and hints go by. Must not evaluate.
"""

from __future__ import annotations

from . import operators as op
from .ast import Call, Comprehension, Fold, Ident, Literal, Node, Select

Path = tuple[str, ...]
Reads = frozenset[Path]


def reads_of(root: Node) -> Reads:
    """All paths from variables that the expression can look at.

    A path is the variable's name followed by constant member names, ``("device", "attributes", "d", "x")``,
    however it is read: ``.x``, ``['x']``, ``.?x``, has(), ``'x' in``. One that ends early stands for
    everything below it.
    """
    collector = _Collector()
    collector.visit(root, {})
    return frozenset(collector.paths)


_Aliases = dict[str, Path | None]


class _Collector:
    """Walks the tree; ``aliases`` are the macro variables in sight, with the path each is bound to."""

    def __init__(self) -> None:
        self.paths: set[Path] = set()
        self._visited: set[tuple[int, int]] = set()
        self._scopes: list[_Aliases] = []

    def visit(self, node: Node, aliases: _Aliases) -> None:
        """Note what a node and all below it read."""
        # A node that stands at two places (optMap) reads the same at both.
        place = id(node), id(aliases)
        if place in self._visited:
            return
        self._visited.add(place)
        self._visit(node, aliases)

    def _visit(self, node: Node, aliases: _Aliases) -> None:
        path = self._path(node, aliases)
        if path is not None:
            self.paths.add(path)
        elif isinstance(node, Comprehension):
            self._comprehension(node, aliases)
        elif not self._membership(node, aliases):
            for child in node.children():
                self.visit(child, aliases)

    def _path(self, node: Node, aliases: _Aliases) -> Path | None:
        """The path a node reads; visits the keys on the way that are worked out while evaluating."""
        if isinstance(node, Ident):
            if node.constant is not None:
                return None
            return (node.name.removeprefix("."),) if node.is_global else aliases.get(node.name)
        if isinstance(node, Select):
            below = None if node.constant is not None else self._path(node.operand, aliases)
            return None if below is None else (*below, node.field)
        if not isinstance(node, Call):
            return None
        if node.function in (op.INDEX, op.OPTIONAL_INDEX, op.OPTIONAL_SELECT):
            below = self._path(node.args[0], aliases)
            key = node.args[1]
            if below is None or not isinstance(key, Literal) or not isinstance(key.value, str):
                return None
            return (*below, key.value)
        if node.function == "value" and node.target is not None and not node.args:
            return self._path(node.target, aliases)
        return None

    def _membership(self, node: Node, aliases: _Aliases) -> bool:
        """``'x' in path`` looks at ``path.x`` only."""
        if not isinstance(node, Call) or node.function != op.IN or not isinstance(node.args[0], Literal):
            return False
        path = self._path(node.args[1], aliases)
        key = node.args[0].value
        if path is None or not isinstance(key, str):
            return False
        self.paths.add((*path, key))
        return True

    def _comprehension(self, node: Comprehension, aliases: _Aliases) -> None:
        if node.fold is Fold.BIND:
            path = self._path(node.initial, aliases)
            if path is None:
                self.visit(node.initial, aliases)
            self.visit(node.result, self._scope({**aliases, node.accumulator: path}))
            return
        self.visit(node.range, aliases)
        inner: _Aliases = {**aliases, node.variable: None, node.accumulator: None}
        if node.second:
            inner[node.second] = None
        self.visit(node.step, self._scope(inner))

    def _scope(self, aliases: _Aliases) -> _Aliases:
        """The same, kept alive so that no other gets its id."""
        self._scopes.append(aliases)
        return aliases
