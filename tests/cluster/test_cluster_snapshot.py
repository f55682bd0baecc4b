"""Snapshots: what is written reads back as the live state, and a plain kubectl file says what it lacks."""

from __future__ import annotations

import dataclasses
import io
import json
from pathlib import Path
from typing import Any

import pytest

from fakes import worlds
from fakes.api_server import FakeServer, Reply, expired, forbidden
from kubectl_llmfit.api.values import ClusterState
from kubectl_llmfit.cluster.reading import read_cluster
from kubectl_llmfit.cluster.snapshot import read_snapshot, write_snapshot
from kubectl_llmfit.errors import ClusterError, UsageError

SLICES = "/apis/resource.k8s.io/v1/resourceslices"
CLAIMS = "/apis/resource.k8s.io/v1/resourceclaims"


def written(connection: Any) -> str:
    out = io.StringIO()
    write_snapshot(connection, out)
    return out.getvalue()


def read(text: str) -> ClusterState:
    return read_snapshot("-", io.BytesIO(text.encode()))


def refusal(text: str) -> UsageError:
    with pytest.raises(UsageError) as caught:
        read(text)
    assert "\n" not in caught.value.message
    return caught.value


def a_list(*objects: dict[str, Any]) -> str:
    return json.dumps({"apiVersion": "v1", "kind": "List", "metadata": {"resourceVersion": ""}, "items": objects})


def full(kind: str, raw: dict[str, Any]) -> dict[str, Any]:
    return {"apiVersion": "v1" if kind == "Node" else "resource.k8s.io/v1", "kind": kind, **raw}


NODE = full("Node", worlds.node("n"))
SLICE = full("ResourceSlice", worlds.resource_slice("n"))
CLASS = full("DeviceClass", worlds.device_class())
CLAIM = full("ResourceClaim", worlds.claim("llama"))
RULE = full("DeviceTaintRule", worlds.taint_rule("broken"))


def comparable(state: ClusterState) -> Any:
    """Shapes are equal by identity only, so states of two readings are compared by their fields."""
    return dataclasses.asdict(dataclasses.replace(state, context=None, snapshot=None, templates=(), observed_at=None))


def test_a_snapshot_reads_back_as_the_live_state(server: FakeServer, connected: Any) -> None:
    server.answers |= worlds.answers({**worlds.lists(nodes=600), "devicetaintrules": [worlds.taint_rule("r")]})
    live = read_cluster(connected())
    state = read(written(connected()))
    assert comparable(state) == comparable(live)
    assert state.snapshot == "standard input"
    assert state.observed_at is not None
    assert [template.name for template in state.templates] == ["llama-template"]


def test_the_head_comes_first_and_unknown_fields_are_kept(server: FakeServer, connected: Any) -> None:
    objects = worlds.lists()
    objects["resourceslices"][0]["spec"]["inventedField"] = {"deep": [1, "\u2028", "\ud800"]}
    server.answers |= worlds.answers(objects)
    document = json.loads(written(connected()))
    assert (document["apiVersion"], document["kind"]) == ("v1", "List")
    head, *items = document["items"]
    assert (head["apiVersion"], head["kind"]) == ("kubectl-llmfit/v1alpha1", "ClusterSnapshot")
    assert (head["serverVersion"], head["resourceVersion"], head["unread"]) == ("v1.37.2", "100", [])
    assert head["served"]["devicetaintrules"] == ["v1"]
    kept = next(item for item in items if item["kind"] == "ResourceSlice")
    assert kept["spec"]["inventedField"] == {"deep": [1, "\u2028", "\ud800"]}


def test_what_is_forbidden_is_written_as_unread(server: FakeServer, connected: Any) -> None:
    server.always(CLAIMS, forbidden("resourceclaims"))
    state = read(written(connected()))
    assert state.is_unread("resourceclaims")
    assert "missing ClusterRole rule" in state.unread[0].reason


def test_a_restart_leaves_nothing_twice(server: FakeServer, connected: Any) -> None:
    server.answers |= worlds.answers(worlds.lists(nodes=700))
    server.fail(SLICES, None, expired())
    items = json.loads(written(connected()))["items"]
    assert sum(item["kind"] == "Node" for item in items) == 700
    assert sum(item["kind"] == "ResourceSlice" for item in items) == 700


def test_nothing_is_written_when_the_last_list_breaks(server: FakeServer, connected: Any) -> None:
    server.always("/apis/resource.k8s.io/v1/resourceclaimtemplates", Reply(drop=True))
    out = io.StringIO()
    with pytest.raises(ClusterError):
        write_snapshot(connected(), out)
    assert out.getvalue() == ""


def test_a_plain_list_counts_missing_claims_and_rules_as_none_and_says_so() -> None:
    state = read(a_list(NODE, SLICE, CLASS))
    assert (len(state.nodes), len(state.slices), len(state.classes)) == (1, 1, 1)
    assert state.unread == ()
    assert state.assumed == (
        "standard input has no ResourceClaims: counted as none, so that nothing is held",
        "standard input has no DeviceTaintRules: counted as none, so that no rule taints a device",
        "standard input does not say its server's version: the newest scheduler's rules are assumed",
    )


def test_a_plain_list_with_everything_assumes_only_the_version() -> None:
    state = read(a_list(NODE, SLICE, CLASS, CLAIM, RULE))
    assert len(state.assumed) == 1
    assert (state.claims[0].name, state.taint_rules[0].name) == ("llama", "broken")


def test_a_plain_list_without_nodes_or_classes_has_not_read_them() -> None:
    state = read(a_list(SLICE, CLAIM, RULE))
    assert [unread.resource for unread in state.unread] == ["nodes", "deviceclasses"]
    assert state.unread[0].reason == "standard input has no Nodes"
    assert state.unread[1].reason == "standard input has no DeviceClasses"


def test_a_plain_list_without_slices_is_refused() -> None:
    error = refusal(a_list(NODE, CLASS))
    assert error.message == "standard input: no ResourceSlices in it"
    assert error.hint == "kubectl llmfit snapshot > FILE writes a complete one"


def test_a_snapshot_of_a_cluster_without_slices_is_fine(server: FakeServer, connected: Any) -> None:
    server.answers |= worlds.answers({**worlds.lists(), "resourceslices": []})
    assert read(written(connected())).slices == ()


def test_yaml_documents_and_typed_lists_are_read_and_other_kinds_ignored() -> None:
    slices = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSliceList", "items": [worlds.resource_slice("n")]}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "n"}}
    foreign = {"apiVersion": "management.example/v3", "kind": "Node", "metadata": {"name": "n"}}
    text = "\n---\n".join(json.dumps(document) for document in (slices, pod, foreign, foreign | {"x": 1}, NODE, CLASS))
    state = read("# kubectl get\n" + text)
    assert (len(state.slices), len(state.nodes)) == (1, 1)


def test_an_object_twice_counts_once() -> None:
    assert len(read(a_list(NODE, NODE, SLICE, SLICE, CLASS)).slices) == 1


def test_an_object_twice_with_different_contents_is_refused() -> None:
    other = full("ResourceClaim", worlds.claim("llama")) | {"status": {}}
    assert refusal(a_list(NODE, SLICE, CLASS, CLAIM, other)).message == (
        'standard input: ResourceClaim "default/llama" occurs twice with different contents'
    )


def test_the_same_name_in_two_namespaces_is_two_claims() -> None:
    other = full("ResourceClaim", worlds.claim("llama", namespace="team-b"))
    assert len(read(a_list(SLICE, CLAIM, other)).claims) == 2


def test_an_object_without_meaning_is_refused_with_its_name() -> None:
    broken = json.loads(json.dumps(SLICE))
    del broken["spec"]["pool"]
    assert refusal(a_list(NODE, broken)).message.startswith('standard input: ResourceSlice "n-llmfit": ')


@pytest.mark.parametrize(
    "damage",
    [
        {"serverVersion": 5},
        {"unread": [{"resource": "nodes"}]},
        {"unread": "all"},
        {"served": {"nodes": "v1"}},
        {"served": ["v1"]},
        {"assumed": [1]},
    ],
)
def test_a_damaged_head_is_refused(server: FakeServer, connected: Any, damage: dict[str, Any]) -> None:
    document = json.loads(written(connected()))
    document["items"][0] |= damage
    message = refusal(json.dumps(document)).message
    assert message == "standard input: the ClusterSnapshot at its head is damaged"


def test_a_snapshot_of_another_version_is_refused() -> None:
    head = {"apiVersion": "kubectl-llmfit/v9", "kind": "ClusterSnapshot"}
    assert "a snapshot of another version (kubectl-llmfit/v9)" in refusal(a_list(head, SLICE)).message


def test_half_a_snapshot_is_refused(server: FakeServer, connected: Any, tmp_path: Path) -> None:
    text = written(connected())
    path = tmp_path / "half.json"
    path.write_text(text[: len(text) // 2])
    with pytest.raises(UsageError, match=r"half\.json: line \d+: not complete JSON"):
        read_snapshot(str(path), io.BytesIO())


def test_two_snapshots_in_one_file_are_no_state_of_a_cluster() -> None:
    head = {"apiVersion": "kubectl-llmfit/v1alpha1", "kind": "ClusterSnapshot", "unread": []}
    forbidden_claims = head | {"unread": [{"resource": "resourceclaims", "reason": "forbidden"}]}
    assert refusal(a_list(forbidden_claims, NODE, SLICE, CLASS, head)).message == (
        "standard input: two snapshots in one file: check one at a time"
    )
