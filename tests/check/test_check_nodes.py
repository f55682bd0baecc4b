"""A check says of every node what the scheduler would do, and why."""

from __future__ import annotations

from dataclasses import replace

import pytest

from check.check_worlds import (
    GPU_CLASS,
    LLMFIT_CLASS,
    allocated,
    ask,
    by_name,
    check,
    claim,
    claim_of,
    everywhere,
    gpu,
    gpus,
    on,
    wants,
    world,
)
from kubectl_llmfit.api.values import Device, DeviceClass, Node, Taint, Toleration
from kubectl_llmfit.cel.quantity import Quantity
from kubectl_llmfit.check.check import check_nodes
from kubectl_llmfit.check.choice import Choice
from kubectl_llmfit.check.selector import parse_selector
from kubectl_llmfit.check.subject import Subject, require_valid_selectors
from kubectl_llmfit.check.values import Answer, Copies, MatchCount, NodeEntry, Verdict
from kubectl_llmfit.check.verdicts import answer
from kubectl_llmfit.errors import ExitCode, UsageError

UNGUARDED = "device.attributes['llmfit.ai'].vram > 5"
BROKEN = Taint("example.com/broken", "yes", "NoSchedule")


def only(entry: NodeEntry) -> tuple[Verdict, str | None]:
    return entry.verdict, entry.reason


def test_the_first_free_device_that_matches_is_what_the_scheduler_takes() -> None:
    # 8 devices, 4 of them large enough, 2 of these held: 2 copies now, 4 were nothing held.
    large = {1, 2, 3, 4}
    devices = [gpu(f"gpu-{n}", "24Gi" if n in large else "15Gi") for n in range(8)]
    state = world(on("a", *devices), claims=(allocated("llama", "a", "gpu-1", "gpu-2"),))
    node = by_name(check(state))["a"]
    assert only(node) == (Verdict.FITS, None)
    assert (node.match, node.copies) == (MatchCount(4, 8), Copies(2, 4))
    assert [device.device for device in node.allocation] == ["gpu-3"]


def test_a_node_whose_devices_are_held_is_in_use_by_their_holders() -> None:
    holders = (allocated("qwen", "a", "gpu-1", namespace="team-b"), allocated("llama-70b", "a", "gpu-0"))
    node = by_name(check(world(on("a", *gpus(2)), claims=holders)))["a"]
    assert only(node) == (Verdict.IN_USE, "held by team-a/llama-70b, team-b/qwen")
    assert (node.match, node.copies) == (MatchCount(2, 2), Copies(0, 2))


def test_holders_of_devices_that_do_not_match_are_not_named() -> None:
    holders = (allocated("small", "a", "gpu-1"), allocated("large", "a", "gpu-0"))
    node = by_name(check(world(on("a", gpu("gpu-0"), gpu("gpu-1", "15Gi")), claims=holders)))["a"]
    assert only(node) == (Verdict.IN_USE, "held by team-a/large")


def test_the_nearest_miss_has_both_numbers() -> None:
    node = by_name(check(world(on("a", *gpus(8, "15Gi")))))["a"]
    assert only(node) == (Verdict.NO_FIT, "memory 15Gi < 18Gi (8 devices; closest gpu-0)")
    assert (node.match, node.copies) == (MatchCount(0, 8), Copies(0, 0))


@pytest.mark.parametrize(
    ("device", "reason"),
    [
        (gpu("gpu-0", bandwidth=170), "bandwidth 170 < 300 GB/s (gpu-0)"),
        (gpu("gpu-0", bandwidth=None), "publishes no memoryBandwidthGBs (gpu-0)"),
        (gpu("gpu-0", None), "publishes no memory (gpu-0)"),
        (gpu("gpu-0", "0"), "publishes memory 0 (its size is not known) (gpu-0)"),
        (gpu("gpu-0", healthy=False), "unhealthy (gpu-0)"),
        (gpu("gpu-0", "15Gi", bandwidth=170), "memory 15Gi < 18Gi, bandwidth 170 < 300 GB/s (gpu-0)"),
        (gpu("gpu-0", taints=(BROKEN,)), "tainted example.com/broken=yes:NoSchedule (1 device)"),
    ],
)
def test_each_thing_that_a_device_may_lack_has_its_words(device, reason: str) -> None:  # type: ignore[no-untyped-def]
    assert only(by_name(check(world(on("a", device))))["a"]) == (Verdict.NO_FIT, reason)


def test_a_foreign_selector_is_explained_by_its_own_names() -> None:
    named = claim("device.attributes['gpu.example.com'].model == 'H100'", device_class="any")
    state = world(on("a", gpu("gpu-0", model="A100"), driver="gpu.example.com"), classes=(DeviceClass("any"),))
    assert only(by_name(check(state, named))["a"]) == (Verdict.NO_FIT, "model A100 != H100 (gpu-0)")


def test_a_device_that_its_class_leaves_to_another_driver_says_so() -> None:
    guarded = DeviceClass(
        "llmfit.ai",
        ("device.driver == 'llmfit.ai' && !('vendorManaged' in device.attributes['llmfit.ai'])",),
    )
    node = by_name(check(world(on("a", gpu("gpu-0", vendorManaged=True)), classes=(guarded,))))["a"]
    assert only(node) == (Verdict.NO_FIT, "class llmfit.ai: left to the vendor's driver (vendorManaged) (gpu-0)")


def test_a_device_of_another_driver_is_none_of_the_class() -> None:
    state = world(on("a", gpu("gpu-0"), driver="gpu.example.com"))
    assert only(by_name(check(state))["a"]) == (Verdict.NO_FIT, "no device of class llmfit.ai (1 device)")


def test_a_tainted_device_that_is_tolerated_fits() -> None:
    tolerating = claim(tolerations=(Toleration("", "Exists", "", ""),))
    node = by_name(check(world(on("a", gpu("gpu-0", taints=(BROKEN,)))), tolerating))["a"]
    assert only(node) == (Verdict.FITS, None)


def test_a_pool_that_is_half_published_says_so() -> None:
    node = by_name(check(world(on("gpu-d", *gpus(2), of=2))))["gpu-d"]
    assert only(node) == (Verdict.NO_FIT, "pool gpu-d is being updated (1 of 2 slices): run again")
    assert node.match == MatchCount(0, 0)
    assert [(pool.state, pool.slices, pool.expected_slices) for pool in node.pools] == [("Incomplete", 1, 2)]


def test_only_the_newest_generation_counts() -> None:
    node = by_name(check(world(on("a", gpu("gpu-0", "80Gi")), on("a", gpu("gpu-0", "15Gi"), generation=2))))["a"]
    assert only(node) == (Verdict.NO_FIT, "memory 15Gi < 18Gi (gpu-0)")


def test_a_class_that_does_not_exist_refuses_every_node_and_names_those_that_do() -> None:
    checked = check(world(on("a", gpu("gpu-0"))), claim(device_class="fast"))
    assert only(by_name(checked)["a"]) == (Verdict.NO_FIT, "device class fast does not exist")
    (suggestion,) = checked.summary.suggestions
    assert suggestion.text == "device class fast does not exist; the cluster has llmfit.ai"


def test_a_selector_that_raises_fails_the_pod_in_the_scheduler_s_words() -> None:
    state = world(on("a", gpu("gpu-0", vram=8)), on("b", gpu("gpu-0")))
    checked = check(state, claim(UNGUARDED))
    nodes = by_name(checked)
    assert nodes["a"].verdict is Verdict.FITS
    assert nodes["b"].verdict is Verdict.ERROR
    assert "no such key: vram" in (nodes["b"].reason or "")
    assert answer(checked) is ExitCode.NO
    (suggestion,) = checked.summary.suggestions
    assert (suggestion.nodes, "write 'vram' in " in suggestion.text) == (("b",), True)


def test_an_expression_that_does_not_compile_fails_the_pod_in_one_line() -> None:
    node = by_name(check(world(on("a", gpu("gpu-0"))), claim("device.nonsense")))["a"]
    assert node.verdict is Verdict.ERROR
    assert (node.reason or "").endswith("undefined field 'nonsense'")
    assert "\n" in (node.message or "")


def test_a_selector_that_a_new_claim_must_not_have_is_refused_where_it_is_handed_over() -> None:
    require_valid_selectors([claim(wants())])
    with pytest.raises(UsageError) as refused:
        require_valid_selectors([claim("device.nonsense")])
    assert refused.value.message == (
        "claim default/model-fit: request model: selector #0: ERROR: <input>:1:7: undefined field 'nonsense'"
    )


def test_a_namespace_for_admin_access_is_assumed_for_a_claim_that_is_not_stored_yet() -> None:
    asked, state = claim(admin_access=True), world(on("a", gpu("gpu-0")))
    told = 'namespace default has the label resource.kubernetes.io/admin-access: "true"'
    assumed = check(state, asked).summary.assumed
    assert [text for text in assumed if text.startswith(told)]
    for given, source in ((asked, "cluster"), (claim(), "file")):
        assumed = check_nodes(Subject((given,), source), state).summary.assumed
        assert not [text for text in assumed if "admin-access" in text]


def test_a_cordoned_node_is_no_candidate_but_keeps_its_verdict() -> None:
    state = world(
        on("a", gpu("gpu-0", vram=8)), on("b", gpu("gpu-0")), nodes=(Node("a"), Node("b", unschedulable=True))
    )
    checked = check(state, claim(UNGUARDED))
    assert by_name(checked)["b"].verdict is Verdict.ERROR
    assert (checked.summary.verdict, checked.summary.error, checked.summary.cordoned) == (Answer.YES, 0, 1)


def test_a_fit_on_a_cordoned_node_is_a_no_that_says_so() -> None:
    checked = check(world(on("a", gpu("gpu-0")), nodes=(Node("a", unschedulable=True),)))
    assert checked.summary.verdict is Answer.NO
    assert [s.text for s in checked.summary.suggestions] == ["a fits but is cordoned: kubectl uncordon a"]


def test_an_error_counts_wherever_it_is_and_only_chosen_nodes_are_listed() -> None:
    state = world(on("a", gpu("gpu-0", vram=8)), on("b", gpu("gpu-0")))
    checked = check(state, claim(UNGUARDED), choice=Choice(names=("a",)))
    assert list(by_name(checked)) == ["a"]
    assert (checked.summary.verdict, checked.summary.error) == (Answer.NO, 1)
    assert [elsewhere.node for elsewhere in checked.summary.errors_elsewhere] == ["b"]


def test_labels_choose_the_nodes_that_count() -> None:
    nodes = (Node("a", {"zone": "x"}), Node("b", {"zone": "y"}))
    state = world(on("a", gpu("gpu-0")), on("b", gpu("gpu-0", "15Gi")), nodes=nodes)
    assert check(state, choice=Choice(parse_selector("zone=x"))).summary.verdict is Answer.YES
    assert check(state, choice=Choice(parse_selector("zone=y"))).summary.verdict is Answer.NO


def test_a_node_that_does_not_exist_cannot_be_chosen() -> None:
    with pytest.raises(UsageError, match='nodes "nope" not found'):
        check(world(on("a", gpu("gpu-0"))), choice=Choice(names=("nope",)))


def test_nodes_without_devices_have_a_row_only_when_asked_for_or_when_they_look_like_gpu_nodes() -> None:
    offers = Node("old", extended_resources={"nvidia.com/gpu": Quantity.parse("8")})
    state = world(on("a", gpu("gpu-0")), nodes=("a", "cpu", offers))
    assert set(by_name(check(state))) == {"a", "old"}
    nodes = by_name(check(state, choice=Choice(all_nodes=True)))
    assert only(nodes["cpu"]) == (Verdict.NO_FIT, "publishes no devices")
    assert nodes["old"].reason == "publishes no devices (offers nvidia.com/gpu: 8 through a device plugin)"
    assert set(by_name(check(state, choice=Choice(names=("cpu",))))) == {"cpu"}


def test_three_devices_of_which_two_match() -> None:
    devices = (gpu("gpu-0"), gpu("gpu-1"), gpu("gpu-2", "15Gi"))
    node = by_name(check(world(on("a", *devices)), claim(count=3)))["a"]
    assert only(node) == (Verdict.NO_FIT, "wants 3 devices, 2 match; memory 15Gi < 18Gi (gpu-2)")


@pytest.mark.parametrize(
    ("devices", "reason"),
    [
        ((gpu("gpu-0"), gpu("gpu-1", "15Gi")), "wants 2 devices, 1 matches; memory 15Gi < 18Gi (gpu-1)"),
        ((gpu("gpu-0"),), "wants 2 devices, 1 matches"),
        (
            (gpu("gpu-0"), gpu("gpu-1", taints=(BROKEN,))),
            "wants 2 devices, 1 is untainted: tainted example.com/broken=yes:NoSchedule (1 device)",
        ),
    ],
)
def test_a_count_that_is_not_reached_says_what_is_wanted(devices: tuple[Device, ...], reason: str) -> None:
    node = by_name(check(world(on("a", *devices)), claim(count=2)))["a"]
    assert only(node) == (Verdict.NO_FIT, reason)


@pytest.mark.parametrize(
    ("held", "reason"),
    [
        (("gpu-0",), "wants 2 devices, 1 is free: held by team-a/llama"),
        (("gpu-0", "gpu-1"), "wants 2 devices, none is free: held by team-a/llama"),
    ],
)
def test_a_count_that_is_not_free_says_what_is_wanted(held: tuple[str, ...], reason: str) -> None:
    state = world(on("a", *gpus(2)), claims=(allocated("llama", "a", *held),))
    assert only(by_name(check(state, claim(count=2)))["a"]) == (Verdict.IN_USE, reason)


def test_a_free_device_that_is_tainted_is_not_usable() -> None:
    devices = (*gpus(2), gpu("gpu-2", taints=(BROKEN,)))
    state = world(on("a", *devices), claims=(allocated("llama", "a", "gpu-0"),))
    assert only(by_name(check(state, claim(count=2)))["a"]) == (
        Verdict.IN_USE,
        "wants 2 devices, 1 is usable: held by team-a/llama",
    )


def test_a_claim_that_is_being_deleted_has_no_copies() -> None:
    asked = replace(claim(), being_deleted=True)
    node = by_name(check(world(on("a", *gpus(2))), asked))["a"]
    assert only(node) == (Verdict.NO_FIT, 'resourceclaim "model-fit" is being deleted')
    assert node.copies is None


def test_all_devices_are_in_use_when_one_is() -> None:
    asked = claim(allocation_mode="All", count=0)
    node = by_name(check(world(on("a", *gpus(3)), claims=(allocated("llama", "a", "gpu-1"),)), asked))["a"]
    assert only(node) == (Verdict.IN_USE, "wants all 3 devices, 2 are free: held by team-a/llama")
    assert node.copies == Copies(0, 1)


def test_one_tainted_device_refuses_all() -> None:
    asked = claim(allocation_mode="All", count=0)
    node = by_name(check(world(on("a", gpu("gpu-0"), gpu("gpu-1", taints=(BROKEN,)))), asked))["a"]
    assert only(node) == (
        Verdict.NO_FIT,
        "wants all 2 devices, 1 is untainted: tainted example.com/broken=yes:NoSchedule (1 device)",
    )


def test_the_request_that_cannot_be_met_is_named() -> None:
    large = "device.capacity['llmfit.ai'].memory.compareTo(quantity('40Gi')) >= 0"
    both = claim_of("pair", ask("small"), ask("large", large))
    node = by_name(check(world(on("a", *gpus(2))), both))["a"]
    assert only(node) == (Verdict.NO_FIT, "request large: memory 24Gi < 40Gi (2 devices; closest gpu-0)")


def test_requests_that_compete_for_one_device() -> None:
    node = by_name(check(world(on("a", *gpus(1))), claim_of("pair", ask("one"), ask("two"))))["a"]
    assert only(node) == (Verdict.NO_FIT, "the requests want 2 devices, 1 matches")


def test_a_claim_that_is_allocated_fits_where_it_is_and_nowhere_else() -> None:
    state = world(on("a", gpu("gpu-0")), on("b", gpu("gpu-0")))
    mine = allocated("mine", "a", "gpu-0")
    nodes = by_name(check(state, mine))
    assert only(nodes["a"]) == (Verdict.FITS, None)
    assert [device.device for device in nodes["a"].allocation] == ["gpu-0"]
    assert only(nodes["b"]) == (Verdict.NO_FIT, "allocated on a")
    assert nodes["b"].match is None


def test_match_counts_the_kind_that_the_class_selects() -> None:
    devices = (gpu("gpu-0"), gpu("nic-0", kind="nic"), gpu("cpu-0", kind="cpu"))
    node = by_name(
        check(world(on("a", *devices), classes=(LLMFIT_CLASS, GPU_CLASS)), claim(device_class="gpu.llmfit.ai"))
    )
    assert node["a"].match == MatchCount(1, 1)


def test_match_counts_an_accelerator_once_that_two_drivers_publish() -> None:
    vendor = DeviceClass("gpu.nvidia.com", ("device.driver == 'gpu.nvidia.com'",))
    guarded = DeviceClass(
        "llmfit.ai", ("device.driver == 'llmfit.ai'", "!('vendorManaged' in device.attributes['llmfit.ai'])")
    )
    both = (on("a", gpu("gpu-0"), driver="gpu.nvidia.com"), on("a", gpu("gpu-0", vendorManaged=True)))
    state = world(*both, classes=(vendor, guarded))
    for device_class, match in (("gpu.nvidia.com", MatchCount(1, 1)), ("llmfit.ai", MatchCount(0, 1))):
        assert by_name(check(state, claim("true", device_class=device_class)))["a"].match == match


def test_match_counts_the_accelerators_of_other_drivers_where_there_are_no_others() -> None:
    node = by_name(check(world(on("a", *gpus(2), driver="gpu.amd.com"))))["a"]
    assert only(node) == (Verdict.NO_FIT, "no device of class llmfit.ai (2 devices)")
    assert node.match == MatchCount(0, 2)


def test_match_counts_every_driver_that_one_of_the_requests_selects() -> None:
    vendor = DeviceClass("gpu.amd.com", ("device.driver == 'gpu.amd.com'",))
    state = world(on("a", *gpus(2), driver="gpu.amd.com"), on("a", *gpus(3)), classes=(vendor, LLMFIT_CLASS))
    both = claim_of("pair", ask("one", "false", device_class="gpu.amd.com"), ask("two"))
    assert by_name(check(state, both))["a"].match == MatchCount(3, 5)


def test_the_steps_say_how_many_devices_are_left() -> None:
    devices = (gpu("gpu-0"), gpu("gpu-1"), gpu("gpu-2", taints=(BROKEN,)), gpu("gpu-3", "15Gi"))
    state = world(on("a", *devices), on("a", gpu("x"), driver="other.com"), claims=(allocated("llama", "a", "gpu-0"),))
    (steps,) = by_name(check(state))["a"].requests
    # 4 of the class; 3 of them large enough; gpu-0 is held; gpu-2 is tainted
    assert (steps.device_class, steps.selectors, steps.free, steps.untainted) == (4, 3, 2, 1)


def test_equal_devices_are_one_entry_and_each_condition_stands_once() -> None:
    devices = (*gpus(7), gpu("gpu-7", "15Gi"))
    checked = check(world(on("a", *devices), claims=(allocated("llama", "a", "gpu-2"),)))
    groups = by_name(checked)["a"].devices
    assert [(group.verdict, len(group.devices)) for group in groups] == [
        (Verdict.FITS, 6),
        (Verdict.IN_USE, 1),
        (Verdict.NO_FIT, 1),
    ]
    assert groups[1].held_by == {"gpu-2": ("team-a/llama",)}
    assert {entry.id for group in groups for entry in group.conditions} == {"class-1", "request-1"}
    short = groups[2].conditions[1].parts[1]
    assert (short.result, short.observed, short.required) == ("false", "15Gi", "18Gi")


def test_devices_that_several_nodes_reach_stand_once() -> None:
    state = world(everywhere("fabric", gpu("gpu-0")), on("a", gpu("gpu-0", "15Gi")), nodes=("a", "b"))
    checked = check(state)
    assert {name: [g.pool for g in node.devices] for name, node in by_name(checked).items()} == {"a": ["a"], "b": []}
    (shared,) = checked.shared
    assert (shared.pool, shared.devices, shared.nodes) == ("fabric", ("gpu-0",), ("a", "b"))
    assert checked.summary.copies is None  # one device, not one on each node


def test_notes_name_taints_readiness_and_the_device_plugin() -> None:
    node = Node(
        "a",
        ready=False,
        taints=(Taint("nvidia.com/gpu", "", "NoSchedule"),),
        extended_resources={"nvidia.com/gpu": Quantity.parse("8")},
    )
    entry = by_name(check(world(on("a", gpu("gpu-0")), nodes=(node,))))["a"]
    assert entry.verdict is Verdict.FITS
    assert entry.notes == (
        "the pod must tolerate nvidia.com/gpu:NoSchedule",
        "the node is not ready: its driver may be gone although its devices are still published",
        "also offers nvidia.com/gpu: 8 through a device plugin, whose use is not visible here",
    )


def test_from_a_hundred_nodes_on_the_scheduler_may_not_reach_the_error() -> None:
    slices = [on(f"n{number:03}", gpu("gpu-0", vram=8)) for number in range(99)]
    for broken, assumed in (((), False), ((on("z", gpu("gpu-0")),), True)):
        checked = check(world(*slices, *broken), claim(UNGUARDED))
        assert any("100 nodes" in text for text in checked.summary.assumed) is assumed
    assert answer(checked) is ExitCode.NO


def test_no_device_at_all_is_not_called_impossible() -> None:
    checked = check(world(nodes=("a",)))
    assert checked.summary.verdict is Answer.NO
    assert ["scaled to zero" in s.text for s in checked.summary.suggestions] == [True]


def test_copies_of_a_check_are_the_sum_over_its_candidates() -> None:
    nodes = (Node("a"), Node("b"), Node("c", unschedulable=True))
    slices = (on("a", *gpus(3)), on("b", *gpus(2)), on("c", *gpus(4)))
    checked = check(world(*slices, nodes=nodes, claims=(allocated("llama", "a", "gpu-0"),)))
    assert checked.summary.copies == Copies(now=2 + 2, if_free=3 + 2)
