"""The rules that are easily got wrong, by number: which world judges each, and those that no world can show.

``WORLDS`` are names of cases that ``test_worlds`` puts into the real cluster, where the real scheduler decides and
check-nodes has to agree. Those of ``HERE`` are tests of this file. ``ELSEWHERE`` says who judges the rest: a real
cluster of default gates cannot be brought there.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from controlplane.client import Client, RefusedError
from controlplane.plane import ControlPlane
from live.cases_edges import BY_FOUR, at_least, wishing
from live.cases_selectors import on_a
from live.objects import (
    NAMESPACE,
    Object,
    claim,
    device,
    held,
    node,
    on_labelled,
    on_node,
    only_node,
    request,
    resource_slice,
    tainted,
)
from live.program import run_here
from live.test_claim_validation import REFUSED
from live.test_worlds import CASES, document
from live.worlds import NODES, SLICES, Cluster, World, fits

CLAIMS = f"/apis/resource.k8s.io/v1/namespaces/{NAMESPACE}/resourceclaims"
PODS = f"/api/v1/namespaces/{NAMESPACE}/pods"

WORLDS: dict[int, tuple[str, ...]] = {
    1: ("a selector that raises on one of two nodes fails the whole pod",),
    2: ("a device in use is not evaluated",),
    3: ("All looks at devices in use",),
    4: ("with that node cordoned it does not",),
    5: ("a guarded lookup does not raise",),
    6: ("the class shields the request selector",),
    7: ("a class without selectors does not shield",),
    8: ("an unknown domain reads as empty", "an unknown domain is not in the map"),
    9: ("an unknown domain reads as an empty optional map",),
    10: ("a bare attribute is in the driver's domain",),
    11: ("a version is no string",),
    12: ("a string is no answer",),
    13: ("an error is swallowed by or-true",),
    15: ("an incomplete pool is passed over",),
    16: ("All of an incomplete pool fails the pod",),
    17: ("an incomplete newest generation hides a complete old one",),
    18: (
        "a newer generation on another node only outdates an unfinished pool",
        "and All passes such a pool over",
    ),
    19: ("All of a pool over two nodes takes the node's own",),
    20: ("a device name twice makes the pool invalid", "beside an invalid pool another one fits"),
    21: ("All fails for another driver's incomplete pool",),
    22: ("All with one device in use",),
    23: ("All of nothing",),
    24: ("All of thirty-three fails the pod",),
    25: ("All fails the pod when a constraint cannot hold",),
    26: ("All with one device tainted",),
    27: ("a count above thirty-two fails the pod",),
    28: ("twenty and twelve are thirty-two", "twenty and thirteen are too many"),
    29: ("admin access takes a device in use", "admin access does not hold"),
    30: ("admin access takes no device twice",),
    31: ("the first alternative that is free",),
    32: ("an alternative is given up for a later request",),
    33: ("a later request makes an earlier one give its device back",),
    34: (
        "two claims of a pod want a device each",
        "a later claim makes an earlier one give its device back",
    ),
    35: ("a taint of no effect",),
    36: ("a toleration without a key tolerates all",),
    37: ("a taint rule for a whole pool",),
    38: ("a held device is passed over", "every device held"),
    39: ("a claim that is being deleted still holds",),
    40: ("an allocated claim fits where it is",),
    41: ("an allocated claim without its device, its class",),
    42: ("too little is left of a shared device", "enough is left of a shared device"),
    43: ("who does not say how much means the whole",),
    44: ("a wish names the capacity as it is published",),
    45: ("a wish of a device that is not shared is a floor",),
    46: ("a wish is rounded up by the device's policy",),
    47: ("three devices that all differ",),
    48: ("a number is no match for its text",),
    49: ("a constraint wants its attribute of one device too",),
    50: ("a device of another node can raise",),
    51: ("a partition leaves too little of its card", "partitions of one card take each other's room"),
    52: ("partitions without their card",),
    53: ("a network pool for nodes with a label",),
    54: ("a slice of a node that does not exist",),
    55: ("a node that is not ready, without a taint",),
    56: ("the class of a request is missing", "the class of a later request is missing"),
    57: ("the class of a later alternative is missing",),
    58: ("an allocated claim without its device, its class",),
    61: ("slices of a pool are searched by name",),
    62: ("no requests fit everywhere",),
    64: ("a driver in upper case is what it is", "and not what it is in lower case"),
    69: ("two of one shared device are two devices", "two requests share a device"),
    70: ("beside an incomplete pool another one fits",),
    71: ("All fails where partitions are unfinished, and only there",),
}
HERE: dict[int, str] = {
    14: "test_14_a_capacity_compared_by_an_operator_is_refused_when_the_claim_is_made",
    31: "test_31_a_node_with_the_first_alternative_is_preferred",
    35: "test_35_a_taint_of_an_unknown_effect_cannot_be_published",
    39: "test_39_a_claim_that_is_being_deleted_serves_no_pod",
    46: "test_46_what_is_consumed_is_rounded_up",
    53: "test_53_the_labels_that_a_node_has_now_count",
    59: "test_59_a_list_cannot_be_published_while_the_feature_is_off",
    66: "test_66_a_claim_in_an_older_version_is_read_in_its_own_shape",
    67: "test_67_a_field_of_a_feature_that_is_off_is_dropped_without_a_word",
}
ELSEWHERE: dict[int, str] = {
    59: "dra/test_dra_edge_cases: a device with a list, on a scheduler whose gate is off",
    60: "dra/test_dra_edge_cases: a device with binding conditions, the gate off",
    63: "left out: how a pod finds the claim of a template",
    65: "check/test_check_nodes: from a hundred nodes on the scheduler may not reach the error",
    68: "dra/test_dra_edge_cases: a stored expression that costs too much",
}


def test_each_of_them_is_judged() -> None:
    assert sorted({*WORLDS, *HERE, *ELSEWHERE}) == list(range(1, 72))
    missing = [name for names in WORLDS.values() for name in names if name not in CASES]
    assert missing == []
    assert [name for name in HERE.values() if name not in globals()] == []


def checked(plane: ControlPlane, *arguments: str | Path) -> Any:
    """The NodeCheck of the real cluster, by node."""
    answer = run_here("check-nodes", *arguments, "--all-nodes", "-o", "json", "--kubeconfig", plane.kubeconfig())
    return {each["name"]: each for each in document(answer)["nodes"]}


def written(folder: Path, asked: Object) -> Path:
    path = folder / "claim.json"
    path.write_text(json.dumps(asked))
    return path


def test_14_a_capacity_compared_by_an_operator_is_refused_when_the_claim_is_made(client: Client) -> None:
    """What check-nodes says of it: ``test_claim_validation``."""
    with pytest.raises(RefusedError, match="no matching overload for '_>=_'"):
        client.create(f"{CLAIMS}?dryRun=All", REFUSED["a selector that compares a capacity by an operator"])


def test_31_a_node_with_the_first_alternative_is_preferred(cluster: Cluster) -> None:
    world = CASES["the first alternative that is free"]
    with cluster.holding(world):
        assert cluster.decide_world(world).node == "b"


def test_35_a_taint_of_an_unknown_effect_cannot_be_published(client: Client) -> None:
    published = resource_slice("s", on_node("a"), device("gpu-0", more=tainted("Odd")))
    with pytest.raises(RefusedError, match='supported values: "NoExecute", "NoSchedule", "None"'):
        client.create(f"{SLICES}?dryRun=All", published)


def test_39_a_claim_that_is_being_deleted_serves_no_pod(
    cluster: Cluster, client: Client, control_plane: ControlPlane
) -> None:
    """The scheduler does not even try the pod: a pod that came later is decided before it."""
    leaving = held("leaving", "gpu-0", pool="a", namespace=NAMESPACE, deleting=True, selector=only_node("a"))
    world = World(claim(request()), {"a": fits("gpu-1")}, [on_a(device("gpu-0"), device("gpu-1"))], claims=[leaving])
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "early", "namespace": NAMESPACE},
        "spec": {
            "containers": [{"name": "main", "image": "example.com/server"}],
            "resourceClaims": [{"name": "gpu", "resourceClaimName": "leaving"}],
        },
    }
    with cluster.holding(world):
        client.create(PODS, pod)
        assert cluster.decide_world(world).outcome == "Allocates"
        assert "nodeName" not in client.get(f"{PODS}/early")["spec"]
        entry = checked(control_plane, "resourceclaim/leaving", "-n", NAMESPACE)["a"]
    assert (entry["scheduler"], entry["message"]) == ("Refuses", 'resourceclaim "leaving" is being deleted')


def test_46_what_is_consumed_is_rounded_up(cluster: Cluster, control_plane: ControlPlane, tmp_path: Path) -> None:
    # at least 4 and by 4: 5 becomes 8
    world = World(claim(wishing(slots="5")), {"a": fits("gpu-0")}, [on_a(BY_FOUR)])
    with cluster.holding(world):
        (result,) = cluster.decide_world(world).devices
        (device_entry,) = checked(control_plane, "-f", written(tmp_path, world.asked))["a"]["allocation"]
    assert result["consumedCapacity"] == {"slots": "8"}
    assert device_entry["consumedCapacity"] == {"slots": "8"}


def test_53_the_labels_that_a_node_has_now_count(
    cluster: Cluster, client: Client, control_plane: ControlPlane, tmp_path: Path
) -> None:
    published = resource_slice("s", on_labelled("rack", "r1"), device("gpu-0"), pool="net")
    world = World(claim(request()), {"a": fits("net/gpu-0")}, [published], [node("a", labels={"rack": "r1"})])
    path = written(tmp_path, world.asked)
    with cluster.holding(world):
        before = cluster.decide_world(world).outcome, checked(control_plane, "-f", path)["a"]["scheduler"]
        client.patch(f"{NODES}/a", {"metadata": {"labels": {"rack": "r2"}}})
        cluster.prove_seen()
        after = cluster.decide_node(world, "a").outcome, checked(control_plane, "-f", path)["a"]["scheduler"]
    assert before == ("Allocates", "Allocates")
    assert after == ("Refuses", "Refuses")


def test_59_a_list_cannot_be_published_while_the_feature_is_off(client: Client) -> None:
    with_list = {"name": "gpu-0", "attributes": {"links": {"ints": [1, 2]}}}
    with pytest.raises(RefusedError, match="must specify one of"):
        client.create(f"{SLICES}?dryRun=All", resource_slice("s", on_node("a"), with_list))


def test_66_a_claim_in_an_older_version_is_read_in_its_own_shape(
    cluster: Cluster, client: Client, control_plane: ControlPlane, tmp_path: Path
) -> None:
    """A server without that version answers 404; check-nodes warns then (``cli/test_cli_several_claims``)."""
    wanted = request("gpu", at_least("48Gi"))
    flat = {"name": "gpu"} | wanted["exactly"]
    old = claim(flat) | {"apiVersion": "resource.k8s.io/v1beta1"}
    stored = client.create(f"{CLAIMS.replace('/v1/', '/v1beta1/', 1)}?dryRun=All", old)
    assert stored["spec"]["devices"]["requests"][0]["deviceClassName"] == flat["deviceClassName"]
    world = World(
        claim(wanted),
        {"a": fits("gpu-1")},
        [on_a(device("gpu-0"), device("gpu-1", memory="80Gi"))],
    )
    with cluster.holding(world):
        (taken,) = cluster.decide_world(world).devices
        (entry,) = checked(control_plane, "-f", written(tmp_path, old))["a"]["allocation"]
    assert (taken["device"], entry["device"]) == ("gpu-1", "gpu-1")


def test_67_a_field_of_a_feature_that_is_off_is_dropped_without_a_word(
    cluster: Cluster, client: Client, control_plane: ControlPlane, tmp_path: Path
) -> None:
    asked = claim(request())
    asked["spec"]["devices"]["requests"][0]["exactly"]["derivedAttributes"] = [{"name": "a.com/b", "expression": "1"}]
    stored = client.create(f"{CLAIMS}?dryRun=All", asked)
    assert "derivedAttributes" not in stored["spec"]["devices"]["requests"][0]["exactly"]
    world = World(asked, {"a": fits("gpu-0")}, [on_a(device("gpu-0"))])
    path = written(tmp_path, asked)
    with cluster.holding(world):
        assert cluster.decide_world(world).outcome == "Allocates"
        entry = checked(control_plane, "-f", path)["a"]
        said = run_here("check-nodes", "-f", path, "--kubeconfig", control_plane.kubeconfig()).stderr
    assert entry["scheduler"] == "Allocates"
    assert "the API server drops derivedAttributes" in said
