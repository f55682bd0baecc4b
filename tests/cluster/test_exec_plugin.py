"""Credential plugins: run as kubectl runs them, and a failing one is never an anonymous request."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from fakes import worlds
from fakes.api_server import CERTIFICATE, KEY, FakeServer, failure
from kubectl_llmfit.cluster.connection import Connection, ConnectionOptions, connect
from kubectl_llmfit.errors import ClusterError

V1 = "client.authentication.k8s.io/v1"


def plugin(script: str, **more: Any) -> dict[str, Any]:
    return {
        "exec": {
            "apiVersion": V1,
            "command": "sh",
            "args": ["-c", script],
            "interactiveMode": "Never",
            **more,
        }
    }


def credential(api_version: str = V1, **status: Any) -> str:
    document = {"apiVersion": api_version, "kind": "ExecCredential", "status": status}
    return f"echo '{json.dumps(document)}'"


@pytest.fixture
def run(server: FakeServer, kubeconfig: Any) -> Any:
    """``run(user)``: a connection as that user."""

    def make(user: dict[str, Any], **cluster: Any) -> Connection:
        path = kubeconfig(server.url, user, cluster)
        return connect(ConnectionOptions(kubeconfig=str(path)), environ={})

    return make


def test_the_token_of_a_plugin_is_sent_and_the_plugin_runs_once(server: FakeServer, run: Any, tmp_path: Path) -> None:
    connection = run(plugin(f"echo run >> {tmp_path}/runs; {credential(token='from-plugin')}"))
    connection.get("/version")
    connection.get("/version")
    assert [request.header("Authorization") for request in server.requests] == [["Bearer from-plugin"]] * 2
    assert (tmp_path / "runs").read_text() == "run\n"


def test_the_plugin_gets_its_environment_and_the_cluster(server: FakeServer, run: Any, tmp_path: Path) -> None:
    script = f'printf %s "$KUBERNETES_EXEC_INFO" > {tmp_path}/info; printf %s "$WHO" > {tmp_path}/who; '
    extension = {"name": "client.authentication.k8s.io/exec", "extension": {"audience": "x"}}
    user = plugin(script + credential(token="t"), provideClusterInfo=True, env=[{"name": "WHO", "value": "jane"}])
    run(user, extensions=[extension]).get("/version")
    info = json.loads((tmp_path / "info").read_text())
    assert info["kind"] == "ExecCredential"
    assert info["spec"]["interactive"] is False
    assert info["spec"]["cluster"]["server"] == server.url
    assert info["spec"]["cluster"]["config"] == {"audience": "x"}
    assert info["spec"]["cluster"]["certificate-authority-data"]
    assert (tmp_path / "who").read_text() == "jane"


def test_a_plugins_own_words_reach_stderr_and_the_failure_is_an_error(
    server: FakeServer, run: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ClusterError) as caught:
        run(plugin("echo please log in >&2; exit 3")).get("/version")
    assert caught.value.message == (
        "Unable to connect to the server: getting credentials: exec: executable sh failed with exit code 3"
    )
    assert capfd.readouterr().err == "please log in\n"
    assert server.requests == []


def test_a_plugin_that_prints_without_end_is_ended(server: FakeServer, run: Any) -> None:
    with pytest.raises(ClusterError, match="exec: executable sh printed more than 1048576 bytes"):
        run(plugin("exec yes")).get("/version")
    assert server.requests == []


def test_a_missing_plugin_is_an_error_with_its_install_hint(server: FakeServer, run: Any) -> None:
    with pytest.raises(ClusterError) as caught:
        run(plugin("", command="no-such-login-program", installHint="get it\nfrom us")).get("/version")
    assert caught.value.message.endswith("exec: executable no-such-login-program not found")
    assert caught.value.hint == "get it from us"
    assert server.requests == []


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("echo garbage", "decoding stdout: the plugin printed no JSON object"),
        ("true", "decoding stdout: the plugin printed no JSON object"),
        ("echo '{}'", "the plugin printed no ExecCredential"),
        (credential(), "exec plugin didn't return a token or cert/key pair"),
        (credential(clientCertificateData="x"), "exec plugin returned only certificate or key, not both"),
        (credential("client.authentication.k8s.io/v1beta1", token="t"), "is configured to use API version"),
        (credential(token="the-secret", expirationTimestamp="soon"), 'expirationTimestamp "soon"'),
        ('echo \'{"kind": "ExecCredential", "apiVersion": "' + V1 + "\"}'", "didn't return a status field"),
    ],
)
def test_a_plugin_that_returns_nonsense_is_an_error(server: FakeServer, run: Any, script: str, words: str) -> None:
    with pytest.raises(ClusterError) as caught:
        run(plugin(script)).get("/version")
    assert words in caught.value.message
    assert "the-secret" not in caught.value.message
    assert server.requests == []


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"apiVersion": "client.authentication.k8s.io/v1alpha1"}, 'exec plugin: invalid apiVersion "client.'),
        ({"interactiveMode": None}, "interactiveMode must be specified for jane to use exec authentication plugin"),
        ({"interactiveMode": "Sometimes"}, "interactiveMode is invalid (Sometimes)"),
        ({"interactiveMode": "Always"}, "cannot support interactive mode: standard input is not a terminal"),
        ({"command": ""}, "command must be specified for jane"),
    ],
)
def test_a_plugin_that_is_set_up_wrongly_is_an_error(run: Any, settings: Any, words: str) -> None:
    with pytest.raises(ClusterError) as caught:
        run(plugin(credential(token="t"), **settings)).get("/version")
    assert words in caught.value.message


def test_a_refused_token_is_renewed_once(server: FakeServer, run: Any, tmp_path: Path) -> None:
    """The plugin's token lives for one list; the next page needs a new one."""
    counter = f"echo x >> {tmp_path}/n; n=$(wc -l < {tmp_path}/n); "
    script = counter + 'printf \'{"apiVersion":"' + V1 + '","kind":"ExecCredential","status":{"token":"t%d"}}\' $n'
    nodes = worlds.answers()["/api/v1/nodes"]

    def answer(request: Any) -> Any:
        fresh = request.header("Authorization") == ["Bearer t2"]
        return nodes if fresh else failure(401, "Unauthorized", "Unauthorized")

    server.answers["/api/v1/nodes"] = answer
    assert run(plugin(script)).get("/api/v1/nodes")["kind"] == "NodeList"
    server.answers["/api/v1/nodes"] = failure(401, "Unauthorized", "Unauthorized")
    with pytest.raises(ClusterError, match="You must be logged in"):
        run(plugin(script)).get("/api/v1/nodes")


def test_an_expired_token_is_renewed_before_the_next_request(server: FakeServer, run: Any, tmp_path: Path) -> None:
    past = (datetime.now(UTC) - timedelta(seconds=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
    script = f"echo run >> {tmp_path}/runs; {credential(token='t', expirationTimestamp=past)}"
    connection = run(plugin(script))
    connection.get("/version")
    connection.get("/version")
    assert (tmp_path / "runs").read_text() == "run\nrun\n"


def test_a_certificate_of_a_plugin_is_shown(kubeconfig: Any) -> None:
    script = credential(clientCertificateData=CERTIFICATE.read_text(), clientKeyData=KEY.read_text())
    with FakeServer(worlds.answers(), client_certificates=True) as strict:
        path = kubeconfig(strict.url, plugin(f"printf '%s' {script.removeprefix('echo ')}"))
        assert connect(ConnectionOptions(kubeconfig=str(path)), environ={}).get("/version")


def test_a_plugin_is_not_run_when_there_is_a_token(server: FakeServer, run: Any) -> None:
    run({**plugin("exit 1"), "token": "mine"}).get("/version")
    assert server.requests[0].header("Authorization") == ["Bearer mine"]


def test_removed_auth_providers_name_their_successor(run: Any) -> None:
    with pytest.raises(ClusterError, match="The gcp auth plugin has been removed") as caught:
        run({"auth-provider": {"name": "gcp", "config": {}}}).get("/version")
    assert "gke-gcloud-auth-plugin" in str(caught.value.hint)
