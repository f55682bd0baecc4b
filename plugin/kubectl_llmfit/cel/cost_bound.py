"""Which expressions can cost more than an evaluation may.

Owns the proof that lets most of them run without counting. Must not count.
"""

from __future__ import annotations

from typing import Final

from . import operators as op
from .ast import Call, Comprehension, Fold, Ident, MessageLiteral, Node, Select, walk
from .cost_range import MAX_COST

# Functions whose estimate bounds what they cost, and whose results are not larger than what they are given.
_BOUNDED: Final = frozenset(
    {
        *op.BINARY.values(),
        *(op.CONDITIONAL, op.LOGICAL_AND, op.LOGICAL_OR, op.LOGICAL_NOT, op.NEGATE, op.NOT_STRICTLY_FALSE),
        *(op.INDEX, op.OPTIONAL_INDEX, op.OPTIONAL_SELECT, op.MAP_INSERT),
        *("bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint", "size"),
        *("startsWith", "endsWith", "contains", "matches", "lowerAscii", "upperAscii", "trim", "substring"),
        *("charAt", "optional.of", "optional.ofNonZeroValue", "optional.none", "value", "hasValue", "or"),
        *("orValue", "first", "last", "quantity", "isQuantity", "sign", "asInteger", "isInteger"),
        *("asApproximateFloat", "add", "sub", "semver", "isSemver", "major", "minor", "patch"),
        *("isGreaterThan", "isLessThan", "compareTo", "getFullYear", "getMonth", "getDayOfYear"),
        *("getDayOfMonth", "getDate", "getDayOfWeek", "getHours", "getMinutes", "getSeconds", "getMilliseconds"),
    }
)
# Whatever they are given, what they make is a bool or a number.
_SCALARS: Final = frozenset(
    {*op.BINARY.values(), op.LOGICAL_AND, op.LOGICAL_OR, op.LOGICAL_NOT, "size", "hasValue"} - {op.ADD}
)
_READS: Final = frozenset({op.INDEX, op.OPTIONAL_INDEX, op.OPTIONAL_SELECT})
# Elements that one value can have in all, as far as the text alone tells; beyond the second, nobody counts any more.
_SMALL: Final = 1_000
_HUGE: Final = 100_000


def may_exceed(root: Node, max_cost: int) -> bool:
    """Whether an evaluation might cost more than Kubernetes allows; no means that it cannot.

    The estimate leaves out at most one unit per node and evaluation of it (a read of a value of unknown type, a
    test for presence, a comparison with something empty), and nothing is evaluated more often than the estimate
    has units, since every round of a loop has at least one.
    """
    nodes = list(walk(root))
    if (max_cost + 1) * (len(nodes) + 1) > MAX_COST:
        return True
    return any(map(_is_unbounded, nodes)) or _weight(root) > _SMALL


def _is_unbounded(node: Node) -> bool:
    """Whether what a node does is not bounded by what Kubernetes charges for it, or is charged less than nothing."""
    if isinstance(node, Select):
        return node.test_only and _is_chosen(node.operand)
    return isinstance(node, MessageLiteral) or (isinstance(node, Call) and node.function not in _BOUNDED)


def _is_chosen(node: Node) -> bool:
    """Whether a value is read from what a conditional chooses."""
    while isinstance(node, Select) or (isinstance(node, Call) and node.function in _READS):
        node = node.operand if isinstance(node, Select) else node.args[0]
    return isinstance(node, Call) and node.function == op.CONDITIONAL


def is_hopeless(root: Node) -> bool:
    """Whether the text nests values in themselves until no machine could look at the result.

    Kubernetes charges next to nothing for ``cel.bind(b, [a, a], cel.bind(c, [b, b], …))``: comparing what comes of
    it would not end there.
    """
    return _weight(root) > _HUGE


def _weight(root: Node) -> int:
    """How many elements the greatest value has when all that is in it is counted, the rounds of loops apart.

    Those are paid for one by one; a variable that is used twice is not.
    """
    weigher = _Weigher()
    weigher.weigh(root)
    return weigher.most


class _Weigher:
    def __init__(self) -> None:
        self.most = 0
        self._known: dict[int, int] = {}
        self._variables: dict[str, list[int]] = {}

    def weigh(self, node: Node) -> int:
        """How many elements the greatest value of a node has; stops counting a little beyond _HUGE."""
        known = self._known.get(id(node))
        if known is None:
            known = self._known[id(node)] = min(self._weigh(node), _HUGE + 1)
            self.most = max(self.most, known)
        return known

    def _weigh(self, node: Node) -> int:
        if isinstance(node, Ident):
            bound = self._variables.get(node.name)
            return bound[-1] if bound else 1
        if isinstance(node, Comprehension):
            return self._comprehension(node)
        if isinstance(node, Call) and node.function in _SCALARS:
            for child in node.children():
                self.weigh(child)
            return 1
        weights = [self.weigh(child) for child in node.children()]
        is_choice = isinstance(node, Call) and node.function == op.CONDITIONAL
        return max(weights[1:]) if is_choice else 1 + sum(weights)

    def _comprehension(self, node: Comprehension) -> int:
        over = self.weigh(node.range)
        bound = {name: over for name in (node.variable, node.second) if name}
        if node.fold is Fold.BIND:
            bound = {node.accumulator: self.weigh(node.initial)}
        for name, weight in bound.items():
            self._variables.setdefault(name, []).append(weight)
        inner = self.weigh(node.result if node.fold is Fold.BIND else node.step)
        for name in bound:
            self._variables[name].pop()
        return inner if node.fold is Fold.BIND else over + inner
