"""Which expressions can cost more than an evaluation may.

Owns the proof that lets most of them run without counting. Must not count.
"""

from __future__ import annotations

from typing import Final

from . import operators as op
from .ast import Call, Node, walk
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
# How often a value may occur in another, counted along all ways from one to the other.
_MOST_COPIES: Final = 1_000


def may_exceed(root: Node, max_cost: int) -> bool:
    """Whether an evaluation might cost more than Kubernetes allows; no means that it cannot.

    The estimate leaves out at most one unit per node and evaluation of it (a read of a value of unknown type, a
    test for presence, a comparison with something empty), and nothing is evaluated more often than the estimate
    has units, since every round of a loop has at least one.
    """
    nodes = list(walk(root))
    if (max_cost + 1) * (len(nodes) + 1) > MAX_COST:
        return True
    return any(isinstance(node, Call) and node.function not in _BOUNDED for node in nodes)
