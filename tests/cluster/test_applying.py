"""``claim --apply``: what is sent, in which order, and what each refusal is called."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from fakes.api_server import FakeServer, Reply, Request, failure
from kubectl_llmfit.cluster.applying import Application, Applied, apply
from kubectl_llmfit.errors import ClusterError, ExitCode

PATH = "/apis/resource.k8s.io/v1/namespaces/team-a/resourceclaims/llama"
CLAIM: dict[str, Any] = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceClaim",
    "metadata": {"name": "llama", "annotations": {"llmfit.ai/model": "meta-llama/Llama-3.1-8B-Instruct"}},
    "spec": {
        "devices": {
            "requests": [
                {
                    "name": "gpu",
                    "exactly": {
                        "deviceClassName": "llmfit.ai",
                        "selectors": [{"cel": {"expression": "device.driver == 'llmfit.ai'"}}],
                    },
                }
            ]
        }
    },
}


def application(**settings: Any) -> Application:
    return Application(CLAIM, "team-a", **settings)


def stored(**exactly: Any) -> dict[str, Any]:
    """The claim as the server has it: defaulted, with fields of the server's own."""
    found = copy.deepcopy(CLAIM)
    found["metadata"] |= {"namespace": "team-a", "uid": "1", "resourceVersion": "7"}
    found["spec"]["devices"]["requests"][0]["exactly"] |= {
        "allocationMode": "ExactCount",
        "count": 1,
        **exactly,
    }
    return found


def quiet(sentence: str) -> None:
    raise AssertionError(f"nobody is to be told: {sentence}")


def never() -> bool:
    raise AssertionError("the check must not be asked")


class Store:
    """A server's resourceclaims: GET and server-side apply of one object."""

    def __init__(self, server: FakeServer, existing: dict[str, Any] | None = None) -> None:
        self.object = existing
        server.answers[PATH] = self.answer

    def answer(self, request: Request) -> Any:
        if request.method == "GET":
            missing = failure(404, "NotFound", 'resourceclaims.resource.k8s.io "llama" not found')
            return missing if self.object is None else self.object
        result = stored()
        if "dryRun" not in request.query:
            self.object = result
        return Reply(201, json.dumps(result).encode())


def steps(server: FakeServer) -> list[tuple[str, str | None]]:
    return [(request.method, request.query.get("dryRun")) for request in server.asked(PATH)]


def refused(connection: Any, **settings: Any) -> ClusterError:
    with pytest.raises(ClusterError) as caught:
        apply(connection, application(**settings), lambda: True, quiet)
    assert caught.value.exit_code == ExitCode.CLUSTER
    assert "\n" not in caught.value.message
    return caught.value


def test_a_new_claim_is_read_checked_dry_run_and_applied(server: FakeServer, connected: Any) -> None:
    store = Store(server)
    asked = []
    outcome = apply(connected(), application(), lambda: asked.append(len(server.requests)) or True, quiet)  # type: ignore[func-returns-value]
    assert outcome is not None
    assert outcome.line == "resourceclaim.resource.k8s.io/llama serverside-applied"
    assert outcome.object["metadata"]["uid"] == "1"
    assert steps(server) == [("GET", None), ("PATCH", "All"), ("PATCH", None)]
    assert asked == [1]  # after the GET, before anything else
    assert store.object is not None


def test_the_patch_is_kubectls_server_side_apply(server: FakeServer, connected: Any) -> None:
    Store(server)
    apply(connected(), application(), lambda: True, quiet)
    request = server.asked(PATH)[-1]
    assert request.query == {"fieldManager": "kubectl-llmfit", "fieldValidation": "Strict"}
    assert request.header("Content-Type") == ["application/apply-patch+yaml"]
    body = json.loads(request.body)
    assert body["metadata"] == {**CLAIM["metadata"], "namespace": "team-a"}
    assert body["spec"] == CLAIM["spec"]


def test_field_manager_and_force_are_handed_on(server: FakeServer, connected: Any) -> None:
    Store(server)
    apply(connected(), application(field_manager="me", force_conflicts=True), lambda: True, quiet)
    assert server.asked(PATH)[-1].query == {"fieldManager": "me", "force": "true", "fieldValidation": "Strict"}


def test_a_check_that_says_no_writes_nothing(server: FakeServer, connected: Any) -> None:
    store = Store(server)
    assert apply(connected(), application(), lambda: False, quiet) is None
    assert steps(server) == [("GET", None)]
    assert store.object is None


def test_a_server_dry_run_writes_nothing_and_says_so(server: FakeServer, connected: Any) -> None:
    store = Store(server)
    outcome = apply(connected(), application(dry_run=True), lambda: True, quiet)
    assert outcome is not None
    assert outcome.line == "resourceclaim.resource.k8s.io/llama serverside-applied (server dry run)"
    assert steps(server) == [("GET", None), ("PATCH", "All")]
    assert store.object is None


def test_an_equal_claim_is_unchanged_without_a_check_or_a_write(server: FakeServer, connected: Any) -> None:
    existing = stored() | {"status": {"allocation": {"devices": {}}}}
    existing["metadata"]["annotations"] = {"another": "manager"}
    Store(server, existing)
    expected = Applied(existing, "resourceclaim.resource.k8s.io/llama unchanged")
    assert apply(connected(), application(), never, quiet) == expected
    assert steps(server) == [("GET", None)]


def test_another_spec_is_refused_before_any_check_with_what_differs(server: FakeServer, connected: Any) -> None:
    Store(server, stored(count=2))
    with pytest.raises(ClusterError) as caught:
        apply(connected(), application(), never, quiet)
    assert caught.value.message == (
        'resourceclaim "llama" in namespace "team-a" exists with another spec, which cannot be changed: '
        "spec.devices.requests[0].exactly.count: 2 -> 1"
    )
    assert caught.value.hint == "--name llama-2 makes a new one beside it"
    assert steps(server) == [("GET", None)]


def test_a_claim_that_is_being_deleted_is_not_unchanged(server: FakeServer, connected: Any) -> None:
    existing = stored()
    existing["metadata"]["deletionTimestamp"] = "2026-11-30T00:00:00Z"
    Store(server, existing)
    assert refused(connected()).message == 'resourceclaim "llama" in namespace "team-a" is being deleted'


def test_a_server_that_would_drop_a_field_gets_no_claim(server: FakeServer, connected: Any) -> None:
    weaker = stored(selectors=None)
    server.fail(PATH, None, Reply(200, json.dumps(weaker).encode()))
    message = refused(connected()).message
    assert message.startswith('the server would store another spec for resourceclaim "llama" in namespace "team-a": ')
    assert "selectors" in message
    assert steps(server) == [("GET", None), ("PATCH", "All")]


CONFLICT = (
    'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using resource.k8s.io/v1: '
    ".spec.devices.requests"
)


@pytest.mark.parametrize(
    ("fault", "message", "hint"),
    [
        (
            failure(409, "Conflict", CONFLICT),
            f"Error from server (Conflict): {CONFLICT}",
            "--force-conflicts takes these fields from their other managers",
        ),
        (
            failure(403, "Forbidden", 'User "jane" cannot patch resource "resourceclaims"'),
            'Error from server (Forbidden): User "jane" cannot patch resource "resourceclaims"',
            'missing Role rule: {apiGroups: ["resource.k8s.io"], resources: ["resourceclaims"], '
            'verbs: ["get", "patch", "create"]}',
        ),
        (
            failure(403, "Forbidden", "exceeded quota: gpus, requested: 1, used: 2, limited: 2"),
            "Error from server (Forbidden): exceeded quota: gpus, requested: 1, used: 2, limited: 2",
            None,
        ),
        (
            failure(404, "NotFound", 'namespaces "team-a" not found'),
            'Error from server (NotFound): namespaces "team-a" not found',
            None,
        ),
        (
            failure(
                422,
                "Invalid",
                "long",
                kind="ResourceClaim",
                name="llama",
                causes=[{"field": "spec", "message": "field is immutable"}] * 2,
            ),
            'The ResourceClaim "llama" is invalid: spec: field is immutable',
            None,
        ),
        (
            failure(400, "BadRequest", 'admission webhook "x" denied\nthe request'),
            'Error from server (BadRequest): admission webhook "x" denied the request',
            None,
        ),
        (Reply(200, b"{}"), "Server returned an unexpected response for resourceclaims llama", None),
    ],
    ids=["conflict", "rbac", "quota", "namespace", "invalid", "admission", "nonsense"],
)
def test_a_refusal_at_the_dry_run_has_the_servers_words_and_writes_nothing(
    server: FakeServer, connected: Any, fault: Reply, message: str, hint: str | None
) -> None:
    Store(server)
    server.fail(PATH, None, fault)
    error = refused(connected())
    assert (error.message, error.hint) == (message, hint)
    again = [("GET", None)] if fault.status in (409, 422) else []  # somebody may have made it meanwhile
    assert steps(server) == [("GET", None), ("PATCH", "All"), *again]


def test_a_forbidden_read_ends_before_the_check(server: FakeServer, connected: Any) -> None:
    server.always(PATH, failure(403, "Forbidden", 'User "jane" cannot get resource "resourceclaims"'))
    with pytest.raises(ClusterError) as caught:
        apply(connected(), application(), never, quiet)
    assert 'verbs: ["get"]' in str(caught.value.hint)


@pytest.mark.parametrize(
    ("name", "taken", "offered"),
    [
        ("llama", [], "llama-2"),
        ("llama-2", [], "llama-3"),
        ("qwen-235", [], "qwen-236"),
        ("llama", ["llama-2", "llama-3"], "llama-4"),
    ],
)
def test_the_offered_name_is_one_that_nobody_has(
    server: FakeServer, connected: Any, name: str, taken: list[str], offered: str
) -> None:
    document = {**CLAIM, "metadata": {"name": name}}
    for each in (name, *taken):
        server.answers[PATH.replace("llama", each)] = stored(count=3)
    with pytest.raises(ClusterError) as caught:
        apply(connected(), Application(document, "team-a"), never, quiet)
    assert caught.value.hint == f"--name {offered} makes a new one beside it"


@pytest.mark.parametrize("refusal", [failure(409, "Conflict", CONFLICT), failure(422, "Invalid", "immutable")])
def test_the_same_claim_made_by_somebody_else_meanwhile_is_unchanged(
    server: FakeServer, connected: Any, refusal: Reply
) -> None:
    existing = stored()
    missing = failure(404, "NotFound", 'resourceclaims.resource.k8s.io "llama" not found')
    server.answers[PATH] = existing
    server.fail(PATH, missing, refusal)
    assert apply(connected(), application(), lambda: True, quiet) == Applied(
        existing, "resourceclaim.resource.k8s.io/llama unchanged"
    )
    assert steps(server) == [("GET", None), ("PATCH", "All"), ("GET", None)]


def test_another_claim_made_by_somebody_else_meanwhile_is_told_apart(server: FakeServer, connected: Any) -> None:
    server.answers[PATH] = stored(count=2)
    server.fail(PATH, failure(404, "NotFound", "not found"), failure(422, "Invalid", "immutable"))
    assert "exists with another spec" in refused(connected()).message


@pytest.mark.parametrize(
    "lost",
    [
        Reply(drop=True),
        Reply(200, b'{"kind": "ResourceCl'),
        Reply(200, b"<html>"),
        Reply(200, b"[]"),
        failure(500, "InternalError", "etcdserver: request timed out"),
        failure(504, "Timeout", "request did not complete within the allotted timeout"),
        Reply(302, b"", {"Location": "https://login.example.com/"}),
    ],
    ids=["dropped", "cut", "html", "nonsense", "500", "504", "redirect"],
)
def test_a_write_that_is_not_answered_is_never_guessed(server: FakeServer, connected: Any, lost: Reply) -> None:
    Store(server)
    server.fail(PATH, None, None, lost)
    error = refused(connected())
    assert error.message.endswith('; it is not known whether resourceclaim "llama" in namespace "team-a" was written')
    assert error.hint == "the same command again says that it is unchanged, or writes it"
    assert steps(server) == [("GET", None), ("PATCH", "All"), ("PATCH", None)]


@pytest.mark.parametrize("code", [400, 403, 409, 422])
def test_a_write_that_is_refused_after_its_dry_run_is_no_doubt(server: FakeServer, connected: Any, code: int) -> None:
    Store(server)
    server.fail(PATH, None, None, failure(code, "", "no"))
    assert "not known" not in refused(connected()).message


@pytest.mark.parametrize("end", [KeyboardInterrupt(), SystemExit(143)])
def test_an_end_in_the_middle_of_the_write_is_told(
    server: FakeServer, connected: Any, monkeypatch: pytest.MonkeyPatch, end: BaseException
) -> None:
    Store(server)
    connection, told = connected(), []
    send = connection.request

    def request(method: str, path: str, params: Any, *rest: Any) -> Any:
        if "dryRun" not in params:
            raise end
        return send(method, path, params, *rest)

    monkeypatch.setattr(connection, "request", request)
    with pytest.raises(type(end)):
        apply(connection, application(), lambda: True, told.append)
    assert told == [
        'it is not known whether resourceclaim "llama" in namespace "team-a" was written: '
        "the same command again says that it is unchanged, or writes it"
    ]
