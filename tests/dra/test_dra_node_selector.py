"""Where an allocation can be used."""

from __future__ import annotations

from dra.dra_worlds import ALL_NODES, NODE, answer, claim, device, pool, request, state, where
from kubectl_llmfit.api.values import Node, NodeSelector, NodeSelectorTerm, NodeTargeting, Requirement
from kubectl_llmfit.dra.answer import Outcome

HERE = NodeSelector((NodeSelectorTerm(match_fields=(Requirement("metadata.name", "In", ("a",)),)),))
ZONE, RACK = Requirement("zone", "In", ("z",)), Requirement("rack", "Exists")
LABELLED = Node("a", {"zone": "z", "rack": "1"})


def test_a_device_of_one_node_ties_the_allocation_to_it() -> None:
    assert answer(state(pool(device("d"))), claim(request())).node_selectors == (HERE,)


def test_a_device_of_all_nodes_does_not() -> None:
    assert answer(state(pool(device("d"), targeting=ALL_NODES)), claim(request())).node_selectors == (None,)


def test_a_device_that_binds_to_its_node_ties_each_node_to_itself() -> None:
    world = state(pool(device("d", binds_to_node=True), targeting=ALL_NODES))
    (selector,) = answer(world, claim(request())).node_selectors
    (other,) = answer(world, claim(request()), node=Node("b")).node_selectors
    assert selector == HERE
    assert other != HERE


def test_selectors_of_several_slices_add_up_once_each() -> None:
    world = state(
        pool(device("d"), name="p", targeting=where(ZONE)), pool(device("d"), name="q", targeting=where(RACK, ZONE))
    )
    found = answer(world, claim(request(count=2)), node=LABELLED)
    assert found.node_selectors == (NodeSelector((NodeSelectorTerm((ZONE, RACK)),)),)


def test_a_device_with_a_selector_of_two_terms_fails_the_pod() -> None:
    # The API server holds slices to one term, but not devices.
    terms = (NodeSelectorTerm((ZONE,)), NodeSelectorTerm((RACK,)))
    odd = device("d", targeting=NodeTargeting(node_selector=NodeSelector(terms)))
    world = state(pool(odd, targeting=NodeTargeting(per_device=True)))
    found = answer(world, claim(request()), node=LABELLED)
    assert (found.outcome, found.message) == (
        Outcome.FAILS,
        "create NodeSelector for claim c: unsupported ResourceSlice.NodeSelector with 2 terms",
    )
    assert answer(world, claim(request()), node=NODE).outcome is Outcome.REFUSES
