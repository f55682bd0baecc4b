"""What is said beside a verdict: what the pod waits for, and what is used without being visible."""

from __future__ import annotations

from dataclasses import replace

import pytest

from check.card_worlds import any_of, asks
from check.check_worlds import allocated, by_name, check, gpu, on, world
from kubectl_llmfit.api.values import Condition, Device, DeviceStatus, Node
from kubectl_llmfit.cel.quantity import Quantity
from kubectl_llmfit.check.values import Verdict


def offering(**resources: str) -> Node:
    return Node("a", extended_resources={name: Quantity.parse(text) for name, text in resources.items()})


def bound(name: str, *conditions: str) -> Device:
    return Device(name, replace(gpu(name).shape, binding_conditions=conditions))


@pytest.mark.parametrize("resource", ["nvidia.com/gpu", "nvidia.com/mig-1g.5gb", "amd.com/gpu", "gpu.intel.com/xe"])
def test_a_node_that_also_offers_the_vendors_resource_may_use_its_devices_unseen(resource: str) -> None:
    state = world(on("a", gpu("gpu-0")), nodes=(offering(**{resource: "8"}),))
    node = by_name(check(state, asks(any_of())))["a"]
    assert node.verdict is Verdict.FITS
    assert node.notes == (f"also offers {resource}: 8 through a device plugin, whose use is not visible here",)


@pytest.mark.parametrize(("resource", "amount"), [("nvidia.com/gpu", "0"), ("example.com/dongle", "1")])
def test_nothing_is_said_of_what_it_does_not_offer_or_that_is_no_accelerator(resource: str, amount: str) -> None:
    state = world(on("a", gpu("gpu-0")), nodes=(offering(**{resource: amount}),))
    assert by_name(check(state, asks(any_of())))["a"].notes == ()


def test_a_pod_waits_for_the_driver_to_report_binding_conditions() -> None:
    state = world(on("a", bound("gpu-0", "attached", "ready"), bound("gpu-1", "attached")))
    node = by_name(check(state, asks(any_of(count=2))))["a"]
    assert node.verdict is Verdict.FITS
    assert node.notes == (
        "the pod waits until the driver reports attached, ready of gpu-0, gpu-1 (10 minutes at most)",
    )


def test_a_claim_that_has_its_devices_waits_for_nothing_new() -> None:
    mine = allocated("mine", "a", "gpu-0")
    assert mine.allocation is not None
    results = tuple(replace(result, binding_conditions=("attached",)) for result in mine.allocation.results)
    reported = DeviceStatus("llmfit.ai", "a", "gpu-0", None, (Condition("attached", "True"),))
    mine = replace(mine, allocation=replace(mine.allocation, results=results), device_statuses=(reported,))
    node = by_name(check(world(on("a", bound("gpu-0", "attached")), claims=(mine,)), mine))["a"]
    assert (node.verdict, node.notes) == (Verdict.FITS, ())
