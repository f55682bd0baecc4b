"""What a node may come to, and what operators make of it: errors, their absorption, none.

Owns the rules of abstract outcomes that ``guards`` follows through a tree. Must not know trees.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Flag, auto
from functools import cache

from . import operators as op


class Outcome(Flag):
    """What a node may come to: a bool, optional.none(), another value, the error of the member asked about, another."""

    TRUE = auto()
    FALSE = auto()
    NONE = auto()
    VALUE = auto()
    LACK = auto()
    FAILURE = auto()


BOOL = Outcome.TRUE | Outcome.FALSE
ERROR = Outcome.LACK | Outcome.FAILURE
ANY = BOOL | Outcome.NONE | Outcome.VALUE
_NOTHING = Outcome(0)

Rule = Callable[..., Outcome]


# Rules: from the possible outcomes of the operands to those of the whole.


@cache
def member(found: Outcome) -> Rule:
    """A read: errors go on, and none stays none."""

    def _rule(operand: Outcome) -> Outcome:
        kept = operand & (ERROR | Outcome.NONE)
        return kept | found | Outcome.FAILURE if operand & ~kept else kept

    return _rule


@cache
def strict(result: Outcome) -> Rule:
    """A function: the first operand that fails decides."""

    def _rule(*operands: Outcome) -> Outcome:
        failed = _NOTHING
        for operand in operands:
            failed |= operand & ERROR
            if not operand & ANY:
                return failed
        return failed | result | Outcome.FAILURE

    return _rule


def loop(over: Outcome, step: Outcome) -> Outcome:
    """A loop, of which nothing is known but that an error of a step may end it."""
    failed = over & ERROR
    return failed | ANY | Outcome.FAILURE | (step & ERROR) if over & ANY else failed


@cache
def _and(left: Outcome, right: Outcome) -> Outcome:
    return _logic(left, right, Outcome.FALSE)


@cache
def _or(left: Outcome, right: Outcome) -> Outcome:
    return _logic(left, right, Outcome.TRUE)


def _logic(left: Outcome, right: Outcome, absorbing: Outcome) -> Outcome:
    """``&&`` and ``||``: the absorbing value on either side wins, then the first error."""
    neutral = BOOL & ~absorbing
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
    return outcome if outcome & ERROR else Outcome.FAILURE


def _not(operand: Outcome) -> Outcome:
    found = operand & ERROR
    if Outcome.TRUE in operand:
        found |= Outcome.FALSE
    if Outcome.FALSE in operand:
        found |= Outcome.TRUE
    return found | Outcome.FAILURE if operand & (Outcome.NONE | Outcome.VALUE) else found


def _conditional(condition: Outcome, then: Outcome, otherwise: Outcome) -> Outcome:
    found = condition & ERROR
    if Outcome.TRUE in condition:
        found |= then
    if Outcome.FALSE in condition:
        found |= otherwise
    return found | Outcome.FAILURE if condition & (Outcome.NONE | Outcome.VALUE) else found


@cache
def _equal(left: Outcome, right: Outcome) -> Outcome:
    """``==``: exact for bools and none, which equal themselves."""
    found = strict(_NOTHING)(left, right) & ERROR
    for one in left & ANY:
        for other in right & ANY:
            if Outcome.VALUE in (one, other):
                found |= BOOL | Outcome.FAILURE
            else:
                found |= Outcome.TRUE if one is other else Outcome.FALSE | Outcome.FAILURE
    return found


def _different(left: Outcome, right: Outcome) -> Outcome:
    return _not(_equal(left, right))


def _has_value(optional: Outcome) -> Outcome:
    found = optional & ERROR
    if Outcome.NONE in optional:
        found |= Outcome.FALSE
    return found | Outcome.TRUE if optional & (BOOL | Outcome.VALUE) else found


def _value(optional: Outcome) -> Outcome:
    """``value()``: none is the error of what is missing."""
    found = optional & ERROR
    if Outcome.NONE in optional:
        found |= Outcome.LACK
    return found | ANY if optional & (BOOL | Outcome.VALUE) else found


def _or_optional(optional: Outcome, otherwise: Outcome) -> Outcome:
    return _alternative(optional, otherwise, Outcome.VALUE)


def _or_value(optional: Outcome, otherwise: Outcome) -> Outcome:
    return _alternative(optional, otherwise, ANY)


def _alternative(optional: Outcome, otherwise: Outcome, present: Outcome) -> Outcome:
    """``or()`` and ``orValue()``: the other is worked out only for none."""
    found = optional & ERROR
    if Outcome.NONE in optional:
        found |= otherwise
    return found | present if optional & (BOOL | Outcome.VALUE) else found


def _present(value: Outcome) -> Outcome:
    """``optional.of()``."""
    return value & ERROR | Outcome.VALUE if value & ANY else value


RULES: Mapping[tuple[str, int], Rule] = {
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
