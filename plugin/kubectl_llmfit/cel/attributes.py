"""``a.b``, ``a[b]``, ``a.?b``, ``a[?b]`` and has(): chains of reads from one base.

Owns how a chain is walked: an optional base is unwrapped, and from the first optional read on a missing
value makes the whole chain optional.none() (cel-go: interpreter/attributes.go, applyQualifiers).
Must not know functions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from . import operators as op
from .ast import Call, Literal, Node, Select
from .errors import CelRuntimeError
from .lookup import find, lookup
from .plan import Frame, Plan, Run, program_error
from .types import Kind
from .values import MISSING, NONE, DefaultMap, Optional, UInt, go_type

_KEYS: Final = frozenset({str, int, UInt, float, bool})


@dataclass(frozen=True, slots=True)
class Step:
    """One read. ``key`` is fixed when ``key_of`` is None."""

    key: object
    key_of: Run | None
    optional: bool


def chain_of(node: Node, plan: Callable[[Node], Plan]) -> tuple[list[Step], Node]:
    """The reads of the chain that ends in ``node``, first to last, and what they start from."""
    steps: list[Step] = []
    base = node
    while (step := _step(base, plan, node)) is not None:
        steps.append(step[0])
        base = step[1]
    steps.reverse()
    return steps, base


def plan_chain(node: Node, plan: Callable[[Node], Plan], is_branch: bool = False) -> Plan:
    """Code for the whole chain of reads that ends in ``node``.

    ``is_branch``: it is what a conditional chooses; there has() of an optional gives what it found, not whether.
    """
    test = isinstance(node, Select) and node.test_only
    steps, base = chain_of(node, plan)
    start = plan(base)
    if test:
        return Plan((_found if is_branch else _presence)(_walk(start, base, steps[:-1]), steps[-1].key))
    return Plan(_walk(start, base, steps))


def _step(node: Node, plan: Callable[[Node], Plan], last: Node) -> tuple[Step, Node] | None:
    """The read a node makes and what it reads from; None for a base. A has() within a chain is a base."""
    if isinstance(node, Select) and node.constant is None and (node is last or not node.test_only):
        return Step(node.field, None, False), node.operand
    if not isinstance(node, Call):
        return None
    if node.function == op.OPTIONAL_SELECT and isinstance(node.args[1], Literal):
        return Step(node.args[1].value, None, True), node.args[0]
    if node.function in (op.INDEX, op.OPTIONAL_INDEX):
        key = plan(node.args[1])
        optional = node.function == op.OPTIONAL_INDEX
        if key.constant:
            if type(key.value) not in _KEYS:
                raise program_error(f"invalid qualifier type: {go_type(key.value)}")
            return Step(key.value, None, optional), node.args[0]
        return Step(MISSING, key.run, optional), node.args[0]
    return None


def _walk(start: Plan, base: Node, steps: list[Step]) -> Run:
    maybe_optional = base.type.is_dyn_or_error or base.type.kind is Kind.OPAQUE
    if maybe_optional or any(step.optional for step in steps):
        return _careful(start.run, steps)
    if all(type(step.key) is str for step in steps):
        return _by_names(start.run, tuple(step.key for step in steps))
    run = start.run
    for step in steps:
        run = _read(run, step)
    return run


def _by_names(base: Run, keys: tuple[object, ...]) -> Run:
    """The fast way, and the usual one: names all along."""
    if not keys:
        return base

    def _run(frame: Frame) -> object:
        value = base(frame)
        for key in keys:
            kind = type(value)
            if kind is dict:
                found = value.get(key, MISSING)  # type: ignore[attr-defined]  # it is exactly a dict
                if found is MISSING:
                    raise CelRuntimeError(f"no such key: {key}")
                value = found
            elif kind is DefaultMap:
                value = value.find(key)  # type: ignore[attr-defined]  # it is exactly a DefaultMap
            else:
                value = lookup(value, key)
        return value

    return _run


def _read(base: Run, step: Step) -> Run:
    key, key_of = step.key, step.key_of
    if key_of is None:
        return lambda frame: lookup(base(frame), key)

    def _run(frame: Frame) -> object:
        value = base(frame)
        return lookup(value, checked_key(key_of(frame)))

    return _run


def checked_key(key: object) -> object:
    """A key worked out while evaluating; only scalars are keys."""
    if type(key) in _KEYS:
        return key
    raise CelRuntimeError(f"invalid qualifier type: {go_type(key)}")


def _careful(base: Run, steps: list[Step]) -> Run:
    def _run(frame: Frame) -> object:
        value = base(frame)
        optional = isinstance(value, Optional) and bool(steps)
        if optional and isinstance(value, Optional):
            if not value.present:
                return value
            value = value.value
        for step in steps:
            optional = optional or step.optional
            key = step.key if step.key_of is None else checked_key(step.key_of(frame))
            if not optional:
                value = lookup(value, key)
                continue
            value = find(value, key)
            if value is MISSING:
                return NONE
        return Optional(value) if optional else value

    return _run


def _presence(base: Run, key: object) -> Run:
    """has(): whether the last read would find something; through optionals, whether all would."""

    def _run(frame: Frame) -> object:
        value = base(frame)
        if isinstance(value, Optional):
            if not value.present:
                return False
            value = value.value
        return find(value, key) is not MISSING

    return _run


def _found(base: Run, key: object) -> Run:
    """has() as a branch of a conditional, which reads the chain itself and not the test around it.

    cel-go: the planner takes the branches for attributes, and ``evalTestOnly`` is left out of their reading.
    """

    def _run(frame: Frame) -> object:
        value = base(frame)
        if not isinstance(value, Optional):
            return find(value, key) is not MISSING
        if not value.present:
            return NONE
        found = find(value.value, key)
        return NONE if found is MISSING else Optional(found)

    return _run
