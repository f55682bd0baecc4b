"""Lists, maps and messages written in an expression.

Owns how they are put together, entries that may be missing included (cel-go: evalList, evalMap, evalObj).
Must not know nodes.
"""

from __future__ import annotations

from .cost_meter import MeteredFrame
from .errors import CelCompileError, CelRuntimeError, PanicError
from .plan import Frame, Plan, Run, constant_plan, program_error
from .spelling import spell
from .values import MISSING, MapValue, Optional
from .wellknown import make


def aggregate(run: Run, parts: list[Plan]) -> Plan:
    """A list or map, worked out beforehand when all its parts are constants."""
    if not all(part.known for part in parts):
        return Plan(run)
    constant = all(part.constant for part in parts)
    try:
        return constant_plan(run([]), constant)
    except CelRuntimeError as error:
        if constant:
            raise program_error(error) from None
    except PanicError as panic:
        if constant:
            words = f"internal error: {panic}"
            raise CelCompileError(words, words) from None
    return Plan(run)


def list_of(plans: list[Plan]) -> Run:
    """Code for ``[a, b]``."""
    runs = [plan.run for plan in plans]

    def _run(frame: Frame) -> object:
        return [element(frame) for element in runs]

    return _run


def list_with_optionals(plans: list[Plan], optional: list[bool]) -> Run:
    """Code for a list with elements that may be left out, ``[a, ?b]``."""
    elements = list(zip((plan.run for plan in plans), optional, strict=True))

    def _run(frame: Frame) -> object:
        result: list[object] = []
        for element, is_optional in elements:
            value = element(frame)
            if is_optional:
                if not isinstance(value, Optional):
                    words = "cannot initialize optional list element from non-optional value"
                    raise CelRuntimeError(f"{words} {spell(value)}")
                if not value.present:
                    continue
                value = value.value
            result.append(value)
        return result

    return _run


def map_of(entries: list[tuple[Run, Run, bool]]) -> Run:
    """Code for ``{key: value, ?key: value}``."""

    def _run(frame: Frame) -> object:
        result = MapValue()
        for key_of, value_of, is_optional in entries:
            key, value = key_of(frame), value_of(frame)
            if is_optional:
                value = _entry_of(key, value)
                if value is MISSING:
                    result.drop(key)
                    continue
            result.put(key, value)
        return result

    return _run


def message_of(name: str, entries: list[tuple[str, Run, bool]]) -> Run:
    """Code for ``name{field: value, ?field: value}``; its frame counts what it looks at."""

    def _run(frame: Frame) -> object:
        assert isinstance(frame, MeteredFrame)
        values: dict[str, object] = {}
        for field, value_of, is_optional in entries:
            value = _entry_of(field, value_of(frame)) if is_optional else value_of(frame)
            values.pop(field, None)
            if value is not MISSING:
                values[field] = value
        return make(name, values, frame.see)

    return _run


def _entry_of(key: object, value: object) -> object:
    """What ``?key: value`` puts in; MISSING for none, CelRuntimeError for what is no optional."""
    if isinstance(value, Optional):
        return value.value
    words = f"cannot initialize optional entry '{spell(key)}' from non-optional value"
    raise CelRuntimeError(f"{words} {spell(value)}")
