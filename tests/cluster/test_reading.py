"""Reading a whole cluster: one consistent cut, completely or not at all."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from fakes import worlds
from fakes.api_server import FakeServer, Reply, Request, expired, failure, forbidden
from kubectl_llmfit.api.values import ClusterState
from kubectl_llmfit.cluster import lists
from kubectl_llmfit.cluster.connection import Connection
from kubectl_llmfit.cluster.reading import read_cluster
from kubectl_llmfit.errors import ClusterError, ExitCode

NODES = "/api/v1/nodes"
SLICES = "/apis/resource.k8s.io/v1/resourceslices"
CLASSES = "/apis/resource.k8s.io/v1/deviceclasses"
CLAIMS = "/apis/resource.k8s.io/v1/resourceclaims"
RULES = "/apis/resource.k8s.io/v1/devicetaintrules"
LISTS = (NODES, SLICES, CLASSES, CLAIMS, RULES)


def counts(state: ClusterState) -> tuple[int, ...]:
    return tuple(len(part) for part in (state.nodes, state.slices, state.classes, state.claims, state.taint_rules))


def refusal(connection: Connection) -> ClusterError:
    with pytest.raises(ClusterError) as caught:
        read_cluster(connection)
    assert caught.value.exit_code == ExitCode.CLUSTER
    assert "\n" not in caught.value.message
    return caught.value


def test_everything_is_read_and_described(server: FakeServer, connected: Any) -> None:
    state = read_cluster(connected(), now=lambda: datetime(2026, 11, 30, 12, 0, tzinfo=UTC))
    assert counts(state) == (3, 3, 1, 1, 0)
    assert state.nodes[0].name == "node-0000"
    assert state.claims[0].api_version == "resource.k8s.io/v1"
    assert (state.context, state.server_version) == ("dev", "v1.37.2")
    assert (state.resource_version, state.observed_at) == ("100", "2026-11-30T12:00:00Z")
    assert (state.unread, state.assumed, state.snapshot) == ((), (), None)
    assert state.served["resourceslices"] == ("v1",)


def test_all_lists_are_read_at_the_resource_version_of_the_first(server: FakeServer, connected: Any) -> None:
    read_cluster(connected())
    assert server.asked(NODES)[0].query == {"limit": "500"}
    exact = {"limit": "500", "resourceVersion": "100", "resourceVersionMatch": "Exact"}
    assert [server.asked(path)[0].query for path in LISTS[1:]] == [exact] * 4


def test_lists_are_read_in_pages_to_the_end(server: FakeServer, connected: Any) -> None:
    server.answers |= worlds.answers(worlds.lists(nodes=1101))
    assert counts(read_cluster(connected()))[:2] == (1101, 1101)
    # 1101 = 500 + 500 + 101
    assert [request.query.get("continue") for request in server.asked(SLICES)] == [None, "from-500", "from-1000"]


def test_a_page_that_is_too_large_is_asked_for_with_fewer_objects(
    server: FakeServer, connected: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.answers |= worlds.answers(worlds.lists(nodes=120))
    whole = len(json.dumps(server.answers[SLICES]))
    monkeypatch.setattr(lists, "LARGEST_PAGE", whole // 2)  # 120 slices do not go into a page, 31 do
    state = read_cluster(connected())
    assert len({found.name for found in state.slices}) == len(state.slices) == 120
    asked = [(request.query["limit"], request.query.get("continue")) for request in server.asked(SLICES)]
    assert asked == [("500", None), ("125", None), *(("31", each) for each in (None, "from-31", "from-62", "from-93"))]


def test_one_object_that_is_too_large_ends_the_run(
    server: FakeServer, connected: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lists, "LARGEST_PAGE", 10)
    assert "is larger than 10 bytes" in refusal(connected()).message
    assert [request.query["limit"] for request in server.asked(NODES)] == ["500", "125", "31", "7", "1"]


def test_equal_devices_of_different_pages_share_one_shape(server: FakeServer, connected: Any) -> None:
    server.answers |= worlds.answers(worlds.lists(nodes=600))
    shapes = {id(device.shape) for found in read_cluster(connected()).slices for device in found.devices}
    assert len(shapes) == 1


def test_items_null_is_an_empty_list(server: FakeServer, connected: Any) -> None:
    server.answers[CLAIMS] = {"kind": "ResourceClaimList", "apiVersion": "resource.k8s.io/v1", "items": None}
    assert read_cluster(connected()).claims == ()


def test_an_expired_page_starts_everything_again_and_mixes_nothing(server: FakeServer, connected: Any) -> None:
    server.answers |= worlds.answers(worlds.lists(nodes=700))
    server.fail(SLICES, None, expired())  # the second page of slices
    state = read_cluster(connected())
    assert counts(state)[:2] == (700, 700)
    assert len({found.name for found in state.slices}) == 700
    assert (state.resource_version, state.assumed) == ("100", ())
    assert len(server.asked(NODES)) == 4  # two pages, twice


def test_a_cluster_that_expires_twice_is_read_list_by_list_and_says_so(server: FakeServer, connected: Any) -> None:
    server.fail(CLAIMS, expired(), expired())
    state = read_cluster(connected())
    assert counts(state) == (3, 3, 1, 1, 0)
    assert state.resource_version is None
    assert "read one after the other" in state.assumed[0]
    assert server.asked(CLAIMS)[-1].query == {"limit": "500"}


def test_a_list_whose_pages_always_expire_is_read_in_one_piece(server: FakeServer, connected: Any) -> None:
    server.answers |= worlds.answers(worlds.lists(nodes=700))
    whole = server.answers[SLICES]

    def only_whole(request: Request) -> Any:
        return expired() if "continue" in request.query else whole

    server.answers[SLICES] = only_whole
    assert counts(read_cluster(connected()))[:2] == (700, 700)
    assert server.asked(SLICES)[-1].query == {}


def test_a_cluster_that_always_expires_is_an_error(server: FakeServer, connected: Any) -> None:
    server.always(CLAIMS, expired())
    assert refusal(connected()).message == ("the list of resourceclaims could not be read whole: it expired again")


def test_a_resource_version_that_is_too_new_is_treated_as_expired(server: FakeServer, connected: Any) -> None:
    late = failure(504, "Timeout", "Too large resource version: 100", causes=[{"reason": "ResourceVersionTooLarge"}])
    server.fail(SLICES, *[late] * 5)
    assert counts(read_cluster(connected())) == (3, 3, 1, 1, 0)


def test_pages_of_two_moments_are_not_mixed(server: FakeServer, connected: Any) -> None:
    server.answers |= worlds.answers(worlds.lists(nodes=700))
    page = {
        "kind": "NodeList",
        "apiVersion": "v1",
        "metadata": {"resourceVersion": "101"},
        "items": [worlds.node("new")],
    }
    server.fail(NODES, None, Reply(200, json.dumps(page).encode()))
    state = read_cluster(connected())
    assert len(state.nodes) == 700
    assert "new" not in {node.name for node in state.nodes}


@pytest.mark.parametrize("path", LISTS)
@pytest.mark.parametrize(
    "fault",
    [
        Reply(200, b'{"kind": "PodList", "apiVersion": "v1", "items": []}'),
        Reply(200, b'{"kind": "Status", "status": "Success"}'),
        Reply(200, b"[]"),
        Reply(200, b"null"),
        Reply(200, b"<html>proxy</html>", {"Content-Type": "text/html"}),
        Reply(200, b'{"kind": "NodeList", "it', keep=20),
        Reply(302, b"", {"Location": "https://login.example/"}),
        Reply(drop=True),
        failure(500, "InternalError", "boom"),
        failure(401, "Unauthorized", "Unauthorized"),
        failure(404, "NotFound", "gone"),
    ],
    ids=["kind", "status", "array", "null", "html", "truncated", "redirect", "drop", "500", "401", "404"],
)
def test_any_list_that_cannot_be_read_whole_is_an_error_and_no_answer(
    server: FakeServer, connected: Any, path: str, fault: Reply
) -> None:
    server.always(path, fault)
    refusal(connected())


@pytest.mark.parametrize("path", ["/version", "/apis/resource.k8s.io", "/apis/resource.k8s.io/v1"])
def test_discovery_that_cannot_be_read_is_an_error(server: FakeServer, connected: Any, path: str) -> None:
    server.always(path, failure(500, "InternalError", "boom"))
    assert refusal(connected()).message == "Error from server (InternalError): boom"


@pytest.mark.parametrize("items", ["5", '"x"', "[5]", '{"a": 1}'])
def test_items_that_are_no_objects_are_an_error(server: FakeServer, connected: Any, items: str) -> None:
    head = '{"kind": "NodeList", "apiVersion": "v1", "metadata": {"resourceVersion": "1"}, '
    body = f'{head}"items": {items}}}'
    server.always(NODES, Reply(200, body.encode()))
    assert "Server returned an unexpected response for nodes" in refusal(connected()).message


def test_pages_without_end_are_an_error(server: FakeServer, connected: Any) -> None:
    page = {
        "kind": "NodeList",
        "apiVersion": "v1",
        "metadata": {"resourceVersion": "1", "continue": "again"},
        "items": [],
    }
    server.always(NODES, Reply(200, json.dumps(page).encode()))
    assert refusal(connected()).message == "the server's pages of nodes do not come to an end"
    assert len(server.asked(NODES)) == 2


@pytest.mark.parametrize(
    ("path", "resource", "group"),
    [
        (NODES, "nodes", ""),
        (CLASSES, "deviceclasses", "resource.k8s.io"),
        (CLAIMS, "resourceclaims", "resource.k8s.io"),
        (RULES, "devicetaintrules", "resource.k8s.io"),
    ],
)
def test_a_forbidden_list_is_unread_with_the_missing_rule(
    server: FakeServer, connected: Any, path: str, resource: str, group: str
) -> None:
    server.always(path, forbidden(resource, group))
    state = read_cluster(connected())
    assert [unread.resource for unread in state.unread] == [resource]
    assert state.unread[0].reason == (
        f'forbidden; missing ClusterRole rule: {{apiGroups: ["{group}"], resources: ["{resource}"], verbs: ["list"]}}'
    )
    assert state.is_unread(resource)
    assert state.resource_version == "100"
    assert len(state.slices) == 3


def test_of_a_list_that_is_forbidden_at_its_second_page_nothing_is_kept(server: FakeServer, connected: Any) -> None:
    server.answers |= worlds.answers(worlds.lists(nodes=700))
    server.fail(NODES, None, forbidden("nodes", ""))
    state = read_cluster(connected())
    assert state.is_unread("nodes")
    assert state.nodes == ()


def test_forbidden_slices_are_an_error_with_the_missing_rule(server: FakeServer, connected: Any) -> None:
    server.always(SLICES, forbidden("resourceslices"))
    error = refusal(connected())
    assert error.message.startswith(
        'Error from server (Forbidden): resourceslices.resource.k8s.io is forbidden: User "jane"'
    )
    assert error.hint == (
        'missing ClusterRole rule: {apiGroups: ["resource.k8s.io"], resources: ["resourceslices"], verbs: ["list"]}'
    )


def test_without_nodes_the_slices_give_the_resource_version(server: FakeServer, connected: Any) -> None:
    server.always(NODES, forbidden("nodes", ""))
    read_cluster(connected())
    assert server.asked(SLICES)[0].query == {"limit": "500"}
    assert server.asked(CLAIMS)[0].query["resourceVersion"] == "100"


def test_a_resource_that_is_not_served_is_empty_and_not_unread(server: FakeServer, connected: Any) -> None:
    served = {**dict.fromkeys(worlds.RESOURCES, ("v1",)), "devicetaintrules": ()}
    server.answers = worlds.answers(versions=served)
    state = read_cluster(connected())
    assert (state.taint_rules, state.unread) == ((), ())
    assert server.asked(RULES) == []


def test_the_newest_version_is_found_for_each_resource_by_itself(server: FakeServer, connected: Any) -> None:
    served: dict[str, tuple[str, ...]] = dict.fromkeys(worlds.RESOURCES, ("v1beta1", "v1"))
    served["devicetaintrules"] = ("v1alpha3", "v1beta2")
    objects = {**worlds.lists(), "devicetaintrules": [worlds.taint_rule("broken")]}
    server.answers = worlds.answers(objects, served)
    state = read_cluster(connected())
    assert state.served["resourceslices"] == ("v1", "v1beta1")
    assert state.served["devicetaintrules"] == ("v1beta2", "v1alpha3")
    assert state.taint_rules[0].name == "broken"
    assert len(server.asked("/apis/resource.k8s.io/v1beta2/devicetaintrules")) == 1


def test_items_take_their_version_from_their_list(server: FakeServer, connected: Any) -> None:
    objects = worlds.lists()
    for found in objects["resourceslices"]:
        # as v1beta1 has it: everything but the name below "basic"
        devices = found["spec"]["devices"]
        found["spec"]["devices"] = [{"name": each.pop("name"), "basic": each} for each in devices]
    server.answers = worlds.answers(
        objects, {**dict.fromkeys(worlds.RESOURCES, ("v1",)), "resourceslices": ("v1beta1",)}
    )
    shape = read_cluster(connected()).slices[0].devices[0].shape
    assert shape.attributes["memoryBandwidthGBs"] == 300


def test_a_server_without_the_api_is_an_error_with_what_it_needs(server: FakeServer, connected: Any) -> None:
    server.answers = worlds.answers(versions={})
    error = refusal(connected())
    assert error.message == "the server has no resource.k8s.io API"
    assert str(error.hint).startswith("dynamic resource allocation needs Kubernetes 1.32 or newer")


def test_classic_dra_is_no_usable_api(server: FakeServer, connected: Any) -> None:
    server.answers = worlds.answers(versions={"resourceclaims": ("v1alpha2",)})
    assert refusal(connected()).message == (
        "the server serves no resourceslices in resource.k8s.io (versions: v1alpha2)"
    )


def test_a_hidden_server_version_is_assumed_newest(server: FakeServer, connected: Any) -> None:
    server.always("/version", forbidden("version"))
    state = read_cluster(connected())
    assert state.server_version is None
    assert "newest scheduler's rules are assumed" in state.assumed[0]
