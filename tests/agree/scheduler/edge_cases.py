"""The rules in which the schedulers of 1.34 to 1.37 differ, and those that a cluster of default gates cannot show.

Each is a small world and what the allocator of each version answers for its nodes, by the numbers of
``live/test_edge_cases``. The allocators judge the rows, and this program has to agree with them.

python tests/agree/scheduler/edge_cases.py [--kubernetes 1.36]

Exit status: 0 all agree, 1 not, or the oracle could not be built.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

if __name__ == "__main__":
    sys.path.remove(str(Path(__file__).parent))  # its own folder would hide the package this file is in
    sys.path.insert(0, str(Path(__file__).parents[2]))

from agree.scheduler.ours import state_of
from agree.scheduler.world import Object, World
from controlplane.build import NotBuiltError, build
from kubectl_llmfit.api.read import read_claim
from kubectl_llmfit.dra.allocate import Trial
from kubectl_llmfit.dra.inventory import Inventory
from kubectl_llmfit.dra.rules import NEWEST, rules_for
from live.cases_edges import (
    BY_FOUR,
    SHARED,
    alternative,
    card,
    constrained,
    first_of,
    in_zones,
    partition,
    share_of,
    wishing,
)
from live.cases_selectors import UNGUARDED, on_a, on_b
from live.objects import (
    DRIVER,
    PER_DEVICE,
    cel,
    claim,
    device,
    device_class,
    held,
    node,
    on_node,
    open_class,
    request,
    resource_slice,
    taint_rule,
    tainted,
)
from oracle.scheduler import SchedulerOracle, module

Gates = Mapping[str, bool]
_LETTERS: Final = {"A": "Allocates", "R": "Refuses", "F": "Fails"}
_ALL: Final = ("1.34", "1.35", "1.36", "1.37")


@dataclass(frozen=True, slots=True)
class EdgeCase:
    """A world of nodes a, b, …; ``outcomes`` has a letter for each node: (A)llocates, (R)efuses, (F)ails.

    ``gates`` are those that are not at their version's default. A version that is not there has no such case.
    """

    number: int
    title: str
    world: World
    outcomes: Mapping[str, str]
    gates: Mapping[str, Gates] = field(default_factory=dict)

    def but(self, version: str, letters: str) -> EdgeCase:
        """The same with another outcome in one version."""
        return replace(self, outcomes={**self.outcomes, version: letters})


def world(
    *slices: Object,
    claims: tuple[Object, ...] = (),
    asked: Object | None = None,
    holding: tuple[Object, ...] = (),
    classes: tuple[Object, ...] = (),
    rules: tuple[Object, ...] = (),
    nodes: str = "a",
) -> World:
    """A world of nodes with names of one letter."""
    pod = claims or (asked or claim(request()),)
    return World(
        nodes=[node(name) for name in nodes],
        slices=list(slices),
        classes=list(classes or (device_class(),)),
        claims=[_defaulted(each) for each in pod],
        held=[_defaulted(each) for each in holding],
        rules=list(rules),
    )


def _defaulted(asked: Object) -> Object:
    """A claim as the API server stores it."""
    requests = [
        {
            key: [_with_defaults(each) for each in part]
            if key == "firstAvailable"
            else _with_defaults(part)
            if key == "exactly"
            else part
            for key, part in one.items()
        }
        for one in asked["spec"]["devices"]["requests"]
    ]
    return asked | {"spec": {"devices": asked["spec"]["devices"] | {"requests": requests}}}


def _with_defaults(wishes: Object) -> Object:
    mode = wishes.get("allocationMode", "ExactCount")
    return {"allocationMode": mode} | ({"count": 1} if mode == "ExactCount" else {}) | wishes


def outcomes(v34: str | None, v35: str | None, v36: str | None, v37: str | None) -> dict[str, str]:
    """By version; None where a version has no such case."""
    return {version: each for version, each in zip(_ALL, (v34, v35, v36, v37), strict=True) if each is not None}


def always(letters: str) -> dict[str, str]:
    """The same in all versions."""
    return dict.fromkeys(_ALL, letters)


def gates(**set_by_all: bool) -> dict[str, Gates]:
    """The same gates in all versions."""
    return dict.fromkeys(_ALL, set_by_all)


def without_rules(all_gates: Mapping[str, Gates]) -> dict[str, Gates]:
    """1.34 has no DRADeviceTaintRules: DRADeviceTaints turns them on."""
    return {
        version: {name: value for name, value in each.items() if (version, name) != ("1.34", "DRADeviceTaintRules")}
        for version, each in all_gates.items()
    }


GPU, SPARE = device("gpu-0"), device("gpu-1")
EVERY, TWO = claim(request(every=True)), claim(request(count=2))
CAPACITY, PARTITIONS = gates(DRAConsumableCapacity=True), gates(DRAPartitionableDevices=True)
TAINTS = gates(DRADeviceTaints=True)
RULES = without_rules(gates(DRADeviceTaints=True, DRADeviceTaintRules=True))
NO_SELECTOR = taint_rule("r")
del NO_SELECTOR["spec"]["deviceSelector"]
NET = [
    resource_slice("s1", on_node("a"), GPU, pool="net", of=2),
    resource_slice("s2", on_node("b"), SPARE, pool="net", of=2),
]
TWICE = [resource_slice("s1", on_node("a"), GPU, of=2), resource_slice("s2", on_node("a"), GPU, of=2)]
SHARED_GPU = device("gpu-0", memory="80Gi", more=SHARED)
OUTDATED = [
    resource_slice("s1", on_node("a"), GPU, pool="net", of=2),
    resource_slice("s2", on_node("b"), GPU, pool="net", generation=2),
]
DISTINCT = constrained(request(count=3), distinctAttribute=f"{DRIVER}/zone")
BINDING = device("gpu-0", more={"bindingConditions": ["attached"], "bindingFailureConditions": ["broken"]})
LISTED = {"name": "gpu-0", "attributes": {"links": {"ints": [1, 2]}, "zone": {"string": "east"}}}
TURNS = ", ".join(["1"] * 48)
COSTLY = "".join(f"[{TURNS}].all(x{depth}, " for depth in range(4)) + "true" + ")" * 4
HALF, OTHER_HALF = partition("half-0", "40Gi"), partition("half-1", "40Gi")
TAINTED_WHOLE = partition("whole", "80Gi") | tainted()


BY_EXPRESSION = taint_rule("r")
BY_EXPRESSION["spec"]["deviceSelector"] = {"deviceClassName": DRIVER, "selectors": [cel(UNGUARDED)]}
SHARED_WHOLE = partition("whole", "80Gi") | {"allowMultipleAllocations": True, "capacity": {}}
SHARE_OF_NOTHING = share_of("other", "a", "whole")
del SHARE_OF_NOTHING["status"]["allocation"]["devices"]["results"][0]["consumedCapacity"]
OTHERS_CARD = card("a", partition("whole", "80Gi"))
for number, each in enumerate(OTHERS_CARD):
    each["metadata"]["name"] = f"other-{number}"
    each["spec"]["driver"] = "other.example.com"


def card_in_one(where: str, *partitions: Object) -> Object:
    """A card as 1.34 has it: counters and partitions in one slice."""
    counters, devices = card(where, *partitions, of=1)
    devices["spec"]["sharedCounters"] = counters["spec"]["sharedCounters"]
    return devices


def every_of(*alternatives: Object) -> Object:
    """A claim for the first alternative that can be had."""
    return claim(first_of(*alternatives))


def all_of(name: str, *expressions: str) -> Object:
    """An alternative that wants every device."""
    return alternative(name, *expressions, allocationMode="All")


CASES: Final = (
    EdgeCase(
        15,
        "a pool of which a slice is missing",
        world(resource_slice("s", on_node("a"), GPU, of=2)),
        outcomes("A", "R", "R", "R"),
    ),
    EdgeCase(16, "and all of it", world(resource_slice("s", on_node("a"), GPU, of=2), asked=EVERY), always("F")),
    EdgeCase(
        17,
        "an incomplete newer generation",
        world(
            resource_slice("old", on_node("a"), GPU),
            resource_slice("new", on_node("a"), device("gpu-0", zone="east"), generation=2, of=2),
            asked=claim(request("gpu", UNGUARDED)),
        ),
        outcomes("A", "R", "R", "R"),
    ),
    EdgeCase(
        18, "a newer generation on another node only", world(*OUTDATED, nodes="ab"), outcomes("AA", "RA", "RA", "RA")
    ),
    EdgeCase(
        18,
        "and all of what there is beside it",
        world(resource_slice("s0", on_node("a"), GPU), *OUTDATED, asked=EVERY, nodes="ab"),
        outcomes("FA", "AA", "AA", "AA"),
    ),
    EdgeCase(
        19, "all of a pool over two nodes", world(*NET, asked=EVERY, nodes="ab"), outcomes("FF", "AA", "AA", "AA")
    ),
    EdgeCase(20, "a device name twice", world(*TWICE), outcomes("F", "R", "R", "R")),
    EdgeCase(
        20,
        "beside it a pool that would do",
        world(*TWICE, resource_slice("s3", on_node("a"), SPARE, pool="whole"), asked=EVERY),
        always("F"),
    ),
    EdgeCase(
        21,
        "all, beside another driver's incomplete pool",
        world(on_a(GPU), resource_slice("n", on_node("a"), GPU, driver="nic.example.com", of=2), asked=EVERY),
        always("F"),
    ),
    EdgeCase(23, "all of nothing", world(on_a(), asked=EVERY), always("R")),
    EdgeCase(
        25,
        "all, of which one violates a constraint",
        world(
            on_a(device("gpu-0", numa=0), device("gpu-1", numa=1)),
            asked=constrained(request(every=True), matchAttribute=f"{DRIVER}/numa"),
        ),
        always("F"),
    ),
    EdgeCase(
        30, "admin access to a device twice", world(on_a(GPU), asked=claim(request(admin=True, count=2))), always("R")
    ),
    EdgeCase(
        35,
        "a taint of no effect, and one of an unknown effect",
        world(on_a(device("gpu-0", more=tainted("None"))), on_b(device("gpu-0", more=tainted("Odd"))), nodes="ab"),
        outcomes("RR", "AA", "AA", "AA"),
        TAINTS,
    ),
    EdgeCase(
        35,
        "taints while nobody looks at them",
        world(on_a(device("gpu-0", more=tainted()))),
        outcomes("A", "A", "R", "R"),
    ),
    EdgeCase(
        37,
        "a taint rule under the default gates",
        world(on_a(GPU), rules=(taint_rule("r", driver=DRIVER, pool="a"),)),
        outcomes("A", "A", "A", "R"),
    ),
    EdgeCase(
        37,
        "a taint rule with the gates on",
        world(on_a(GPU), rules=(taint_rule("r", driver=DRIVER, pool="a"),)),
        always("R"),
        RULES,
    ),
    EdgeCase(
        37,
        "a taint rule without a selector",
        world(on_a(GPU), rules=(NO_SELECTOR,)),
        outcomes("R", "R", "R", "A"),
        RULES,
    ),
    EdgeCase(
        42,
        "too little is left of a shared device",
        world(on_a(SHARED_GPU), asked=claim(wishing(memory="60Gi")), holding=(share_of("other", "a", memory="30Gi"),)),
        outcomes(None, "R", "R", "R"),
        CAPACITY,
    ),
    EdgeCase(
        42,
        "a share, and capacity that nobody knows of",
        # a share takes the device then; and 1.34 fails for the wish, which 1.35 does not see
        world(on_a(SHARED_GPU), asked=claim(wishing(memory="60Gi")), holding=(share_of("other", "a", memory="30Gi"),)),
        outcomes("F", "R", None, None),
    ),
    EdgeCase(
        44,
        "a wish while nobody knows of capacity",
        world(on_a(GPU), asked=claim(wishing(memory="1Ti"))),
        outcomes("F", "A", "F", "F"),
        {"1.36": {"DRAConsumableCapacity": False}, "1.37": {"DRAConsumableCapacity": False}},
    ),
    EdgeCase(
        47,
        "three devices that all differ, of which two are alike",
        world(on_a(*in_zones("x", "y", "x")), asked=DISTINCT),
        outcomes("A", "F", "A", "R"),
    ),
    EdgeCase(
        47,
        "the same with consumable capacity on",
        world(on_a(*in_zones("x", "y", "x")), asked=DISTINCT),
        outcomes(None, "A", "A", "R"),
        CAPACITY,
    ),
    EdgeCase(
        47,
        "two requests that differ, of devices that are alike",
        world(
            on_a(*in_zones("x", "x")),
            asked=constrained(request("one"), request("two"), distinctAttribute=f"{DRIVER}/zone"),
        ),
        outcomes("A", "F", "R", "R"),
    ),
    EdgeCase(
        50,
        "a device of another node that raises",
        world(
            resource_slice(
                "s",
                PER_DEVICE,
                device("gpu-0", more=on_node("a")),
                device("gpu-1", more=on_node("b"), zone="east"),
                pool="net",
            ),
            asked=claim(request("gpu", UNGUARDED)),
            nodes="ab",
        ),
        outcomes("RR", "RR", "FF", "FF"),
    ),
    EdgeCase(
        51,
        "a partition leaves too little of its card",
        world(
            *card("a", partition("whole", "80Gi"), HALF),
            asked=claim(request("gpu", "device.capacity['gpu.example.com'].memory.isGreaterThan(quantity('50Gi'))")),
            holding=(held("other", "half-0", pool="a"),),
        ),
        outcomes(None, "R", "R", "R"),
        PARTITIONS,
    ),
    EdgeCase(
        51,
        "the same in one slice",
        world(
            card_in_one("a", partition("whole", "80Gi"), HALF),
            asked=claim(request("gpu", "device.capacity['gpu.example.com'].memory.isGreaterThan(quantity('50Gi'))")),
            holding=(held("other", "half-0", pool="a"),),
        ),
        outcomes("R", None, None, None),
        PARTITIONS,
    ),
    EdgeCase(51, "partitions while nobody knows of them", world(*card("a", HALF)), outcomes("R", "R", None, None)),
    EdgeCase(
        52,
        "partitions without their card",
        world(card("a", HALF)[1], card("b", HALF, of=1)[1], nodes="ab"),
        outcomes(None, "RR", "RR", "RR"),
        PARTITIONS,
    ),
    EdgeCase(
        51,
        "a card's room is given back by a partition that is tainted",
        world(*card("a", TAINTED_WHOLE, HALF)),
        outcomes(None, "R", "A", "A"),
        gates(DRAPartitionableDevices=True, DRADeviceTaints=True),
    ),
    EdgeCase(
        59,
        "a device with a list, and a selector of something else",
        world(on_a(LISTED), asked=claim(request("gpu", UNGUARDED))),
        outcomes(None, None, "F", "A"),
    ),
    EdgeCase(
        59,
        "the same with the gate on",
        world(on_a(LISTED), asked=claim(request("gpu", UNGUARDED))),
        outcomes(None, None, "A", "A"),
        gates(DRAListTypeAttributes=True),
    ),
    EdgeCase(60, "binding conditions under the default gates", world(on_a(BINDING)), outcomes("R", "R", "A", "A")),
    EdgeCase(
        60,
        "binding conditions, the gate off",
        world(on_a(BINDING)),
        always("R"),
        gates(DRADeviceBindingConditions=False),
    ),
    EdgeCase(
        60, "binding conditions, the gate on", world(on_a(BINDING)), always("A"), gates(DRADeviceBindingConditions=True)
    ),
    EdgeCase(
        68,
        "a stored expression that costs too much",
        world(on_a(GPU), classes=(device_class("gpu.example.com", COSTLY),)),
        always("F"),
    ),
    EdgeCase(
        69,
        "two of one shared device",
        world(on_a(device("gpu-0", memory=None, more=SHARED)), asked=TWO),
        # 1.34 looks for the capacity of the second device in the slice, and panics
        outcomes(None, "A", "R", "R"),
        CAPACITY,
    ),
    EdgeCase(
        70,
        "beside a pool of which a slice is missing",
        world(
            resource_slice("s1", on_node("a"), GPU, pool="half", of=2),
            resource_slice("s2", on_node("a"), SPARE, pool="whole"),
        ),
        always("A"),
    ),
    EdgeCase(
        71,
        "all, where another node's partitions are unfinished",
        world(*card("a", HALF, of=3), on_b(GPU), asked=EVERY, nodes="ab"),
        outcomes(None, "FF", "FF", "FA"),
        PARTITIONS,
    ),
    EdgeCase(
        71,
        "one, where another node's partitions are invalid",
        world(
            *card("a", HALF, HALF),
            resource_slice("c", on_node("c"), GPU),
            nodes="abc",
        ),
        outcomes(None, "RRA", "RRA", "RRA"),
        PARTITIONS,
    ),
    EdgeCase(
        31,
        "all as the second alternative",
        world(on_a(*in_zones("x", "y")), asked=every_of(all_of("one", "device.driver == 'other'"), all_of("two"))),
        # until 1.35 the matches of the first alternative are taken for those of the second
        outcomes("R", "R", "A", "A"),
    ),
    EdgeCase(
        37,
        "a taint rule that selects by class and expression, and raises on the second node",
        world(on_a(device("gpu-0", zone="east")), on_b(GPU), rules=(BY_EXPRESSION,), nodes="ab"),
        outcomes("RA", None, None, None),
        TAINTS,
    ),
    EdgeCase(
        22,
        "all, of which one has too little left",
        world(
            on_a(SHARED_GPU, device("gpu-1", memory="80Gi", more=SHARED)),
            asked=claim(wishing(memory="60Gi", every=True)),
            holding=(share_of("other", "a", memory="30Gi"),),
        ),
        outcomes(None, "A", "A", "R"),
        CAPACITY,
    ),
    EdgeCase(
        44,
        "a wish, and the allocator that knows of no capacity",
        world(on_a(GPU), asked=claim(wishing(memory="1Ti"))),
        outcomes(None, None, "A", "A"),
        gates(DRAConsumableCapacity=False, DRADeviceBindingConditions=False),
    ),
    EdgeCase(
        46,
        "a wish beyond 64 bits",  # which wraps around until 1.36
        world(on_a(BY_FOUR), asked=claim(wishing(slots="9223372036854775808"))),
        outcomes(None, "A", "A", "F"),
        CAPACITY,
    ),
    EdgeCase(
        51,
        "a further share of a partition that has no capacity",
        world(*card("a", SHARED_WHOLE), holding=(SHARE_OF_NOTHING,)),
        outcomes(None, "A", "R", "A"),
        gates(DRAPartitionableDevices=True, DRAConsumableCapacity=True),
    ),
    EdgeCase(
        51,
        "cards of two drivers in pools of one name",
        world(
            *card("a", HALF),
            *OTHERS_CARD,
            asked=claim(request("half"), request("whole", of_class="other.example.com")),
            classes=(device_class(), device_class("other.example.com")),
        ),
        outcomes(None, "R", "A", "A"),
        PARTITIONS,
    ),
    EdgeCase(
        29,
        "admin access while nobody knows of it",
        world(on_a(GPU), asked=claim(request(admin=True))),
        outcomes("F", "F", None, None),
        gates(DRAAdminAccess=False),
    ),
    EdgeCase(
        64,
        "a class of every driver",
        world(on_a(GPU), asked=claim(request(of_class="any")), classes=(open_class("any"),)),
        always("A"),
    ),
)


def told(case: EdgeCase, version: str) -> str:
    """Our letters for the nodes."""
    rules = rules_for(version, case.gates.get(version, {}))
    state = state_of(case.world)
    trial = Trial(Inventory.prepare(state, rules), tuple(map(read_claim, case.world.claims)))
    return "".join(trial.answer(each).outcome.value[0] for each in state.nodes)


def differences(oracle: SchedulerOracle, version: str, of: Sequence[EdgeCase] = CASES) -> Iterator[str]:
    """What is not as written, on either side."""
    cases = [case for case in of if version in case.outcomes]
    scenarios: list[Any] = [case.world.scenario() | {"gates": case.gates.get(version, {})} for case in cases]
    for case, answers in zip(cases, oracle.ask(scenarios), strict=True):
        expected = case.outcomes[version]
        theirs = "".join(each.outcome[0] for each in answers)
        ours = told(case, version)
        if {theirs, ours} != {expected}:
            messages = "; ".join(each.message for each in answers if each.message)
            yield f"{case.number} {case.title}: written {expected}, the scheduler {theirs}, ours {ours} ({messages})"


def main() -> int:
    """Judge the rows of one version, and sum up in one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kubernetes", choices=_ALL, default=NEWEST)
    version = parser.parse_args().kubernetes
    try:
        print(build(module(version)), flush=True)
    except NotBuiltError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    with SchedulerOracle(version) as oracle:
        found = list(differences(oracle, version))
    print("".join(f"{each}\n" for each in found), end="")
    count = sum(version in case.outcomes for case in CASES)
    print(f"edge cases: Kubernetes {version}, {count} cases: {len(found)} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
