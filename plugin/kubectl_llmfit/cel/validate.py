"""What Kubernetes checks of a typed expression beyond its types.

Owns the literal validators (cel-go: cel/validator.go; apiserver: environment/base.go): aggregates of one
type only, times, regular expressions and format templates that parse. Must not evaluate.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from .ast import Call, ListLiteral, Literal, MapLiteral, Node, walk
from .errors import CelCompileError, CelRuntimeError
from .libraries import functions
from .libraries.formatting import check_literal
from .regex import compile_regex
from .source import Source
from .types import Type
from .unify import equivalent


def validate(root: Node, source: Source) -> None:
    """Complain to ``source`` about literals that the API server refuses."""
    nodes = list(walk(root))
    for node in nodes:
        if isinstance(node, Call) and node.function in _CHECKED_ARGUMENTS:
            _check_argument(node, source, _CHECKED_ARGUMENTS[node.function])
    exempt = _arguments_of_format(nodes)
    for node in nodes:
        if isinstance(node, ListLiteral) and id(node) not in exempt:
            _check_list(node, source)
    for node in nodes:
        if isinstance(node, MapLiteral) and id(node) not in exempt:
            _check_map(node, source)
    for node in nodes:
        if isinstance(node, Call) and node.overloads == ("string_format",):
            _check_template(node, source)


def _arguments_of_format(nodes: list[Node]) -> frozenset[int]:
    """The ids of all nodes below a call of format, whose arguments may be of any types."""
    calls = [node for node in nodes if isinstance(node, Call) and node.function == "format"]
    return frozenset(map(id, walk(*(child for call in calls for child in call.children()))))


def _check_template(node: Call, source: Source) -> None:
    fault = check_literal(node)
    if fault is not None:
        source.complain(fault[0].offset, fault[1])


def _convert(function: str) -> Callable[[object], object]:
    """What the standard library's one-argument conversion does with a literal."""
    return functions(stored=True)[function].implementation(())


def _compile_pattern(value: object) -> object:
    return compile_regex(value) if isinstance(value, str) else None


_CHECKED_ARGUMENTS: Final[dict[str, Callable[[object], object]]] = {
    "duration": _convert("duration"),
    "timestamp": _convert("timestamp"),
    "matches": _compile_pattern,
}


def _check_argument(node: Call, source: Source, check: Callable[[object], object]) -> None:
    """The first argument, where it is a literal: of a method call the pattern, of matches(text, pattern) the text."""
    argument = node.args[0]
    if not isinstance(argument, Literal):
        return
    try:
        check(argument.value)
    except (ValueError, CelRuntimeError):
        source.complain(argument.offset, f"invalid {node.function} argument")


def _element_type(node: Node, optional: bool) -> Type:
    if not optional:
        return node.type
    if not node.type.parameters:
        # The validator takes the parameter of what the checker let pass as dyn.
        text = "internal error: runtime error: index out of range [0] with length 0"
        raise CelCompileError(text, text)
    return node.type.parameters[0]


def _check_list(node: ListLiteral, source: Source) -> None:
    first: Type | None = None
    for element, optional in zip(node.elements, node.optional, strict=True):
        type_ = _element_type(element, optional)
        first = first or type_
        if not equivalent(first, type_):
            source.complain(element.offset, f"expected type '{first}' but found '{type_}'")
            return


def _check_map(node: MapLiteral, source: Source) -> None:
    if not node.entries:
        return
    head = node.entries[0]
    key, value = head.key.type, _element_type(head.value, head.optional)
    for entry in node.entries[1:]:
        found = _element_type(entry.value, entry.optional)
        if not equivalent(key, entry.key.type):
            source.complain(entry.key.offset, f"expected type '{key}' but found '{entry.key.type}'")
        if not equivalent(value, found):
            source.complain(entry.value.offset, f"expected type '{value}' but found '{found}'")
