from __future__ import annotations

import pytest

from dra.dra_worlds import where
from kubectl_llmfit.api.values import Node, NodeSelector, NodeSelectorTerm, NodeTargeting, Requirement
from kubectl_llmfit.dra.nodes import NodeSelectorError, anchors, selector_matches, targeting_matches

NODE = Node("a", {"zone": "z1", "gpus": "8", "word": "x"})


def matches(requirement: Requirement) -> bool:
    return selector_matches(NodeSelector((NodeSelectorTerm((requirement,)),)), NODE)


@pytest.mark.parametrize(
    ("requirement", "expected"),
    [
        (Requirement("zone", "In", ("z1", "z2")), True),
        (Requirement("zone", "In", ("z2",)), False),
        (Requirement("none", "In", ("z1",)), False),
        (Requirement("zone", "NotIn", ("z1",)), False),
        (Requirement("none", "NotIn", ("z1",)), True),
        (Requirement("zone", "Exists"), True),
        (Requirement("none", "Exists"), False),
        (Requirement("zone", "DoesNotExist"), False),
        (Requirement("none", "DoesNotExist"), True),
        (Requirement("gpus", "Gt", ("7",)), True),
        (Requirement("gpus", "Gt", ("8",)), False),
        (Requirement("gpus", "Lt", ("9",)), True),
        (Requirement("gpus", "Lt", ("8",)), False),
        (Requirement("word", "Gt", ("1",)), False),
        (Requirement("none", "Lt", ("1",)), False),
    ],
)
def test_a_requirement_compares_the_nodes_label(requirement: Requirement, expected: bool) -> None:
    assert matches(requirement) is expected


@pytest.mark.parametrize(
    "requirement",
    [
        Requirement("zone", "In"),
        Requirement("zone", "Exists", ("z1",)),
        Requirement("gpus", "Gt", ("many",)),
        Requirement("gpus", "Gt", ("1", "2")),
        Requirement("gpus", "Gt", (str(2**63),)),
        Requirement("zone", "Near", ("z1",)),
        Requirement("-zone", "Exists"),
        Requirement("/zone", "Exists"),
        Requirement("zone", "In", ("not a label value",)),
    ],
)
def test_an_invalid_requirement_is_an_error_and_not_a_no(requirement: Requirement) -> None:
    with pytest.raises(NodeSelectorError):
        matches(requirement)


def test_an_invalid_term_is_an_error_although_another_term_holds() -> None:
    good, bad = Requirement("zone", "Exists"), Requirement("zone", "In")
    with pytest.raises(NodeSelectorError):
        selector_matches(NodeSelector((NodeSelectorTerm((good,)), NodeSelectorTerm((bad,)))), NODE)


def test_all_requirements_of_a_term_and_one_term_of_a_selector_must_hold() -> None:
    here, elsewhere = Requirement("zone", "In", ("z1",)), Requirement("gpus", "In", ("4",))
    assert not selector_matches(NodeSelector((NodeSelectorTerm((here, elsewhere)),)), NODE)
    assert selector_matches(NodeSelector((NodeSelectorTerm((elsewhere,)), NodeSelectorTerm((here,)))), NODE)


def test_an_empty_term_holds_nowhere() -> None:
    assert not selector_matches(NodeSelector((NodeSelectorTerm(),)), NODE)


@pytest.mark.parametrize(
    ("operator", "name", "expected"), [("In", "a", True), ("In", "b", False), ("NotIn", "b", True)]
)
def test_a_field_requirement_compares_the_nodes_name(operator: str, name: str, expected: bool) -> None:
    assert targeting_matches(where(fields=[Requirement("metadata.name", operator, (name,))]), NODE) is expected


@pytest.mark.parametrize(
    "requirement", [Requirement("metadata.name", "In", ("a", "b")), Requirement("metadata.name", "Exists")]
)
def test_a_field_takes_only_in_and_not_in_with_one_value(requirement: Requirement) -> None:
    with pytest.raises(NodeSelectorError):
        targeting_matches(where(fields=[requirement]), NODE)


def test_each_kind_of_targeting_names_its_nodes() -> None:
    assert targeting_matches(NodeTargeting(node_name="a"), NODE)
    assert not targeting_matches(NodeTargeting(node_name="b"), NODE)
    assert targeting_matches(NodeTargeting(all_nodes=True), NODE)
    assert not targeting_matches(NodeTargeting(per_device=True), NODE)
    assert not targeting_matches(NodeTargeting(), NODE)


def test_a_selector_is_looked_up_by_its_shortest_list_of_values() -> None:
    targeting = where(Requirement("zone", "In", ("z1", "z2")), Requirement("rack", "In", ("r1",)))
    assert anchors(targeting) == {("rack", "r1")}


def test_a_selector_without_a_list_of_values_is_tried_on_every_node() -> None:
    assert anchors(where(Requirement("zone", "Exists"))) is None
    assert anchors(NodeTargeting(all_nodes=True)) is None


def test_an_invalid_selector_is_tried_on_every_node_so_that_its_error_is_seen() -> None:
    assert anchors(where(Requirement("zone", "In", ("z1",)), Requirement("gpus", "Gt", ("many",)))) is None
