"""A check warns of reads without a guard, also when every device has what they read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from check.card_worlds import any_of, asks, first_available
from check.check_worlds import GPU_CLASS, LLMFIT_CLASS, ask, check, claim, claim_of, gpu, on, world
from kubectl_llmfit.api.values import Claim, ClusterState, DeviceClass, Node
from kubectl_llmfit.check.document import to_document
from kubectl_llmfit.check.values import Answer
from kubectl_llmfit.check.warnings import unguarded_warnings

BARE = "device.attributes['llmfit.ai'].healthy"
GUARDED = f"'healthy' in device.attributes['llmfit.ai'] && {BARE}"


def warnings(state: ClusterState, *claims: Claim) -> list[str]:
    return list(unguarded_warnings(check(state, *claims)))


def everything_there(*classes: DeviceClass) -> ClusterState:
    return world(on("a", gpu("gpu-0")), classes=classes or (LLMFIT_CLASS,))


def test_the_rendered_claim_reads_nothing_without_a_guard() -> None:
    assert warnings(everything_there()) == []


def test_a_claim_that_reads_without_a_guard_is_told_what_to_write() -> None:
    assert warnings(everything_there(), claim(BARE)) == [
        "the claim's selector reads llmfit.ai/healthy without a guard: a device that lacks it fails the whole pod;"
        " write 'healthy' in device.attributes['llmfit.ai'] && …"
    ]
    assert warnings(everything_there(), claim(GUARDED)) == []


def test_capacity_needs_a_guard_as_well() -> None:
    (warning,) = warnings(everything_there(), claim("device.capacity['llmfit.ai'].memory.isInteger()"))
    assert warning.endswith("write 'memory' in device.capacity['llmfit.ai'] && …")


def test_several_names_of_one_selector_are_one_line() -> None:
    text = f"{BARE} && device.attributes['llmfit.ai'].kind == 'gpu'"
    (warning,) = warnings(everything_there(), claim(text))
    assert "reads llmfit.ai/healthy, llmfit.ai/kind without a guard: a device that lacks one fails" in warning


def test_a_class_gets_one_short_line_however_many_requests_name_it() -> None:
    pair = claim_of("pair", *(ask(name, GUARDED, device_class="big-gpus") for name in ("one", "two")))
    assert warnings(everything_there(replace(GPU_CLASS, name="big-gpus")), pair) == [
        "class big-gpus reads llmfit.ai/kind without a guard: a device that lacks it fails the whole pod"
    ]


def test_a_drivers_own_class_may_read_what_its_driver_publishes_of_every_device() -> None:
    asked = claim_of("one", ask("one", GUARDED, device_class="gpu.llmfit.ai"))
    assert warnings(everything_there(GPU_CLASS), asked) == []
    healthy = DeviceClass("llmfit.ai", (f"device.driver == 'llmfit.ai' && {BARE}",))
    assert warnings(everything_there(healthy), claim(GUARDED)) == []
    # what somebody made of it is not the driver's
    other = DeviceClass("llmfit.ai", ("device.attributes['llmfit.ai'].memoryBandwidthGBs > 0",))
    assert warnings(everything_there(other), claim(GUARDED)) == [
        "class llmfit.ai reads llmfit.ai/memoryBandwidthGBs without a guard: a device that lacks it fails the whole pod"
    ]


def test_a_drivers_own_class_is_warned_of_where_a_device_lacks_what_it_reads() -> None:
    healthy = DeviceClass("llmfit.ai", (f"device.driver == 'llmfit.ai' && {BARE}",))
    slices = (on("a", gpu("gpu-0")), on("b", gpu("gpu-0", healthy=None)))
    nodes = (Node("a"), Node("b", unschedulable=True))
    (warning,) = warnings(world(*slices, nodes=nodes, classes=(healthy,)), claim(GUARDED))
    assert warning.startswith("class llmfit.ai reads llmfit.ai/healthy without a guard")


def test_of_several_requests_the_warning_names_the_one() -> None:
    (warning,) = warnings(everything_there(), claim_of("pair", ask("one", GUARDED), ask("two", BARE)))
    assert warning.startswith("request two: its selector reads llmfit.ai/healthy")


def test_alternatives_that_read_the_same_are_one_line() -> None:
    big, small = (any_of(name, f"{BARE} && {count} > 0") for name, count in (("big", 1), ("small", 2)))
    (warning,) = warnings(everything_there(), asks(first_available("model", big, small)))
    assert warning.startswith("request model: its selector reads llmfit.ai/healthy without a guard")


def test_what_a_suggestion_says_is_not_said_twice() -> None:
    checked = check(world(on("a", gpu("gpu-0", healthy=None))), claim(BARE))
    assert checked.summary.verdict is Answer.NO
    assert any("write 'healthy' in" in suggestion.text for suggestion in checked.summary.suggestions)
    assert list(unguarded_warnings(checked)) == []


def test_it_is_said_of_a_cordoned_node_that_gets_no_suggestion() -> None:
    slices = (on("a", gpu("gpu-0", healthy=None)), on("b", gpu("gpu-0", healthy=False)))
    checked = check(world(*slices, nodes=(Node("a", unschedulable=True), Node("b"))), claim(BARE))
    assert checked.summary.verdict is Answer.NO
    assert not any("write" in suggestion.text for suggestion in checked.summary.suggestions)
    assert len(list(unguarded_warnings(checked))) == 1


@pytest.mark.parametrize(("text", "unguarded"), [(BARE, ["healthy"]), (GUARDED, []), ("device.nonsense", [])])
def test_the_document_has_what_is_unguarded(text: str, unguarded: list[str]) -> None:
    claims = to_document(check(everything_there(), claim(text)))["claims"]
    (condition,) = claims[0]["requests"][0]["alternatives"][0]["conditions"][1:]  # type: ignore[index]  # a document
    assert condition["unguarded"] == [{"kind": "attributes", "domain": "llmfit.ai", "name": name} for name in unguarded]
