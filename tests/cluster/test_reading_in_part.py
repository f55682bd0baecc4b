"""What may be read only in part, or is odd: what is there is used, and the rest is said to be unseen."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from fakes import worlds
from fakes.api_server import FakeServer, Reply, expired, failure, forbidden
from kubectl_llmfit.api.values import ClusterState
from kubectl_llmfit.cluster.lookup import get_claim
from kubectl_llmfit.cluster.reading import read_cluster
from kubectl_llmfit.cluster.snapshot import write_snapshot
from kubectl_llmfit.errors import CannotTellError, ClusterError, ExitCode

GROUP = "/apis/resource.k8s.io"
V1 = f"{GROUP}/v1"
CLAIMS = f"{V1}/resourceclaims"
NAMESPACES = "/api/v1/namespaces"
CLAIMS_RULE = (
    'missing ClusterRole rule: {apiGroups: ["resource.k8s.io"], resources: ["resourceclaims"], verbs: ["list"]}'
)
DISCOVERY_RULE = (
    'missing ClusterRole rule: {nonResourceURLs: ["/apis/resource.k8s.io", "/apis/resource.k8s.io/*"], verbs: ["get"]}'
)


@pytest.fixture
def divided(server: FakeServer) -> FakeServer:
    """A server with claims in three namespaces, of which this user may read none yet."""
    objects = worlds.lists()
    objects["resourceclaims"] = [worlds.claim(f"claim-of-{name}", name) for name in ("default", "team-a", "team-b")]
    server.answers |= worlds.answers(objects)
    for name in ("team-a", "team-b"):
        server.answers[f"{V1}/namespaces/{name}/resourceclaims"] = forbidden("resourceclaims", namespace=name)
    server.always(CLAIMS, forbidden("resourceclaims"))
    return server


def grant(server: FakeServer, *namespaces: str) -> None:
    for name in namespaces:
        worlds.grant(server.answers, "resourceclaims", name)


def names(state: ClusterState) -> list[str]:
    return sorted(claim.name for claim in state.claims)


def reason(state: ClusterState, resource: str = "resourceclaims") -> str:
    (unread,) = state.unread
    assert unread.resource == resource
    return unread.reason


# Rights in some namespaces only


def test_the_claims_of_the_current_namespace_are_read_and_the_rest_is_unseen(
    divided: FakeServer, connected: Any
) -> None:
    grant(divided, "default")
    state = read_cluster(connected())
    assert names(state) == ["claim-of-default"]
    assert reason(state) == f"in part: forbidden outside namespace default; {CLAIMS_RULE}"


def test_the_namespace_flag_says_whose_claims_may_be_read(divided: FakeServer, connected: Any) -> None:
    grant(divided, "team-b")
    state = read_cluster(connected(namespace="team-b"))
    assert names(state) == ["claim-of-team-b"]
    assert reason(state).startswith("in part: forbidden outside namespace team-b; ")


def test_every_namespace_is_tried_where_they_may_be_listed(divided: FakeServer, connected: Any) -> None:
    worlds.show_namespaces(divided.answers, "default", "team-a", "team-b")
    grant(divided, "default", "team-b")
    state = read_cluster(connected())
    assert names(state) == ["claim-of-default", "claim-of-team-b"]
    assert reason(state).startswith("in part: forbidden outside namespaces default, team-b; ")


def test_many_namespaces_are_not_all_named(divided: FakeServer, connected: Any) -> None:
    many = [f"team-{letter}" for letter in "cdefghi"]
    worlds.show_namespaces(divided.answers, "default", "team-a", *many)
    grant(divided, *many)
    assert reason(read_cluster(connected())).startswith(
        "in part: forbidden outside namespaces team-c, team-d, team-e, team-f, team-g and 2 more; "
    )


def test_claims_of_all_namespaces_are_all_claims(divided: FakeServer, connected: Any) -> None:
    worlds.show_namespaces(divided.answers, "default", "team-a", "team-b")
    grant(divided, "default", "team-a", "team-b")
    state = read_cluster(connected())
    assert names(state) == ["claim-of-default", "claim-of-team-a", "claim-of-team-b"]
    assert state.unread == ()


def test_the_shares_belong_to_the_same_cut(divided: FakeServer, connected: Any) -> None:
    grant(divided, "default")
    read_cluster(connected())
    asked = divided.asked(f"{V1}/namespaces/default/resourceclaims")[0].query
    assert (asked["resourceVersion"], asked["resourceVersionMatch"]) == ("100", "Exact")


def test_a_restart_reads_no_share_twice(divided: FakeServer, connected: Any) -> None:
    grant(divided, "default")
    divided.fail(f"{V1}/devicetaintrules", expired())
    assert names(read_cluster(connected())) == ["claim-of-default"]


def test_a_right_that_comes_during_a_restart_counts_nothing_twice(divided: FakeServer, connected: Any) -> None:
    grant(divided, "default")
    whole = divided.answers[CLAIMS]
    refusal = forbidden("resourceclaims")
    divided.always(CLAIMS, lambda _: whole if len(divided.asked(CLAIMS)) > 1 else refusal)
    divided.fail(f"{V1}/devicetaintrules", expired())
    state = read_cluster(connected())
    assert names(state) == ["claim-of-default", "claim-of-team-a", "claim-of-team-b"]
    assert state.unread == ()


def test_more_namespaces_than_are_tried_leave_the_current_one(divided: FakeServer, connected: Any) -> None:
    page = {"kind": "NamespaceList", "apiVersion": "v1", "metadata": {"continue": "more"}, "items": []}
    divided.answers[NAMESPACES] = page | {"items": [{"metadata": {"name": "team-a"}}]}
    divided.always(NAMESPACES, Reply(200, json.dumps(divided.answers[NAMESPACES]).encode()))
    grant(divided, "default", "team-a")
    assert names(read_cluster(connected())) == ["claim-of-default"]


@pytest.mark.parametrize(
    "items",
    ['[{"metadata": {"name": "../../x"}}]', '[{"metadata": {}}]', "[5]", '"x"', '[{"metadata": {"name": "A"}}]'],
)
def test_what_is_no_list_of_namespaces_is_an_error(divided: FakeServer, connected: Any, items: str) -> None:
    body = f'{{"kind": "NamespaceList", "apiVersion": "v1", "items": {items}}}'
    divided.always(NAMESPACES, Reply(200, body.encode()))
    with pytest.raises(ClusterError, match="unexpected response for namespaces"):
        read_cluster(connected())


def test_a_broken_namespace_is_no_forbidden_one(divided: FakeServer, connected: Any) -> None:
    divided.always(f"{V1}/namespaces/default/resourceclaims", failure(500, "InternalError", "boom"))
    with pytest.raises(ClusterError, match="boom"):
        read_cluster(connected())


def test_a_snapshot_holds_the_shares_too(divided: FakeServer, connected: Any) -> None:
    grant(divided, "default")
    divided.fail(f"{V1}/devicetaintrules", expired())
    out = io.StringIO()
    write_snapshot(connected(), out)
    head, *items = json.loads(out.getvalue())["items"]
    assert [item["metadata"]["name"] for item in items if item["kind"] == "ResourceClaim"] == ["claim-of-default"]
    assert [each["resource"] for each in head["unread"]] == ["resourceclaims"]
    assert len(items) == 9  # 3 nodes, 3 slices, 1 class, 1 claim, 1 template


# Discovery


def test_a_resource_of_a_version_that_may_not_be_discovered_is_unread(server: FakeServer, connected: Any) -> None:
    served: dict[str, tuple[str, ...]] = dict.fromkeys(worlds.RESOURCES, ("v1",))
    served["devicetaintrules"] = ("v1beta2",)
    server.answers = worlds.answers(versions=served)
    server.always(f"{GROUP}/v1beta2", forbidden("discovery"))
    state = read_cluster(connected())
    assert len(state.slices) == 3
    assert reason(state, "devicetaintrules") == (
        f"the discovery of resource.k8s.io/v1beta2 is forbidden; {DISCOVERY_RULE}"
    )


def test_an_older_version_serves_where_the_newest_may_not_be_discovered(server: FakeServer, connected: Any) -> None:
    server.answers = worlds.answers(versions=dict.fromkeys(worlds.RESOURCES, ("v1", "v1beta2")))
    server.always(V1, forbidden("discovery"))
    state = read_cluster(connected())
    assert state.served["resourceslices"] == ("v1beta2",)
    assert (len(state.slices), state.unread) == (3, ())


def test_versions_are_tried_where_the_group_may_not_be_discovered(server: FakeServer, connected: Any) -> None:
    server.always(GROUP, forbidden("discovery"))
    assert len(read_cluster(connected()).slices) == 3


def test_without_any_discovery_there_is_no_answer_but_the_missing_rule(server: FakeServer, connected: Any) -> None:
    for path in (GROUP, *(f"{GROUP}/{version}" for version in ("v1", "v1beta2", "v1beta1", "v1alpha3"))):
        server.always(path, forbidden("discovery"))
    with pytest.raises(ClusterError, match="Error from server \\(Forbidden\\)") as caught:
        read_cluster(connected())
    assert caught.value.hint == DISCOVERY_RULE


def test_a_claim_of_a_version_that_may_not_be_discovered_is_not_said_to_be_missing(
    server: FakeServer, connected: Any
) -> None:
    server.answers = worlds.answers(versions={"resourceslices": ("v1",), "resourceclaims": ("v1beta2",)})
    server.always(f"{GROUP}/v1beta2", forbidden("discovery"))
    with pytest.raises(ClusterError, match=r"the discovery of resource.k8s.io/v1beta2 is forbidden"):
        get_claim(connected(), "ResourceClaim", "llama", "default")


# Objects that are not as the API says


@pytest.mark.parametrize("resource", ["nodes", "deviceclasses", "resourceclaims", "devicetaintrules"])
def test_one_odd_object_must_not_sink_the_run(server: FakeServer, connected: Any, resource: str) -> None:
    objects = {**worlds.lists(), "devicetaintrules": [worlds.taint_rule("fine")]}
    odd = {"metadata": {"name": "odd"}, "spec": {"devices": 5, "taints": 5, "selectors": 5, "deviceSelector": 5}}
    objects[resource] = [*objects[resource], odd]
    server.answers |= worlds.answers(objects)
    state = read_cluster(connected())
    assert reason(state, resource).startswith("in part: ")
    assert '"odd": spec.' in reason(state, resource)
    kept = {"nodes": 0, "deviceclasses": 1, "resourceclaims": 1, "devicetaintrules": 1}  # a node is a row of its own
    lists = {"nodes": state.nodes, "deviceclasses": state.classes, "resourceclaims": state.claims}
    assert len(lists.get(resource, state.taint_rules)) == kept[resource]


def test_several_odd_objects_are_counted(server: FakeServer, connected: Any) -> None:
    objects = worlds.lists()
    objects["resourceclaims"] = [{"metadata": {"name": f"odd-{index}"}} for index in range(3)]
    server.answers |= worlds.answers(objects)
    assert reason(read_cluster(connected())).endswith(" (and 2 more)")


def test_an_odd_slice_leaves_nothing_that_could_be_told(server: FakeServer, connected: Any) -> None:
    objects = worlds.lists()
    del objects["resourceslices"][1]["spec"]["pool"]
    server.answers |= worlds.answers(objects)
    with pytest.raises(CannotTellError) as caught:
        read_cluster(connected())
    assert caught.value.exit_code == ExitCode.CANNOT_TELL
    assert caught.value.message == (
        'cannot read resourceslices: ResourceSlice "node-0001-llmfit": spec.pool: Required value'
    )


def test_odd_objects_of_a_cut_that_expired_are_forgotten(server: FakeServer, connected: Any) -> None:
    odd = {**worlds.answers()[CLAIMS], "metadata": {"resourceVersion": "100"}, "items": [{"metadata": {}}]}
    server.fail(CLAIMS, Reply(200, json.dumps(odd).encode()))
    server.fail(f"{V1}/devicetaintrules", expired())
    assert read_cluster(connected()).unread == ()


@pytest.mark.parametrize("field", ["apiVersion", "kind"])
def test_a_list_with_something_else_in_it_is_an_error(server: FakeServer, connected: Any, field: str) -> None:
    server.answers[CLAIMS]["items"].append({field: "Pod", "metadata": {"name": "x"}})
    with pytest.raises(ClusterError, match="with something else than a ResourceClaim in it"):
        read_cluster(connected())


def test_a_list_of_another_version_is_an_error(server: FakeServer, connected: Any) -> None:
    server.answers[CLAIMS]["apiVersion"] = "resource.k8s.io/v9"
    with pytest.raises(ClusterError, match=r"a list of resource.k8s.io/v9 instead of resource.k8s.io/v1"):
        read_cluster(connected())
