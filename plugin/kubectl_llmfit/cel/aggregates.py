"""Lists and maps written in an expression.

Owns how they are put together, entries that may be missing included (cel-go: evalList, evalMap).
Must not know nodes.
"""

from __future__ import annotations

from .errors import CelCompileError, CelRuntimeError, PanicError
from .plan import Frame, Plan, Run, constant_plan, program_error
from .spelling import spell
from .values import MapValue, Optional


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

    def run(frame: Frame) -> object:
        return [element(frame) for element in runs]

    return run


def list_with_optionals(plans: list[Plan], optional: list[bool]) -> Run:
    """Code for a list with elements that may be left out, ``[a, ?b]``."""
    elements = list(zip((plan.run for plan in plans), optional, strict=True))

    def run(frame: Frame) -> object:
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

    return run


def map_of(entries: list[tuple[Run, Run, bool]]) -> Run:
    """Code for ``{key: value, ?key: value}``."""

    def run(frame: Frame) -> object:
        result = MapValue()
        for key_of, value_of, is_optional in entries:
            key, value = key_of(frame), value_of(frame)
            if is_optional:
                if not isinstance(value, Optional):
                    words = f"cannot initialize optional entry '{spell(key)}' from non-optional value"
                    raise CelRuntimeError(f"{words} {spell(value)}")
                if not value.present:
                    result.drop(key)
                    continue
                value = value.value
            result.put(key, value)
        return result

    return run
