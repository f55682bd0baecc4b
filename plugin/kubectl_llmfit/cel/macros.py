"""Macros: what looks like a function call and is rewritten while parsing.

Owns the expansion of has, the comprehensions of one and two variables, optMap, optFlatMap and cel.bind
(cel-go: parser/macro.go, ext/comprehensions.go, ext/bindings.go, cel/library.go). Must not check types.
A library that brings macros of its own adds them to the table here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from . import operators as op
from .ast import Call, Comprehension, Fold, Ident, ListLiteral, Literal, MapLiteral, MessageLiteral, Node, Select

# The accumulator's name cannot be written in an expression; the older one still may not be shadowed.
ACCUMULATOR: Final = "@result"
_OLD_ACCUMULATOR: Final = "__result__"
_UNUSED: Final = "#unused"
_SORTED: Final = "@__sortBy_input__"

_Args = list[Node]
_Expander = Callable[[Node | None, _Args, int], Node | None]


class MacroError(Exception):
    """A macro that was recognised but whose arguments make no sense; ``offset`` is the culprit's."""

    def __init__(self, node: Node, message: str) -> None:
        super().__init__(message)
        self.offset = node.offset


def expand(function: str, target: Node | None, args: _Args, offset: int) -> Node | None:
    """The expansion of a call, or None when it is an ordinary call. All new nodes stand at ``offset``."""
    expander = _MACROS.get((function, len(args), target is not None))
    return expander(target, args, offset) if expander else None


# Building blocks


def _accumulator(offset: int) -> Node:
    return Ident(ACCUMULATOR, offset=offset)


def _literal(value: object, offset: int) -> Node:
    return Literal(value, offset=offset)


def _list(elements: _Args, offset: int) -> Node:
    return ListLiteral(elements, [False] * len(elements), offset=offset)


def _call(function: str, *args: Node, offset: int) -> Node:
    return Call(function, list(args), offset=offset)


def _member_call(function: str, target: Node, offset: int) -> Node:
    return Call(function, [], target, offset=offset)


def _variable(node: Node, message: str) -> str:
    """The name of an iteration variable."""
    if not isinstance(node, Ident):
        raise MacroError(node, message)
    if node.name in (ACCUMULATOR, _OLD_ACCUMULATOR):
        raise MacroError(node, "iteration variable overwrites accumulator variable")
    return node.name


def _variables(args: _Args) -> tuple[str, str]:
    """The names of two iteration variables."""
    for node in args[:2]:
        if not isinstance(node, Ident):
            raise MacroError(node, "argument must be a simple name")
    first, second = args[0], args[1]
    if isinstance(first, Ident) and isinstance(second, Ident) and first.name == second.name:
        raise MacroError(second, f"duplicate variable name: {first.name}")
    return _variable(first, ""), _variable(second, "")


def _loop(
    fold: Fold,
    target: Node,
    names: tuple[str, str | None],
    initial: Node,
    condition: Node,
    step: Node,
    result: Node,
) -> Node:
    return Comprehension(fold, target, *names, ACCUMULATOR, initial, condition, step, result, offset=initial.offset)


# Quantifiers


def _quantifier_all(target: Node, names: tuple[str, str | None], predicate: Node, at: int) -> Node:
    return _loop(
        Fold.ALL,
        target,
        names,
        _literal(True, at),
        _call(op.NOT_STRICTLY_FALSE, _accumulator(at), offset=at),
        _call(op.LOGICAL_AND, _accumulator(at), predicate, offset=at),
        _accumulator(at),
    )


def _quantifier_exists(target: Node, names: tuple[str, str | None], predicate: Node, at: int) -> Node:
    negated = _call(op.LOGICAL_NOT, _accumulator(at), offset=at)
    return _loop(
        Fold.EXISTS,
        target,
        names,
        _literal(False, at),
        _call(op.NOT_STRICTLY_FALSE, negated, offset=at),
        _call(op.LOGICAL_OR, _accumulator(at), predicate, offset=at),
        _accumulator(at),
    )


def _quantifier_exists_one(target: Node, names: tuple[str, str | None], predicate: Node, at: int) -> Node:
    counted = _call(op.ADD, _accumulator(at), _literal(1, at), offset=at)
    return _loop(
        Fold.EXISTS_ONE,
        target,
        names,
        _literal(0, at),
        _literal(True, at),
        _call(op.CONDITIONAL, predicate, counted, _accumulator(at), offset=at),
        _call(op.EQUALS, _accumulator(at), _literal(1, at), offset=at),
    )


_Quantifier = Callable[[Node, tuple[str, str | None], Node, int], Node]


def _one_variable(quantifier: _Quantifier) -> _Expander:
    def _expander(target: Node | None, args: _Args, at: int) -> Node | None:
        assert target is not None
        name = _variable(args[0], "argument must be a simple name")
        return quantifier(target, (name, None), args[1], at)

    return _expander


def _two_variables(quantifier: _Quantifier) -> _Expander:
    def _expander(target: Node | None, args: _Args, at: int) -> Node | None:
        assert target is not None
        return quantifier(target, _variables(args), args[2], at)

    return _expander


# Transformations


def _collect(target: Node, names: tuple[str, str | None], filter_: Node | None, item: Node, at: int) -> Node:
    """A loop that adds ``item`` to a list for every round that ``filter_`` lets pass."""
    step = _call(op.ADD, _accumulator(at), _list([item], at), offset=at)
    if filter_ is not None:
        step = _call(op.CONDITIONAL, filter_, step, _accumulator(at), offset=at)
    return _loop(Fold.COLLECT, target, names, _list([], at), _literal(True, at), step, _accumulator(at))


def _map(target: Node | None, args: _Args, at: int) -> Node | None:
    assert target is not None
    name = _variable(args[0], "argument is not an identifier")
    filter_ = args[1] if len(args) == 3 else None
    return _collect(target, (name, None), filter_, args[-1], at)


def _filter(target: Node | None, args: _Args, at: int) -> Node | None:
    assert target is not None
    name = _variable(args[0], "argument is not an identifier")
    return _collect(target, (name, None), args[1], args[0], at)


def _transform_list(target: Node | None, args: _Args, at: int) -> Node | None:
    assert target is not None
    filter_ = args[2] if len(args) == 4 else None
    return _collect(target, _variables(args), filter_, args[-1], at)


def _transform_to_map(target: Node, args: _Args, inserted: list[Node], at: int) -> Node:
    names = _variables(args)
    step = _call(op.MAP_INSERT, _accumulator(at), *inserted, offset=at)
    if len(args) == 4:
        step = _call(op.CONDITIONAL, args[2], step, _accumulator(at), offset=at)
    return _loop(Fold.INSERT, target, names, MapLiteral([], offset=at), _literal(True, at), step, _accumulator(at))


def _transform_map(target: Node | None, args: _Args, at: int) -> Node | None:
    assert target is not None
    key, _ = _variables(args)
    return _transform_to_map(target, args, [Ident(key, offset=at), args[-1]], at)


def _transform_map_entry(target: Node | None, args: _Args, at: int) -> Node | None:
    assert target is not None
    return _transform_to_map(target, args, [args[-1]], at)


# Presence, binding, optionals


def _has(_target: Node | None, args: _Args, at: int) -> Node | None:
    operand = args[0]
    if not isinstance(operand, Select):
        raise MacroError(operand, "invalid argument to has() macro")
    return Select(operand.operand, operand.field, test_only=True, offset=at)


def _binding(variable: str, initial: Node, result: Node, at: int) -> Node:
    """``result`` with ``variable`` standing for ``initial``: a loop over nothing."""
    never = Literal(False, offset=at)
    nothing = _list([], at)
    name = Ident(variable, offset=at)
    return Comprehension(Fold.BIND, nothing, _UNUSED, None, variable, initial, never, name, result, offset=at)


def _bind(target: Node | None, args: _Args, at: int) -> Node | None:
    if not isinstance(target, Ident) or target.name != "cel":
        return None
    if not isinstance(args[0], Ident):
        raise MacroError(args[0], "cel.bind() variable names must be simple identifiers")
    return _binding(args[0].name, args[1], args[2], at)


def _opt_map(target: Node | None, args: _Args, at: int) -> Node | None:
    return _with_optional("optMap", target, args, lambda value: _call("optional.of", value, offset=at), at)


def _opt_flat_map(target: Node | None, args: _Args, at: int) -> Node | None:
    return _with_optional("optFlatMap", target, args, lambda value: value, at)


def _with_optional(macro: str, target: Node | None, args: _Args, wrap: Callable[[Node], Node], at: int) -> Node | None:
    """``target.hasValue() ? wrap(target.value() bound and used) : optional.none()``.

    The target stands at two places, as in cel-go, and is evaluated at both. There the second is a copy; here it is
    the same node, so that a chain of these stays as short as its text.
    """
    assert target is not None
    if not isinstance(args[0], Ident):
        raise MacroError(args[0], f"{macro}() variable name must be a simple identifier")
    value = _member_call("value", target, at)
    result = wrap(_binding(args[0].name, value, args[1], at))
    present = _member_call("hasValue", target, at)
    return _call(op.CONDITIONAL, present, result, _call("optional.none", offset=at), offset=at)


def _sort_by(target: Node | None, args: _Args, at: int) -> Node | None:
    """The elements in the order of what the second argument makes of each."""
    if isinstance(target, Literal | MapLiteral | MessageLiteral):
        words = "sortBy can only be applied to a list, identifier, comprehension, call or select expression"
        raise MacroError(target, words)
    assert target is not None
    keys = _map(Ident(_SORTED, offset=at), args, at)
    assert keys is not None
    ordered = Call(op.SORT_BY_KEYS, [keys], Ident(_SORTED, offset=at), offset=at)
    return _binding(_SORTED, target, ordered, at)


_MACROS: Final[dict[tuple[str, int, bool], _Expander]] = {
    ("has", 1, False): _has,
    ("all", 2, True): _one_variable(_quantifier_all),
    ("exists", 2, True): _one_variable(_quantifier_exists),
    ("exists_one", 2, True): _one_variable(_quantifier_exists_one),
    ("map", 2, True): _map,
    ("map", 3, True): _map,
    ("filter", 2, True): _filter,
    ("all", 3, True): _two_variables(_quantifier_all),
    ("exists", 3, True): _two_variables(_quantifier_exists),
    ("exists_one", 3, True): _two_variables(_quantifier_exists_one),
    ("existsOne", 3, True): _two_variables(_quantifier_exists_one),
    ("transformList", 3, True): _transform_list,
    ("transformList", 4, True): _transform_list,
    ("transformMap", 3, True): _transform_map,
    ("transformMap", 4, True): _transform_map,
    ("transformMapEntry", 3, True): _transform_map_entry,
    ("transformMapEntry", 4, True): _transform_map_entry,
    ("bind", 3, True): _bind,
    ("sortBy", 2, True): _sort_by,
    ("optMap", 2, True): _opt_map,
    ("optFlatMap", 2, True): _opt_flat_map,
}
