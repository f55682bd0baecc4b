"""Which members an expression may read without knowing that they are there.

Owns the question "what if exactly this member were missing?", answered for every path at once by following the
possible outcomes of each node, errors and their absorption included. Must not evaluate, nor know what a path means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Flag, auto
from functools import cache

from . import operators as op
from .ast import Call, Comprehension, Fold, Ident, Literal, Node, Select
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


class Outcome(Flag):
    """What a node may come to: a bool, optional.none(), another value, the error of the member asked about, another."""

    TRUE = auto()
    FALSE = auto()
    NONE = auto()
    VALUE = auto()
    LACK = auto()
    FAILURE = auto()


_BOOL = Outcome.TRUE | Outcome.FALSE
_ERROR = Outcome.LACK | Outcome.FAILURE
_ANY = _BOOL | Outcome.NONE | Outcome.VALUE
_NOTHING = Outcome(0)


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


_Rule = Callable[..., Outcome]
_Scope = Mapping[str, _Known]


def _combine(rule: _Rule, values: Iterable[_Known], path: Path | None = None) -> _Known:
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
                return scope.get(node.name, _Known(_ANY))
            case Select():
                operand = self.follow(node.operand, scope)
                if node.test_only:
                    return _presence(operand, node.field, node.operand.type)
                return _read(operand, node.field, node, node.operand.type)
            case Comprehension():
                return self._comprehension(node, scope)
            case Call():
                return self._call(node, scope)
        return _combine(_strict(_of_type(node.type)), self._all(node.children(), scope))

    def _all(self, nodes: Iterable[Node], scope: _Scope) -> list[_Known]:
        return [self.follow(node, scope) for node in nodes]

    def _call(self, node: Call, scope: _Scope) -> _Known:
        operands = self._all(node.children(), scope)
        rule = _RULES.get((node.function, len(operands)))
        if rule is not None:
            is_unwrapping = node.function == "value"
            return _combine(rule, operands, operands[0].path if is_unwrapping else None)
        if node.function == "optional.none":
            return _Known(Outcome.NONE)
        if node.function in _READS and (key := _text(node.args[1])) is not None:
            return _read(operands[0], key, node, node.args[0].type, is_optional=node.function != op.INDEX)
        if node.function == op.IN and (key := _text(node.args[0])) is not None:
            return _presence(operands[1], key, node.args[1].type)
        return _combine(_strict(_of_type(node.type)), operands)

    def _comprehension(self, node: Comprehension, scope: _Scope) -> _Known:
        if node.fold is Fold.BIND:  # worked out where it is used, and not where it is not
            return self.follow(node.result, {**scope, node.accumulator: self.follow(node.initial, scope)})
        unknown = _Known(_ANY)
        inner = {**scope, node.variable: unknown, node.accumulator: unknown}
        if node.second:
            inner[node.second] = unknown
        return _combine(_loop, (self.follow(node.range, scope), self.follow(node.step, inner)))


def _outcome(value: object) -> Outcome:
    if isinstance(value, bool):
        return Outcome.TRUE if value else Outcome.FALSE
    return Outcome.VALUE


def _of_type(type_: Type) -> Outcome:
    if type_.kind is Kind.BOOL:
        return _BOOL
    if _is_optional(type_):
        return Outcome.NONE | Outcome.VALUE
    return _ANY if type_.is_dyn_or_error or type_.kind is Kind.PARAM else Outcome.VALUE


def _is_optional(type_: Type) -> bool:
    return type_.kind is Kind.OPAQUE and type_.name == "optional_type"


def _text(node: Node) -> str | None:
    return node.value if isinstance(node, Literal) and isinstance(node.value, str) else None


def _read(operand: _Known, key: str, node: Node, container: Type, is_optional: bool = False) -> _Known:
    """``operand.key`` and its like: the error in question where just this member is missing, or none."""
    path = (*operand.path, key) if operand.path is not None else None
    found = _combine(_member(_of_type(node.type)), (operand,), path)
    if path is None or container.kind is Kind.OBJECT:
        return found
    missing = Outcome.NONE if is_optional or _is_optional(container) else Outcome.LACK
    return _Known(found.otherwise, {**found.lacking, path: missing}, path)


def _presence(operand: _Known, key: str, container: Type) -> _Known:
    """``'key' in operand`` and has(operand.key), which as a branch of ``?:`` may give none for an optional."""
    answers = _BOOL | Outcome.NONE if _is_optional(container) else _BOOL
    found = _combine(_member(answers), (operand,))
    if operand.path is None or container.kind is Kind.OBJECT:
        return found
    return _Known(found.otherwise, {**found.lacking, (*operand.path, key): answers & ~Outcome.TRUE})


# Rules: from the possible outcomes of the operands to those of the whole.


@cache
def _member(found: Outcome) -> _Rule:
    """A read: errors go on, and none stays none."""

    def rule(operand: Outcome) -> Outcome:
        kept = operand & (_ERROR | Outcome.NONE)
        return kept | found | Outcome.FAILURE if operand & ~kept else kept | (found & Outcome.NONE)

    return rule


@cache
def _strict(result: Outcome) -> _Rule:
    """A function: the first operand that fails decides."""

    def rule(*operands: Outcome) -> Outcome:
        failed = _NOTHING
        for operand in operands:
            failed |= operand & _ERROR
            if not operand & _ANY:
                return failed
        return failed | result | Outcome.FAILURE

    return rule


def _loop(over: Outcome, step: Outcome) -> Outcome:
    """A loop, of which nothing is known but that an error of a step may end it."""
    failed = over & _ERROR
    return failed | _ANY | Outcome.FAILURE | (step & _ERROR) if over & _ANY else failed


@cache
def _and(left: Outcome, right: Outcome) -> Outcome:
    return _logic(left, right, Outcome.FALSE)


@cache
def _or(left: Outcome, right: Outcome) -> Outcome:
    return _logic(left, right, Outcome.TRUE)


def _logic(left: Outcome, right: Outcome, absorbing: Outcome) -> Outcome:
    """``&&`` and ``||``: the absorbing value on either side wins, then the first error."""
    neutral = _BOOL & ~absorbing
    found = _NOTHING
    for one in left:
        for other in right:
            if absorbing in (one, other):
                found |= absorbing
            elif one is not neutral:
                found |= _error_of(one)
            else:
                found |= neutral if other is neutral else _error_of(other)
    return found


def _error_of(outcome: Outcome) -> Outcome:
    """The error itself, or the one of a value that is no bool."""
    return outcome if outcome & _ERROR else Outcome.FAILURE


def _not(operand: Outcome) -> Outcome:
    found = operand & _ERROR
    if Outcome.TRUE in operand:
        found |= Outcome.FALSE
    if Outcome.FALSE in operand:
        found |= Outcome.TRUE
    return found | Outcome.FAILURE if operand & (Outcome.NONE | Outcome.VALUE) else found


def _conditional(condition: Outcome, then: Outcome, otherwise: Outcome) -> Outcome:
    found = condition & _ERROR
    if Outcome.TRUE in condition:
        found |= then
    if Outcome.FALSE in condition:
        found |= otherwise
    return found | Outcome.FAILURE if condition & (Outcome.NONE | Outcome.VALUE) else found


@cache
def _equal(left: Outcome, right: Outcome) -> Outcome:
    """``==``: exact for bools and none, which equal themselves."""
    found = _strict(_NOTHING)(left, right) & _ERROR
    for one in left & _ANY:
        for other in right & _ANY:
            if Outcome.VALUE in (one, other):
                found |= _BOOL | Outcome.FAILURE
            else:
                found |= Outcome.TRUE if one is other else Outcome.FALSE | Outcome.FAILURE
    return found


def _different(left: Outcome, right: Outcome) -> Outcome:
    return _not(_equal(left, right))


def _has_value(optional: Outcome) -> Outcome:
    found = optional & _ERROR
    if Outcome.NONE in optional:
        found |= Outcome.FALSE
    return found | Outcome.TRUE if optional & (_BOOL | Outcome.VALUE) else found


def _value(optional: Outcome) -> Outcome:
    """``value()``: none is the error of what is missing."""
    found = optional & _ERROR
    if Outcome.NONE in optional:
        found |= Outcome.LACK
    return found | _ANY if optional & (_BOOL | Outcome.VALUE) else found


def _or_optional(optional: Outcome, otherwise: Outcome) -> Outcome:
    return _alternative(optional, otherwise, Outcome.VALUE)


def _or_value(optional: Outcome, otherwise: Outcome) -> Outcome:
    return _alternative(optional, otherwise, _ANY)


def _alternative(optional: Outcome, otherwise: Outcome, present: Outcome) -> Outcome:
    """``or()`` and ``orValue()``: the other is worked out only for none."""
    found = optional & _ERROR
    if Outcome.NONE in optional:
        found |= otherwise
    return found | present if optional & (_BOOL | Outcome.VALUE) else found


def _present(value: Outcome) -> Outcome:
    """``optional.of()``."""
    return value & _ERROR | Outcome.VALUE if value & _ANY else value


_READS = frozenset({op.INDEX, op.OPTIONAL_INDEX, op.OPTIONAL_SELECT})

_RULES: Mapping[tuple[str, int], _Rule] = {
    (op.LOGICAL_AND, 2): _and,
    (op.LOGICAL_OR, 2): _or,
    (op.LOGICAL_NOT, 1): _not,
    (op.CONDITIONAL, 3): _conditional,
    (op.EQUALS, 2): _equal,
    (op.NOT_EQUALS, 2): _different,
    ("hasValue", 1): _has_value,
    ("value", 1): _value,
    ("or", 2): _or_optional,
    ("orValue", 2): _or_value,
    ("optional.of", 1): _present,
}
