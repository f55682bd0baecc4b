"""No credential is in any output: each kind of it, at every verbosity, in success, in every failure and in a fault."""

from __future__ import annotations

import base64
import json
import os
import socket
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fakes import worlds
from fakes.api_server import CERTIFICATE, KEY, FakeServer, Reply, Request, failure
from fakes.faults import EVERY
from live.program import run_here

SECRET = "s3cr3t-c0rrect-h0rse"  # stands in every credential, so that one search finds it
ENCODED = base64.b64encode(f"jane:{SECRET}".encode()).decode()
MODEL = "meta-llama/Llama-3.1-8B-Instruct"
COMMANDS = (("check-nodes", MODEL), ("claim", MODEL, "--apply"), ("snapshot",), ("devices",))
PEM = f"-----BEGIN PRIVATE KEY-----\n{base64.b64encode(SECRET.encode()).decode()}\n-----END PRIVATE KEY-----\n"

User = Callable[[Path], dict[str, Any]]


def _plugin(script: str) -> User:
    def user(folder: Path) -> dict[str, Any]:
        program = folder / "plugin.sh"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        settings = {"apiVersion": "client.authentication.k8s.io/v1", "command": str(program)}
        return {"exec": settings | {"interactiveMode": "Never", "env": [{"name": "PASSWORD", "value": SECRET}]}}

    return user


def _token_file(folder: Path) -> dict[str, Any]:
    (folder / "token").write_text(SECRET)
    return {"tokenFile": str(folder / "token")}


CREDENTIAL = {
    "apiVersion": "client.authentication.k8s.io/v1",
    "kind": "ExecCredential",
    "status": {"token": SECRET},
}
OIDC = {
    "client-id": "kubectl",
    "client-secret": SECRET,
    "id-token": f"{base64.b64encode(b'{}').decode()}.{SECRET}.x",
    "refresh-token": SECRET,
    "idp-issuer-url": "https://127.0.0.1:1",
}
USERS: dict[str, User] = {
    "token": lambda _: {"token": SECRET},
    "token with a line break": lambda _: {"token": f"{SECRET}\nInjected: yes"},
    "token that is no text": lambda _: {"token": [SECRET]},
    "token file": _token_file,
    "login": lambda _: {"username": "jane", "password": SECRET},
    "key that is none": lambda _: {
        "client-certificate": str(CERTIFICATE),
        "client-key-data": base64.b64encode(PEM.encode()).decode(),
    },
    "key that is no base64": lambda _: {"client-certificate": str(CERTIFICATE), "client-key-data": f"{SECRET}!"},
    "plugin": _plugin(f"echo '{json.dumps(CREDENTIAL)}'"),
    "plugin that fails": _plugin(f"echo '{SECRET}'; exit 3"),
    "plugin that says nonsense": _plugin(f"echo 'token: {SECRET}'"),
    "plugin with half an answer": _plugin(f"""echo '{{"status": {{"token": "{SECRET}"'"""),
    "oidc": lambda _: {"auth-provider": {"name": "oidc", "config": OIDC}},
    "removed provider": lambda _: {"auth-provider": {"name": "gcp", "config": {"access-token": SECRET}}},
}


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with FakeServer(worlds.answers()) as running:
        yield running


@pytest.fixture(autouse=True)
def _without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kubectl_llmfit.cluster.connection.RetryPolicy.pause", lambda *_: False)


def config_of(folder: Path, url: str, user: dict[str, Any], **cluster: Any) -> str:
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "dev",
        "clusters": [{"name": "c", "cluster": {"server": url, "certificate-authority": str(CERTIFICATE), **cluster}}],
        "users": [{"name": "u", "user": user}],
        "contexts": [{"name": "dev", "context": {"cluster": "c", "user": "u"}}],
    }
    (folder / "config").write_text(json.dumps(document))
    return str(folder / "config")


def reveals(text: str) -> bool:
    return SECRET in text or ENCODED in text or base64.b64encode(SECRET.encode()).decode() in text


@pytest.mark.parametrize("kind", USERS)
@pytest.mark.parametrize("verbosity", ["0", "6", "9", "99"])
def test_a_credential_of_any_kind_is_never_shown(
    server: FakeServer, tmp_path: Path, kind: str, verbosity: str, capfd: pytest.CaptureFixture[str]
) -> None:
    config = config_of(tmp_path, server.url, USERS[kind](tmp_path))
    for command in COMMANDS:
        done = run_here(*command, "--kubeconfig", config, "-v", verbosity)
        assert done.code != 130
        assert not reveals(done.stdout + done.stderr), command
    assert not reveals("".join(capfd.readouterr()))  # what the program's own children say


@pytest.mark.parametrize("name", EVERY)
def test_no_failure_shows_the_token(server: FakeServer, tmp_path: Path, name: str) -> None:
    config = config_of(tmp_path, server.url, {"token": SECRET})
    for number in (1, 5, 8):
        server.requests.clear()
        server.interfere = lambda each, _, n=number: EVERY[name] if each >= n else None  # type: ignore[misc]
        done = run_here("check-nodes", MODEL, "--kubeconfig", config, "-v", "9")
        assert not reveals(done.stdout + done.stderr)


def test_a_server_that_repeats_what_was_sent_shows_no_token(server: FakeServer, tmp_path: Path) -> None:
    def echo(_number: int, request: Request) -> Reply:
        return failure(403, "Forbidden", f"I do not like {dict(request.headers)}")

    server.interfere = echo
    for user in ({"token": SECRET}, {"username": "jane", "password": SECRET}):
        done = run_here("check-nodes", MODEL, "--kubeconfig", config_of(tmp_path, server.url, user), "-v", "9")
        assert done.code == 4
        assert "I do not like" in done.stderr
        assert "(hidden)" in done.stderr
        assert not reveals(done.stderr)


@pytest.mark.parametrize(
    "address",
    [f"https://jane:{SECRET}@127.0.0.1:1", f"https://jane:{SECRET}@no-such-host.invalid", f"https://{SECRET}@[::1"],
)
def test_the_user_part_of_an_address_is_never_shown(tmp_path: Path, server: FakeServer, address: str) -> None:
    for config in (
        config_of(tmp_path, address, {"token": SECRET}),
        config_of(tmp_path, server.url, {"token": SECRET}, **{"proxy-url": address}),
    ):
        done = run_here("devices", "--kubeconfig", config, "-v", "9")
        assert done.code in (2, 4)
        assert not reveals(done.stdout + done.stderr)


@pytest.mark.parametrize("flag", [("--token", SECRET), ("--username", "jane", "--password", SECRET)])
def test_a_credential_of_the_command_line_is_not_repeated(flag: tuple[str, ...]) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        server = f"https://127.0.0.1:{unused.getsockname()[1]}"
    for more in ((), ("--nonsense",), ("--request-timeout", "soon"), ("extra", "words")):
        done = run_here("devices", "--kubeconfig", os.devnull, "--server", server, *flag, *more, "-v", "9")
        assert done.code in (2, 4)
        assert not reveals(done.stdout + done.stderr)


def test_a_fault_of_ours_shows_no_credential_even_with_its_trace(
    server: FakeServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise TypeError("a fault")

    for place in ("cluster.transport._warnings", "cluster.connection._parse", "cluster.reading.read_cluster"):
        with monkeypatch.context() as patched:
            patched.setattr(f"kubectl_llmfit.{place}", broken)
            words = ["devices", "--kubeconfig", config_of(tmp_path, server.url, {"token": SECRET})]
            done = run_here(*words)
            assert (done.code, done.stdout) == (3, "")
            assert [line.partition(":")[0] for line in done.stderr.splitlines()] == ["error", "hint"]
            with pytest.raises(TypeError) as caught:
                run_here(*words, "-v", "9")
            trace = "".join(traceback.format_exception(caught.value))
            assert "a fault" in trace
            assert not reveals(trace + done.stderr)


def test_a_key_of_the_kubeconfig_is_not_shown_where_it_works(server: FakeServer, tmp_path: Path) -> None:
    user = {"client-certificate": str(CERTIFICATE), "client-key": str(KEY), "token": SECRET}
    done = run_here("devices", "--kubeconfig", config_of(tmp_path, server.url, user), "-v", "9")
    assert done.code == 0, done.stderr
    body = "".join(Path(KEY).read_text().splitlines()[1:-1])
    assert body[:40] not in done.stdout + done.stderr
    assert not reveals(done.stdout + done.stderr)
