"""What stops a node is said truly: taints before holders, competition before both, errors in few words."""

from __future__ import annotations

from dataclasses import replace

from check.check_worlds import allocated, ask, by_name, check, claim, claim_of, gpu, gpus, on, world
from kubectl_llmfit.api.values import Device, DeviceClass, Taint
from kubectl_llmfit.check.values import Verdict

UNGUARDED = "device.attributes['llmfit.ai'].vram > 5"
BROKEN = Taint("example.com/broken", "yes", "NoSchedule")


def test_a_device_that_is_held_and_tainted_is_no_use_once_it_is_free() -> None:
    held = (allocated("llama", "a", "gpu-0"),)
    node = by_name(check(world(on("a", gpu("gpu-0", taints=(BROKEN,))), claims=held)))["a"]
    assert (node.verdict, node.reason) == (Verdict.NO_FIT, "tainted example.com/broken=yes:NoSchedule (1 device)")


def test_requests_that_compete_are_not_helped_by_a_device_that_gets_free() -> None:
    held = (allocated("llama", "a", "gpu-0"),)
    node = by_name(check(world(on("a", *gpus(1)), claims=held), claim_of("pair", ask("one"), ask("two"))))["a"]
    assert (node.verdict, node.reason) == (Verdict.NO_FIT, "the requests want 2 devices, 1 matches")


def test_the_reason_of_an_error_is_short_and_the_message_is_the_schedulers() -> None:
    node = by_name(check(world(on("a", gpu("gpu-0"))), claim(UNGUARDED)))["a"]
    assert (node.verdict, node.reason) == (Verdict.ERROR, "gpu-0: no such key: vram (request model)")
    assert (node.message or "").startswith(
        "claim default/model-fit: selector #0 on device llmfit.ai/a/gpu-0: CEL runtime error: no such key: vram. "
    )


def test_a_selector_that_does_not_compile_is_no_matter_of_a_device() -> None:
    node = by_name(check(world(on("a", gpu("gpu-0"))), claim("device.size > 5")))["a"]
    assert node.reason is not None
    assert node.reason.startswith("claim default/model-fit: selector #0: CEL compile error")


def test_each_part_of_a_condition_has_a_result_also_where_an_attribute_cannot_be_read() -> None:
    device = gpu("gpu-0")
    unreadable = Device("gpu-0", replace(device.shape, unreadable=("weird",)))
    checked = check(world(on("a", unreadable), classes=(DeviceClass("llmfit.ai", ()),)))
    (entry,) = by_name(checked)["a"].devices[0].conditions
    (asked,) = checked.claims[0].requests[0].alternatives[0].conditions
    assert [part.result for part in entry.parts] == ["error"] + ["skipped"] * (len(asked.parts) - 1)
