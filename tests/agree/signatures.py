"""Which overloads can produce a type: the engine's table of functions, turned round.

Owns the matching of types for generation. New functions in the table are covered at once.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from kubectl_llmfit.cel import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    NULL,
    QUANTITY,
    SEMVER,
    STRING,
    TIMESTAMP,
    UINT,
    ListType,
    MapType,
    OptionalType,
    Type,
)
from kubectl_llmfit.cel.libraries import functions
from kubectl_llmfit.cel.types import EMPTY, ENTRY, TYPE, Kind

# How often a type is asked for where any will do.
_WEIGHTS = {
    INT: 6, STRING: 7, BOOL: 5, DYN: 10, QUANTITY: 4, SEMVER: 3, DOUBLE: 3, UINT: 2, BYTES: 1, NULL: 1, TIMESTAMP: 2,
    DURATION: 2, TYPE: 1, ListType(INT): 3, ListType(STRING): 3, ListType(DYN): 2, MapType(STRING, INT): 2,
    MapType(STRING, STRING): 1, MapType(INT, STRING): 1, MapType(STRING, DYN): 2, OptionalType(INT): 2,
    OptionalType(STRING): 1, OptionalType(DYN): 2, EMPTY: 1, ENTRY: 1,
}  # fmt: skip
# Results of type dyn or of a type parameter can stand for any type.
_ANYTHING = "anything"
_KEYS = (STRING, STRING, STRING, INT, UINT, BOOL)


@dataclass(frozen=True, slots=True)
class Signature:
    """One overload of a function."""

    function: str
    args: tuple[Type, ...]
    result: Type
    member: bool


class Signatures:
    """The overloads of one environment, by what they return."""

    def __init__(self, stored: bool) -> None:
        self._by_result: dict[str, dict[str, list[Signature]]] = defaultdict(lambda: defaultdict(list))
        known = list(_signatures(stored))
        for signature in known:
            self._by_result[_place(signature.result)][signature.function].append(signature)
        self._by_function: dict[str, list[Signature]] = defaultdict(list)
        for signature in known:
            self._by_function[signature.function].append(signature)
        self._turn = 0
        self.types = [*_WEIGHTS, *_other_types(known)]
        self._weights = [*_WEIGHTS.values(), *[1] * (len(self.types) - len(_WEIGHTS))]

    def any_type(self, draw: random.Random) -> Type:
        """A type, the usual ones more often."""
        return draw.choices(self.types, self._weights)[0]

    def pick(self, wanted: Type, draw: random.Random) -> tuple[Signature, tuple[Type, ...]] | None:
        """A signature that returns the type, with the types of its arguments; each function has the same chance."""
        places = [_place(wanted)] if wanted.is_dyn or draw.random() < 0.75 else [_ANYTHING]
        candidates = self._by_result[places[0]]
        for function in draw.sample([*candidates], len(candidates)):
            signature = draw.choice(candidates[function])
            bound: dict[str, Type] = {}
            if _matches(signature.result, wanted, bound):
                return signature, tuple(self._filled(arg, bound, draw) for arg in signature.args)
        return None

    def next_function(self, draw: random.Random) -> tuple[Signature, tuple[Type, ...], Type]:
        """Each function of the table in turn: one of its signatures with the types of its arguments and its result."""
        names = [*self._by_function]
        signature = draw.choice(self._by_function[names[self._turn % len(names)]])
        self._turn += 1
        bound: dict[str, Type] = {}
        args = tuple(self._filled(arg, bound, draw) for arg in signature.args)
        return signature, args, self._filled(signature.result, bound, draw)

    def _filled(self, type_: Type, bound: dict[str, Type], draw: random.Random) -> Type:
        """A type with a type in place of each parameter."""
        if type_.kind is Kind.PARAM:
            if type_.name not in bound:
                bound[type_.name] = self.any_type(draw)
            return bound[type_.name]
        if type_.kind is Kind.MAP and type_.parameters[0].kind is Kind.PARAM:
            bound.setdefault(type_.parameters[0].name, draw.choice(_KEYS))
        if not type_.parameters:
            return type_
        return Type(type_.kind, type_.name, tuple(self._filled(inner, bound, draw) for inner in type_.parameters))


def _signatures(stored: bool) -> Iterator[Signature]:
    for function in functions(stored).values():
        if "@" not in function.name or function.name == "@in":  # the others stand behind macros and cannot be written
            for overload in function.overloads:
                yield Signature(function.name, overload.args, overload.result, overload.member)


def _other_types(signatures: Iterable[Signature]) -> list[Type]:
    """The types of libraries that are not among the usual ones."""
    found = {type_: None for signature in signatures for type_ in _within((signature.result, *signature.args))}
    return [
        type_
        for type_ in found
        if type_ not in _WEIGHTS and not type_.parameters and type_.kind in (Kind.OPAQUE, Kind.OBJECT)
    ]


def _within(types: Sequence[Type]) -> Iterator[Type]:
    for type_ in types:
        yield type_
        yield from _within(type_.parameters)


def _place(type_: Type) -> str:
    return _ANYTHING if type_.kind is Kind.PARAM or type_.is_dyn else type_.name


def _matches(pattern: Type, wanted: Type, bound: dict[str, Type]) -> bool:
    """Whether a result type can be the wanted one; binds the type parameters in it."""
    if pattern.kind is Kind.PARAM:
        return bound.setdefault(pattern.name, wanted) == wanted
    if pattern.is_dyn or wanted.is_dyn:
        return True
    if (pattern.kind, pattern.name) != (wanted.kind, wanted.name):
        return False
    return all(_matches(p, w, bound) for p, w in zip(pattern.parameters, wanted.parameters, strict=False))
