"""A "no" says what would change it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from check.card_worlds import any_of, asks, first_available
from check.check_worlds import LLMFIT_CLASS, allocated, claim, claim_of, gpu, gpus, on, wants, world
from kubectl_llmfit.api.values import Claim, ClusterState, DeviceClass, Node
from kubectl_llmfit.cel.quantity import Quantity
from kubectl_llmfit.check.check import check_nodes
from kubectl_llmfit.check.subject import Subject, stored
from kubectl_llmfit.check.values import Suggestion
from kubectl_llmfit.dra.rules import rules_for
from kubectl_llmfit.errors import UsageError
from kubectl_llmfit.fit.model import Need
from kubectl_llmfit.fit.quantisation import find

GIB = 2**30


def for_quant(quant: str) -> Claim:
    """A model of 30 billion parameters: so many bytes a parameter, rounded to whole Gi, and 300 GB/s whatever."""
    entry = find(quant)
    assert entry is not None
    return claim(wants(f"{round(30 * entry.bytes_per_parameter)}Gi"))


def suggestions(state: ClusterState, quant: str = "Q4_K_M", memory_gib: int = 17) -> tuple[Suggestion, ...]:
    need = Need("some/model", "llmfit", memory_gib * GIB, 300, quant=quant)
    subject = Subject((claim(wants(f"{memory_gib}Gi")),), "model", need, for_quant, "0.1.0")
    return check_nodes(subject, state).summary.suggestions


def test_the_largest_smaller_quantisation_that_fits_is_named() -> None:
    # Q4_K_M: 30 * 0.58 = 17 Gi. 15 Gi hold up to 0.5 bytes a parameter: Q3_K_M (0.48, 14 Gi) is the largest of those;
    # Q3_K_L (0.5384) takes 16 Gi.
    found = suggestions(world(on("a", *gpus(2, "15Gi")), on("b", gpu("gpu-0", "1Gi"))))
    assert found[0] == Suggestion("--quant", ("a",), "--quant Q3_K_M would fit on a")


def test_full_precision_turns_into_any_format_but_mlx() -> None:
    # BF16: 60 Gi; 34 Gi hold FP8 (1.0935, 33 Gi), and nothing between.
    found = suggestions(world(on("a", gpu("gpu-0", "34Gi"))), "BF16", 60)
    assert found[0].text == "--quant FP8 would fit on a"


def test_a_format_stays_in_its_family() -> None:
    # mlx-4bit: 0.55, 16 Gi; 15 Gi hold mlx-3bit (0.4375, 13 Gi).
    assert suggestions(world(on("a", gpu("gpu-0", "15Gi"))), "mlx-4bit")[0].text == "--quant mlx-3bit would fit on a"


@pytest.mark.parametrize("nodes", [(Node("a", unschedulable=True),), (Node("b"),)])
def test_no_quantisation_is_named_for_nodes_that_cannot_be_had(nodes: tuple[Node, ...]) -> None:
    state = world(on("a", *gpus(2, "15Gi")), nodes=nodes)
    assert all(suggestion.flag != "--quant" for suggestion in suggestions(state))


def test_a_smaller_quantisation_is_tried_as_the_api_server_would_store_it() -> None:
    # --share where the gate is off: the server drops the capacity from the claim, and so from each that is tried
    rules = rules_for("1.37", {"DRAConsumableCapacity": False})
    need = Need("some/model", "llmfit", 17 * GIB, 300, quant="Q4_K_M")
    whole = claim(wants("17Gi"), capacity={"memory": Quantity.parse("17Gi")})

    def smaller(quant: str) -> Claim:
        (request,) = for_quant(quant).spec.requests[0].alternatives
        return claim_of("model-fit", replace(request, capacity={"memory": Quantity.parse("1Gi")}))

    subject = stored(Subject((whole,), "model", need, smaller, "0.1.0"), rules)
    found = check_nodes(subject, world(on("a", gpu("gpu-0", "15Gi"))), None, rules).summary.suggestions
    assert found[0].text == "--quant Q3_K_M would fit on a"


def test_a_smaller_quantisation_that_cannot_be_asked_for_is_not_named() -> None:
    def refused(quant: str) -> Claim:
        raise UsageError("the API server refuses firstAvailable")

    need = Need("some/model", "llmfit", 17 * GIB, 300, quant="Q4_K_M")
    subject = Subject((claim(wants("17Gi")),), "model", need, refused, "0.1.0")
    (found,) = check_nodes(subject, world(on("a", gpu("gpu-0", "15Gi")))).summary.suggestions
    assert found.text == "closest: gpu-0 on a: memory 15Gi < 17Gi"


def test_none_is_named_where_none_fits() -> None:
    found = suggestions(world(on("a", gpu("gpu-0", "1Gi"))))
    assert [suggestion.text for suggestion in found] == ["closest: gpu-0 on a: memory 1Gi < 17Gi"]


def test_the_closest_device_of_all_nodes_is_named() -> None:
    found = suggestions(world(on("a", gpu("gpu-0", "1Gi")), on("b", gpu("gpu-0", "2Gi"))))
    assert found[-1] == Suggestion(None, ("b",), "closest: gpu-0 on b: memory 2Gi < 17Gi")


def test_a_device_outside_the_class_is_not_the_closest() -> None:
    # of the sick card nothing but its health was looked at
    class_ = DeviceClass("llmfit.ai", ("device.driver == 'llmfit.ai' && device.attributes['llmfit.ai'].healthy",))
    cards = (on("a", gpu("gpu-0", "1Gi", healthy=False)), on("b", gpu("gpu-0", "12Gi", bandwidth=10)))
    (found,) = (s for s in suggestions(world(*cards, classes=(class_,))) if s.flag is None)
    assert found.text.startswith("closest: gpu-0 on b: memory 12Gi < 17Gi")


def test_a_card_that_is_short_by_its_reserve_can_be_asked_for() -> None:
    # 81559Mi of 80Gi: short by 0.4 %.
    found = suggestions(world(on("a", gpu("gpu-0", "81559Mi"))), "Q4_K_M", 80)
    assert found[-1].flag == "--min-memory"
    assert found[-1].text == "closest: gpu-0 on a: memory 79.65Gi < 80Gi; --min-memory 81559Mi takes it"


def test_a_yes_has_no_suggestions() -> None:
    assert suggestions(world(on("a", gpu("gpu-0")))) == ()


def test_a_claim_that_was_handed_over_has_no_flags() -> None:
    checked = check_nodes(Subject((claim(wants("80Gi")),), "file"), world(on("a", gpu("gpu-0", "81559Mi"))))
    assert [suggestion.flag for suggestion in checked.summary.suggestions] == [None]


def test_devices_in_use_are_no_miss() -> None:
    state = world(on("a", gpu("gpu-0")), claims=(allocated("llama", "a", "gpu-0"),))
    assert suggestions(state) == ()


@pytest.mark.parametrize(
    ("of_class", "of_request", "told"),
    [
        (
            (),
            "device.attributes['llmfit.ai'].vram > 5",
            "in request model, write"
            " 'vram' in device.attributes['llmfit.ai'] && device.attributes['llmfit.ai'].vram > 5"
            " instead of device.attributes['llmfit.ai'].vram > 5: as it is, a device without vram fails the pod",
        ),
        (
            ('device.driver == "llmfit.ai" && (device.attributes["llmfit.ai"].ok\n || false)',),
            "true",
            "in device class llmfit.ai of the cluster, write"
            ' \'ok\' in device.attributes["llmfit.ai"] && (device.attributes["llmfit.ai"].ok || false)'
            ' instead of device.attributes["llmfit.ai"].ok || false: as it is, a device without ok fails the pod',
        ),
    ],
)
def test_a_selector_that_raises_is_written_anew(of_class: tuple[str, ...], of_request: str, told: str) -> None:
    state = world(on("a", gpu("gpu-0")), on("b", gpu("gpu-0")), classes=(DeviceClass("llmfit.ai", of_class),))
    checked = check_nodes(Subject((claim(of_request),), "file"), state)
    assert checked.summary.suggestions[-1] == Suggestion(None, ("a", "b"), told)
    # What is suggested compiles, and no longer fails the pod.
    suggested = told.partition("write ")[2].partition(" instead of ")[0]
    again = check_nodes(Subject((claim(suggested),), "file"), replace(state, classes=(DeviceClass("llmfit.ai"),)))
    assert (again.summary.error, again.summary.no_fit) == (0, 2)


def test_classes_of_accelerators_are_named_first() -> None:
    classes = tuple(DeviceClass(name) for name in ("aaa", "dra.cpu", "gpu.nvidia.com", "gpu.amd.com"))
    (found,) = suggestions(world(on("a", gpu("gpu-0")), classes=classes))
    assert found.flag == "--device-class"
    assert found.text.endswith(
        "the cluster has gpu.amd.com, gpu.nvidia.com, aaa, dra.cpu "
        "(--device-class auto takes gpu.nvidia.com, gpu.amd.com)"
    )


def test_a_cluster_without_classes_needs_a_driver() -> None:
    (found,) = suggestions(world(on("a", gpu("gpu-0")), classes=()))
    assert found.text == (
        "device class llmfit.ai does not exist, and the cluster has no device class: install a DRA driver"
    )


def test_a_class_of_which_no_device_is_published_is_told_apart_from_devices_that_are_too_small() -> None:
    # Node a has a device of llmfit.ai, none of the kind that npu.llmfit.ai selects.
    npus = DeviceClass(
        "npu.llmfit.ai", ("device.driver == 'llmfit.ai' && device.attributes['llmfit.ai'].kind == 'npu'",)
    )
    state = world(on("a", gpu("gpu-0")), classes=(LLMFIT_CLASS, npus))
    nowhere = check_nodes(Subject((claim(device_class="npu.llmfit.ai"),), "file"), state)
    assert [one.text for one in nowhere.summary.suggestions if "published" in one.text] == [
        "no device of class npu.llmfit.ai is published now: a driver that does not run and a node pool scaled to zero "
        "look the same"
    ]
    assert not any("published now" in one.text for one in suggestions(state, memory_gib=80))


LARGE = "device.capacity['llmfit.ai'].memory.compareTo(quantity('40Gi')) >= 0"
FAST = "device.attributes['llmfit.ai'].memoryBandwidthGBs >= 3000"


def closest(state: ClusterState, *claims: Claim) -> list[str]:
    return [one.text for one in check_nodes(Subject(claims, "file"), state).summary.suggestions]


def test_the_closest_device_is_that_of_the_alternative_it_misses_by_least() -> None:
    asked = asks(first_available("model", any_of("fast", FAST), any_of("large", LARGE, count=2)))
    # bandwidth 400 of 3000 is missed by far more than memory 36 of 40 Gi
    assert closest(world(on("a", gpu("gpu-0", "36Gi"))), asked) == [
        "closest for request model/large: gpu-0 on a: memory 36Gi < 40Gi"
    ]


def test_the_closest_device_is_no_matter_of_a_request_that_has_its_own() -> None:
    asked = asks(any_of("any", count=1), any_of("large", LARGE))
    assert closest(world(on("a", gpu("gpu-0", "8Gi"), gpu("gpu-1", "30Gi"))), asked) == [
        "closest for request large: gpu-1 on a: memory 30Gi < 40Gi"
    ]


def test_nothing_is_closest_where_enough_match_and_something_else_is_missing() -> None:
    assert closest(world(on("a", *gpus(2), gpu("nic-0", kind="nic"))), asks(any_of(capacity={"memory": "90Gi"}))) == []


def test_a_pool_that_is_being_updated_may_have_the_devices_of_a_class() -> None:
    assert closest(world(on("a", gpu("gpu-0"), of=2)), asks(any_of())) == []
