"""Every kind of "no" in a sentence: worlds, and what REASON says of them, from the scheduler's own answer."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from check.card_worlds import (
    any_of,
    asks,
    carded,
    different,
    first_available,
    partition,
    same,
    share_of,
    shareable,
    steps_of,
)
from check.check_worlds import GPU_CLASS, LLMFIT_CLASS, allocated, by_name, check, gpu, gpus, on, world
from kubectl_llmfit.api.values import (
    Claim,
    Condition,
    Device,
    DeviceClass,
    DeviceStatus,
    RequestPolicy,
    ResourceSlice,
    Taint,
    TaintRule,
    Unread,
)
from kubectl_llmfit.cel.quantity import Quantity
from kubectl_llmfit.check.check import check_nodes
from kubectl_llmfit.check.subject import Subject
from kubectl_llmfit.check.values import Verdict
from kubectl_llmfit.dra.rules import rules_for

BROKEN = Taint("example.com/broken", "yes", "NoSchedule")
LARGE = "device.capacity['llmfit.ai'].memory.compareTo(quantity('40Gi')) >= 0"
HUGE = "device.capacity['llmfit.ai'].memory.compareTo(quantity('90Gi')) >= 0"
SMALL = "device.capacity['llmfit.ai'].memory.compareTo(quantity('40Gi')) < 0"
NUMA, ZONE = "llmfit.ai/numa", "llmfit.ai/zone"
NIC_CLASS = DeviceClass(
    "nic.llmfit.ai", ("device.driver == 'llmfit.ai' && device.attributes['llmfit.ai'].kind == 'nic'",)
)
CARD = carded("a", partition("whole", "40Gi"), partition("half-0", "20Gi"), partition("half-1", "20Gi"), card="40Gi")
TWO_CARDS = carded(
    "a",
    *(partition(f"whole-{n}", "40Gi", f"card-{n}") for n in range(2)),
    *(partition(f"half-{n}", "30Gi", f"card-{n}") for n in range(2)),
    **{"card-0": "40Gi", "card-1": "40Gi"},
)
FOUR_ON_TWO = carded(
    "a",
    *(partition(f"part-{n}", "30Gi", f"card-{n % 2}") for n in range(4)),
    **{"card-0": "40Gi", "card-1": "40Gi"},
)
HALVES = (allocated("one", "a", "half-0"), allocated("two", "a", "half-1"))
TEN = steps_of("5Gi")
NEXT = RequestPolicy(Quantity.parse("1Gi"), valid_values=tuple(map(Quantity.parse, ("1Gi", "4Gi"))))


@dataclass(frozen=True, slots=True)
class Case:
    """A world of one node ``a``, the claims of one pod, and what is said."""

    slices: tuple[ResourceSlice, ...]
    claims: tuple[Claim, ...]
    verdict: Verdict
    reason: str
    held: tuple[Claim, ...] = ()
    rules: tuple[TaintRule, ...] = ()
    unread: tuple[Unread, ...] = ()
    classes: tuple[DeviceClass, ...] = (LLMFIT_CLASS, GPU_CLASS, NIC_CLASS)
    gates: dict[str, bool] = field(default_factory=dict)


def in_use(slices: tuple[ResourceSlice, ...], held: tuple[Claim, ...], reason: str, *claims: Claim) -> Case:
    return Case(slices, claims or (asks(any_of()),), Verdict.IN_USE, reason, held)


def no_fit(slices: tuple[ResourceSlice, ...], reason: str, *claims: Claim, held: tuple[Claim, ...] = ()) -> Case:
    return Case(slices, claims or (asks(any_of()),), Verdict.NO_FIT, reason, held)


CASES: dict[str, Case] = {
    # counters of a card
    "a held partition leaves too little of its card": in_use(
        CARD,
        (allocated("one", "a", "half-0"),),
        "whole is free, but memory 20Gi left < 40Gi needed of counter set card: held by team-a/one",
        asks(any_of("model", LARGE)),
    ),
    "the closest of several cards": in_use(
        TWO_CARDS,
        HALVES,
        "2 devices are free, but memory 10Gi left < 40Gi needed of counter set card-0 (closest whole-0): "
        "held by team-a/one, team-a/two",
        asks(any_of("model", LARGE)),
    ),
    "one partition held, the other kept by the counters": in_use(
        carded("a", partition("whole", "40Gi"), partition("half-0", "20Gi"), partition("other", "30Gi"), card="40Gi"),
        (allocated("one", "a", "half-0"),),
        "2 devices are free, but memory 20Gi left < 30Gi needed of counter set card (closest other):"
        " held by team-a/one",
        asks(any_of()),
    ),
    "a card that never has as much": no_fit(
        carded("a", partition("whole", "48Gi"), card="40Gi"), "memory 40Gi < 48Gi needed of counter set card (whole)"
    ),
    "an overdrawn set keeps the whole pool": in_use(
        carded(
            "a",
            partition("whole", "40Gi", "card-0"),
            partition("other", "30Gi", "card-0"),
            partition("third", "20Gi", "card-1"),
            **{"card-0": "40Gi", "card-1": "40Gi"},
        ),
        (allocated("one", "a", "whole"), allocated("two", "a", "other")),
        "third is free, but counter set card-0 is overdrawn (memory -30Gi left): held by team-a/one, team-a/two",
    ),
    "partitions that are too large together": no_fit(
        CARD,
        "memory 40Gi < 60Gi needed of counter set card for 2 devices",
        asks(any_of("one", LARGE), any_of("two", SMALL)),
    ),
    "partitions that are too large together with what is held": in_use(
        carded("a", *(partition(f"part-{n}", "15Gi") for n in range(4)), card="60Gi"),
        (allocated("one", "a", "part-0"),),
        "wants 4 devices, 3 are free: held by team-a/one",
        asks(any_of(count=4)),
    ),
    "counters are left for one, not for two": in_use(
        carded("a", partition("whole", "40Gi"), *(partition(f"part-{n}", "20Gi") for n in range(3)), card="60Gi"),
        (allocated("one", "a", "part-0"),),
        "memory 40Gi left < 60Gi needed of counter set card for 2 devices: held by team-a/one",
        asks(any_of("one", LARGE), any_of("two", SMALL)),
    ),
    # capacity that is shared
    "too little is left to share": in_use(
        (on("a", shareable("gpu-0")),),
        (share_of("a", "gpu-0", memory="70Gi"),),
        "memory 10Gi left < 12Gi wanted (gpu-0): shares held by team-a/sharer",
        asks(any_of(capacity={"memory": "12Gi"})),
    ),
    "what is asked for is rounded up": in_use(
        (on("a", shareable("gpu-0", policy=TEN)),),
        (share_of("a", "gpu-0", memory="70Gi"),),
        "memory 10Gi left < 15Gi wanted (gpu-0; 12Gi rounded up by its policy): shares held by team-a/sharer",
        asks(any_of(capacity={"memory": "12Gi"})),
    ),
    "who asks for nothing gets the default": in_use(
        (on("a", shareable("gpu-0", policy=TEN)),),
        (share_of("a", "gpu-0", memory="75Gi"),),
        "memory 5Gi left < 10Gi wanted (gpu-0; the default of its policy): shares held by team-a/sharer",
    ),
    "or all of it": in_use(
        (on("a", shareable("gpu-0"), shareable("gpu-1")),),
        (share_of("a", "gpu-0", memory="1Gi"), share_of("a", "gpu-1", "other", memory="2Gi")),
        "memory 79Gi left < 80Gi wanted (2 devices; closest gpu-0; all of it, as the request names no amount): "
        "shares held by team-a/other, team-a/sharer",
    ),
    "a gap that rounding would hide": in_use(
        (on("a", shareable("gpu-0", "1Gi")),),
        (share_of("a", "gpu-0", memory="1"),),
        "memory 1073741823 left < 1073741824 wanted (gpu-0): shares held by team-a/sharer",
        asks(any_of(capacity={"memory": "1Gi"})),
    ),
    "a device without the capacity that is asked for": no_fit(
        (on("a", *gpus(2)),),
        "publishes no capacity cores (2 devices; it publishes memory)",
        asks(any_of(capacity={"cores": "2"})),
    ),
    "more capacity than a device has": no_fit(
        (on("a", gpu("gpu-0"), gpu("gpu-1", "80Gi")),),
        "memory 80Gi < 90Gi wanted (2 devices; closest gpu-1)",
        asks(any_of(capacity={"memory": "90Gi"})),
    ),
    "an amount beyond the policy's range": no_fit(
        (on("a", shareable("gpu-0", policy=steps_of("5Gi", most="50Gi"))),),
        "memory 60Gi is not allowed by its policy (gpu-0; allowed: 10Gi to 50Gi in steps of 5Gi)",
        asks(any_of(capacity={"memory": "60Gi"})),
    ),
    "an amount that rounding takes beyond it": no_fit(
        (on("a", shareable("gpu-0", policy=steps_of("20Gi", most="45Gi"))),),
        "memory 50Gi is not allowed by its policy (gpu-0; 40Gi rounded up by its policy;"
        " allowed: 10Gi to 45Gi in steps of 20Gi)",
        asks(any_of(capacity={"memory": "40Gi"})),
    ),
    "an amount that is none of the policy's": no_fit(
        (on("a", shareable("gpu-0", policy=NEXT)),),
        "memory 5Gi is not allowed by its policy (gpu-0; allowed: 1Gi, 4Gi)",
        asks(any_of(capacity={"memory": "5Gi"})),
    ),
    "two shares that are too large together": no_fit(
        (on("a", shareable("gpu-0")),),
        "memory 80Gi < 100Gi wanted for 2 requests (gpu-0)",
        asks(*(any_of(name, capacity={"memory": "50Gi"}) for name in ("one", "two"))),
    ),
    "two shares that are too large together with what is held": in_use(
        (on("a", shareable("gpu-0")),),
        (share_of("a", "gpu-0", memory="10Gi"),),
        "memory 70Gi left < 80Gi wanted for 2 requests (gpu-0): held by team-a/sharer",
        asks(*(any_of(name, capacity={"memory": "40Gi"}) for name in ("one", "two"))),
    ),
    # constraints
    "a number and the text of it": no_fit(
        (on("a", gpu("gpu-0", numa=0), gpu("gpu-1", numa="0")),),
        'wants 2 devices with the same llmfit.ai/numa, at most 1 has the same value (0: 1, "0": 1)',
        asks(any_of(count=2), constraints=[same(NUMA)]),
    ),
    "a value that too few have": no_fit(
        (on("a", gpu("gpu-0", numa=0), gpu("gpu-1", numa=1)),),
        "wants 2 devices with the same llmfit.ai/numa, at most 1 has the same value (0: 1, 1: 1)",
        asks(any_of(count=2), constraints=[same(NUMA)]),
    ),
    "a value that too few have now": in_use(
        (on("a", gpu("gpu-0", numa=0), gpu("gpu-1", numa=0), gpu("gpu-2", numa=1), gpu("gpu-3")),),
        (allocated("one", "a", "gpu-0"),),
        "wants 2 devices with the same llmfit.ai/numa, at most 1 has the same value (0: 1, 1: 1, without: 1):"
        " held by team-a/one",
        asks(any_of(count=2), constraints=[same(NUMA)]),
    ),
    "a held device is no matter where a constraint is": no_fit(
        (on("a", gpu("gpu-0", numa=0), gpu("gpu-1", numa=1)),),
        "wants 2 devices with the same llmfit.ai/numa, at most 1 has the same value (0: 1, 1: 1)",
        asks(any_of(count=2), constraints=[same(NUMA)]),
        held=(allocated("one", "a", "gpu-0"),),
    ),
    "a value that none has": no_fit(
        (on("a", *gpus(3)),),
        "wants 2 devices with the same llmfit.ai/numa, which none has (3 devices)",
        asks(any_of(count=2), constraints=[same(NUMA)]),
    ),
    "values that differ too little": no_fit(
        (on("a", gpu("gpu-0", zone="x"), gpu("gpu-1", zone="x"), gpu("gpu-2", zone="y")),),
        "wants 3 devices that differ in llmfit.ai/zone, there are 2 values (x: 2, y: 1)",
        asks(any_of(count=3), constraints=[different(ZONE)]),
    ),
    "a constraint over some requests": no_fit(
        (on("a", gpu("gpu-0", "80Gi", numa=0), gpu("gpu-1", numa=1)),),
        "requests one, two want 2 devices with the same llmfit.ai/numa, at most 1 has the same value (0: 1, 1: 1)",
        asks(any_of("one", LARGE), any_of("two", SMALL), constraints=[same(NUMA, "one", "two")]),
    ),
    "a constraint over all requests": no_fit(
        (on("a", gpu("gpu-0", "80Gi", numa=0), gpu("gpu-1", numa=1)),),
        "the requests want 2 devices with the same llmfit.ai/numa, at most 1 has the same value (0: 1, 1: 1)",
        asks(any_of("one", LARGE), any_of("two", SMALL), constraints=[same(NUMA)]),
    ),
    "constraints that contradict each other": no_fit(
        (on("a", gpu("gpu-0", numa=0, zone="x"), gpu("gpu-1", numa=0, zone="x"), gpu("gpu-2", numa=1, zone="y")),),
        "wants 2 devices with the same llmfit.ai/numa and that differ in llmfit.ai/zone: not to be had together",
        asks(any_of(count=2), constraints=[same(NUMA), different(ZONE)]),
    ),
    "constraints of which none would do alone": no_fit(
        (on("a", *gpus(2)),),
        "wants 2 devices, the constraints allow none of them",
        asks(any_of(count=2), constraints=[same(NUMA), different(ZONE)]),
    ),
    # alternatives
    "each alternative and what it lacks": in_use(
        CARD,
        (allocated("one", "a", "half-0"),),
        "big: whole is free, but memory 20Gi left < 40Gi needed of counter set card;"
        " two: wants 2 devices, 1 is free: held by team-a/one",
        asks(first_available("model", any_of("big", LARGE), any_of("two", SMALL, count=2))),
    ),
    "alternatives that all lack the same": in_use(
        (on("a", gpu("gpu-0")),),
        (allocated("one", "a", "gpu-0"),),
        "held by team-a/one",
        asks(first_available("model", any_of("first"), any_of("second"))),
    ),
    "the alternatives that come closest": no_fit(
        (on("a", gpu("gpu-0", "36Gi")),),
        "huge: memory 36Gi < 90Gi (gpu-0); large: memory 36Gi < 40Gi (gpu-0); 1 other alternative",
        asks(
            first_available(
                "model",
                any_of("named", "'zone' in device.attributes['llmfit.ai']"),
                any_of("huge", HUGE),
                any_of("large", LARGE),
            )
        ),
    ),
    "the closest alternatives that lack the same": no_fit(
        (on("a", gpu("gpu-0", "36Gi")),),
        "memory 36Gi < 90Gi (gpu-0); 1 other alternative",
        asks(
            first_available(
                "model",
                any_of("named", "'zone' in device.attributes['llmfit.ai']"),
                any_of("huge", HUGE),
                any_of("vast", HUGE),
            )
        ),
    ),
    "an alternative of a class that is not there is left out": no_fit(
        (on("a", gpu("gpu-0", "36Gi")),),
        "memory 36Gi < 40Gi (gpu-0)",
        asks(first_available("model", any_of("nic", device_class="nic.llmfit.ai"), any_of("large", LARGE))),
    ),
    # several requests, several claims
    "requests that compete": no_fit(
        (on("a", *gpus(2)),),
        "the requests want 3 devices, 2 match",
        asks(*(any_of(name) for name in ("one", "two", "three"))),
    ),
    "requests that compete while one is held": in_use(
        (on("a", *gpus(2)),),
        (allocated("other", "a", "gpu-1"),),
        "the requests want 2 devices, 1 is free: held by team-a/other",
        asks(any_of("one"), any_of("two")),
    ),
    "requests that compete for what is not tainted": no_fit(
        (on("a", gpu("gpu-0"), gpu("gpu-1", taints=(BROKEN,))),),
        "the requests want 2 devices, 1 is usable: tainted example.com/broken=yes:NoSchedule (1 device)",
        asks(any_of("one"), any_of("two")),
    ),
    "some of the requests compete": no_fit(
        (on("a", gpu("gpu-0", "80Gi"), *(gpu(f"gpu-{n}") for n in range(1, 4))),),
        "requests one, two want 2 devices, 1 matches",
        asks(any_of("one", LARGE), any_of("two", LARGE), any_of("three")),
    ),
    "two requests lack something each": no_fit(
        (on("a", *gpus(2)),),
        "request one: memory 24Gi < 40Gi (2 devices; closest gpu-0); request two: wants 3 devices, 2 match",
        asks(any_of("one", LARGE), any_of("two", count=3)),
    ),
    "more requests are counted": no_fit(
        (on("a", gpu("gpu-0")),),
        "request one: memory 24Gi < 40Gi (gpu-0); request two: wants 2 devices, 1 matches; 1 other request",
        asks(any_of("one", LARGE), any_of("two", count=2), any_of("three", HUGE)),
    ),
    "a request of another claim of the pod": no_fit(
        (on("a", *gpus(2)),),
        "request model of large: memory 24Gi < 40Gi (2 devices; closest gpu-0)",
        asks(any_of(), name="small"),
        asks(any_of("model", LARGE), name="large"),
    ),
    "claims that compete": no_fit(
        (on("a", gpu("gpu-0")),),
        "the requests want 2 devices, 1 matches",
        asks(any_of(), name="one"),
        asks(any_of(), name="two"),
    ),
    # admin access
    "admin access looks at no device twice": no_fit(
        (on("a", gpu("gpu-0")),),
        "wants 2 devices, 1 matches",
        asks(any_of(admin_access=True, count=2)),
        held=(allocated("other", "a", "gpu-0"),),
    ),
    "admin access needs counters": in_use(
        CARD,
        (allocated("one", "a", "half-0"),),
        "whole is free, but memory 20Gi left < 40Gi needed of counter set card: held by team-a/one",
        asks(any_of("model", LARGE, admin_access=True)),
    ),
    # All
    "All with one in use": in_use(
        (on("a", *gpus(3)),),
        (allocated("other", "a", "gpu-1"),),
        "wants all 3 devices, 2 are free: held by team-a/other",
        asks(any_of(allocation_mode="All", count=0)),
    ),
    "All with one tainted": no_fit(
        (on("a", gpu("gpu-0"), gpu("gpu-1", taints=(BROKEN,))),),
        "wants all 2 devices, 1 is untainted: tainted example.com/broken=yes:NoSchedule (1 device)",
        asks(any_of(allocation_mode="All", count=0)),
    ),
    "All of which there is none": no_fit(
        (on("a", gpu("gpu-0")),),
        "memory 24Gi < 40Gi (gpu-0)",
        asks(any_of("model", LARGE, allocation_mode="All", count=0)),
    ),
    # taints, pools, nodes
    "a taint that a rule sets": replace(
        no_fit(
            (on("a", gpu("gpu-0")),), "tainted example.com/broken=yes:NoSchedule of DeviceTaintRule evict (1 device)"
        ),
        rules=(TaintRule("evict", BROKEN, pool="a"),),
    ),
    "a pool that is not complete beside one that does not do": no_fit(
        (on("a", gpu("gpu-0")), replace(on("a", gpu("gpu-1"), of=2), name="b", pool="b")),
        "memory 24Gi < 40Gi (gpu-0); pool b is being updated (1 of 2 slices): run again",
        asks(any_of("model", LARGE)),
    ),
    "an invalid pool": no_fit((on("a", gpu("gpu-0"), gpu("gpu-0")),), "pool a is invalid: duplicate device name gpu-0"),
    "binding conditions that the scheduler does not know": replace(
        no_fit(
            (on("a", Device("gpu-0", replace(gpu("gpu-0").shape, binding_conditions=("attached",)))),),
            "has binding conditions, and their feature gate is off (1 device)",
        ),
        gates={"DRADeviceBindingConditions": False},
    ),
    # what cannot be told, and errors
    "held by one claim while others were not read": replace(
        in_use((on("a", gpu("gpu-0")),), (allocated("other", "a", "gpu-0"),), "held by team-a/other"),
        unread=(Unread("resourceclaims", "forbidden in namespace team-b"),),
    ),
    "held, and a failure once it is free": no_fit(
        (on("a", gpu("gpu-0")),),
        "held by team-a/other; once free it fails the pod: gpu-0: no such key: vram (request model)",
        asks(any_of("model", "device.attributes['llmfit.ai'].vram > 5")),
        held=(allocated("other", "a", "gpu-0"),),
    ),
    "more devices than a claim can have": Case(
        (on("a", *gpus(33)),),
        (asks(any_of(count=33)),),
        Verdict.ERROR,
        "claim default/model-fit, request model: adding 33 devices exceeds the claim limit of 32,"
        " with 0 already accounted for",
    ),
    "All of a pool that is being updated": Case(
        (on("a", gpu("gpu-0"), of=2),),
        (asks(any_of(allocation_mode="All", count=0)),),
        Verdict.ERROR,
        "claim default/model-fit, request model: asks for all devices, but resource pool llmfit.ai/a is"
        " currently being updated",
    ),
    # where nothing better can be said
    "one request of several cards": no_fit(
        carded(
            "a",
            *(partition(f"p{n}", "30Gi", f"card-{n % 2}") for n in range(4)),
            **{"card-0": "40Gi", "card-1": "40Gi"},
        ),
        "wants 3 devices: there are enough, but no 3 of them can be had together",
        asks(any_of(count=3)),
    ),
    "several requests of several cards": no_fit(
        carded(
            "a",
            *(partition(f"p{n}", "30Gi", f"card-{n % 2}") for n in range(4)),
            **{"card-0": "40Gi", "card-1": "40Gi"},
        ),
        "each request has devices, but not all of them together",
        asks(any_of("one"), any_of("two"), any_of("three")),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_reason_is_a_sentence_with_both_numbers(name: str) -> None:
    case = CASES[name]
    state = world(*case.slices, nodes=("a",), classes=case.classes, claims=case.held, unread=case.unread)
    state = replace(state, taint_rules=case.rules)
    checked = check_nodes(Subject(case.claims, "file"), state, rules=rules_for("1.37", case.gates))
    node = by_name(checked)["a"]
    assert (node.verdict, node.reason) == (case.verdict, case.reason)


def test_an_allocated_claim_whose_binding_failed_is_of_no_use_where_it_is() -> None:
    mine = allocated("mine", "a", "gpu-0")
    assert mine.allocation is not None
    (result,) = mine.allocation.results
    waits = replace(result, binding_conditions=("attached",), binding_failure_conditions=("failed",))
    status = DeviceStatus(result.driver, result.pool, result.device, None, (Condition("failed", "True"),))
    failed = replace(mine, allocation=replace(mine.allocation, results=(waits,)), device_statuses=(status,))
    nodes = by_name(check(world(on("a", gpu("gpu-0")), on("b", gpu("gpu-0")), claims=(failed,)), failed))
    assert {name: (node.verdict, node.reason) for name, node in nodes.items()} == {
        "a": (
            Verdict.NO_FIT,
            "allocated here, but its devices are not bound: the driver reports a failure, or the time for it is over",
        ),
        "b": (Verdict.NO_FIT, "allocated on a"),
    }
