"""Reasons say in a person's words what a device lacks, with both numbers."""

from __future__ import annotations

import pytest

from kubectl_llmfit.api.values import Taint
from kubectl_llmfit.check.asked import Condition, ConditionSource, Part, PartKind
from kubectl_llmfit.check.lacks import held_by, tainted
from kubectl_llmfit.check.shortfalls import Candidate, nearest_miss, shortfall
from kubectl_llmfit.check.values import ConditionEntry, PartEntry, Result
from kubectl_llmfit.check.words import count, listed, shorten, taint_text

MEMORY = Part("memory >= 18Gi", "memory", PartKind.COMPARISON, "memory", ">=")
BANDWIDTH = Part("bandwidth >= 300", "bandwidth", PartKind.COMPARISON, "memoryBandwidthGBs", ">=", "GB/s")
BANDWIDTH_THERE = Part("'memoryBandwidthGBs' in …", "bandwidth", PartKind.PRESENCE, "memoryBandwidthGBs")
HEALTH = Part("healthy", "health", PartKind.FLAG, "healthy")
DRIVER = Part("device.driver == 'llmfit.ai'", "driver", PartKind.COMPARISON, "driver", "==")


def looks_for(function: str) -> Part:
    return Part("x", "model", PartKind.TEXT, "model", function)


def result(
    said: Result, observed: str | None = None, required: str | None = None, error: str | None = None
) -> PartEntry:
    return PartEntry(said, observed, required, error)


def condition(*tried: tuple[Part, PartEntry], source: ConditionSource = "request") -> tuple[Condition, ConditionEntry]:
    parts, entries = zip(*tried, strict=True)
    whole: Result = "false" if any(entry.result == "false" for entry in entries) else "true"
    return Condition(source, source, "…", parts), ConditionEntry(source, whole, entries)


def of_memory(device: str, memory: str) -> Candidate:
    return Candidate(device, (condition((MEMORY, result("false", memory, "18Gi")), (HEALTH, result("true"))),))


@pytest.mark.parametrize(
    ("part", "entry", "said"),
    [
        (MEMORY, result("false", "15Gi", "18Gi"), "memory 15Gi < 18Gi"),
        (BANDWIDTH, result("false", "170", "300"), "bandwidth 170 < 300 GB/s"),
        (BANDWIDTH_THERE, result("false"), "publishes no memoryBandwidthGBs"),
        (HEALTH, result("false"), "unhealthy"),
        (Part("x", "shared", PartKind.FLAG, "shared", "!"), result("false"), "shared is true"),
        (Part("x", "shared", PartKind.FLAG, "shared"), result("false"), "shared is false"),
        (Part("x", "model", PartKind.COMPARISON, "model", "=="), result("false", "A100", "H100"), "model A100 != H100"),
        (Part("x", "model", PartKind.COMPARISON, "model", "!="), result("false", "A100", "A100"), "model A100 == A100"),
        (
            Part("x", "model", PartKind.MEMBERSHIP, "model"),
            result("false", "A100", "[H100, H200]"),
            "model A100 is not in [H100, H200]",
        ),
        (looks_for("contains"), result("false", "NVIDIA A100", "H100"), "model NVIDIA A100 does not contain H100"),
        (looks_for("startsWith"), result("false", "A100", "H"), "model A100 does not start with H"),
        (looks_for("endsWith"), result("false", "A100", "0G"), "model A100 does not end with 0G"),
        (looks_for("matches"), result("false", "", "^H"), 'model "" does not match ^H'),
        (Part("x", "shared", PartKind.PRESENCE, "shared", "!"), result("false"), "publishes shared"),
        (Part("a || b", None), result("false"), "a || b is false"),
        (MEMORY, result("error", error="no such key: memory"), "no such key: memory"),
        (MEMORY, result("error", error="no such overload"), "memory >= 18Gi: no such overload"),
    ],
)
def test_what_a_part_lacks(part: Part, entry: PartEntry, said: str) -> None:
    assert shortfall(part, entry) == said


@pytest.mark.parametrize("said", ["true", "skipped"])
def test_a_part_that_holds_or_was_not_reached_lacks_nothing(said: Result) -> None:
    assert shortfall(MEMORY, result(said, "20Gi", "18Gi")) is None


def test_the_nearest_miss_is_the_smallest_gap() -> None:
    failing = [of_memory("gpu-1", "12Gi"), of_memory("gpu-0", "15Gi"), of_memory("gpu-2", "8Gi")]
    assert nearest_miss(failing, "llmfit.ai") == "memory 15Gi < 18Gi (3 devices; closest gpu-0)"


def test_a_single_device_is_named_alone() -> None:
    assert nearest_miss([of_memory("gpu-0", "15Gi")], "llmfit.ai") == "memory 15Gi < 18Gi (gpu-0)"


def test_one_thing_short_is_closer_than_two() -> None:
    both = condition((MEMORY, result("false", "17Gi", "18Gi")), (BANDWIDTH, result("false", "299", "300")))
    failing = [Candidate("gpu-0", (both,)), of_memory("gpu-1", "1Gi")]
    assert nearest_miss(failing, "llmfit.ai") == "memory 1Gi < 18Gi (2 devices; closest gpu-1)"


def test_everything_that_the_closest_lacks_is_said_in_the_order_of_the_condition() -> None:
    lacking = condition(
        (MEMORY, result("false", "15Gi", "18Gi")),
        (BANDWIDTH_THERE, result("false")),
        (BANDWIDTH, result("skipped")),
        (HEALTH, result("false")),
    )
    assert nearest_miss([Candidate("gpu-0", (lacking,))], "llmfit.ai") == (
        "memory 15Gi < 18Gi, publishes no memoryBandwidthGBs, unhealthy (gpu-0)"
    )


def test_devices_of_another_driver_are_none_of_the_class() -> None:
    foreign = condition((DRIVER, result("false", "gpu.nvidia.com", "llmfit.ai")), source="class")
    failing = [Candidate("gpu-0", (foreign,)), Candidate("gpu-1", (foreign,))]
    assert nearest_miss(failing, "llmfit.ai") == "no device of class llmfit.ai (2 devices)"


def test_what_else_the_class_excludes_is_named() -> None:
    managed = Part("!vendorManaged", "vendorManaged", PartKind.FLAG, "vendorManaged", "!")
    excluded = condition((DRIVER, result("true", "llmfit.ai", "llmfit.ai")), (managed, result("false")), source="class")
    assert nearest_miss([Candidate("gpu-0", (excluded,))], "llmfit.ai") == (
        "class llmfit.ai: vendorManaged is true (gpu-0)"
    )


def test_a_device_outside_the_class_is_never_the_closest() -> None:
    foreign = condition((DRIVER, result("false", "x", "llmfit.ai")), source="class")
    failing = [Candidate("other", (foreign,)), of_memory("gpu-0", "1Gi")]
    assert nearest_miss(failing, "llmfit.ai") == "memory 1Gi < 18Gi (gpu-0)"


def test_a_reason_counts_the_devices_that_it_holds_for() -> None:
    slow = condition((MEMORY, result("false", "12Gi", "18Gi")), (BANDWIDTH, result("false", "170", "300")))
    failing = [Candidate("gpu-0", (slow,)), of_memory("gpu-1", "15Gi"), of_memory("gpu-2", "8Gi")]
    # All three lack memory; gpu-1 comes closest.
    assert nearest_miss(failing, "llmfit.ai") == "memory 15Gi < 18Gi (3 devices; closest gpu-1)"


def test_devices_that_fail_for_different_reasons_have_a_clause_each() -> None:
    sick = condition((DRIVER, result("true")), (HEALTH, result("false")), source="class")
    asked = condition((MEMORY, result("skipped")), (HEALTH, result("skipped")))
    slow = condition((MEMORY, result("false", "4Gi", "5Gi")), (BANDWIDTH, result("false", "80", "170")))
    failing = [Candidate("gpu-0", (slow,)), Candidate("gpu-1", (sick, asked)), Candidate("gpu-2", (sick, asked))]
    assert (
        nearest_miss(failing, "llmfit.ai") == "unhealthy (2 devices); memory 4Gi < 5Gi, bandwidth 80 < 170 GB/s (gpu-0)"
    )


def test_no_more_than_two_kinds_of_misses_are_spelled_out() -> None:
    failing = [
        of_memory("gpu-0", "15Gi"),
        Candidate("gpu-1", (condition((HEALTH, result("false"))),)),
        Candidate("gpu-2", (condition((BANDWIDTH_THERE, result("false"))),)),
    ]
    assert nearest_miss(failing, "llmfit.ai") == "memory 15Gi < 18Gi (gpu-0); unhealthy (gpu-1); 1 other device"


def test_holders_are_named_once_and_many_are_counted() -> None:
    assert held_by(["team-b/qwen", "team-a/llama-70b", "team-b/qwen"]) == "held by team-a/llama-70b, team-b/qwen"
    assert held_by(f"ns/c{n}" for n in range(6)) == "held by ns/c0, ns/c1, ns/c2 and 3 more"


def test_taints_are_written_as_kubectl_does() -> None:
    taints = [Taint("broken", "", "NoExecute"), Taint("example.com/ecc", "yes", "NoSchedule")]
    assert tainted(map(taint_text, taints), 2) == "tainted broken:NoExecute, example.com/ecc=yes:NoSchedule (2 devices)"


def test_small_words() -> None:
    assert (count(1, "device"), count(0, "device")) == ("1 device", "0 devices")
    assert listed(["a", "b", "c", "d"]) == "a, b, c, d"
    assert listed(["a", "b", "c", "d", "e"]) == "a, b, c and 2 more"
    assert shorten("a\n  && b") == "a && b"
    assert len(shorten("x" * 500)) <= 60
