"""The real client against a server that refuses, breaks and lies: kubectl's words, and no secret in them."""

from __future__ import annotations

import base64
import json
import os
import socket
from pathlib import Path
from typing import Any

import pytest

from fakes import worlds
from fakes.api_server import CERTIFICATE, KEY, FakeServer, Reply, failure, forbidden
from kubectl_llmfit.cluster import kubeconfig as kubeconfig_module
from kubectl_llmfit.cluster import tls
from kubectl_llmfit.cluster.connection import Connection, ConnectionOptions, RetryPolicy, connect
from kubectl_llmfit.cluster.transport import TooLargeError
from kubectl_llmfit.cluster.words import ServerError, UnreachableError
from kubectl_llmfit.errors import ClusterError, ExitCode, LlmfitError

NODES = "/api/v1/nodes"
TOKEN = "the-secret-token"


def error_of(connection: Connection, path: str = NODES) -> ClusterError:
    with pytest.raises(ClusterError) as caught:
        connection.get(path)
    assert caught.value.exit_code == ExitCode.CLUSTER
    assert "\n" not in caught.value.message
    assert TOKEN not in caught.value.message
    return caught.value


def to(url: str, **options: Any) -> Connection:
    return connect(ConnectionOptions(server=url, **options), environ={}, retry=RetryPolicy(sleep=lambda _: None))


def test_a_request_carries_the_token_and_asks_for_json(server: FakeServer, connected: Any) -> None:
    assert connected().get("/version")["gitVersion"] == "v1.37.2"
    request = server.requests[0]
    assert request.header("Authorization") == [f"Bearer {TOKEN}"]
    assert request.header("Accept") == ["application/json"]


def test_a_closed_port_is_refused_in_kubectls_words() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    error = error_of(to(f"https://127.0.0.1:{port}"))
    assert error.message == (
        f"The connection to the server 127.0.0.1:{port} was refused - did you specify the right host or port?"
    )


def test_an_unknown_host_is_named() -> None:
    error = error_of(to("https://no-such-host.invalid:6443"))
    assert error.message == ("Unable to connect to the server: dial tcp: lookup no-such-host.invalid: no such host")


def test_a_certificate_of_an_unknown_authority_is_refused(server: FakeServer) -> None:
    error = error_of(to(server.url))
    assert error.message == (
        "Unable to connect to the server: tls: failed to verify certificate: "
        "x509: certificate signed by unknown authority"
    )
    assert server.requests == []


def test_authorities_are_looked_for_where_kubectl_looks(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    # as in a frozen program on another system than it was built on: OpenSSL's own place does not exist
    monkeypatch.setenv("SSL_CERT_FILE", "/nonexistent")
    monkeypatch.setattr(tls, "_AUTHORITIES_FILES", ("/nonexistent", str(CERTIFICATE)))
    assert to(server.url).get("/version")


def test_verification_can_be_turned_off_by_the_flag(server: FakeServer) -> None:
    assert to(server.url, insecure_skip_tls_verify=True).get("/version")


def test_a_certificate_for_another_name_is_refused(server: FakeServer, connected: Any) -> None:
    error = error_of(connected(tls_server_name="elsewhere.example"))
    assert error.message.endswith("x509: certificate is not valid for elsewhere.example")


def test_tls_server_name_of_the_kubeconfig_is_the_name_that_is_verified(server: FakeServer, kubeconfig: Any) -> None:
    path = kubeconfig(server.url, cluster={"tls-server-name": "localhost"})
    assert connect(ConnectionOptions(kubeconfig=str(path)), environ={}).get("/version")


def test_http_on_an_https_address_is_said(kubeconfig: Any) -> None:
    with FakeServer(worlds.answers(), tls=False) as plain:
        error = error_of(to(f"https://{plain.host}"))
    assert error.message == "Unable to connect to the server: http: server gave HTTP response to HTTPS client"


def test_credentials_are_not_sent_without_tls() -> None:
    with FakeServer(worlds.answers(), tls=False) as plain:
        assert to(plain.url, token=TOKEN).get("/version")
        assert plain.requests[0].header("Authorization") == []


def test_an_api_error_has_the_words_of_its_status(server: FakeServer, connected: Any) -> None:
    server.fail(NODES, forbidden("nodes", ""))
    error = error_of(connected())
    assert error.message == (
        'Error from server (Forbidden): nodes is forbidden: User "jane" cannot list resource "nodes" '
        'in API group "" at the cluster scope'
    )


def test_a_status_may_not_break_the_line_or_colour_the_terminal(server: FakeServer, connected: Any) -> None:
    server.fail(NODES, failure(403, "Forbidden", "no\nway \x1b[31mred\u202e back"))
    assert error_of(connected()).message == "Error from server (Forbidden): no way [31mred back"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (400, "Error from server (BadRequest): the server rejected our request for an unknown reason (get nodes)"),
        (401, "You must be logged in to the server (the server has asked for the client to provide credentials"),
        (403, "Error from server (Forbidden): <b>go away</b> (get nodes)"),
        (404, "Error from server (NotFound): the server could not find the requested resource (get nodes)"),
        (418, "Error from server (Unknown): the server responded with the status code 418 but did not return"),
        (500, 'Error from server (InternalError): an error on the server ("<b>go away</b>") has prevented'),
        (503, "Error from server (ServiceUnavailable): the server is currently unable to handle the request"),
    ],
)
def test_an_error_that_is_no_status_has_kubectls_words_too(
    server: FakeServer, connected: Any, code: int, words: str
) -> None:
    server.always(NODES, Reply(code, b"<b>go away</b>", {"Content-Type": "text/html"}))
    error = error_of(connected())
    assert error.message.startswith(words)
    assert isinstance(error, ServerError)
    assert error.code == code


def test_unauthorized_is_said_as_kubectl_says_it(server: FakeServer, connected: Any) -> None:
    server.always(NODES, failure(401, "Unauthorized", "Unauthorized"))
    assert error_of(connected()).message == "You must be logged in to the server (Unauthorized)"


def test_too_many_requests_wait_as_long_as_the_server_wants(server: FakeServer, connected: Any, naps: Any) -> None:
    busy = failure(429, "TooManyRequests", "please try again later", {"Retry-After": "7"})
    server.fail(NODES, busy, busy)
    assert connected().get(NODES)["kind"] == "NodeList"
    assert naps.seconds == [7, 7]


def test_a_wait_longer_than_the_limit_ends_the_run_at_once(server: FakeServer, connected: Any, naps: Any) -> None:
    server.fail(NODES, failure(429, "TooManyRequests", "later", {"Retry-After": "86400"}))
    assert error_of(connected()).message == "Error from server (TooManyRequests): later"
    assert naps.seconds == []


def test_server_errors_are_tried_again_with_growing_pauses_and_not_for_ever(
    server: FakeServer, connected: Any, naps: Any
) -> None:
    server.always(NODES, failure(500, "InternalError", "etcdserver: leader changed"))
    assert error_of(connected()).message == "Error from server (InternalError): etcdserver: leader changed"
    assert naps.seconds == [0.5, 1, 2, 4]
    assert len(server.asked(NODES)) == 5


def test_a_broken_connection_is_tried_again(server: FakeServer, connected: Any, naps: Any) -> None:
    server.fail(NODES, Reply(drop=True), Reply(drop=True))
    assert connected().get(NODES)["kind"] == "NodeList"
    assert len(naps.seconds) == 2


@pytest.mark.parametrize("chunked", [False, True])
def test_half_an_answer_is_none(server: FakeServer, connected: Any, chunked: bool) -> None:
    body = json.dumps(worlds.answers()[NODES]).encode()
    half = Reply(200, body, keep=len(body) // 2, chunked=chunked)
    server.fail(NODES, half)
    assert connected().get(NODES)["kind"] == "NodeList"  # the second attempt
    server.always(NODES, half)
    assert error_of(connected()).message == "Unable to connect to the server: the connection broke: EOF"


def test_json_that_stops_in_the_middle_is_no_answer(server: FakeServer, connected: Any) -> None:
    server.always(NODES, Reply(200, b'{"kind": "NodeList", "items": ['))
    assert "is not complete JSON (31 bytes)" in error_of(connected()).message


def test_a_login_page_is_no_answer(server: FakeServer, connected: Any) -> None:
    server.always(NODES, Reply(200, b"<html>sign in</html>", {"Content-Type": "text/html"}))
    assert error_of(connected()).message == (
        f"the server {server.host} did not answer with JSON (text/html): it may be a proxy or a login page"
    )


def test_bytes_that_are_no_text_are_no_answer(server: FakeServer, connected: Any) -> None:
    server.always(NODES, Reply(200, b"\x00\xff\xfe\x80"))
    assert "did not answer with JSON" in error_of(connected()).message


def test_a_body_that_is_not_gzip_as_it_says_is_no_answer(server: FakeServer, connected: Any) -> None:
    server.always(NODES, Reply(200, b"plain", {"Content-Encoding": "gzip"}))
    assert "is not what its Content-Encoding says" in error_of(connected()).message


def test_nesting_without_end_is_no_answer(server: FakeServer, connected: Any) -> None:
    server.always(NODES, Reply(200, b'{"a":' * 200_000))
    assert "is not complete JSON" in error_of(connected()).message


def test_a_redirect_is_refused_and_never_followed(server: FakeServer, connected: Any) -> None:
    with FakeServer(worlds.answers()) as other:
        server.always(NODES, Reply(302, b"", {"Location": f"{other.url}/steal"}))
        error = error_of(connected())
        assert error.message == (
            f"the server {server.host} redirects (302) to {other.host}: it is not a Kubernetes API server"
        )
        assert other.requests == []


def test_an_answer_without_end_is_cut_off(server: FakeServer, connected: Any) -> None:
    server.always(NODES, Reply(200, b" " * (3 << 20), chunked=True))
    with pytest.raises(TooLargeError, match="is larger than 1048576 bytes"):
        connected().get(NODES, largest=1 << 20)


def test_request_timeout_ends_a_server_that_says_nothing(server: FakeServer, connected: Any) -> None:
    server.always(NODES, Reply(200, b"{}", wait=3))
    assert "Client.Timeout exceeded while awaiting headers" in error_of(connected(request_timeout="200ms")).message


def test_request_timeout_covers_a_body_that_drips(server: FakeServer, connected: Any) -> None:
    # 20 pieces of 0.1 s each: every read ends in time, the whole does not.
    server.always(NODES, Reply(200, b"{" + b" " * 98 + b"}", delay=0.1, pieces=20))
    assert "Client.Timeout exceeded while reading body" in error_of(connected(request_timeout="500ms")).message


LIMITS = [("1", [0.5]), ("3500ms", [0.5, 1]), ("3600ms", [0.5, 1, 2]), ("1h", [0.5, 1, 2, 4]), ("0", [0.5, 1, 2, 4])]


@pytest.mark.parametrize(("limit", "pauses"), LIMITS)
def test_a_request_with_its_pauses_stays_within_the_time_limit(
    server: FakeServer, kubeconfig: Any, limit: str, pauses: list[float]
) -> None:
    # within 3.5 s there is room for 0.5 and 1 (1.5 in all), not for 2 more; a limit of 1 s ends before the second
    server.always(NODES, failure(503, "ServiceUnavailable", "later"))
    naps: list[float] = []
    policy = RetryPolicy(sleep=naps.append, clock=lambda: sum(naps))
    options = ConnectionOptions(kubeconfig=str(kubeconfig(server.url)), request_timeout=limit)
    assert error_of(connect(options, environ={}, retry=policy)).message.endswith("later")
    assert naps == pauses


def test_without_request_timeout_a_slow_server_is_waited_for(server: FakeServer, connected: Any) -> None:
    server.fail(NODES, Reply(200, b'{"kind": "NodeList"}', wait=0.3))
    assert connected().get(NODES) == {"kind": "NodeList"}


@pytest.mark.parametrize("text", ["abc", "5x", "-5", "1,5s", "5 s", "١", "1e3s"])
def test_a_request_timeout_that_is_no_duration_is_wrong_usage(text: str) -> None:
    with pytest.raises(LlmfitError, match="--request-timeout") as caught:
        to("https://127.0.0.1:1", request_timeout=text)
    assert caught.value.exit_code == ExitCode.USAGE


def test_a_dead_proxy_is_named_without_its_password(server: FakeServer, kubeconfig: Any) -> None:
    path = kubeconfig(server.url, cluster={"proxy-url": "http://me:hunter2@127.0.0.1:1"})
    error = error_of(connect(ConnectionOptions(kubeconfig=str(path)), environ={}))
    assert error.message == "Unable to connect to the server: proxyconnect tcp: the proxy 127.0.0.1:1 failed"


@pytest.mark.parametrize("proxy", ["::bad", "ftp://127.0.0.1:1", "ftp://me:hunter2@127.0.0.1:1"])
def test_a_proxy_of_an_unknown_kind_is_refused_without_its_password(
    server: FakeServer, kubeconfig: Any, proxy: str
) -> None:
    path = kubeconfig(server.url, cluster={"proxy-url": proxy})
    with pytest.raises(ClusterError) as caught:
        connect(ConnectionOptions(kubeconfig=str(path)), environ={})
    shown = proxy.rpartition("@")[2]
    assert caught.value.message == (
        f'invalid \'proxy-url\' "{shown}" for cluster "fake": must be a URL with http, https, or socks5'
    )


@pytest.mark.parametrize("proxy", ["http://me:hunter2@::bad", "http://[", "http://a:99999"])
def test_a_proxy_that_is_no_address_is_an_error_without_its_password(
    server: FakeServer, kubeconfig: Any, proxy: str
) -> None:
    path = kubeconfig(server.url, cluster={"proxy-url": proxy})
    message = error_of(connect(ConnectionOptions(kubeconfig=str(path)), environ={})).message
    assert message == f"the proxy {proxy.rpartition('@')[2]} is no URL of a proxy"


def test_the_kubeconfigs_proxy_beats_no_proxy(
    server: FakeServer, kubeconfig: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    path = kubeconfig(server.url, cluster={"proxy-url": "http://127.0.0.1:1"})
    assert "proxyconnect tcp" in error_of(connect(ConnectionOptions(kubeconfig=str(path)), environ={})).message


def test_a_proxy_of_the_environment_is_not_used_for_a_loopback_server(
    server: FakeServer, connected: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")  # neither the process's nor the one that is handed over
    connection = connect(
        ConnectionOptions(server=server.url, insecure_skip_tls_verify=True),
        environ={"HTTPS_PROXY": "http://127.0.0.1:1"},
    )
    assert connected().get("/version")
    assert connection.get("/version")


def test_a_proxy_of_the_environment_is_used_for_any_other_server() -> None:
    environ = {"HTTPS_PROXY": "http://me:hunter2@127.0.0.1:1"}
    error = error_of(connect(ConnectionOptions(server="https://cluster.example:6443"), environ=environ))
    assert error.message == "Unable to connect to the server: proxyconnect tcp: the proxy 127.0.0.1:1 failed"


def test_a_socks_proxy_says_which_package_it_needs(server: FakeServer, kubeconfig: Any) -> None:
    path = kubeconfig(server.url, cluster={"proxy-url": "socks5://me:hunter2@127.0.0.1:1080"})
    error = error_of(connect(ConnectionOptions(kubeconfig=str(path)), environ={}))
    assert "PySocks" in error.message
    assert "hunter2" not in error.message


def test_a_token_with_a_line_break_is_an_error_that_does_not_show_it(server: FakeServer) -> None:
    error = error_of(to(server.url, token=f"{TOKEN}\nX-Injected: 1", insecure_skip_tls_verify=True))
    assert "cannot be sent" in error.message


def test_impersonation_is_sent_with_every_group_by_itself(server: FakeServer, connected: Any) -> None:
    connected(as_user="reader", as_groups=("team-a", "team-b"), as_uid="7").get("/version")
    request = server.requests[0]
    assert request.header("Impersonate-User") == ["reader"]
    assert request.header("Impersonate-Group") == ["team-a", "team-b"]
    assert request.header("Impersonate-Uid") == ["7"]


def test_impersonation_that_is_no_list_is_refused(server: FakeServer, kubeconfig: Any) -> None:
    path = kubeconfig(server.url, {"token": TOKEN, "as": "joe", "as-user-extra": {"scopes": "view"}})
    with pytest.raises(ClusterError, match="as-user-extra of jane must have a list for each key"):
        connect(ConnectionOptions(kubeconfig=str(path)), environ={})


def test_impersonation_of_the_kubeconfig_is_sent(server: FakeServer, kubeconfig: Any) -> None:
    user = {"token": TOKEN, "as": "reader", "as-groups": ["g"], "as-user-extra": {"scopes": ["view", "edit"]}}
    path = kubeconfig(server.url, user)
    connect(ConnectionOptions(kubeconfig=str(path)), environ={}).get("/version")
    request = server.requests[0]
    assert request.header("Impersonate-User") == ["reader"]
    assert request.header("Impersonate-Group") == ["g"]
    assert request.header("Impersonate-Extra-scopes") == ["view", "edit"]


def test_basic_authentication_and_token_files_work(server: FakeServer, kubeconfig: Any, tmp_path: Path) -> None:
    path = kubeconfig(server.url, {"username": "jane", "password": "pw"})
    connect(ConnectionOptions(kubeconfig=str(path)), environ={}).get("/version")
    (tmp_path / "token").write_text("from-file\n")
    path = kubeconfig(server.url, {"tokenFile": "token"})
    connect(ConnectionOptions(kubeconfig=str(path)), environ={}).get("/version")
    # base64("jane:pw") = amFuZTpwdw==
    assert [request.header("Authorization") for request in server.requests] == [
        ["Basic amFuZTpwdw=="],
        ["Bearer from-file"],
    ]


def test_client_certificates_are_shown_from_files_and_from_data(kubeconfig: Any) -> None:
    files = {"client-certificate": str(CERTIFICATE), "client-key": str(KEY)}
    data = {f"{name}-data": base64.b64encode(Path(path).read_bytes()).decode() for name, path in files.items()}
    with FakeServer(worlds.answers(), client_certificates=True) as strict:
        for user in (files, data):
            path = kubeconfig(strict.url, user)
            assert connect(ConnectionOptions(kubeconfig=str(path)), environ={}).get("/version")
        path = kubeconfig(strict.url, {"token": TOKEN})
        error_of(connect(ConnectionOptions(kubeconfig=str(path)), environ={}, retry=RetryPolicy(attempts=1)))


@pytest.mark.parametrize(
    ("user", "words"),
    [
        ({"client-certificate": "gone.crt", "client-key": "gone.key"}, "unable to read client-certificate "),
        (
            {"client-certificate-data": "!", "client-key-data": "!"},
            "client-certificate-data of the kubeconfig is no base64 text",
        ),
        (
            {"client-certificate-data": "anVuaw==", "client-key-data": "anVuaw=="},
            "tls: failed to find any PEM data in certificate input",
        ),
        ({"tokenFile": "gone"}, "unable to read tokenFile "),
        ({"auth-provider": {"name": "oidc", "config": 5}}, "config of the auth-provider oidc must be a map"),
        ({"auth-provider": {"name": "oidc"}}, "Must provide idp-issuer-url"),
    ],
)
def test_credentials_that_cannot_be_used_are_an_error_and_nothing_is_sent(
    server: FakeServer, kubeconfig: Any, user: dict[str, str], words: str
) -> None:
    path = kubeconfig(server.url, user)
    assert error_of(connect(ConnectionOptions(kubeconfig=str(path)), environ={})).message.startswith(words)
    assert server.requests == []


def test_a_pod_connects_with_its_service_account(
    server: FakeServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "token").write_text("pod-token\n")
    (tmp_path / "ca.crt").write_bytes(CERTIFICATE.read_bytes())
    monkeypatch.setattr(kubeconfig_module, "SERVICE_ACCOUNT_FOLDER", str(tmp_path))
    host, _, port = server.host.partition(":")
    environ = {"HOME": str(tmp_path), "KUBERNETES_SERVICE_HOST": host, "KUBERNETES_SERVICE_PORT": port}
    assert connect(ConnectionOptions(), environ=environ).get("/version")
    assert server.requests[0].header("Authorization") == ["Bearer pod-token"]


def test_a_rotated_token_file_is_read_again_after_a_401(server: FakeServer, kubeconfig: Any, tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("old")

    def nodes(request: Any) -> Any:
        token.write_text("new")
        fresh = request.header("Authorization") == ["Bearer new"]
        return worlds.answers()[NODES] if fresh else failure(401, "Unauthorized", "Unauthorized")

    server.answers[NODES] = nodes
    path = kubeconfig(server.url, {"tokenFile": "token"})
    assert connect(ConnectionOptions(kubeconfig=str(path)), environ={}).get(NODES)["kind"] == "NodeList"


def test_a_write_is_not_sent_twice_when_the_connection_breaks(server: FakeServer, connected: Any) -> None:
    server.always("/thing", Reply(drop=True))
    with pytest.raises(UnreachableError):
        connected().request("PATCH", "/thing", body="{}", content_type="application/apply-patch+yaml")
    assert len(server.asked("/thing")) == 1


def test_the_users_kubeconfig_is_never_written(server: FakeServer, kubeconfig: Any) -> None:
    path = kubeconfig(server.url)
    before = (path.read_bytes(), os.stat(path).st_mtime_ns)
    connect(ConnectionOptions(kubeconfig=str(path)), environ={}).get("/version")
    assert (path.read_bytes(), os.stat(path).st_mtime_ns) == before


def test_what_the_server_warns_of_is_handed_on_once(server: FakeServer, kubeconfig: Any) -> None:
    headers = {
        "Content-Type": "application/json",
        "Warning": '299 - "v1beta1 is deprecated, says \\"1.40\\"", 299 kube "another", 199 - "a cache"',
    }
    server.always(NODES, Reply(200, b"{}", headers))
    told: list[str] = []
    options = ConnectionOptions(kubeconfig=str(kubeconfig(server.url)))
    connection = connect(options, environ={}, retry=RetryPolicy(sleep=lambda _: None), warn=told.append)
    for _ in range(2):
        connection.get(NODES)
    assert told == ['v1beta1 is deprecated, says "1.40"', "another"]
