"""TYPE/NAME: a claim or template of a cluster or of a snapshot."""

from __future__ import annotations

from typing import Any

import pytest

from fakes import worlds
from fakes.api_server import FakeServer, Reply, failure, forbidden
from kubectl_llmfit.api.read import read_claim
from kubectl_llmfit.api.values import ClusterState
from kubectl_llmfit.cluster.lookup import find_claim, get_claim
from kubectl_llmfit.errors import ClusterError, UsageError

PREFIX = "/apis/resource.k8s.io/v1/namespaces/team-a"


def full(kind: str, raw: dict[str, Any]) -> dict[str, Any]:
    return {"apiVersion": "resource.k8s.io/v1", "kind": kind, **raw}


def test_a_claim_and_a_template_are_read(server: FakeServer, connected: Any) -> None:
    server.answers[f"{PREFIX}/resourceclaims/llama"] = full("ResourceClaim", worlds.claim("llama", "team-a"))
    found = get_claim(connected(), "ResourceClaim", "llama", "team-a")
    assert (found.kind, found.name, found.namespace) == ("ResourceClaim", "llama", "team-a")
    template = full("ResourceClaimTemplate", worlds.template("t", "team-a"))
    server.answers[f"{PREFIX}/resourceclaimtemplates/t"] = template
    assert get_claim(connected(), "ResourceClaimTemplate", "t", "team-a").kind == "ResourceClaimTemplate"


def test_a_claim_that_does_not_exist_is_wrong_usage(connected: Any) -> None:
    with pytest.raises(UsageError) as caught:
        get_claim(connected(), "ResourceClaim", "gone", "team-a")
    assert caught.value.message == 'resourceclaims.resource.k8s.io "gone" not found'


def test_a_forbidden_claim_names_the_missing_rule(server: FakeServer, connected: Any) -> None:
    server.always(f"{PREFIX}/resourceclaims/llama", forbidden("resourceclaims"))
    with pytest.raises(ClusterError, match="Error from server") as caught:
        get_claim(connected(), "ResourceClaim", "llama", "team-a")
    assert caught.value.hint == (
        'missing Role rule: {apiGroups: ["resource.k8s.io"], resources: ["resourceclaims"], verbs: ["get"]}'
    )


@pytest.mark.parametrize(
    "fault",
    [Reply(200, b'{"kind": "Pod"}'), Reply(200, b"[]"), failure(500, "InternalError", "boom"), Reply(drop=True)],
)
def test_another_answer_is_an_error(server: FakeServer, connected: Any, fault: Reply) -> None:
    server.always(f"{PREFIX}/resourceclaims/llama", fault)
    with pytest.raises(ClusterError):
        get_claim(connected(), "ResourceClaim", "llama", "team-a")


def test_a_claim_of_a_snapshot_is_found_by_name_and_namespace() -> None:
    claims = [read_claim(full("ResourceClaim", worlds.claim("llama", namespace))) for namespace in ("a", "b")]
    state = ClusterState(claims=tuple(claims), snapshot="cluster.json")
    assert find_claim(state, "ResourceClaim", "llama", "b").namespace == "b"
    with pytest.raises(UsageError, match="in several namespaces: choose one with -n: a, b"):
        find_claim(state, "ResourceClaim", "llama", None)
    with pytest.raises(UsageError, match=r'resourceclaims.resource.k8s.io "llama" not found in cluster.json'):
        find_claim(state, "ResourceClaim", "llama", "c")
    with pytest.raises(UsageError, match=r"resourceclaimtemplates.* not found"):
        find_claim(state, "ResourceClaimTemplate", "llama", "a")
