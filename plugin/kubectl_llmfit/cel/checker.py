"""Types for the syntax tree, and complaints where they do not fit.

Owns name resolution and the typing rules (cel-go: checker/checker.go), in cel-go's order, so that the first
complaint is the same. Must not evaluate.
"""

from __future__ import annotations

from . import operators as op
from .ast import (
    Call,
    Comprehension,
    FieldEntry,
    Ident,
    ListLiteral,
    Literal,
    MapLiteral,
    MessageLiteral,
    Node,
    Select,
    qualified_name,
)
from .functions import Declarations, Function
from .message import field_type, message_type
from .source import Source
from .types import (
    BOOL,
    DECLARED_NAMES,
    DYN,
    ERROR,
    INT,
    NAMED_NUMBERS,
    NAMED_TYPES,
    Kind,
    ListType,
    MapType,
    OptionalType,
    Type,
    TypeType,
    unwrap_optional,
)
from .unify import Substitutions, most_general
from .values import type_of


def check(root: Node, source: Source, declarations: Declarations) -> None:
    """Set the type of every node, or complain to ``source``."""
    checker = _Checker(source, declarations)
    checker.check(root)
    checker.settle()


class _Checker:
    """One pass over one tree; ``_scopes`` are the variables of the comprehensions around the place."""

    def __init__(self, source: Source, declarations: Declarations) -> None:
        self._source = source
        self._variables = declarations.variables
        self._functions = declarations.functions
        self._object_types = {kind.name: kind for kind in self._variables.values() if kind.kind is Kind.OBJECT}
        self._scopes: list[dict[str, Type]] = []
        self._types = Substitutions()
        self._checked: dict[int, Node] = {}

    def settle(self) -> None:
        """Replace the type parameters in every node's type by what they turned out to be."""
        for node in self._checked.values():
            node.type = self._types.resolve(node.type, to_dyn=True)

    def check(self, node: Node) -> Type:
        """The type of a node and everything below it."""
        if id(node) not in self._checked:
            self._checked[id(node)] = node
            node.type = self._type(node)
        return node.type

    def _type(self, node: Node) -> Type:
        match node:
            case Literal():
                return type_of(node.value)
            case Ident():
                return self._ident(node)
            case Select():
                return self._select(node)
            case Call():
                return self._call(node)
            case ListLiteral():
                return self._list(node)
            case MapLiteral():
                return self._map(node)
            case Comprehension():
                return self._comprehension(node)
            case MessageLiteral():
                return self._message(node)
        raise TypeError(f"no expression: {type(node).__name__}")

    def _complain(self, node: Node | FieldEntry, message: str) -> Type:
        self._source.complain(node.offset, message)
        return ERROR

    # Names

    def _local(self, name: str) -> Type | None:
        """The type of a macro's variable; a name with a dot in front means what is outside of all macros."""
        if name.startswith("."):
            return None
        return next((scope[name] for scope in reversed(self._scopes) if name in scope), None)

    def _ident(self, node: Ident) -> Type:
        local = self._local(node.name)
        if local is not None:
            return local
        name = node.name.removeprefix(".")
        if name in self._variables:
            node.is_global = True
            return self._variables[name]
        return self._constant(node, name) or self._undeclared(node, node.name)

    def _constant(self, node: Ident | Select, name: str) -> Type | None:
        """The type of what a name stands for, where that is a type or a number."""
        type_ = NAMED_TYPES.get(name) or DECLARED_NAMES.get(name) or self._object_types.get(name)
        node.constant = type_ or NAMED_NUMBERS.get(name)
        if node.constant is None:
            return None
        return TypeType(type_) if type_ else INT

    def _undeclared(self, node: Node, name: str) -> Type:
        return self._complain(node, f"undeclared reference to '{name}' (in container '')")

    def _select(self, node: Select) -> Type:
        name = qualified_name(node)
        if name is not None and self._local(name.split(".")[0]) is None:
            constant = self._constant(node, name.removeprefix("."))
            if constant is not None:
                return constant
        result = self._field(node, node.operand, node.field, optional=False)
        return BOOL if node.test_only else self._types.resolve(result)

    def _field(self, node: Node, operand: Node, field: str, optional: bool) -> Type:
        target, was_optional = unwrap_optional(self._types.resolve(self.check(operand)))
        result = self._field_type(node, target, field)
        return OptionalType(result) if was_optional or optional else result

    def _field_type(self, node: Node, target: Type, field: str) -> Type:
        if target.kind is Kind.MAP:
            return target.parameters[1]
        if target.kind is Kind.OBJECT:
            if target.fields is None:
                return self._complain(node, f"unexpected failed resolution of '{target.name}'")
            if field in target.fields:
                return target.fields[field]
            return self._complain(node, f"undefined field '{field}'")
        if target.kind is Kind.PARAM:
            self._types.assignable(DYN, target)
        elif not target.is_dyn_or_error:
            self._complain(node, f"type '{target}' does not support field selection")
        return DYN

    # Calls

    def _call(self, node: Call) -> Type:
        if node.function == op.OPTIONAL_SELECT and isinstance(node.args[1], Literal):
            node.overloads = ("select_optional_field",)
            result = self._field(node, node.args[0], str(node.args[1].value), optional=True)
            return self._types.resolve(result)
        for argument in node.args:
            self.check(argument)
        if node.target is None:
            function = self._functions.get(node.function.removeprefix("."))
            if function is None:
                return self._undeclared(node, node.function)
            node.function = function.name
            return self._resolve(node, function)
        return self._member_call(node, node.target)

    def _member_call(self, node: Call, target: Node) -> Type:
        prefix = qualified_name(target)
        if prefix is not None:
            function = self._functions.get(f"{prefix}.{node.function}".removeprefix("."))
            if function is not None:
                node.function, node.target = function.name, None
                return self._resolve(node, function)
        self.check(target)
        function = self._functions.get(node.function)
        if function is None:
            return self._undeclared(node, node.function)
        return self._resolve(node, function)

    def _resolve(self, node: Call, function: Function) -> Type:
        if function.name in (op.LOGICAL_AND, op.LOGICAL_OR):
            return self._logical(node)
        given = tuple(child.type for child in node.children())
        node.overloads, result = function.choose(given, node.target is not None, self._types)
        if result is None:
            return self._no_overload(node, function.name, given)
        return result

    def _logical(self, node: Call) -> Type:
        fits = True
        for argument in node.args:
            if not self._types.assignable(argument.type, BOOL):
                self._complain(argument, f"expected type '{BOOL}' but found '{argument.type}'")
                fits = False
        return BOOL if fits else ERROR

    def _no_overload(self, node: Call, name: str, given: tuple[Type, ...]) -> Type:
        shown = [str(self._types.resolve(type_, to_dyn=True)) for type_ in given]
        receiver = f"{shown.pop(0)}." if node.target is not None else ""
        signature = f"{receiver}({', '.join(shown)})"
        return self._complain(node, f"found no matching overload for '{name}' applied to '{signature}'")

    # Aggregates

    def _join(self, before: Type | None, now: Type) -> Type:
        """The common type of elements; literals of mixed types are the validators' to refuse."""
        if before is None:
            return now
        return most_general(before, now) if self._types.assignable(before, now) else DYN

    def _optional_element(self, node: Node) -> Type:
        element, was_optional = unwrap_optional(node.type)
        if not was_optional and not element.is_dyn:
            self._complain(node, f"expected type '{OptionalType(element)}' but found '{element}'")
        return element

    def _list(self, node: ListLiteral) -> Type:
        joined: Type | None = None
        for element, optional in zip(node.elements, node.optional, strict=True):
            self.check(element)
            joined = self._join(joined, self._optional_element(element) if optional else element.type)
        return ListType(joined or self._types.fresh())

    def _map(self, node: MapLiteral) -> Type:
        key: Type | None = None
        value: Type | None = None
        for entry in node.entries:
            key = self._join(key, self.check(entry.key))
            self.check(entry.value)
            found = self._optional_element(entry.value) if entry.optional else entry.value.type
            value = self._join(value, found)
        return MapType(key or self._types.fresh(), value or self._types.fresh())

    def _message(self, node: MessageLiteral) -> Type:
        """Messages of protobuf can be made. Some other types pass the checker, and fail when evaluated."""
        node.name, name = node.name.removeprefix("."), node.name
        result = message_type(node.name) or self._object_types.get(node.name)
        if result is None and node.name not in NAMED_TYPES:
            return self._undeclared(node, name)
        if result is None:
            result = self._complain(node, f"'{node.name}' is not a message type")
        for entry in node.entries:
            self.check(entry.value)
            wanted = self._message_field(entry, node.name)
            given = self._optional_element(entry.value) if entry.optional else entry.value.type
            if not self._types.assignable(wanted, given):
                shown = f"'{wanted}' but provided type is '{given}'"
                self._complain(entry, f"expected type of field '{entry.name}' is {shown}")
        return result

    def _message_field(self, entry: FieldEntry, message: str) -> Type:
        declared = self._object_types.get(message)
        try:
            return field_type(message, entry.name, None if declared is None else declared.fields)
        except LookupError as fault:
            return self._complain(entry, str(fault))

    def _comprehension(self, node: Comprehension) -> Type:
        self.check(node.range)
        self.check(node.initial)
        range_type = self._types.resolve(node.range.type)
        accumulator = node.initial.type
        first, second = self._iteration_types(node, range_type)
        self._scopes.append({node.accumulator: accumulator})
        self._scopes.append({node.variable: first} | ({node.second: second} if node.second else {}))
        self.check(node.condition)
        self._assert(node.condition, BOOL)
        self.check(node.step)
        self._assert(node.step, accumulator)
        self._scopes.pop()
        self.check(node.result)
        self._scopes.pop()
        return self._types.resolve(node.result.type)

    def _iteration_types(self, node: Comprehension, range_type: Type) -> tuple[Type, Type]:
        if range_type.kind is Kind.LIST:
            element = range_type.parameters[0]
            return (INT, element) if node.second else (element, DYN)
        if range_type.kind is Kind.MAP:
            return range_type.parameters[0], range_type.parameters[1]
        if range_type.kind in (Kind.DYN, Kind.ERROR, Kind.PARAM):
            self._types.assignable(DYN, range_type)
            return DYN, DYN
        words = "cannot be range of a comprehension (must be list, map, or dynamic)"
        self._complain(node.range, f"expression of type '{range_type}' {words}")
        return ERROR, ERROR

    def _assert(self, node: Node, wanted: Type) -> None:
        if not self._types.assignable(wanted, node.type):
            self._complain(node, f"expected type '{wanted}' but found '{node.type}'")
