"""Which nodes a selector, a slice or a device targets.

Rules: Kubernetes 1.37 component-helpers ``scheduling/corev1/nodeaffinity`` (NewNodeSelector, Match),
apimachinery ``labels.NewRequirement`` and ``structured/internal/incubating`` NodeMatches.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ..api.names import label_key_error, label_value_error
from ..api.values import Node, NodeSelector, NodeSelectorTerm, NodeTargeting, Requirement

NAME_FIELD = "metadata.name"
_INT64_MIN, _INT64_MAX = -(2**63), 2**63 - 1
_INT64_DIGITS = 19
_INTEGER = re.compile(r"[+-]?[0-9]+", re.ASCII)


class NodeSelectorError(Exception):
    """A selector that the scheduler cannot parse; it fails the whole pod wherever the selector is looked at."""


def selector_matches(selector: NodeSelector, node: Node) -> bool:
    """Whether one of the terms holds on ``node``; an empty term holds nowhere.

    Raises NodeSelectorError where any term is invalid, also if another one holds (NewNodeSelector).
    """
    terms = [term for term in selector.terms if term.match_expressions or term.match_fields]
    problems = [problem for term in terms for problem in _term_problems(term)]
    if problems:
        raise NodeSelectorError("; ".join(problems))
    return any(_term_matches(term, node) for term in terms)


def targeting_matches(targeting: NodeTargeting, node: Node) -> bool:
    """Whether a slice's or a device's own targeting names ``node``; per-device targeting names none by itself.

    Raises NodeSelectorError.
    """
    if targeting.node_name:
        return targeting.node_name == node.name
    if targeting.all_nodes:
        return True
    if targeting.node_selector is not None:
        return selector_matches(targeting.node_selector, node)
    return False


def depends_on_labels(selector: NodeSelector) -> bool:
    """Whether a node's labels can decide the selector (its name alone does not)."""
    return any(term.match_expressions for term in selector.terms)


def anchors(targeting: NodeTargeting) -> frozenset[tuple[str, str]] | None:
    """Facts of which a node must have one to be targeted; None where there is no such short list.

    A fact is a label and its value, or ``metadata.name`` and the name. Used to find the slices of a node without
    trying every slice; the full test comes after it.
    """
    if targeting.node_name:
        return frozenset({(NAME_FIELD, targeting.node_name)})
    if targeting.all_nodes or targeting.node_selector is None:
        return None if targeting.all_nodes else frozenset()
    facts: set[tuple[str, str]] = set()
    for term in targeting.node_selector.terms:
        if next(_term_problems(term), None) is not None:
            return None
        wanted = _anchor_of(term)
        if wanted is None:
            return None
        facts.update((wanted.key, value) for value in wanted.values)
    return frozenset(facts)


def node_facts(node: Node) -> Iterator[tuple[str, str]]:
    """What ``anchors`` are looked up by: the node's name and its labels."""
    yield NAME_FIELD, node.name
    yield from node.labels.items()


def _anchor_of(term: NodeSelectorTerm) -> Requirement | None:
    for requirement in term.match_fields:
        if requirement.operator == "In" and requirement.key == NAME_FIELD:
            return requirement
    # A label that is itself called metadata.name would be mixed up with the field.
    usable = (r for r in term.match_expressions if r.operator == "In" and r.key != NAME_FIELD)
    return min(usable, key=lambda r: len(r.values), default=None)


def _term_matches(term: NodeSelectorTerm, node: Node) -> bool:
    return all(label_matches(r, node.labels) for r in term.match_expressions) and all(
        _field_matches(r, node) for r in term.match_fields
    )


def label_matches(requirement: Requirement, labels: Mapping[str, str]) -> bool:
    """Whether a valid requirement holds on labels. Source: labels.Requirement.Matches."""
    value = labels.get(requirement.key)
    match requirement.operator:
        case "In":
            return value is not None and value in requirement.values
        case "NotIn":
            return value is None or value not in requirement.values
        case "Exists":
            return value is not None
        case "DoesNotExist":
            return value is None
    have = None if value is None else parse_int64(value)
    want = parse_int64(requirement.values[0])
    if have is None or want is None:
        return False
    return have > want if requirement.operator == "Gt" else have < want


def _field_matches(requirement: Requirement, node: Node) -> bool:
    value = node.name if requirement.key == NAME_FIELD else ""
    return (value == requirement.values[0]) == (requirement.operator == "In")


def _term_problems(term: NodeSelectorTerm) -> Iterator[str]:
    for requirement in term.match_expressions:
        yield from _label_problems(requirement)
    for requirement in term.match_fields:
        if requirement.operator not in {"In", "NotIn"}:
            yield f'Unsupported value: "{requirement.operator}": supported values: "In", "NotIn"'
        elif len(requirement.values) != 1:
            yield f"Invalid value: {list(requirement.values)}: must have one element"


def _label_problems(requirement: Requirement) -> Iterator[str]:
    """Source: labels.NewRequirement."""
    problem = label_key_error(requirement.key)
    if problem is not None:
        yield f'Invalid value: "{requirement.key}": {problem}'
    count = len(requirement.values)
    match requirement.operator:
        case "In" | "NotIn":
            if count == 0:
                yield "for 'in', 'notin' operators, values set can't be empty"
        case "Exists" | "DoesNotExist":
            if count != 0:
                yield "values set must be empty for exists and does not exist"
        case "Gt" | "Lt":
            if count != 1:
                yield "for 'Gt', 'Lt' operators, exactly one value is required"
            elif parse_int64(requirement.values[0]) is None:
                yield "for 'Gt', 'Lt' operators, the value must be an integer"
        case _:
            yield f'Unsupported value: "{requirement.operator}"'
    for value in requirement.values:
        problem = label_value_error(value)
        if problem is not None:
            yield f'Invalid value: "{value}": {problem}'


def parse_int64(text: str) -> int | None:
    """strconv.ParseInt(text, 10, 64), None for its errors."""
    if not _INTEGER.fullmatch(text) or len(text.lstrip("+-0")) > _INT64_DIGITS:
        return None
    value = int(text)
    return value if _INT64_MIN <= value <= _INT64_MAX else None
