"""Which members an expression may read without knowing that they are there.

Owns the question "what if exactly this member were missing?", answered for every path at once by following the
possible outcomes of each node, errors and their absorption included. Must not evaluate, nor know what a path means.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from . import operators as op
from .ast import Call, Comprehension, Fold, Ident, Literal, Node, Select
from .outcomes import ANY, BOOL, RULES, Outcome, Rule, loop, member, strict
from .reads import Path
from .recursion import deep_recursion
from .types import Kind, Type


def unguarded(root: Node) -> tuple[Path, ...]:
    """The paths (as in ``reads_of``) whose absence alone may end an evaluation in an error, sorted.

    ``root`` is a checked tree (``Program.expression``). A read is guarded where the absence makes a presence test
    (``'x' in m``, has(), hasValue()) absorb or avoid its error, on either side of ``&&`` and ``||``, in the chosen
    branch of ``?:``, or where optional syntax makes it none. Errs on the side of naming a path: what two parts say of
    one other member is not compared, nor what loops and functions make of presence tests. A key that is worked out
    while evaluating has no path and is never named; neither are the declared fields of an object.
    """
    with deep_recursion():
        known = _Follower().follow(root, {})
    return tuple(sorted(path for path, outcome in known.lacking.items() if Outcome.LACK in outcome))


@dataclass(frozen=True, slots=True)
class _Known:
    """The outcomes of a node: those for each path it depends on, were that member missing and its parent there.

    ``otherwise`` are the outcomes whatever else is missing. ``path`` is what the node itself reads.
    """

    otherwise: Outcome
    lacking: Mapping[Path, Outcome] = field(default_factory=dict)
    path: Path | None = None

    def without(self, path: Path) -> Outcome:
        """The outcomes were ``path`` missing."""
        return self.lacking.get(path, self.otherwise)


_Scope = Mapping[str, _Known]

_READS = frozenset({op.INDEX, op.OPTIONAL_INDEX, op.OPTIONAL_SELECT})


def _combine(rule: Rule, values: Iterable[_Known], path: Path | None = None) -> _Known:
    """What ``rule`` makes of the operands' outcomes, for each path that one of them depends on."""
    operands = tuple(values)
    paths = {each for operand in operands for each in operand.lacking}
    lacking = {each: rule(*[operand.without(each) for operand in operands]) for each in paths}
    otherwise = rule(*[operand.otherwise for operand in operands])
    if Outcome.LACK in otherwise:
        otherwise = otherwise & ~Outcome.LACK | Outcome.FAILURE
    return _Known(otherwise, lacking, path)


class _Follower:
    """Walks a tree; a scope has what is known of the macro variables in sight."""

    def __init__(self) -> None:
        # A node that stands at two places (optMap) is followed once; scopes are kept so that no id is used twice.
        self._found: dict[tuple[int, int], _Known] = {}
        self._scopes: list[_Scope] = []

    def follow(self, node: Node, scope: _Scope) -> _Known:
        """What is known of a node."""
        place = id(node), id(scope)
        known = self._found.get(place)
        if known is None:
            self._scopes.append(scope)
            known = self._found[place] = self._follow(node, scope)
        return known

    def _follow(self, node: Node, scope: _Scope) -> _Known:
        match node:
            case Literal():
                return _Known(_outcome(node.value))
            case Ident() | Select() if node.constant is not None:
                return _Known(Outcome.VALUE)
            case Ident() if node.is_global:
                return _Known(_of_type(node.type), path=(node.name.removeprefix("."),))
            case Ident():
                return scope.get(node.name, _Known(ANY))
            case Select():
                operand = self.follow(node.operand, scope)
                if node.test_only:
                    return _presence(operand, node.field, node.operand.type)
                return _read(operand, node.field, node, node.operand.type)
            case Comprehension():
                return self._comprehension(node, scope)
            case Call():
                return self._call(node, scope)
        return _combine(strict(_of_type(node.type)), self._all(node.children(), scope))

    def _all(self, nodes: Iterable[Node], scope: _Scope) -> list[_Known]:
        return [self.follow(node, scope) for node in nodes]

    def _call(self, node: Call, scope: _Scope) -> _Known:
        operands = self._all(node.children(), scope)
        rule = RULES.get((node.function, len(operands)))
        if rule is not None:
            is_unwrapping = node.function == "value"
            return _combine(rule, operands, operands[0].path if is_unwrapping else None)
        if node.function == "optional.none":
            return _Known(Outcome.NONE)
        if node.function in _READS and (key := _text(node.args[1])) is not None:
            return _read(operands[0], key, node, node.args[0].type, is_optional=node.function != op.INDEX)
        if node.function == op.IN and (key := _text(node.args[0])) is not None:
            return _presence(operands[1], key, node.args[1].type)
        return _combine(strict(_of_type(node.type)), operands)

    def _comprehension(self, node: Comprehension, scope: _Scope) -> _Known:
        if node.fold is Fold.BIND:  # worked out where it is used, and not where it is not
            return self.follow(node.result, {**scope, node.accumulator: self.follow(node.initial, scope)})
        unknown = _Known(ANY)
        inner = {**scope, node.variable: unknown, node.accumulator: unknown}
        if node.second:
            inner[node.second] = unknown
        return _combine(loop, (self.follow(node.range, scope), self.follow(node.step, inner)))


def _outcome(value: object) -> Outcome:
    if isinstance(value, bool):
        return Outcome.TRUE if value else Outcome.FALSE
    return Outcome.VALUE


def _of_type(type_: Type) -> Outcome:
    if type_.kind is Kind.BOOL:
        return BOOL
    if _is_optional(type_):
        return Outcome.NONE | Outcome.VALUE
    return ANY if type_.is_dyn_or_error or type_.kind is Kind.PARAM else Outcome.VALUE


def _is_optional(type_: Type) -> bool:
    return type_.kind is Kind.OPAQUE and type_.name == "optional_type"


def _text(node: Node) -> str | None:
    return node.value if isinstance(node, Literal) and isinstance(node.value, str) else None


def _read(operand: _Known, key: str, node: Node, container: Type, is_optional: bool = False) -> _Known:
    """``operand.key`` and its like: the error in question where just this member is missing, or none."""
    path = (*operand.path, key) if operand.path is not None else None
    found = _combine(member(_of_type(node.type)), (operand,), path)
    if path is None or container.kind is Kind.OBJECT:
        return found
    missing = Outcome.NONE if is_optional or _is_optional(container) else Outcome.LACK
    return _Known(found.otherwise, {**found.lacking, path: missing}, path)


def _presence(operand: _Known, key: str, container: Type) -> _Known:
    """``'key' in operand`` and has(operand.key), which as a branch of ``?:`` may give none for an optional."""
    answers = BOOL | Outcome.NONE if _is_optional(container) else BOOL
    found = _combine(member(answers), (operand,))
    if operand.path is None or container.kind is Kind.OBJECT:
        return found
    return _Known(found.otherwise, {**found.lacking, (*operand.path, key): answers & ~Outcome.TRUE})
