"""Objects laid over a state take the place of their namesakes; what is new comes after."""

from __future__ import annotations

from typing import Any

import pytest

from kubectl_llmfit.api.values import Claim, ClaimSpec, ClusterState, DeviceClass, Node, Unread
from kubectl_llmfit.cluster.overlay import laid_over
from kubectl_llmfit.errors import UsageError

STATE = ClusterState(
    nodes=(Node("a"), Node("b")),
    classes=(DeviceClass("one", ("true",)),),
    claims=(Claim("held", "team-a", ClaimSpec(())), Claim("held", "team-b", ClaimSpec(()))),
)


def node(name: str, **spec: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "spec": spec, "status": {}}


def a_class(name: str, expression: str) -> dict[str, Any]:
    selectors = [{"cel": {"expression": expression}}]
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": name},
        "spec": {"selectors": selectors},
    }


def test_an_object_takes_its_namesakes_place_and_a_new_one_comes_last() -> None:
    state = laid_over(STATE, [node("c"), node("a", unschedulable=True), a_class("one", "false")], "more.yaml")
    assert [(each.name, each.unschedulable) for each in state.nodes] == [("a", True), ("b", False), ("c", False)]
    assert state.classes == (DeviceClass("one", ("false",)),)
    assert state.assumed_nodes == {"a", "c"}
    assert state.assumed == ("more.yaml: 2 Nodes, 1 DeviceClass",)


def test_claims_of_one_name_are_told_apart_by_their_namespaces() -> None:
    claim = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": "held", "namespace": "team-b"},
        "spec": {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "one"}}]}},
    }
    state = laid_over(STATE, [claim], "x")
    assert [(each.namespace, len(each.spec.requests)) for each in state.claims] == [("team-a", 0), ("team-b", 1)]
    assert state.assumed_nodes == frozenset()


def test_what_a_snapshot_had_not_and_a_file_has_is_read_and_what_a_server_refused_is_not() -> None:
    missing = ClusterState(unread=(Unread("deviceclasses", "s.json has no DeviceClasses"),), snapshot="s.json")
    assert laid_over(missing, [a_class("one", "true")], "x").unread == ()
    refused = ClusterState(unread=(Unread("deviceclasses", "forbidden"),))
    assert laid_over(refused, [a_class("one", "true")], "x").is_unread("deviceclasses")


@pytest.mark.parametrize(
    ("documents", "words"),
    [
        ([node("a"), node("a")], 'x: Node "a" occurs twice'),
        ([{"apiVersion": "v1", "kind": "ConfigMap"}], "x: none of Node, ResourceSlice"),
        ([{"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {}}], "x: "),
    ],
)
def test_what_means_nothing_is_refused(documents: list[dict[str, Any]], words: str) -> None:
    with pytest.raises(UsageError) as caught:
        laid_over(STATE, documents, "x")
    assert caught.value.message.startswith(words)
