"""Whether one type may stand for another, and what type parameters become by it.

Owns assignability and substitution (cel-go: checker/types.go, checker/mapping.go). Must not know the tree.
"""

from __future__ import annotations

from .types import DYN, Kind, Type, TypeParam

_NULLABLE = frozenset({Kind.OPAQUE, Kind.OBJECT, Kind.ANY, Kind.DURATION, Kind.TIMESTAMP, Kind.NULL})
_PARAMETRIC = frozenset({Kind.OPAQUE, Kind.LIST, Kind.MAP})


class Substitutions:
    """What the type parameters met so far stand for; a failed attempt leaves no trace."""

    def __init__(self) -> None:
        self._bound: dict[str, Type] = {}
        self._trail: list[tuple[str, Type | None]] = []
        self._fresh = 0

    def fresh(self) -> Type:
        """A type parameter that nothing else uses."""
        self._fresh += 1
        return TypeParam(f"_var{self._fresh - 1}")

    def instantiate(self, args: tuple[Type, ...], result: Type) -> tuple[tuple[Type, ...], Type]:
        """A signature with type parameters of its own."""
        fresh: dict[str, Type] = {}

        def _renew(type_: Type) -> Type:
            if type_.kind is Kind.PARAM:
                if type_.name not in fresh:
                    fresh[type_.name] = self.fresh()
                return fresh[type_.name]
            if not type_.is_generic:
                return type_
            return Type(type_.kind, type_.name, tuple(map(_renew, type_.parameters)))

        return tuple(map(_renew, args)), _renew(result)

    def assignable(self, first: Type, second: Type) -> bool:
        """Whether the two types agree; binds parameters when they do."""
        return self.all_assignable((first,), (second,))

    def all_assignable(self, first: tuple[Type, ...], second: tuple[Type, ...]) -> bool:
        """Whether two lists of types agree pairwise; binds parameters when all do."""
        mark = len(self._trail)
        if self._assignable_pairs(first, second):
            return True
        while len(self._trail) > mark:
            name, before = self._trail.pop()
            if before is None:
                del self._bound[name]
            else:
                self._bound[name] = before
        return False

    def resolve(self, type_: Type, to_dyn: bool = False) -> Type:
        """``type_`` with bound parameters replaced; unbound ones become dyn when ``to_dyn``."""
        while type_.kind is Kind.PARAM:
            bound = self._bound.get(type_.name)
            if bound is None:
                return DYN if to_dyn else type_
            type_ = bound
        if not type_.is_generic:
            return type_
        parameters = tuple(self.resolve(parameter, to_dyn) for parameter in type_.parameters)
        return Type(type_.kind, type_.name, parameters)

    def _bind(self, parameter: Type, type_: Type) -> None:
        self._trail.append((parameter.name, self._bound.get(parameter.name)))
        self._bound[parameter.name] = type_

    def _assignable_pairs(self, first: tuple[Type, ...], second: tuple[Type, ...]) -> bool:
        return len(first) == len(second) and all(
            self._assignable(one, other) for one, other in zip(first, second, strict=True)
        )

    def _assignable(self, first: Type, second: Type) -> bool:
        if first is second and not first.is_generic:
            return True
        if second.kind is Kind.PARAM:
            valid, was_bound = self._substitutable(first, second)
            if valid or was_bound:
                return valid
        if first.kind is Kind.PARAM:
            return self._substitutable(second, first)[0]
        if first.is_dyn_or_error or second.is_dyn_or_error:
            return True
        if first.kind is Kind.NULL:
            return _takes_null(second)
        if second.kind is Kind.NULL:
            return _takes_null(first)
        if first.kind is Kind.TYPE:
            return second.kind is Kind.TYPE
        if first.kind is not second.kind or first.name != second.name:
            return False
        if first.kind in _PARAMETRIC:
            return self._assignable_pairs(first.parameters, second.parameters)
        return True

    def _substitutable(self, type_: Type, parameter: Type) -> tuple[bool, bool]:
        """Whether ``parameter`` may stand for ``type_``, and whether it stood for something already."""
        if type_ == parameter:
            return True, True
        bound = self._bound.get(parameter.name)
        if bound is not None:
            if type_ == bound:
                return True, True
            if not self._assignable(type_, bound):
                return False, True
            general = type_ if _less_specific(type_, bound) else bound
            if self._free_of(parameter, general):
                self._bind(parameter, general)
            return True, True
        if self._free_of(parameter, type_):
            self._bind(parameter, type_)
            return True, False
        return False, False

    def _free_of(self, parameter: Type, type_: Type) -> bool:
        """Whether ``parameter`` does not occur within ``type_``."""
        if parameter == type_:
            return False
        if type_.kind is Kind.PARAM:
            bound = self._bound.get(type_.name)
            return bound is None or self._free_of(parameter, bound)
        return all(self._free_of(parameter, inner) for inner in type_.parameters)


def _takes_null(type_: Type) -> bool:
    """Whether null may stand for a value of a type (internalIsAssignableNull)."""
    return type_.nullable or type_.kind in _NULLABLE


def most_general(first: Type, second: Type) -> Type:
    """The more general of two types that agree."""
    return first if _less_specific(first, second) else second


def _less_specific(first: Type, second: Type) -> bool:
    """Whether ``first`` is equal to ``second`` or matches it through dyn (isEqualOrLessSpecific)."""
    if first is second or first.is_dyn or first.kind is Kind.PARAM:
        return True
    if second.is_dyn or second.kind is Kind.PARAM or first.kind is not second.kind:
        return False
    if first.kind is Kind.TYPE:
        return True
    if first.kind in _PARAMETRIC:
        return (
            first.name == second.name
            and len(first.parameters) == len(second.parameters)
            and all(map(_less_specific, first.parameters, second.parameters))
        )
    return first == second


def equivalent(first: Type, second: Type) -> bool:
    """Whether two types are the same but for the names of their parameters (IsEquivalentType)."""
    return first is second or (
        first.kind is second.kind
        and len(first.parameters) == len(second.parameters)
        and (first.kind is Kind.PARAM or first.name == second.name)
        and all(map(equivalent, first.parameters, second.parameters))
    )
