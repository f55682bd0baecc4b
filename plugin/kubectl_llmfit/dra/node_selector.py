"""Where an allocation can be used: on one node, on those that its devices' selectors name, or everywhere.

Rules: kube-scheduler 1.37, ``structured/internal/incubating`` createNodeSelector.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..api.values import NodeSelector, NodeSelectorTerm, Requirement
from .answer import PoolDevice
from .nodes import NAME_FIELD


class SelectorTermsError(Exception):
    """A selector of several terms, which an allocation cannot hold; ``str()`` is the scheduler's text."""


def create_node_selector(devices: Iterable[PoolDevice], node_name: str) -> NodeSelector | None:
    """The node selector of an allocation, None for everywhere. Raises SelectorTermsError.

    The first device that belongs to one node, or binds to it, decides; the others' requirements add up.
    """
    expressions: list[Requirement] = []
    fields: list[Requirement] = []
    for device in devices:
        if device.targeting.node_name is not None or device.shape.binds_to_node:
            name = Requirement(NAME_FIELD, "In", (node_name,))
            return NodeSelector((NodeSelectorTerm(match_fields=(name,)),))
        terms = device.targeting.node_selector.terms if device.targeting.node_selector else ()
        if len(terms) > 1:
            raise SelectorTermsError(f"unsupported ResourceSlice.NodeSelector with {len(terms)} terms")
        for term in terms:
            _add(term.match_fields, fields)
            _add(term.match_expressions, expressions)
    if not expressions and not fields:
        return None
    return NodeSelector((NodeSelectorTerm(tuple(expressions), tuple(fields)),))


def _add(requirements: Iterable[Requirement], known: list[Requirement]) -> None:
    for requirement in requirements:
        if not any(_is_same(requirement, other) for other in known):
            known.append(requirement)


def _is_same(one: Requirement, other: Requirement) -> bool:
    return (one.key, one.operator, set(one.values)) == (other.key, other.operator, set(other.values))
