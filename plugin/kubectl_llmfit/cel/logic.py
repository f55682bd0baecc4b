"""What is evaluated only when it is needed: ``&&``, ``||``, ``?:``, or() and orValue().

Owns which errors they absorb (cel-go: interpreter/interpretable.go, evalAnd, evalOr; cel/library.go for optionals).
Must not plan what they choose among.
"""

from __future__ import annotations

from .ast import Call, Node
from .errors import CelRuntimeError, no_such_overload
from .plan import Frame, Plan, Run
from .values import Optional


def flatten(node: Call) -> list[Node]:
    """The operands of a chain of the same logical operator, left to right."""
    operands: list[Node] = []
    pending: list[Node] = [node]
    while pending:
        current = pending.pop()
        if isinstance(current, Call) and current.function == node.function:
            pending.extend(reversed(current.args))
        else:
            operands.append(current)
    return operands


def all_of(terms: list[Run]) -> Run:
    """Code for ``&&``: false wins over errors, and the first error over true."""

    def _run(frame: Frame) -> object:
        failed: CelRuntimeError | None = None
        for term in terms:
            try:
                value = term(frame)
            except CelRuntimeError as error:
                failed = failed or error
                continue
            if value is False:
                return False
            if value is not True:
                failed = failed or no_such_overload()
        if failed is not None:
            raise failed
        return True

    return _run


def any_of(terms: list[Run]) -> Run:
    """Code for ``||``: true wins over errors, and the first error over false."""

    def _run(frame: Frame) -> object:
        failed: CelRuntimeError | None = None
        for term in terms:
            try:
                value = term(frame)
            except CelRuntimeError as error:
                failed = failed or error
                continue
            if value is True:
                return True
            if value is not False:
                failed = failed or no_such_overload()
        if failed is not None:
            raise failed
        return False

    return _run


def choice(condition: Run, then: Run, otherwise: Run) -> Plan:
    """Code for ``condition ? then : otherwise``."""

    def _run(frame: Frame) -> object:
        value = condition(frame)
        if value is True:
            return then(frame)
        if value is False:
            return otherwise(frame)
        raise no_such_overload()

    return Plan(_run)


def alternative(function: str, optional: Run, otherwise: Run) -> Plan:
    """``a.or(b)`` and ``a.orValue(b)``, which need b only when a is none."""
    unwrap = function == "orValue"

    def _run(frame: Frame) -> object:
        value = optional(frame)
        if not isinstance(value, Optional):
            raise no_such_overload()
        if not value.present:
            return otherwise(frame)
        return value.value if unwrap else value

    return Plan(_run)
