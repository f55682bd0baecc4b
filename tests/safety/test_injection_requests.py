"""Every string in what is sent to a server and in what it answers: one request with that value, or one line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fakes import worlds
from fakes.api_server import CERTIFICATE, FakeServer, Reply
from safety.sinks import lines
from safety.strings import HOSTILE

pytestmark = pytest.mark.usefixtures("_app_made_once")

MODEL = "meta-llama/Llama-3.1-8B-Instruct"
SLICES = "/apis/resource.k8s.io/v1/resourceslices"
APPLY = ["claim", MODEL, "--apply", "--dry-run", "server", "--skip-check"]

FLAGS: dict[str, list[str]] = {
    "--as": ["devices"],
    "--as-group": ["devices", "--as", "jane"],
    "--as-uid": ["devices", "--as", "jane"],
    "--as-user-extra": ["devices", "--as", "jane"],
    "--token": ["devices"],
    "--username": ["devices", "--password", "x"],
    "--password": ["devices", "--username", "x"],
    "-n": ["check-nodes", "resourceclaim/x"],
    "--tls-server-name": ["devices"],
    "--certificate-authority": ["devices"],
    "--client-certificate": ["devices"],
    "--proxy-url": ["devices"],
    "--field-manager": APPLY,
}


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with FakeServer(worlds.answers()) as running:
        yield running


@pytest.fixture
def config(server: FakeServer, tmp_path: Path) -> str:
    cluster = {"server": server.url, "certificate-authority": str(CERTIFICATE)}
    document: dict[str, Any] = {
        "kind": "Config",
        "current-context": "c",
        "clusters": [{"name": "k", "cluster": cluster}],
        "users": [{"name": "u", "user": {}}],
        "contexts": [{"name": "c", "context": {"cluster": "k", "user": "u"}}],
    }
    (tmp_path / "config").write_text(json.dumps(document))
    return str(tmp_path / "config")


@pytest.mark.parametrize("flag", FLAGS)
def test_a_flag_of_the_connection_is_one_value_of_a_request_or_is_refused(
    llmfit, server: FakeServer, config: str, flag: str
) -> None:
    for name, text in HOSTILE.items():
        if name in ("surrogate", "nul"):
            continue  # no process is started with one
        del server.requests[:]
        value = f"scopes={text}" if flag == "--as-user-extra" else text
        outcome = llmfit(*FLAGS[flag], "--kubeconfig", config, "--request-timeout", "5s", f"{flag}={value}")
        assert outcome.status in (0, 1, 2, 3, 4), (name, outcome)
        assert "fault of" not in outcome.stderr, (name, outcome.stderr)
        lines(outcome.stdout)
        assert len(lines(outcome.stderr)) <= 3 or outcome.status == 0, (name, outcome.stderr)
        for request in server.requests:
            assert not request.header("Evil")
            assert request.path.startswith(("/api", "/apis", "/version")), request.path


@pytest.mark.parametrize("text", ["x\r\nEvil: 1", "x\nEvil: 1", "\r\n\r\nGET / HTTP/1.1"])
@pytest.mark.parametrize("flag", ["--as", "--as-group", "--as-uid", "--as-user-extra", "--token", "--username"])
def test_no_flag_adds_a_header(llmfit, server: FakeServer, config: str, flag: str, text: str) -> None:
    value = f"scopes={text}" if flag == "--as-user-extra" else text
    outcome = llmfit(*FLAGS[flag], "--kubeconfig", config, f"{flag}={value}")
    assert "fault of" not in outcome.stderr
    assert all(not request.header("Evil") for request in server.requests)
    assert all(request.path.startswith(("/api", "/apis", "/version")) for request in server.requests)


def test_a_field_manager_is_one_parameter_of_the_request(llmfit, server: FakeServer, config: str) -> None:
    for name in ("shell", "percent", "quotes", "cel-or", "wide", "json"):
        del server.requests[:]
        llmfit(*APPLY, "--kubeconfig", config, "--field-manager", HOSTILE[name])
        [patch] = [request for request in server.requests if request.method == "PATCH"]
        assert patch.query["fieldManager"] == HOSTILE[name]


@pytest.mark.parametrize("depth", [100, 400, 480, 700, 900, 5000, 100_000])
@pytest.mark.parametrize("form", ["[]", '{"a":}'])
def test_a_server_may_nest_as_it_likes(llmfit, server: FakeServer, config: str, form: str, depth: int) -> None:
    """In a field of a device that nothing reads; what cannot be read tells nothing."""
    opening, closing = form[:-1], form[-1]
    page = a_page()
    page["items"][0]["spec"]["devices"][0]["deep"] = "DEEP"
    inner = "1" if opening != "[" else ""
    body = json.dumps(page).replace('"DEEP"', opening * depth + inner + closing * depth)
    server.always(SLICES, Reply(200, body.encode()))
    outcome = llmfit("check-nodes", MODEL, "--kubeconfig", config, "--request-timeout", "1s")
    assert outcome.status in (0, 1, 3, 4), outcome.stderr
    assert "fault of" not in outcome.stderr, outcome.stderr
    assert outcome.status < 3 or len(lines(outcome.stderr)) <= 4


@pytest.mark.parametrize(
    "number", ["1" * 5000, "1e400", "-1e400", "NaN", "Infinity", "1" * 25], ids=lambda number: number[:5]
)
@pytest.mark.parametrize("field", ["generation", "int", "unknown"])
def test_a_number_that_no_server_has_is_no_answer(
    llmfit, server: FakeServer, config: str, field: str, number: str
) -> None:
    page = a_page()
    spec = page["items"][0]["spec"]
    if field == "generation":
        spec["pool"]["generation"] = "NUMBER"
    elif field == "int":
        spec["devices"][0].setdefault("attributes", {})["odd"] = {"int": "NUMBER"}
    else:
        spec["odd"] = "NUMBER"
    server.always(SLICES, Reply(200, json.dumps(page).replace('"NUMBER"', number).encode()))
    outcome = llmfit("check-nodes", MODEL, "--kubeconfig", config, "--request-timeout", "1s")
    assert "fault of" not in outcome.stderr, outcome.stderr
    assert outcome.status in ((3, 4) if field != "unknown" else (0, 1, 3, 4)), outcome


def a_page() -> dict[str, Any]:
    """The slices of the small cluster, as a server lists them."""
    items = json.loads(json.dumps(worlds.lists()["resourceslices"]))
    metadata = {"resourceVersion": "100"}
    return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSliceList", "metadata": metadata, "items": items}
