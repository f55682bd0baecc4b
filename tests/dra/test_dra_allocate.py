from __future__ import annotations

from dataclasses import replace

import pytest

from dra.dra_worlds import (
    ALL_NODES,
    ANY,
    DRIVER,
    NODE,
    answer,
    attribute,
    claim,
    device,
    devices,
    everything,
    holding,
    on,
    pool,
    request,
    state,
    taken,
    where,
)
from kubectl_llmfit.api.values import (
    Allocation,
    DeviceClass,
    Node,
    NodeSelector,
    NodeSelectorTerm,
    NodeTargeting,
    Requirement,
    Taint,
    Toleration,
)
from kubectl_llmfit.dra.allocate import Trial
from kubectl_llmfit.dra.answer import Match, NodeAnswer, Outcome
from kubectl_llmfit.dra.copies import CopyCounter
from kubectl_llmfit.dra.inventory import Inventory
from kubectl_llmfit.dra.occupancy import NOTHING

HAS_X = attribute("x") + " == 1"
GUARDED = f"'x' in device.attributes['{DRIVER}'] && {HAS_X}"
BAD = Taint("bad", "", "NoSchedule")
NO = (Outcome.REFUSES, "cannot allocate all claims")


def said(given: NodeAnswer) -> tuple[Outcome, str | None]:
    return given.outcome, given.message


# Which devices, and in what order.


def test_devices_are_taken_in_the_order_of_pools_slices_and_lists() -> None:
    late = pool(device("z"), device("a"), name="p", slice_name="2", slice_count=2)
    early = pool(device("y"), name="p", slice_name="1", slice_count=2)
    first = pool(device("q"), name="o")
    given = answer(state(late, early, first), claim(request(count=4)))
    assert taken(given) == ["r=q", "r=y", "r=z", "r=a"]


def test_a_small_need_takes_the_first_device_however_large() -> None:
    given = answer(state(pool(device("big", memory="80Gi"), device("small", memory="24Gi"))), claim(request()))
    assert taken(given) == ["r=big"]


def test_a_count_needs_that_many_devices() -> None:
    world = state(pool(*devices(3)))
    assert taken(answer(world, claim(request(count=3)))) == ["r=d0", "r=d1", "r=d2"]
    assert said(answer(world, claim(request(count=4)))) == NO


def test_a_request_gives_way_to_a_later_one_with_fewer_choices() -> None:
    world = state(pool(device("d0", {"x": 1}), device("d1")))
    assert taken(answer(world, claim(request("r1"), request("r2", GUARDED)))) == ["r1=d1", "r2=d0"]


def test_claims_of_one_pod_compete_in_their_order() -> None:
    world = state(pool(*devices(1)))
    one, two = claim(request(), name="one"), claim(request(), name="two")
    assert answer(world, one).outcome is Outcome.ALLOCATES
    assert said(answer(world, one, two)) == NO
    given = answer(state(pool(*devices(2))), one, two)
    assert [(entry.claim, entry.id.device) for entry in given.allocation] == [(0, "d0"), (1, "d1")]


def test_a_claim_without_requests_fits_everywhere() -> None:
    given = answer(state(), claim())
    assert (given.outcome, given.allocation) == (Outcome.ALLOCATES, ())


def test_a_held_device_is_not_taken() -> None:
    world = state(pool(*devices(2)), held=[holding("d0")])
    assert taken(answer(world, claim(request()))) == ["r=d1"]
    assert said(answer(world, claim(request(count=2)))) == NO


def test_a_device_is_held_by_name_whatever_its_generation() -> None:
    assert said(answer(state(pool(*devices(1), generation=7), held=[holding("d0")]), claim(request()))) == NO


def test_other_holders_can_be_tried() -> None:
    inventory = Inventory.prepare(state(pool(*devices(1)), held=[holding("d0")]))
    assert Trial(inventory, [claim(request())]).answer(NODE, NOTHING).outcome is Outcome.ALLOCATES


def test_admin_access_takes_a_held_device_and_says_so() -> None:
    world = state(pool(*devices(1)), held=[holding("d0")])
    (entry,) = answer(world, claim(request(admin_access=True))).allocation
    assert (entry.id.device, entry.admin_access) == ("d0", True)


def test_admin_access_takes_nothing_twice_in_one_claim() -> None:
    assert said(answer(state(pool(*devices(1))), claim(request(count=2, admin_access=True)))) == NO


def test_a_per_device_slice_gives_each_node_its_own() -> None:
    shared = pool(
        device("theirs", targeting=on("b")), device("ours", targeting=on("a")), targeting=NodeTargeting(per_device=True)
    )
    assert taken(answer(state(shared), claim(request()))) == ["r=ours"]


def test_a_node_selector_is_held_against_the_labels_of_now() -> None:
    world = state(pool(*devices(1), targeting=where(Requirement("zone", "In", ("z1",)))))
    assert answer(world, claim(request()), node=Node("a", {"zone": "z1"})).outcome is Outcome.ALLOCATES
    assert said(answer(world, claim(request()), node=Node("a", {"zone": "z2"}))) == NO


def test_nodes_that_reach_the_same_slices_are_alike_and_those_with_their_own_are_not() -> None:
    network = pool(*devices(2), name="net", targeting=ALL_NODES)
    theirs = pool(device("own"), name="a-own", targeting=on("b"))
    inventory = Inventory.prepare(state(network, theirs, held=[holding("d0", pool_name="net")]))
    trial = Trial(inventory, [claim(request())])
    nodes = [Node(name) for name in "abca"]
    assert [taken(trial.answer(node)) for node in nodes] == [["r=d1"], ["r=own"], ["r=d1"], ["r=d1"]]
    assert [taken(trial.answer(node, NOTHING)) for node in nodes] == [["r=d0"], ["r=own"], ["r=d0"], ["r=d0"]]
    counter = CopyCounter(inventory, [claim(request())])
    assert [(counter.count(node), counter.count(node, NOTHING)) for node in nodes] == [(1, 2), (2, 3), (1, 2), (1, 2)]


# Taints.


def test_a_tainted_device_is_passed_over_unless_tolerated() -> None:
    world = state(pool(device("d0", taints=(BAD,)), device("d1")))
    assert taken(answer(world, claim(request()))) == ["r=d1"]
    tolerant = request(tolerations=(Toleration("bad", "Exists", "", ""),))
    assert taken(answer(world, claim(tolerant))) == ["r=d0"]


def test_admin_access_does_not_tolerate() -> None:
    assert said(answer(state(pool(device("d0", taints=(BAD,)))), claim(request(admin_access=True)))) == NO


# All.


def test_all_takes_every_match() -> None:
    world = state(pool(device("d0", {"x": 1}), device("d1"), device("d2", {"x": 1})))
    assert taken(answer(world, claim(everything("r", GUARDED)))) == ["r=d0", "r=d2"]


def test_all_with_one_match_held_is_no() -> None:
    assert said(answer(state(pool(*devices(3)), held=[holding("d1")]), claim(everything()))) == NO


def test_all_with_admin_access_does_not_mind_who_holds() -> None:
    world = state(pool(*devices(2)), held=[holding("d1")])
    assert taken(answer(world, claim(everything(admin_access=True)))) == ["r=d0", "r=d1"]


def test_all_with_one_match_tainted_is_no() -> None:
    assert said(answer(state(pool(device("d0"), device("d1", taints=(BAD,)))), claim(everything()))) == NO


def test_all_with_no_match_is_no() -> None:
    assert said(answer(state(pool(*devices(2))), claim(everything("r", "false")))) == NO


def test_all_fails_on_an_unfinished_pool_of_whatever_driver() -> None:
    other = pool(device("d"), name="q", driver="z.com", slice_count=2)
    given = answer(state(pool(*devices(1)), other), claim(everything()))
    message = "claim ns/c, request r: asks for all devices, but resource pool z.com/q is currently being updated"
    assert said(given) == (Outcome.FAILS, message)


def test_all_fails_on_an_invalid_pool() -> None:
    given = answer(state(pool(device("d"), device("d"))), claim(everything()))
    message = f"claim ns/c, request r: asks for all devices, but resource pool {DRIVER}/p is currently invalid"
    assert said(given) == (Outcome.FAILS, message)


def test_all_does_not_see_an_outdated_pool() -> None:
    mine = pool(device("mine"), slice_name="1", slice_count=2)
    newer = pool(device("other"), slice_name="2", generation=3, targeting=on("b"))
    given = answer(state(mine, newer), claim(everything()))
    assert said(given) == NO
    assert [p.state for p in given.pools] == ["Outdated"]


def test_all_on_a_pool_that_other_nodes_share_takes_the_nodes_part() -> None:
    mine = pool(device("mine"), slice_name="1", slice_count=2)
    other = pool(device("other"), slice_name="2", slice_count=2, targeting=on("b"))
    assert taken(answer(state(mine, other), claim(everything()))) == ["r=mine"]


# Limits.


def test_a_claim_can_have_32_devices_and_no_more() -> None:
    world = state(pool(*devices(40)))
    assert answer(world, claim(request("r1", count=20), request("r2", count=12))).outcome is Outcome.ALLOCATES
    given = answer(world, claim(request("r1", count=20), request("r2", count=13)))
    # 20 are accounted for, and 20 + 13 = 33 > 32.
    message = "claim ns/c, request r2: adding 13 devices exceeds the claim limit of 32, with 20 already accounted for"
    assert said(given) == (Outcome.FAILS, message)


def test_a_count_over_the_limit_fails_though_the_api_accepts_it() -> None:
    assert answer(state(), claim(request(count=33))).outcome is Outcome.FAILS


def test_all_over_the_limit_fails() -> None:
    assert answer(state(pool(*devices(33))), claim(everything())).outcome is Outcome.FAILS


def test_the_limit_is_each_claims_own() -> None:
    given = answer(state(pool(*devices(64))), claim(request(count=32)), claim(request(count=32), name="d"))
    assert len(given.allocation) == 64


# Pools that cannot be used.


def test_a_count_is_not_met_from_an_unfinished_pool() -> None:
    given = answer(state(pool(*devices(1), slice_count=2)), claim(request()))
    assert said(given) == NO
    assert [p.reason for p in given.pools] == ["pool p is being updated (1 of 2 slices)"]


def test_another_pool_serves_while_one_is_unfinished_or_invalid() -> None:
    broken = pool(device("d"), device("d"), name="broken")
    world = state(pool(*devices(1), slice_count=2), broken, pool(device("good"), name="q"))
    assert taken(answer(world, claim(request()))) == ["r=good"]


def test_a_no_with_an_invalid_pool_on_the_node_names_it() -> None:
    given = answer(state(pool(device("d"), device("d"))), claim(request()))
    assert said(given) == (Outcome.REFUSES, "invalid resource pools were encountered")


def test_a_slice_whose_selector_does_not_parse_fails_the_pod() -> None:
    world = state(pool(*devices(1)), pool(device("d"), name="q", targeting=where(Requirement("zone", "In"))))
    given = answer(world, claim(request()))
    assert given.outcome is Outcome.FAILS
    assert (given.message or "").startswith("gather pool information: failed to perform node selection for slice q: ")


# The reach of errors.

NO_KEY = (
    "CEL runtime error: no such key: x. consider using CEL optional chaining (.? followed by orValue())"
    " or guarding the check with has() for optional fields"
)


def test_an_unguarded_selector_fails_on_a_device_that_lacks_the_attribute() -> None:
    given = answer(state(pool(*devices(1))), claim(request("r", "true", HAS_X)))
    assert said(given) == (Outcome.FAILS, f"claim ns/c: selector #1 on device {DRIVER}/p/d0: {NO_KEY}")


def test_an_error_of_a_class_names_the_class() -> None:
    world = state(pool(*devices(1)), classes=(DeviceClass("strict", (HAS_X,)),))
    given = answer(world, claim(request(of="strict")))
    assert said(given) == (Outcome.FAILS, f"class strict: selector #0 on device {DRIVER}/p/d0: {NO_KEY}")


def test_a_class_that_does_not_compile_fails_once_a_device_is_looked_at() -> None:
    broken = (DeviceClass("broken", ("device.nope",)),)
    given = answer(state(pool(*devices(1)), classes=broken), claim(request(of="broken")))
    assert (given.message or "").startswith("class broken: selector #0: CEL compile error: compilation failed: ERROR: ")
    assert said(answer(state(classes=broken), claim(request(of="broken")))) == NO


def test_a_held_device_is_skipped_before_its_error() -> None:
    world = state(pool(device("d0"), device("d1", {"x": 1})), held=[holding("d0")])
    assert taken(answer(world, claim(request("r", HAS_X)))) == ["r=d1"]


def test_all_looks_at_held_devices_too() -> None:
    world = state(pool(device("d0"), device("d1", {"x": 1})), held=[holding("d0")])
    assert answer(world, claim(everything("r", HAS_X))).outcome is Outcome.FAILS


def test_all_looks_at_everything_before_any_other_request_is_tried() -> None:
    world = state(pool(*devices(1)))
    assert answer(world, claim(request("r1", "false"), everything("r2", HAS_X))).outcome is Outcome.FAILS
    assert said(answer(world, claim(request("r1", "false"), request("r2", HAS_X)))) == NO


def test_devices_behind_the_first_solution_are_not_looked_at() -> None:
    world = state(pool(device("d0", {"x": 1}), device("d1")))
    assert taken(answer(world, claim(request("r", HAS_X)))) == ["r=d0"]
    assert answer(world, claim(request("r", HAS_X, count=2))).outcome is Outcome.FAILS


def test_a_class_that_does_not_match_shields_the_request() -> None:
    mine = DeviceClass("mine", (f"device.driver == '{DRIVER}'",))
    world = state(pool(device("d"), driver="a.com"), pool(device("d0", {"x": 1})), classes=(mine, ANY))
    assert taken(answer(world, claim(request("r", HAS_X, of="mine")))) == ["r=d0"]
    assert answer(world, claim(request("r", HAS_X, of="any"))).outcome is Outcome.FAILS


def test_a_selector_runs_before_the_devices_own_node_test() -> None:
    shared = pool(
        device("theirs", targeting=on("b")),
        device("ours", {"x": 1}, targeting=on("a")),
        targeting=NodeTargeting(per_device=True),
    )
    assert answer(state(shared), claim(request("r", HAS_X))).outcome is Outcome.FAILS
    assert taken(answer(state(shared), claim(request("r", GUARDED)))) == ["r=ours"]


def test_a_selector_runs_before_taints() -> None:
    assert answer(state(pool(device("d0", taints=(BAD,)))), claim(request("r", HAS_X))).outcome is Outcome.FAILS


def test_an_unfinished_pool_is_not_looked_at() -> None:
    assert said(answer(state(pool(*devices(1), slice_count=2)), claim(request("r", HAS_X)))) == NO


def test_a_device_that_is_not_matched_need_not_have_the_attribute() -> None:
    assert said(answer(state(pool(*devices(1))), claim(request("r", GUARDED)))) == NO


@pytest.mark.parametrize(("whole", "shown"), [(False, f"{DRIVER}/p/d0"), (True, "d0")])
def test_a_capacity_below_zero_fails_whoever_gets_to_it(whole: bool, shown: str) -> None:
    negative = device("d0", memory="-1Gi")
    asked = everything() if whole else request()
    message = (
        f'claim ns/c, request r: checking capacity for device {shown}: capacity "memory": capacity value is negative'
    )
    assert said(answer(state(pool(negative)), claim(asked))) == (Outcome.FAILS, message)


# Before any node is looked at.


def test_a_missing_class_refuses_every_node_by_name() -> None:
    given = answer(state(pool(*devices(1))), claim(request("r1"), request("r2", of="gone")))
    assert said(given) == (Outcome.REFUSES, "request r2: device class gone does not exist")


def test_a_missing_class_of_an_alternative_refuses_too() -> None:
    request_ = request("r")
    several = replace(
        request_,
        alternatives=tuple(
            replace(request_.alternatives[0], name=n, device_class_name=c) for n, c in [("a", "any"), ("b", "gone")]
        ),
        prioritized=True,
    )
    given = answer(state(pool(*devices(1))), claim(several))
    assert said(given) == (Outcome.REFUSES, "request r/b: device class gone does not exist")


def test_a_claim_that_is_being_deleted_is_refused() -> None:
    given = answer(state(pool(*devices(1))), claim(request(), being_deleted=True))
    assert said(given) == (Outcome.REFUSES, 'resourceclaim "c" is being deleted')


# Claims that are allocated already.


def on_node(name: str) -> NodeSelector:
    return NodeSelector((NodeSelectorTerm((), (Requirement("metadata.name", "In", (name,)),)),))


def allocated(selector: NodeSelector | None) -> Allocation:
    held = holding("gone").allocation
    assert held is not None
    return replace(held, node_selector=selector)


def test_an_allocated_claim_is_where_its_selector_says_and_nowhere_else() -> None:
    done = replace(claim(request(of="deleted since")), allocation=allocated(on_node("b")))
    assert said(answer(state(pool(*devices(1))), done)) == (Outcome.REFUSES, "resourceclaim not available on the node")
    there = answer(state(), done, node=Node("b"))
    assert (there.outcome, taken(there)) == (Outcome.ALLOCATES, ["r=gone"])


def test_an_allocation_without_a_selector_is_everywhere() -> None:
    assert answer(state(), replace(claim(), allocation=allocated(None))).outcome is Outcome.ALLOCATES


def test_a_claim_still_to_be_allocated_is_tried_beside_one_that_is() -> None:
    done = replace(claim(name="done"), allocation=allocated(on_node("b")))
    world = state(pool(*devices(1), targeting=ALL_NODES))
    wanted = claim(request("r", HAS_X))
    # The allocator runs on either node, and what it says comes first.
    assert answer(world, done, wanted).outcome is Outcome.FAILS
    given = answer(world, done, claim(request()), node=Node("b"))
    assert [(entry.claim, entry.id.device) for entry in given.allocation] == [(0, "gone"), (1, "d0")]
    assert said(answer(world, done, claim(request()))) == (
        Outcome.REFUSES,
        "resourceclaim not available on the node",
    )


# Steps.


def test_the_steps_count_what_is_left_of_the_nodes_own_devices() -> None:
    class_ = DeviceClass("gpu", (f"'gpu' in device.attributes['{DRIVER}']",))
    given = answer(
        state(
            pool(
                device("nic"),
                device("small", {"gpu": True}, memory="8Gi"),
                device("held", {"gpu": True}, memory="24Gi"),
                device("sick", {"gpu": True}, memory="24Gi", taints=(BAD,)),
                device("good", {"gpu": True}, memory="24Gi"),
            ),
            held=[holding("held")],
            classes=(class_,),
        ),
        claim(request("r", f"device.capacity['{DRIVER}'].memory.isGreaterThan(quantity('20Gi'))", of="gpu")),
    )
    (steps,) = given.steps
    # 5 devices; 4 are GPUs; 3 of them have more than 20Gi; 2 of those are free; 1 of those is not tainted.
    counts = (steps.devices, steps.after_class, steps.after_selectors, steps.free, steps.untainted)
    assert counts == (5, 4, 3, 2, 1)
    assert [test.match for test in steps.tests] == [
        Match.NOT_CLASS,
        Match.NOT_REQUEST,
        Match.SELECTABLE,
        Match.SELECTABLE,
        Match.SELECTABLE,
    ]


def test_devices_of_other_nodes_are_not_counted() -> None:
    shared = pool(
        device("theirs", targeting=on("b")), device("ours", targeting=on("a")), targeting=NodeTargeting(per_device=True)
    )
    (steps,) = answer(state(shared), claim(request())).steps
    assert (steps.devices, steps.after_selectors) == (1, 1)
    assert steps.tests[0].match is Match.NOT_NODE


def test_a_capacity_of_zero_is_no_error() -> None:
    assert taken(answer(state(pool(device("d0", memory="0"))), claim(request()))) == ["r=d0"]


def test_a_claim_that_is_reserved_for_as_many_as_can_be_is_in_use() -> None:
    held = replace(claim(), allocation=holding("d0").allocation)
    assert answer(state(), replace(held, consumers=255)).outcome is Outcome.ALLOCATES
    assert answer(state(), replace(held, consumers=256)).message == "resourceclaim in use"
