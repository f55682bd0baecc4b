"""Each device alone: its verdict, who holds it or what it needs, and what it is short of."""

from __future__ import annotations

from dataclasses import replace

from check.card_worlds import any_of, asks, carded, partition, share_of, shareable, steps_of
from check.check_worlds import allocated, by_name, check, gpu, on, world
from kubectl_llmfit.api.values import Claim, ClusterState, Taint, TaintRule
from kubectl_llmfit.check.values import DeviceGroup, Verdict

CARD = carded("a", partition("whole", "40Gi"), partition("half-0", "20Gi"), partition("half-1", "20Gi"), card="40Gi")
HELD = (allocated("one", "a", "half-0"),)


def devices(state: ClusterState, *claims: Claim) -> dict[str, DeviceGroup]:
    """The group of each device of node ``a``."""
    groups = by_name(check(state, *claims))["a"].devices
    return {name: group for group in groups for name in group.devices}


def test_a_partition_without_its_counters_is_in_use_by_those_who_have_them() -> None:
    found = devices(world(*CARD, claims=HELD), asks(any_of()))
    assert {name: group.verdict for name, group in found.items()} == {
        "whole": Verdict.IN_USE,
        "half-0": Verdict.IN_USE,
        "half-1": Verdict.FITS,
    }
    assert found["whole"].held_by == {"whole": ("team-a/one",)}
    assert found["half-1"].held_by == {}
    assert found["whole"].short_of == ("memory 20Gi left < 40Gi needed of counter set card",)
    assert (found["half-0"].short_of, found["half-1"].short_of) == ((), ())


def test_a_partition_that_is_larger_than_its_card_is_no_fit() -> None:
    found = devices(world(*carded("a", partition("whole", "48Gi"), card="40Gi")), asks(any_of()))
    assert found["whole"].verdict is Verdict.NO_FIT
    assert found["whole"].short_of == ("memory 40Gi < 48Gi needed of counter set card",)


def test_a_device_of_which_too_little_is_left_is_in_use_by_those_who_share_it() -> None:
    state = world(
        on("a", *(shareable(f"gpu-{n}", policy=steps_of("5Gi")) for n in range(2))),
        claims=(share_of("a", "gpu-0", memory="70Gi"), share_of("a", "gpu-1", "other", memory="10Gi")),
    )
    found = devices(state, asks(any_of(capacity={"memory": "12Gi"})))
    assert [found[name].verdict for name in ("gpu-0", "gpu-1")] == [Verdict.IN_USE, Verdict.FITS]
    assert found["gpu-0"].short_of == ("memory 10Gi left < 15Gi wanted (12Gi rounded up by its policy)",)
    assert [found[name].held_by[name] for name in ("gpu-0", "gpu-1")] == [("team-a/sharer",), ("team-a/other",)]


def test_a_device_with_less_than_is_asked_for_is_no_fit() -> None:
    found = devices(world(on("a", gpu("gpu-0"))), asks(any_of(capacity={"memory": "90Gi"})))
    assert (found["gpu-0"].verdict, found["gpu-0"].short_of) == (Verdict.NO_FIT, ("memory 24Gi < 90Gi wanted",))


def test_what_is_too_small_for_one_alternative_may_do_for_another() -> None:
    state = world(on("a", gpu("gpu-0")))
    found = devices(state, asks(any_of("large", capacity={"memory": "90Gi"}), any_of("small")))
    assert (found["gpu-0"].verdict, found["gpu-0"].short_of) == (Verdict.FITS, ("memory 24Gi < 90Gi wanted",))


def test_the_taint_of_a_rule_is_the_devices() -> None:
    taint = Taint("example.com/broken", "", "NoSchedule")
    state = replace(world(on("a", gpu("gpu-0"))), taint_rules=(TaintRule("evict", taint, pool="a"),))
    found = devices(state, asks(any_of()))
    assert (found["gpu-0"].verdict, found["gpu-0"].taints) == (Verdict.NO_FIT, (taint,))
