"""Macros at work: all, exists, exists_one, map, filter, the transformations, cel.bind.

Owns how comprehensions run: the order in which errors win, bound values that are worked out when first
needed (cel-go: interpreter/interpretable.go, evalFold). Must not know functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from . import operators as op
from .ast import Call, Comprehension, Fold, ListLiteral, Node
from .errors import CelRuntimeError, no_such_overload
from .functions import no_matching_overload
from .plan import Frame, Plan, Run, program_error
from .spelling import spell
from .types import Kind, Type
from .values import MISSING, MapValue, go_type, map_find

PlanNode = Callable[[Node], Plan]
# Each step leaves the variables of one round in the frame.
Rounds = Callable[[Frame], Iterator[None]]
Loop = Callable[[Comprehension, PlanNode, Rounds], Run]


class Scopes:
    """The variables of the macros around a place, and the frame slots they live in."""

    def __init__(self) -> None:
        self._readers: list[tuple[str, Run]] = []
        self._next = 0
        self.size = 0

    def reserve(self, slots: int) -> int:
        """The first of ``slots`` new slots."""
        first = self._next
        self._next += slots
        self.size = max(self.size, self._next)
        return first

    def push(self, name: str, reader: Run) -> None:
        """Make a name known."""
        self._readers.append((name, reader))

    def pop(self, slots: int) -> None:
        """Forget the newest name and the slots it used."""
        self._readers.pop()
        self._next -= slots

    def knows(self, name: str) -> bool:
        """Whether a variable of that name is in sight."""
        return any(known == name for known, _ in self._readers)

    def reader(self, name: str) -> Run:
        """Code that reads the innermost variable of that name."""
        return next(reader for known, reader in reversed(self._readers) if known == name)


def plan_fold(node: Comprehension, plan: PlanNode, scopes: Scopes, loops: Mapping[Fold, Loop]) -> Plan:
    """Code for a comprehension; ``loops`` has what makes code for each kind of it."""
    if node.fold is Fold.BIND:
        return _bind(node, plan, scopes)
    range_run = plan(node.range).run
    slots = 2 if node.second else 1
    slot = scopes.reserve(slots)
    scopes.push(node.variable, lambda frame: frame[slot])
    if node.second:
        scopes.push(node.second, lambda frame: frame[slot + 1])
    rounds = _pairs(range_run, slot) if node.second else _elements(range_run, slot)
    run = loops[node.fold](node, plan, rounds)
    if node.second:
        scopes.pop(0)
    scopes.pop(slots)
    return Plan(run)


def refuse_type_variable(name: str, type_: Type) -> None:
    """A variable that holds a type is taken for that type's name, which is none (planner.go: planCheckedIdent)."""
    if type_.kind is Kind.TYPE:
        raise program_error(f"reference to undefined type: {name}")


def _bind(node: Comprehension, plan: PlanNode, scopes: Scopes) -> Plan:
    """cel.bind: the value is worked out when first read, and never when not read."""
    initial = plan(node.initial).run
    refuse_type_variable(node.accumulator, node.initial.type)
    slot = scopes.reserve(1)
    scopes.push(node.accumulator, _lazy(slot, initial))
    result = plan(node.result).run
    scopes.pop(1)

    def _run(frame: Frame) -> object:
        frame[slot] = MISSING
        return result(frame)

    return Plan(_run)


def _lazy(slot: int, initial: Run) -> Run:
    def _read(frame: Frame) -> object:
        value = frame[slot]
        if value is MISSING:
            try:
                value = initial(frame)
            except CelRuntimeError as error:
                value = error
            frame[slot] = value
        if isinstance(value, CelRuntimeError):
            raise value.with_traceback(None)
        return value

    return _read


# What there is to go over


def _elements(range_run: Run, slot: int) -> Rounds:
    def _rounds(frame: Frame) -> Iterator[None]:
        values = range_run(frame)
        if not isinstance(values, list | tuple | Mapping):
            raise CelRuntimeError(f"got '{go_type(values)}', expected iterable type")
        for value in values:
            frame[slot] = value
            yield

    return _rounds


def _pairs(range_run: Run, slot: int) -> Rounds:
    def _rounds(frame: Frame) -> Iterator[None]:
        values = range_run(frame)
        pairs: Iterable[tuple[object, object]]
        if isinstance(values, list | tuple):
            pairs = enumerate(values)
        elif isinstance(values, Mapping):
            pairs = ((key, map_find(values, key)) for key in values)
        else:
            raise CelRuntimeError(f"unsupported comprehension range type: {go_type(values)}")
        for frame[slot], frame[slot + 1] in pairs:
            yield

    return _rounds


# The loops. Errors of the range propagate; errors of a round are kept as each macro's expansion would.


def _quantifier(stop: bool) -> Callable[[Comprehension, PlanNode, Rounds], Run]:
    """all (stops at false) and exists (stops at true): a later round may still decide after an error."""

    def _make(node: Comprehension, plan: PlanNode, rounds: Rounds) -> Run:
        assert isinstance(node.step, Call)
        predicate = plan(node.step.args[1]).run

        def _run(frame: Frame) -> object:
            failed: CelRuntimeError | None = None
            for _ in rounds(frame):
                try:
                    value = predicate(frame)
                except CelRuntimeError as error:
                    failed = failed or error
                    continue
                if value is stop:
                    return stop
                if not isinstance(value, bool):
                    failed = failed or no_such_overload()
            if failed is not None:
                raise failed
            return not stop

        return _run

    return _make


def decide(predicate: Run, frame: Frame) -> bool:
    """A predicate's value; an error when it is no bool."""
    value = predicate(frame)
    if value is True:
        return True
    if value is False:
        return False
    raise no_such_overload()


def _exists_one(node: Comprehension, plan: PlanNode, rounds: Rounds) -> Run:
    assert isinstance(node.step, Call)
    predicate = plan(node.step.args[0]).run

    def _run(frame: Frame) -> object:
        failed: CelRuntimeError | None = None
        count = 0
        for _ in rounds(frame):
            try:
                count += decide(predicate, frame)
            except CelRuntimeError as error:
                failed = error
        if failed is not None:
            raise failed
        return count == 1

    return _run


def filtered(node: Comprehension, plan: PlanNode) -> tuple[Run | None, Call]:
    """The filter of a transformation, if it has one, and the call that adds to the result."""
    assert isinstance(node.step, Call)
    if node.step.function != op.CONDITIONAL:
        return None, node.step
    added = node.step.args[1]
    assert isinstance(added, Call)
    return plan(node.step.args[0]).run, added


def _transform(
    filter_: Run | None, rounds: Rounds, start: Callable[[], object], add: Callable[[object, Frame], None]
) -> Run:
    """Add to a result in every round; after an error only the filter can still change which one is raised."""

    def _run(frame: Frame) -> object:
        result = start()
        failed: CelRuntimeError | None = None
        for _ in rounds(frame):
            try:
                if filter_ is not None and not decide(filter_, frame):
                    continue
            except CelRuntimeError as error:
                failed = error
                continue
            if failed is not None:
                continue
            try:
                add(result, frame)
            except CelRuntimeError as error:
                if filter_ is None:
                    raise
                failed = error
        if failed is not None:
            raise failed
        return result

    return _run


def _collect(node: Comprehension, plan: PlanNode, rounds: Rounds) -> Run:
    filter_, added = filtered(node, plan)
    literal = added.args[1]
    assert isinstance(literal, ListLiteral)
    item = plan(literal.elements[0]).run

    def _add(result: object, frame: Frame) -> None:
        assert isinstance(result, list)
        result.append(item(frame))

    return _transform(filter_, rounds, list, _add)


def _insert(node: Comprehension, plan: PlanNode, rounds: Rounds) -> Run:
    filter_, added = filtered(node, plan)
    parts = [plan(part).run for part in added.args[1:]]

    def _add(result: object, frame: Frame) -> None:
        assert isinstance(result, MapValue)
        if len(parts) == 2:
            put_new(result, parts[0](frame), parts[1](frame))
            return
        insert_all(result, parts[0](frame))

    return _transform(filter_, rounds, MapValue, _add)


def insert_all(result: MapValue, entries: object) -> None:
    """Add the entries of a map, whose keys must be new."""
    if not isinstance(entries, Mapping):
        raise no_matching_overload(op.MAP_INSERT, (result, entries))
    for key in entries:
        put_new(result, key, map_find(entries, key))


def put_new(result: MapValue, key: object, value: object) -> None:
    """Add an entry, whose key must be new."""
    if key in result:
        raise CelRuntimeError(f"insert failed: key {spell(key)} already exists")
    result.put(key, value)


LOOPS: Final[dict[Fold, Loop]] = {
    Fold.ALL: _quantifier(stop=False),
    Fold.EXISTS: _quantifier(stop=True),
    Fold.EXISTS_ONE: _exists_one,
    Fold.COLLECT: _collect,
    Fold.INSERT: _insert,
}
