"""How a function of the language is declared: signatures for the checker, code for the evaluator.

Owns the two record types that every library fills in, and the choice among overloads at run time
(cel-go: common/decls). Must not know any particular function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from .errors import CelRuntimeError
from .types import DYN, Kind, Type
from .unify import Substitutions
from .values import classes_of, matches_type, type_of

Implementation = Callable[..., object]


@dataclass(frozen=True, slots=True)
class Overload:
    """One signature. ``args`` starts with the receiver when ``member``; ``run`` gets that many values.

    ``run`` may assume values of these types; it raises CelRuntimeError. None: the evaluator knows the
    function itself. ``stored_only``: new expressions may not use it yet. ``measured``: which argument
    Kubernetes' cost tracker takes for a list (``list``) or a number (``int``) without looking, so that an error or
    another value there ends the evaluation (cel-go: ext/lists.go, trackListSelfCompare and trackListFlatten).
    """

    id: str
    args: tuple[Type, ...]
    result: Type
    member: bool = False
    run: Implementation | None = None
    stored_only: bool = False
    measured: tuple[int, type] | None = None

    def accepts(self, values: tuple[object, ...]) -> bool:
        """Whether values of unknown types fit this signature."""
        return len(values) == len(self.args) and all(map(matches_type, self.args, values))


@dataclass(frozen=True, slots=True)
class Function:
    """A name with its overloads; ``run`` is one implementation for all of them, which checks types itself."""

    name: str
    overloads: tuple[Overload, ...]
    run: Implementation | None = None

    def choose(
        self, given: tuple[Type, ...], member: bool, types: Substitutions
    ) -> tuple[tuple[str, ...], Type | None]:
        """The ids of the overloads that arguments of these types may call, and the type of the result.

        It is dyn where overloads of different results are possible, None where none is possible.
        """
        result: Type | None = None
        chosen: list[str] = []
        for overload in self.overloads:
            if overload.member is not member or _is_out_of_question(given, overload.args):
                continue
            wanted, returned = types.instantiate(overload.args, overload.result)
            if not types.all_assignable(given, wanted):
                continue
            chosen.append(overload.id)
            returned = types.resolve(returned)
            if result is None:
                result = returned
            elif not result.is_dyn and returned != result:
                result = DYN
        return tuple(chosen), result

    def measured(self, overloads: tuple[str, ...]) -> tuple[int, type] | None:
        """The argument that is measured, where the checker found one overload possible."""
        if len(overloads) != 1:
            return None
        return next((overload.measured for overload in self.overloads if overload.id == overloads[0]), None)

    def implementation(self, overloads: tuple[str, ...]) -> Implementation:
        """The code to call where the checker found ``overloads`` possible."""
        if self.run is not None:
            return self.run
        bound = [overload for overload in self.overloads if overload.run is not None]
        if len(overloads) == 1:
            bound = [overload for overload in bound if overload.id == overloads[0]]
        return _guarded(self.name, tuple(bound))


@dataclass(frozen=True, slots=True)
class Declarations:
    """What expressions may name."""

    variables: Mapping[str, Type]
    functions: Mapping[str, Function]


_PLAIN: Final = frozenset(
    {
        *(Kind.BOOL, Kind.BYTES, Kind.DOUBLE, Kind.DURATION, Kind.INT, Kind.LIST, Kind.MAP, Kind.STRING),
        *(Kind.TIMESTAMP, Kind.UINT),
    }
)


def _is_out_of_question(given: tuple[Type, ...], wanted: tuple[Type, ...]) -> bool:
    """Whether a glance at the kinds tells that types do not agree; most overloads of an operator end here."""
    if len(given) != len(wanted):
        return True
    for one, other in zip(given, wanted, strict=True):
        if one.kind is not other.kind and one.kind in _PLAIN and other.kind in _PLAIN:
            return True
    return False


def merge(functions: Iterable[Function], stored: bool) -> dict[str, Function]:
    """All functions by name; overloads of the same name from several libraries together."""
    merged: dict[str, Function] = {}
    for function in functions:
        overloads = tuple(entry for entry in function.overloads if stored or not entry.stored_only)
        known = merged.get(function.name)
        if known is not None:
            merged[function.name] = Function(function.name, known.overloads + overloads, known.run or function.run)
        elif overloads:
            merged[function.name] = Function(function.name, overloads, function.run)
    return merged


def _guarded(name: str, overloads: tuple[Overload, ...]) -> Implementation:
    """Call the first overload whose signature the values fit; otherwise: no such overload."""
    if len(overloads) == 1 and (fast := _guarded_by_class(name, overloads[0])) is not None:
        return fast

    def _dispatch(*values: object) -> object:
        for overload in overloads:
            if overload.run is not None and overload.accepts(values):
                return overload.run(*values)
        raise no_matching_overload(name, values)

    return _dispatch


def _guarded_by_class(name: str, overload: Overload) -> Implementation | None:
    """As ``_guarded`` for one or two arguments whose Python classes tell all about their types."""
    run = overload.run
    classes = [classes_of(arg) for arg in overload.args]
    if run is None or len(classes) not in (1, 2) or not all(classes):
        return None
    first, last = classes[0], classes[-1]

    def _unary(value: object) -> object:
        if type(value) in first:
            return run(value)
        raise no_matching_overload(name, (value,))

    def _binary(left: object, right: object) -> object:
        if type(left) in first and type(right) in last:
            return run(left, right)
        raise no_matching_overload(name, (left, right))

    return _unary if len(classes) == 1 else _binary


def no_matching_overload(name: str, values: tuple[object, ...]) -> CelRuntimeError:
    """``no such overload: compareTo(string, kubernetes.Quantity)`` (decls.go: MaybeNoSuchOverload)."""
    return CelRuntimeError(f"no such overload: {name}({', '.join(type_of(value).name for value in values)})")
