"""Expressions from the grammar: every operator, macro and function, mostly well-typed.

Owns the growing of expression trees. Must not know who judges them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from agree.literals import (
    ATTRIBUTES,
    CAPACITIES,
    DOMAINS,
    LITERALS,
    MAKERS,
    RECEIVERS_OF_FUNCTION,
    TEXTS,
    TEXTS_OF_FUNCTION,
)
from agree.messages import makers_of, message
from agree.mutations import nearly
from agree.pieces import Piece, leaf, separated
from agree.signatures import Signature, Signatures
from kubectl_llmfit.cel import BOOL, DYN, INT, QUANTITY, STRING, ListType, MapType, OptionalType, Type
from kubectl_llmfit.cel.types import EMPTY, ENTRY, Kind

_BINARY = {f"_{sign}_": f" {sign} " for sign in ("&&", "||", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%")}
_BINARY["@in"] = " in "
_NAMES = ("x", "y", "z", "i", "k", "v", "device")
_QUANTIFIERS = ("all", "exists", "exists_one", "existsOne")


class Expressions:
    """Grows expressions of one environment from one source of randomness."""

    def __init__(self, draw: random.Random, stored: bool) -> None:
        self.draw = draw
        self._signatures = Signatures(stored)
        self._scope: list[tuple[str, Type]] = []
        self._making: list[Type] = []

    def any_type(self) -> Type:
        """A type, the usual ones more often."""
        return self._signatures.any_type(self.draw)

    def grow(self, wanted: Type, depth: int) -> Piece:
        """An expression of a type; now and then of another one, or of dyn."""
        chance = self.draw.random()
        if chance < 0.03:
            wanted = self.any_type()
        elif chance < 0.13 and depth > 0:
            return self._dynamic(depth - 1)
        if self._scope and self.draw.random() < (0.25 if depth > 0 else 0.5):
            fitting = [name for name, type_ in self._scope if type_ == wanted or type_.is_dyn]
            if fitting:
                return leaf(self.draw.choice(fitting))
        if depth <= 0:
            return self.constant(wanted)
        return self.draw.choice(self._ways(wanted))(wanted, depth - 1)

    def condition_with_next_function(self, depth: int) -> Piece:
        """A condition around a call of the function whose turn it is."""
        signature, types, result = self._signatures.next_function(self.draw)
        call = self._spelt(signature, types, depth)
        if result == BOOL:
            return call
        sign = self.draw.choice((" == ", " == ", " != ", " in "))
        other = ListType(result) if sign == " in " else result
        return Piece((call.operand(), sign, self.grow(other, depth).operand()), atom=False)

    def _ways(self, wanted: Type) -> list[Callable[[Type, int], Piece]]:
        ways: list[Callable[[Type, int], Piece]] = [self._call] * 10 + [self._conditional, self._bind, self._select]
        ways += [lambda type_, _: self.constant(type_)]
        if makers_of(wanted):
            ways.append(lambda type_, depth: message(self, type_, depth))
        if wanted.is_dyn:
            ways += [lambda _, depth: self._dynamic(depth)] * 12
        if wanted == BOOL:
            ways += [self._quantifier] * 4 + [self._has] + [self._logic] * 4
        elif wanted.kind is Kind.LIST:
            ways += [self._list] * 2 + [self._transformation] * 4
        elif wanted.kind is Kind.MAP:
            ways += [self._map] * 3 + [self._transformed_map] * 4
        elif wanted.kind is Kind.OPAQUE and wanted.name == "optional_type":
            ways += [self._optional_macro] * 3 + [self._optional_select] * 2
        return ways

    # What needs nothing below it

    def constant(self, wanted: Type) -> Piece:
        """A literal, a path of the device, or the shortest call that makes such a value."""
        if wanted == STRING:
            return leaf("device.driver") if self.draw.random() < 0.1 else leaf(self.draw.choice(TEXTS))
        if wanted.is_dyn:
            return self._dynamic(0)
        if wanted == QUANTITY and self.draw.random() < 0.5:
            return leaf(f"device.capacity['{self.draw.choice(DOMAINS)}'].{self.draw.choice(CAPACITIES)}")
        if wanted == BOOL and self.draw.random() < 0.1:
            return leaf("device.allowMultipleAllocations")
        if wanted.name in LITERALS:
            text = self.draw.choice(LITERALS[wanted.name])
            return leaf(text, atom=not text.startswith("-"))
        if wanted.kind is Kind.LIST:
            return self._list(wanted, 0)
        if wanted.kind is Kind.MAP:
            return self._map(wanted, 0)
        if wanted.name == "optional_type":
            if self.draw.random() < 0.3:
                return leaf("optional.none()")
            return Piece(("optional.of(", self.constant(wanted.parameters[0]), ")"))
        return message(self, wanted, 0) if wanted in (EMPTY, ENTRY) else self._made(wanted)

    def _made(self, wanted: Type) -> Piece:
        """A value of a library's type."""
        if wanted.name in MAKERS:
            function, chance_of_flag = MAKERS[wanted.name]
            flag = ", true" if self.draw.random() < chance_of_flag else ""
            return leaf(f"{function}({self.draw.choice(TEXTS_OF_FUNCTION[function])}{flag})")
        picked = self._signatures.pick(wanted, self.draw) if wanted not in self._making else None
        if picked is None:  # only of itself, or of nothing, such as an authorizer
            return leaf("dyn(1)")
        self._making.append(wanted)
        made = self._spelt(*picked, depth=0)
        self._making.pop()
        return made

    def _attribute(self) -> Piece:
        domain, name = self.draw.choice(DOMAINS), self.draw.choice(ATTRIBUTES)
        path = f"device.attributes['{domain}']"
        return leaf(self.draw.choice((f"{path}.{name}", f"{path}.{name}", f"{path}['{name}']")))

    def _dynamic(self, depth: int) -> Piece:
        chance = self.draw.random()
        if chance < 0.7 or depth <= 0:
            return self._attribute()
        if chance < 0.85:
            return Piece(("dyn(", self.grow(self.any_type(), depth), ")"))
        return Piece((self.grow(DYN, depth).operand(), f".{self.draw.choice(ATTRIBUTES)}"))

    # Calls

    def _call(self, wanted: Type, depth: int) -> Piece:
        picked = self._signatures.pick(wanted, self.draw)
        return self.constant(wanted) if picked is None else self._spelt(*picked, depth=depth)

    def _spelt(self, signature: Signature, types: tuple[Type, ...], depth: int) -> Piece:
        name = signature.function
        if name == "_?._":
            return Piece((self.grow(types[0], depth).operand(), f".?{self._field()}"))
        args = [self._argument(signature, types, place, depth) for place in range(len(types))]
        if name in _BINARY:
            return Piece((args[0].operand(), _BINARY[name], args[1].operand()), atom=False)
        if name in ("!_", "-_"):
            return Piece((name[0], args[0].operand()), atom=False)
        if name in ("_[_]", "_[?_]"):
            return Piece((args[0].operand(), "[?" if "?" in name else "[", args[1], "]"))
        if name == "_?_:_":
            return Piece((args[0].operand(), " ? ", args[1].operand(), " : ", args[2].operand()), atom=False)
        if signature.member:
            return Piece((args[0].operand(), f".{name}(", *separated(args[1:]), ")"))
        return Piece((f"{name}(", *separated(args), ")"))

    def _argument(self, signature: Signature, types: tuple[Type, ...], place: int, depth: int) -> Piece:
        """One argument: mostly a text that the function can read, where it reads texts."""
        is_receiver = signature.member and place == 0
        pools = RECEIVERS_OF_FUNCTION if is_receiver else TEXTS_OF_FUNCTION
        pool = pools.get(signature.function, ())
        if types[place] == STRING and pool and self.draw.random() < 0.8:
            return leaf(nearly(self.draw.choice(pool), self.draw))
        return self.grow(types[place], depth)

    def _conditional(self, wanted: Type, depth: int) -> Piece:
        condition, then, otherwise = self.grow(BOOL, depth), self.grow(wanted, depth), self.grow(wanted, depth)
        return Piece((condition.operand(), " ? ", then.operand(), " : ", otherwise.operand()), atom=False)

    def _logic(self, _: Type, depth: int) -> Piece:
        sign = self.draw.choice((" && ", " || "))
        operands = [self.grow(BOOL, depth).operand() for _ in range(self.draw.choice((2, 2, 2, 3)))]
        return Piece(tuple(separated(operands, sign)), atom=False)

    # Fields and literals

    def _field(self) -> str:
        return self.draw.choice((*ATTRIBUTES[:5], "a", "b", "memory"))

    def _select(self, wanted: Type, depth: int) -> Piece:
        return Piece((self.grow(MapType(STRING, wanted), depth).operand(), f".{self._field()}"))

    def _optional_select(self, _: Type, depth: int) -> Piece:
        operand = self.grow(self.draw.choice((DYN, MapType(STRING, DYN), OptionalType(DYN))), depth)
        return Piece((operand.operand(), f".?{self._field()}"))

    def _has(self, _: Type, depth: int) -> Piece:
        operand = self.grow(self.draw.choice((DYN, MapType(STRING, DYN), self.any_type())), depth).operand()
        return Piece(("has(", operand, f".{self._field()})"))

    def _list(self, wanted: Type, depth: int) -> Piece:
        if wanted == ListType(INT) and self.draw.random() < 0.1:
            return leaf(self.draw.choice(("lists.range(13)", "lists.range(20)", "lists.range(60).reverse()")))
        elements: list[Piece] = []
        for _ in range(self.draw.choice((0, 1, 2, 2, 3))):
            if self.draw.random() < 0.06:
                elements.append(Piece(("?", self.grow(OptionalType(wanted.parameters[0]), depth))))
            else:
                elements.append(self.grow(wanted.parameters[0], depth))
        return Piece(("[", *separated(elements), "]"))

    def _map(self, wanted: Type, depth: int) -> Piece:
        if wanted == MapType(STRING, DYN) and self.draw.random() < 0.5:
            return leaf(f"device.attributes['{self.draw.choice(DOMAINS)}']")
        entries: list[Piece] = []
        key, value = wanted.parameters
        for _ in range(self.draw.choice((0, 1, 1, 2, 2))):
            is_optional = self.draw.random() < 0.06
            content = self.grow(OptionalType(value) if is_optional else value, depth)
            entries.append(Piece(("?" if is_optional else "", self.grow(key, depth), ": ", content)))
        return Piece(("{", *separated(entries), "}"))

    # Macros

    @contextmanager
    def _with(self, *variables: tuple[str, Type]) -> Iterator[None]:
        self._scope += variables
        yield
        del self._scope[-len(variables) :]

    def _range(self, depth: int) -> tuple[Piece, Type, Type]:
        """Something to go over, with the types of index or key and of the elements."""
        if self.draw.random() < 0.35:
            key, value = self.draw.choice((STRING, STRING, INT)), self.any_type()
            return self.grow(MapType(key, value), depth).operand(), key, value
        if self.draw.random() < 0.3:
            return self.grow(DYN, depth).operand(), DYN, DYN
        element = self.any_type()
        return self.grow(ListType(element), depth).operand(), INT, element

    def _two_names(self) -> tuple[str, str]:
        first, second = self.draw.sample(_NAMES, 2)
        return first, second if self.draw.random() < 0.98 else first

    def _quantifier(self, _: Type, depth: int) -> Piece:
        over, key, value = self._range(depth)
        macro = self.draw.choice(_QUANTIFIERS)
        if self.draw.random() < 0.65 and macro != "existsOne":
            name = self.draw.choice(_NAMES)
            with self._with((name, value if key in (INT, DYN) else key)):
                return Piece((over, f".{macro}({name}, ", self.grow(BOOL, depth), ")"))
        first, second = self._two_names()
        with self._with((first, key), (second, value)):
            return Piece((over, f".{macro}({first}, {second}, ", self.grow(BOOL, depth), ")"))

    def _transformation(self, wanted: Type, depth: int) -> Piece:
        if self.draw.random() < 0.3:
            name, over = self.draw.choice(_NAMES), self.grow(wanted, depth).operand()
            with self._with((name, wanted.parameters[0])):
                return Piece((over, f".filter({name}, ", self.grow(BOOL, depth), ")"))
        if self.draw.random() < 0.15:
            name, over = self.draw.choice(_NAMES), self.grow(wanted, depth).operand()
            with self._with((name, wanted.parameters[0])):
                return Piece((over, f".sortBy({name}, ", self.grow(self.draw.choice((INT, STRING)), depth), ")"))
        over, key, value = self._range(depth)
        if self.draw.random() < 0.6:
            name = self.draw.choice(_NAMES)
            with self._with((name, value if key in (INT, DYN) else key)):
                return Piece((over, f".map({name}, ", *self._filtered(wanted.parameters[0], depth), ")"))
        first, second = self._two_names()
        with self._with((first, key), (second, value)):
            return Piece(
                (over, f".transformList({first}, {second}, ", *self._filtered(wanted.parameters[0], depth), ")")
            )

    def _transformed_map(self, wanted: Type, depth: int) -> Piece:
        over, key, value = self._range(depth)
        first, second = self._two_names()
        with self._with((first, key), (second, value)):
            if self.draw.random() < 0.6:
                content = self._filtered(wanted.parameters[1], depth)
                return Piece((over, f".transformMap({first}, {second}, ", *content, ")"))
            return Piece((over, f".transformMapEntry({first}, {second}, ", *self._filtered(wanted, depth), ")"))

    def _filtered(self, wanted: Type, depth: int) -> list[str | Piece]:
        content = self.grow(wanted, depth)
        return [self.grow(BOOL, depth), ", ", content] if self.draw.random() < 0.3 else [content]

    def _bind(self, wanted: Type, depth: int) -> Piece:
        type_, name = self.any_type(), self.draw.choice(_NAMES)
        bound = self.grow(type_, depth)
        with self._with((name, type_)):
            return Piece((f"cel.bind({name}, ", bound, ", ", self.grow(wanted, depth), ")"))

    def _optional_macro(self, wanted: Type, depth: int) -> Piece:
        type_, name = self.any_type(), self.draw.choice(_NAMES)
        target = self.grow(OptionalType(type_), depth).operand()
        flat = self.draw.random() < 0.4
        with self._with((name, type_)):
            content = self.grow(wanted if flat else wanted.parameters[0], depth)
        return Piece((target, f".opt{'Flat' if flat else ''}Map({name}, ", content, ")"))
