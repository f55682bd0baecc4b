"""What could not be read is never a yes and never a no."""

from __future__ import annotations

import pytest

from check.check_worlds import allocated, by_name, check, claim, everywhere, gpu, on, world
from kubectl_llmfit.api.values import (
    Node,
    NodeSelector,
    NodeSelectorTerm,
    NodeTargeting,
    Requirement,
    ResourceSlice,
    Unread,
)
from kubectl_llmfit.check.choice import Choice
from kubectl_llmfit.check.selector import parse_selector
from kubectl_llmfit.check.values import Answer, Copies, NodeCheck, Verdict
from kubectl_llmfit.errors import CannotTellError

SLICES = (on("fits", gpu("gpu-0")), on("small", gpu("gpu-0", "15Gi")))


def without(resource: str, *slices: ResourceSlice) -> NodeCheck:
    nodes = () if resource == "nodes" else sorted({s.targeting.node_name or "a" for s in slices})
    state = world(*slices, nodes=nodes, classes=(), unread=(Unread(resource, "forbidden"),))
    if resource != "deviceclasses":
        state = world(*slices, nodes=nodes, unread=(Unread(resource, "forbidden"),))
    return check(state)


def test_without_claims_a_matching_device_may_be_held() -> None:
    nodes = by_name(without("resourceclaims", *SLICES))
    assert nodes["fits"].verdict is Verdict.UNKNOWN
    assert "forbidden" in (nodes["fits"].reason or "")
    assert nodes["small"].verdict is Verdict.NO_FIT
    assert [group.verdict for group in nodes["fits"].devices] == [Verdict.UNKNOWN]


def test_without_claims_a_no_is_still_a_no() -> None:
    assert without("resourceclaims", SLICES[1]).summary.verdict is Answer.NO
    assert without("resourceclaims", *SLICES).summary.verdict is Answer.CANNOT_TELL


def test_without_classes_nothing_is_known_of_a_device() -> None:
    checked = without("deviceclasses", *SLICES)
    assert {node.verdict for node in checked.nodes} == {Verdict.UNKNOWN}
    assert checked.summary.verdict is Answer.CANNOT_TELL


def test_without_classes_a_held_device_is_in_use_or_no_fit_and_its_holder_is_named() -> None:
    unread = (Unread("deviceclasses", "forbidden"),)
    node = by_name(check(world(SLICES[0], classes=(), unread=unread, claims=(allocated("llama", "fits", "gpu-0"),))))
    assert (node["fits"].verdict, node["fits"].scheduler) == (Verdict.UNKNOWN, "Refuses")
    assert node["fits"].reason == "held by team-a/llama; deviceclasses could not be read (forbidden)"


def test_what_one_claim_holds_is_in_use_whoever_else_holds_anything() -> None:
    unread = (Unread("resourceclaims", "forbidden in namespace team-b"),)
    state = world(*SLICES, claims=(allocated("llama", "fits", "gpu-0"),), unread=unread)
    checked = check(state)
    node = by_name(checked)["fits"]
    assert (node.verdict, node.reason, node.copies) == (Verdict.IN_USE, "held by team-a/llama", Copies(0, 1))
    assert [group.verdict for group in node.devices] == [Verdict.IN_USE]
    assert checked.summary.verdict is Answer.NO


def test_a_held_device_beside_one_that_may_be_held_is_not_in_use_for_sure() -> None:
    unread = (Unread("resourceclaims", "forbidden in namespace team-b"),)
    slices = (on("a", gpu("gpu-0"), gpu("gpu-1")),)
    node = by_name(check(world(*slices, claims=(allocated("llama", "a", "gpu-0"),), unread=unread)))["a"]
    assert (node.verdict, node.copies) == (Verdict.UNKNOWN, None)
    assert [group.verdict for group in node.devices] == [Verdict.IN_USE, Verdict.UNKNOWN]


def test_without_taint_rules_a_fit_is_not_certain() -> None:
    nodes = by_name(without("devicetaintrules", *SLICES))
    assert (nodes["fits"].verdict, nodes["small"].verdict) == (Verdict.UNKNOWN, Verdict.NO_FIT)


def test_without_nodes_there_is_a_row_for_each_that_a_slice_names() -> None:
    checked = without("nodes", *SLICES)
    nodes = by_name(checked)
    assert (nodes["fits"].verdict, nodes["small"].verdict) == (Verdict.UNKNOWN, Verdict.NO_FIT)
    assert nodes["fits"].reason == "may be cordoned or gone: nodes could not be read (forbidden)"
    assert nodes["fits"].assumed
    assert checked.summary.verdict is Answer.CANNOT_TELL


def test_without_nodes_a_slice_may_reach_some_that_nothing_names() -> None:
    assert without("nodes", SLICES[1]).summary.verdict is Answer.NO
    assert without("nodes", SLICES[1], everywhere("fabric", gpu("gpu-0", "15Gi"))).summary.verdict is Answer.CANNOT_TELL


def test_without_nodes_an_error_is_not_certain() -> None:
    state = world(on("a", gpu("gpu-0")), unread=(Unread("nodes", "forbidden"),))
    checked = check(state, claim("device.attributes['llmfit.ai'].vram > 5"))
    assert (by_name(checked)["a"].verdict, checked.summary.verdict) == (Verdict.UNKNOWN, Answer.CANNOT_TELL)


def test_without_nodes_labels_cannot_choose() -> None:
    state = world(*SLICES, unread=(Unread("nodes", "forbidden"),))
    with pytest.raises(CannotTellError, match="-l/--selector"):
        check(state, choice=Choice(parse_selector("zone=a")))


def test_what_is_unread_is_in_the_summary() -> None:
    assert without("resourceclaims", *SLICES).summary.unread == (Unread("resourceclaims", "forbidden"),)


def test_a_selector_on_nodes_is_tried_on_their_labels() -> None:
    zone = NodeSelector((NodeSelectorTerm((Requirement("zone", "In", ("x",)),)),))
    slice_ = ResourceSlice("s", "llmfit.ai", "p", 1, 1, NodeTargeting(node_selector=zone), (gpu("gpu-0"),))
    nodes = by_name(check(world(slice_, nodes=(Node("a", {"zone": "x"}), Node("b", {"zone": "y"})))))
    assert {name: node.verdict for name, node in nodes.items()} == {"a": Verdict.FITS}
