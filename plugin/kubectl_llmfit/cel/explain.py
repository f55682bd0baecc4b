"""Why an expression said what it said: its top-level ``&&`` operands, one by one.

Owns the parts and how values are shown to a person. The verdict never comes from here: it is the whole
expression's. Must not know what the expression is about.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from . import operators as op
from .ast import Call, ListLiteral, Node
from .cost_meter import start_anew
from .duration import Duration
from .errors import CelRuntimeError, CostLimitError, PanicError, no_such_overload
from .plan import Frame, Plan, Run
from .spelling import spell
from .text import characters
from .timestamp import Timestamp
from .values import Optional

_COMPARISONS: Final = frozenset({op.EQUALS, op.NOT_EQUALS, "_<_", "_<=_", "_>_", "_>=_"})
_COMPARING_METHODS: Final = frozenset({"compareTo", "isLessThan", "isGreaterThan"})
_TEXT_TESTS: Final = frozenset({"contains", "startsWith", "endsWith", "matches"})

Result = Literal["true", "false", "error", "skipped"]


@dataclass(frozen=True, slots=True)
class Part:
    """One operand: its source text, its code, and the code of the two sides it compares (if it does)."""

    text: str
    run: Run
    observed: Run | None = None
    required: Run | None = None


@dataclass(frozen=True, slots=True)
class PartResult:
    """What a part yielded. ``observed`` and ``required`` are the two sides of a comparison, or a text and what is
    looked for in it, as people write them (``15Gi``, ``170``); ``skipped`` stands for an error after a false part.
    """

    text: str
    result: Result
    observed: str | None = None
    required: str | None = None
    error: str | None = None


def make_part(text: str, node: Node, plan: Mapping[int, Plan]) -> Part:
    """The part for an operand whose source text is ``text``; ``plan`` has the code of every node by id."""
    run = plan[id(node)].run
    sides = _sides(node)
    if sides is None:
        return Part(text, run)
    observed, required = plan[id(sides[0])], plan[id(sides[1])]
    if observed.known and not required.known:
        observed, required = required, observed
    return Part(text, run, observed.run, required.run)


def _sides(node: Node) -> tuple[Node, Node] | None:
    if not isinstance(node, Call):
        return None
    if node.target is not None:
        return (node.target, node.args[0]) if _is_comparing_method(node) or _is_text_test(node) else None
    if _is_text_test(node):
        return node.args[0], node.args[1]
    if node.function == op.IN and isinstance(node.args[1], ListLiteral):
        return node.args[0], node.args[1]
    if node.function not in _COMPARISONS:
        return None
    left, right = node.args
    for side in (left, right):
        if isinstance(side, Call) and side.target is not None and _is_comparing_method(side):
            return side.target, side.args[0]
    return left, right


def _is_comparing_method(node: Call) -> bool:
    return node.function in _COMPARING_METHODS and len(node.args) == 1


def _is_text_test(node: Call) -> bool:
    """``text.contains(other)`` and its like; ``matches`` is a function too."""
    return node.function in _TEXT_TESTS and len(node.args) == (1 if node.target is not None else 2)


def explain_parts(parts: tuple[Part, ...], frame: Frame) -> tuple[PartResult, ...]:
    """The result of every part, in order."""
    results: list[PartResult] = []
    after_false = False
    for part in parts:
        start_anew(frame)
        result = _explain(part, frame, after_false)
        after_false = after_false or result.result == "false"
        results.append(result)
    return tuple(results)


def _explain(part: Part, frame: Frame, after_false: bool) -> PartResult:
    try:
        value = part.run(frame)
        if not isinstance(value, bool):
            raise no_such_overload()
    except (CelRuntimeError, PanicError) as error:
        if after_false and not isinstance(error, PanicError):
            return PartResult(part.text, "skipped")
        observed, required = _shown(part.observed, frame), _shown(part.required, frame)
        is_panic = isinstance(error, PanicError) and not isinstance(error, CostLimitError)
        words = f"internal error: {error}" if is_panic else str(error)
        return PartResult(part.text, "error", observed, required, words)
    observed, required = _shown(part.observed, frame), _shown(part.required, frame)
    return PartResult(part.text, "true" if value else "false", observed, required)


def _shown(side: Run | None, frame: Frame) -> str | None:
    if side is None:
        return None
    try:
        start_anew(frame)
        return written(side(frame))
    except (CelRuntimeError, PanicError):
        return None


def written(value: object) -> str:
    """A value as a person writes it: ``15Gi``, ``170``, ``true``, ``A100``."""
    if value is None:
        return "null"
    if isinstance(value, Optional):
        return written(value.value) if value.present else "none"
    return str(value) if isinstance(value, Timestamp | Duration) else characters(spell(value))
