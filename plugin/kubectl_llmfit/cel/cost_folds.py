"""Macros at work that are charged for.

Owns what the rounds of a comprehension cost, expansion and all: after an error, or the value that decides, cel-go
goes on in its own way (interpreter/interpretable.go, evalFold). Must not know functions.
"""

from __future__ import annotations

from typing import Final

from .ast import Call, Comprehension, Fold, ListLiteral
from .cost_meter import charge
from .cost_range import NEW_LIST, READ
from .errors import CelRuntimeError, no_such_overload
from .folds import Loop, PlanNode, Rounds, decide, filtered, insert_all, put_new
from .plan import Frame, Run
from .values import MapValue

# A call of an operator on values of a fixed size.
_OPERATOR: Final = 1


def _quantifier(stop: bool, check: int) -> Loop:
    """all and exists: every round begins with a check of the accumulator, also the one that then ends them."""

    def _make(node: Comprehension, plan: PlanNode, rounds: Rounds) -> Run:
        assert isinstance(node.step, Call)
        predicate = plan(node.step.args[1]).run

        def _run(frame: Frame) -> object:
            failed: CelRuntimeError | None = None
            decided = False
            for _ in rounds(frame):
                charge(frame, check)
                if decided:
                    break
                charge(frame, READ)
                try:
                    value = predicate(frame)
                except CelRuntimeError as error:
                    failed = failed or error
                    continue
                decided = value is stop
                if not isinstance(value, bool):
                    failed = failed or no_such_overload()
            charge(frame, READ)
            if decided:
                return stop
            if failed is not None:
                raise failed
            return not stop

        return _run

    return _make


def _exists_one(node: Comprehension, plan: PlanNode, rounds: Rounds) -> Run:
    assert isinstance(node.step, Call)
    predicate = plan(node.step.args[0]).run

    def _run(frame: Frame) -> object:
        failed: CelRuntimeError | None = None
        count = 0
        for _ in rounds(frame):
            try:
                if decide(predicate, frame):
                    charge(frame, READ + _OPERATOR)
                    count += 1
            except CelRuntimeError as error:
                failed = error
        charge(frame, READ + _OPERATOR)
        if failed is not None:
            raise failed
        return count == 1

    return _run


def _collect(node: Comprehension, plan: PlanNode, rounds: Rounds) -> Run:
    filter_, added = filtered(node, plan)
    literal = added.args[1]
    assert isinstance(literal, ListLiteral)
    element = plan(literal.elements[0])
    item = element.run
    cost = READ + _OPERATOR + (0 if element.constant else NEW_LIST)

    def _run(frame: Frame) -> object:
        result: list[object] = []
        failed: CelRuntimeError | None = None
        for _ in rounds(frame):
            try:
                if filter_ is not None and not decide(filter_, frame):
                    continue
            except CelRuntimeError as error:
                failed = error
                continue
            charge(frame, cost)
            try:
                result.append(item(frame))
            except CelRuntimeError as error:
                failed = failed or error
        charge(frame, READ)
        if failed is not None:
            raise failed
        return result

    return _run


def _insert(node: Comprehension, plan: PlanNode, rounds: Rounds) -> Run:
    filter_, added = filtered(node, plan)
    parts = [plan(part).run for part in added.args[1:]]

    def _add(result: MapValue, frame: Frame, failed: CelRuntimeError | None) -> None:
        charge(frame, READ)
        if len(parts) == 2:
            if failed is not None:
                return
            key = parts[0](frame)
            charge(frame, _OPERATOR)
            put_new(result, key, parts[1](frame))
            return
        charge(frame, _OPERATOR)
        entries = parts[0](frame)
        if failed is None:
            insert_all(result, entries)

    def _run(frame: Frame) -> object:
        result = MapValue()
        failed: CelRuntimeError | None = None
        for _ in rounds(frame):
            try:
                if filter_ is not None and not decide(filter_, frame):
                    continue
            except CelRuntimeError as error:
                failed = error
                continue
            try:
                _add(result, frame, failed)
            except CelRuntimeError as error:
                failed = failed or error
        charge(frame, READ)
        if failed is not None:
            raise failed
        return result

    return _run


METERED_LOOPS: Final[dict[Fold, Loop]] = {
    Fold.ALL: _quantifier(stop=False, check=READ + _OPERATOR),
    Fold.EXISTS: _quantifier(stop=True, check=READ + 2 * _OPERATOR),
    Fold.EXISTS_ONE: _exists_one,
    Fold.COLLECT: _collect,
    Fold.INSERT: _insert,
}
