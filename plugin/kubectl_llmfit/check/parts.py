"""What each && operand of a selector is about, read from its syntax tree; the words come from driver profiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from ..cel import Program, operators
from ..cel.ast import Call, Ident, Literal, Node, Select, walk
from ..cel.reads import reads_of
from ..drivers.registry import profile_of_driver
from .asked import Part, PartKind
from .names import names_in

_COMPARISONS = {operators.BINARY[sign]: sign for sign in ("==", "!=", "<", "<=", ">", ">=")}
_MIRRORED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_ORDERED_BY = {"isLessThan": "<", "isGreaterThan": ">"}
_TEXT_TESTS = frozenset({"contains", "startsWith", "endsWith", "matches"})
_MAPS = ("attributes", "capacity")


class Path(NamedTuple):
    """``device.attributes[domain].key`` or the same of ``capacity``; no domain for ``device.driver``."""

    domain: str
    key: str


_DRIVER = Path("", "driver")

_PUBLISHED_MEANS = {Path("llmfit.ai", "vendorManaged"): "left to the vendor's driver (vendorManaged)"}
"""What it means that a device publishes a name. Source: llmfit-dra 0.3.3, deploy/deviceclass.yaml."""


def describe_parts(program: Program) -> tuple[Part, ...]:
    """One Part for each of ``program.parts``, in order."""
    texts = [part.text for part in program.parts]
    operands = _operands(program.expression)
    return tuple(
        replace(_describe(text, node), guarded=_guarded(program.text, text, node), reads=names_in(reads_of(node)))
        for text, node in zip(texts, operands, strict=True)
    )


def _operands(root: Node) -> Iterator[Node]:
    """The operands of the top-level &&, left to right; without recursion, a selector may have thousands."""
    pending = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, Call) and node.function == operators.LOGICAL_AND:
            pending.extend(reversed(node.args))
        else:
            yield node


def _describe(text: str, node: Node) -> Part:
    negated = isinstance(node, Call) and node.function == operators.LOGICAL_NOT
    presence = _presence(node.args[0] if isinstance(node, Call) and negated else node)
    if presence:
        operator, saying = ("!", _PUBLISHED_MEANS.get(presence)) if negated else (None, None)
        return Part(text, _word(presence), PartKind.PRESENCE, presence.key, operator, saying=saying)
    path = _only_path(node)
    if path is None:
        return Part(text, None)
    kind, operator = _test(node)
    return Part(text, _word(path), kind, path.key, operator, _unit(path))


def _guarded(selector: str, text: str, node: Node) -> dict[str, str]:
    """For each name that the operand reads, CEL that asks whether the device has it before."""
    loose = isinstance(node, Call) and node.function in {operators.LOGICAL_OR, operators.CONDITIONAL}
    operand = f"({text})" if loose else text
    guarded: dict[str, str] = {}
    for each in walk(node):
        path, container = _path(each), each.children()[:1]
        if path and path != _DRIVER and container:
            where = selector[container[0].start : container[0].end]
            guarded.setdefault(path.key, f"{path.key!r} in {where} && {operand}")
    return guarded


def _presence(node: Node) -> Path | None:
    """The path that ``'key' in device.x['domain']`` or ``has(device.x['domain'].key)`` asks for."""
    if isinstance(node, Select) and node.test_only:
        domain = _domain(node.operand)
        return Path(domain, node.field) if domain is not None else None
    if isinstance(node, Call) and node.function == operators.IN:
        key, container = node.args
        domain = _domain(container)
        if domain is not None and isinstance(key, Literal) and isinstance(key.value, str):
            return Path(domain, key.value)
    return None


def _test(node: Node) -> tuple[PartKind, str | None]:
    if _path(node):
        return PartKind.FLAG, None
    if not isinstance(node, Call):
        return PartKind.OTHER, None
    if node.function == operators.LOGICAL_NOT and _path(node.args[0]):
        return PartKind.FLAG, "!"
    if node.function == operators.IN and _path(node.args[0]):
        return PartKind.MEMBERSHIP, None
    if node.function in _ORDERED_BY and node.target is not None and _path(node.target):
        return PartKind.COMPARISON, _ORDERED_BY[node.function]
    if node.function in _TEXT_TESTS and _reads_alone((node.target, *node.args)):
        return PartKind.TEXT, node.function
    operator = _COMPARISONS.get(node.function)
    if operator is not None:
        left, right = node.args
        if _is_observed(left, right):
            return PartKind.COMPARISON, operator
        if _is_observed(right, left):
            return PartKind.COMPARISON, _MIRRORED[operator]
    return PartKind.OTHER, None


def _reads_alone(operands: Sequence[Node | None]) -> bool:
    """Whether the text that is tested is the only operand that reads the device."""
    tested, *others = (each for each in operands if each is not None)
    return _only_path(tested) is not None and all(isinstance(other, Literal) for other in others)


def _is_observed(left: Node, right: Node) -> bool:
    """Whether ``left`` is what the device has: its value, or ``value.compareTo(bound)`` against 0."""
    if _path(left):
        return True
    if not isinstance(left, Call) or left.function != "compareTo" or _path(left.target) is None:
        return False
    return isinstance(right, Literal) and right.value == 0


def _only_path(node: Node) -> Path | None:
    paths = {path for path in map(_path, walk(node)) if path}
    return paths.pop() if len(paths) == 1 else None


def _path(node: Node | None) -> Path | None:
    if isinstance(node, Select) and not node.test_only:
        if node.field == _DRIVER.key and isinstance(node.operand, Ident):
            return _DRIVER
        domain = _domain(node.operand)
        return Path(domain, node.field) if domain is not None else None
    key = _index(node)
    if key is None or not isinstance(node, Call):
        return None
    domain = _domain(node.args[0])
    return Path(domain, key) if domain is not None else None


def _domain(node: Node) -> str | None:
    """``domain`` of ``device.attributes['domain']`` and ``device.capacity['domain']``."""
    domain = _index(node)
    if domain is None or not isinstance(node, Call):
        return None
    container = node.args[0]
    of_device = isinstance(container, Select) and container.field in _MAPS and isinstance(container.operand, Ident)
    return domain if of_device else None


def _index(node: Node | None) -> str | None:
    if isinstance(node, Call) and node.function == operators.INDEX:
        key = node.args[1]
        if isinstance(key, Literal) and isinstance(key.value, str):
            return key.value
    return None


def _word(path: Path) -> str:
    profile = profile_of_driver(path.domain)
    return (profile.word_of(path.key) if profile is not None else None) or path.key


def _unit(path: Path) -> str | None:
    profile = profile_of_driver(path.domain)
    return "GB/s" if profile is not None and profile.bandwidth == path.key else None
