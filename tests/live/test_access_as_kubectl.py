"""The real kubectl and this program, with the same kubeconfig, the same flags and the same server, ask the same way.

Judged: whether the request is made at all, its path, who it says is asking, and the certificate that is shown. Where
kubectl refuses, so do we, and nothing is sent. Exceptions stand at the end, each with its reason.
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from controlplane.build import LIVE, NotBuiltError, programs
from fakes import worlds
from fakes.api_server import CERTIFICATE, FOLDER, KEY, FakeServer
from fakes.proxy import FakeProxy
from kubectl_llmfit.app import group, invoke
from kubectl_llmfit.arguments import normalise
from kubectl_llmfit.cli import snapshot
from kubectl_llmfit.cli.cluster import connect
from kubectl_llmfit.cli.options import ConnectionFlags
from kubectl_llmfit.cluster.kubeconfig import load_kubeconfig
from kubectl_llmfit.errors import LlmfitError, UsageError

V1 = "client.authentication.k8s.io/v1"
TOLD = ("authorization", "impersonate-", "accept-encoding")
INTERMEDIATE, LEAF, ENCRYPTED = (FOLDER / name for name in ("intermediate.crt", "leaf.crt", "encrypted.key"))


def data(path: Path) -> str:
    return base64.b64encode(path.read_bytes()).decode()


def plugin(script: str, **more: Any) -> dict[str, Any]:
    return {"exec": {"apiVersion": V1, "command": "sh", "args": ["-c", script], "interactiveMode": "Never", **more}}


def credential(version: str = V1, **status: str) -> str:
    return f"echo '{json.dumps({'apiVersion': version, 'kind': 'ExecCredential', 'status': status})}'"


def oidc(**config: str) -> dict[str, Any]:
    return {"auth-provider": {"name": "oidc", "config": {"idp-issuer-url": "https://127.0.0.1:1", **config}}}


def jwt(**claims: int) -> str:
    def part(value: dict[str, int]) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    return f"{part({})}.{part(claims)}.c2ln"


BETA = "client.authentication.k8s.io/v1beta1"
LOGIN = credential(token="from-plugin")
PAIR_DATA = {"client-certificate-data": data(CERTIFICATE), "client-key-data": data(KEY)}
PAIR = credential(clientCertificateData=CERTIFICATE.read_text(), clientKeyData=KEY.read_text())
PAIR_FILES = {"client-certificate": str(CERTIFICATE), "client-key": str(KEY)}
PRINTED = json.dumps({"apiVersion": V1, "kind": "ExecCredential", "status": {"token": "$WHO"}}).replace('"', '\\"')
WHO = plugin(f'echo "{PRINTED}"')
FOREVER = jwt(exp=4102444800)  # 2100-01-01
TOKEN = {"token": "tok"}


@dataclass(frozen=True)
class Case:
    """One kubeconfig and its flags. A cluster field of None is left out; {url} and {host} stand for the server's."""

    user: dict[str, Any] = field(default_factory=lambda: dict(TOKEN))
    cluster: dict[str, Any] = field(default_factory=dict)
    context: dict[str, Any] = field(default_factory=dict)
    flags: Sequence[str] = ()
    tls: bool = True
    asks_certificate: bool = False
    certificate: Path = CERTIFICATE


CASES = {
    "a token": Case(),
    "a token with a line break": Case({"token": "tok\n"}),
    "basic": Case({"username": "jane", "password": "pw"}),
    "basic without a password": Case({"username": "jane"}),
    "basic beyond ASCII": Case({"username": "jürgen", "password": "pä"}),
    "a token and basic": Case({"token": "tok", "username": "jane", "password": "pw"}),
    "a token and a plugin": Case({"token": "tok", **plugin(LOGIN)}),
    "basic and a plugin": Case({"username": "jane", "password": "pw", **plugin(LOGIN)}),
    "a certificate and a plugin": Case({**PAIR_DATA, **plugin(LOGIN)}, asks_certificate=True),
    "a plugin": Case(plugin(LOGIN)),
    "a plugin's certificate": Case(plugin(f"printf '%s' {PAIR.removeprefix('echo ')}"), asks_certificate=True),
    "a plugin and a provider": Case({**plugin(LOGIN), **oidc()}),
    "a plugin without a mode": Case({"exec": {"apiVersion": V1, "command": "sh", "args": ["-c", LOGIN]}}),
    "a beta plugin without a mode": Case(
        {"exec": {"apiVersion": BETA, "command": "sh", "args": ["-c", credential(BETA, token="t")]}}
    ),
    "a plugin that must ask": Case(plugin(LOGIN, interactiveMode="Always")),
    "a plugin that may ask": Case(plugin(LOGIN, interactiveMode="IfAvailable")),
    "a plugin of an unknown mode": Case(plugin(LOGIN, interactiveMode="Maybe")),
    "a plugin without a version": Case({"exec": {"command": "sh", "args": ["-c", LOGIN]}}),
    "an alpha plugin": Case(plugin(LOGIN, apiVersion="client.authentication.k8s.io/v1alpha1")),
    "a plugin that prints alpha": Case(plugin(credential("client.authentication.k8s.io/v1alpha1", token="t"))),
    "a plugin that fails": Case(plugin("echo please log in >&2; exit 3")),
    "a plugin that prints nothing": Case(plugin("true")),
    "a plugin without credentials": Case(plugin(credential())),
    "a plugin that does not exist": Case(plugin("", command="no-such-login", installHint="get \x1b[1mit")),
    "a plugin whose token has expired": Case(
        plugin(credential(token="old", expirationTimestamp="2020-01-01T00:00:00Z"))
    ),
    "the environment of a plugin": Case(
        {"exec": {**WHO["exec"], "env": [{"name": "WHO", "value": "a"}, {"name": "WHO", "value": "b"}]}}
    ),
    "certificate data": Case(PAIR_DATA, asks_certificate=True),
    "certificate files": Case(PAIR_FILES, asks_certificate=True),
    "a certificate without a key": Case({"client-certificate-data": data(CERTIFICATE)}, asks_certificate=True),
    "a key without a certificate": Case({"client-key-data": data(KEY)}),
    "a certificate twice": Case({**PAIR_DATA, "client-certificate": str(CERTIFICATE)}, asks_certificate=True),
    "a certificate of junk": Case({"client-certificate-data": "anVuaw==", "client-key-data": data(KEY)}),
    "a certificate that is no base64": Case({"client-certificate-data": "###", "client-key-data": data(KEY)}),
    "an encrypted key": Case(
        {"client-certificate": str(CERTIFICATE), "client-key": str(ENCRYPTED)}, asks_certificate=True
    ),
    "an authority as data": Case(
        cluster={"certificate-authority": None, "certificate-authority-data": data(CERTIFICATE)}
    ),
    "an authority twice": Case(cluster={"certificate-authority-data": data(CERTIFICATE)}),
    "an authority of junk": Case(cluster={"certificate-authority": None, "certificate-authority-data": "anVuaw=="}),
    "an authority that is not there": Case(cluster={"certificate-authority": "/nonexistent"}),
    "an intermediate authority": Case(cluster={"certificate-authority": str(INTERMEDIATE)}, certificate=LEAF),
    "no authority": Case(cluster={"certificate-authority": None}),
    "insecure with an authority": Case(cluster={"insecure-skip-tls-verify": True}),
    "insecure": Case(cluster={"insecure-skip-tls-verify": True, "certificate-authority": None}),
    "the insecure flag": Case(flags=["--insecure-skip-tls-verify"]),
    "the authority flag": Case(
        cluster={"certificate-authority": None}, flags=["--certificate-authority", str(CERTIFICATE)]
    ),
    "a server name": Case(cluster={"tls-server-name": "localhost"}),
    "another server name": Case(cluster={"tls-server-name": "elsewhere"}),
    "a server name by flag": Case(cluster={"tls-server-name": "elsewhere"}, flags=["--tls-server-name", "localhost"]),
    "impersonation": Case(
        {**TOKEN, "as": "reader", "as-uid": "7", "as-groups": ["a", "b"], "as-user-extra": {"S/x y%": ["v w", "é"]}}
    ),
    "impersonation beyond ASCII": Case({**TOKEN, "as": "jürgen"}),
    "impersonating a group only": Case({**TOKEN, "as-groups": ["a"]}),
    "--as": Case({**TOKEN, "as": "x", "as-groups": ["a"], "as-user-extra": {"k": ["v"]}}, flags=["--as", "y"]),
    "--as-group": Case({**TOKEN, "as": "x", "as-groups": ["a"]}, flags=["--as-group", "b", "--as-group=c"]),
    "--as-uid": Case({**TOKEN, "as": "x", "as-uid": "1"}, flags=["--as-uid", "9"]),
    "--as-uid alone": Case(flags=["--as-uid", "9"]),
    "--as-user-extra": Case({**TOKEN, "as": "x"}, flags=["--as-user-extra", "k=v", "--as-user-extra=k=w=x"]),
    "impersonation without TLS": Case({**TOKEN, "as": "reader"}, tls=False),
    "a plugin without TLS": Case(plugin("exit 1"), tls=False),
    "basic without TLS": Case({"username": "jane", "password": "pw"}, tls=False),
    "--token": Case(plugin("exit 1"), flags=["--token", "flag"]),
    "--token over basic": Case({"username": "jane", "password": "pw"}, flags=["--token", "flag"]),
    "--token over a certificate": Case(PAIR_DATA, flags=["--token=flag"], asks_certificate=True),
    "--username and --password": Case({}, flags=["--username", "jane", "--password=pw"]),
    "certificate flags": Case(
        flags=["--client-certificate", str(CERTIFICATE), "--client-key", str(KEY)], asks_certificate=True
    ),
    "certificate flags over a plugin": Case(
        plugin("exit 1"),
        flags=["--client-certificate", str(CERTIFICATE), "--client-key", str(KEY)],
        asks_certificate=True,
    ),
    "a token file": Case({"tokenFile": "token"}),
    "a token file that is not there": Case({"tokenFile": "gone"}),
    "a token and a file": Case({**TOKEN, "tokenFile": "token"}),
    "a token and a file that is not there": Case({**TOKEN, "tokenFile": "gone"}),
    "no compression": Case(cluster={"disable-compression": True}),
    "--disable-compression": Case(flags=["--disable-compression"]),
    "an unknown user": Case(context={"user": "gone"}),
    "an unknown cluster": Case(context={"cluster": "gone"}),
    "--user of nobody": Case(flags=["--user", "gone"]),
    "--cluster of nothing": Case(flags=["--cluster", "gone"]),
    "--context of nothing": Case(flags=["--context", "gone"]),
    "--server": Case(cluster={"server": "https://127.0.0.1:1"}, flags=["--server", "{url}"]),
    "-s": Case(cluster={"server": "https://127.0.0.1:1"}, flags=["-s", "{url}"]),
    "a proxy of an unknown kind": Case(cluster={"proxy-url": "ftp://127.0.0.1:1"}),
    "a dead proxy": Case(cluster={"proxy-url": "http://127.0.0.1:1"}),
    "a path": Case(cluster={"server": "{url}/k8s/clusters/c-1"}),
    "a path with a query": Case(cluster={"server": "{url}/k8s/?x=1#f"}),
    "a trailing slash": Case(cluster={"server": "{url}/"}),
    "a bare host": Case(cluster={"server": "{host}"}),
    "a bare host without TLS": Case(cluster={"server": "{host}"}, tls=False),
    "a provider that was removed": Case({"auth-provider": {"name": "gcp"}}),
    "an unknown provider": Case({"auth-provider": {"name": "foo"}}),
    "OIDC": Case(oidc(**{"client-id": "c", "id-token": FOREVER})),
    "OIDC without an end": Case(oidc(**{"client-id": "c", "id-token": jwt()})),
    "OIDC without a refresh token": Case(oidc(**{"client-id": "c", "id-token": jwt(exp=1)})),
    "OIDC of a dead issuer": Case(oidc(**{"client-id": "c", "id-token": jwt(exp=1), "refresh-token": "r"})),
    "OIDC without a client": Case(oidc(**{"id-token": FOREVER})),
    "OIDC that is no JWT": Case(oidc(**{"client-id": "c", "id-token": "abc"})),
    "OIDC and a token": Case({**TOKEN, **oidc(**{"client-id": "c", "id-token": "abc"})}),
    **{
        f"--request-timeout={text}": Case(flags=[f"--request-timeout={text}"])
        for text in ("0", "30", "+5", "-5", "5s", "+5s", "-5s", "1h5m", "1.5", "1.5h", "5d", "", "1e3s", "0x5", "00")
    },
}


@pytest.fixture(scope="module")
def kubectl() -> Path:
    try:
        return programs(*LIVE)["kubectl"]
    except NotBuiltError as error:
        if os.environ.get("KUBECTL_LLMFIT_REQUIRE_LIVE"):
            raise
        pytest.skip(str(error))


def written(case: Case, server: FakeServer, folder: Path) -> Path:
    """The case's kubeconfig, and beside it what it refers to."""
    authority = {"certificate-authority": str(CERTIFICATE)} if case.tls else {}
    fields = {"server": "{url}", **authority, **case.cluster}
    cluster = {key: filled(value, server) for key, value in fields.items() if value is not None}
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "dev",
        "clusters": [{"name": "fake", "cluster": cluster}],
        "users": [{"name": "jane", "user": case.user}],
        "contexts": [{"name": "dev", "context": {"cluster": "fake", "user": "jane", **case.context}}],
    }
    (folder / "token").write_text("from-file\n")
    (folder / "config").write_text(json.dumps(document))
    return folder / "config"


def filled(value: Any, server: FakeServer) -> Any:
    return value.replace("{url}", server.url).replace("{host}", server.host) if isinstance(value, str) else value


def asked(server: FakeServer) -> list[tuple[str, list[tuple[str, str]]]]:
    """Path and telling headers of every request since the last time."""
    found = []
    for request in server.requests:
        headers = [(name.lower(), value) for name, value in request.headers if name.lower().startswith(TOLD)]
        found.append((request.path, sorted(headers)))
    server.requests.clear()
    return found


def flags_of(words: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> ConnectionFlags:
    """The flags as the program itself reads them, by way of a command that does nothing else with them."""
    seen: list[ConnectionFlags] = []

    def remember(flags: ConnectionFlags) -> None:
        seen.append(flags)
        raise UsageError("seen")

    monkeypatch.setattr(snapshot, "connect", remember)
    commands = group("snapshot")
    with pytest.raises(UsageError, match="seen"):
        invoke(commands, "kubectl llmfit", normalise(["snapshot", *words], commands))
    return seen[0]


@pytest.mark.parametrize("name", CASES)
def test_the_same_kubeconfig_makes_the_same_request(
    kubectl: Path, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = CASES[name]
    with FakeServer(
        worlds.answers(), tls=case.tls, client_certificates=case.asks_certificate, certificate=case.certificate
    ) as server:
        for prefix in ("/k8s/clusters/c-1", "/k8s"):
            server.answers[f"{prefix}/version"] = {"gitVersion": "v1"}
        path = written(case, server, tmp_path)
        words = [filled(word, server) for word in case.flags]
        environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "KUBECONFIG": str(path)}
        theirs = subprocess.run(
            [kubectl, "get", "--raw", "/version", *words],
            env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        )  # fmt: skip
        their_requests = asked(server)
        before = path.read_bytes()
        monkeypatch.setenv("KUBECONFIG", str(path))
        try:
            connect(flags_of(words, monkeypatch)).get("/version")
            message = None
        except LlmfitError as error:
            message = error.message
        our_requests = asked(server)
    assert (message is None) == (theirs.returncode == 0), f"kubectl: {theirs.stderr}\nours: {message}"
    assert our_requests == their_requests
    assert path.read_bytes() == before


FILES = {
    "one": """
current-context: ""
clusters:
- {name: shared, cluster: {server: "https://one", certificate-authority: certs/ca.crt}}
users:
- {name: jane, user: {token: one}}
contexts: []
preferences: {}
""",
    "two": """
apiVersion: v1
kind: Config
current-context: second
clusters:
- {name: shared, cluster: {server: "https://two", tls-server-name: two}}
- {name: two, cluster: {server: "https://two"}}
users:
- {name: jane, user: {username: two, password: pw}}
- {name: joe, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: ./bin/login, interactiveMode: Never}}}
- {name: plain, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: login, interactiveMode: Never}}}
- {name: file, user: {tokenFile: token, client-certificate: ../crt, client-key: /abs/key}}
contexts:
- {name: second, context: {cluster: shared, user: joe, namespace: team-a}}
""",
    "three": "current-context: third\ncontexts:\n- {name: second, context: {cluster: two, user: jane}}\n",
    "empty": "",
    "comment": "# nothing\n",
}


MERGED = ["one:two", "two:one", "one:two:three", "three:two:one", "missing:two", "two:", ":two", "empty:two"]
MERGED += ["comment:one", "two:two", "one:empty:three"]


@pytest.mark.parametrize("files", MERGED)
def test_several_files_are_merged_as_kubectl_merges_them(kubectl: Path, files: str, tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "config").write_text(text)
    value = os.pathsep.join(str(tmp_path / name / "config") if name else "" for name in files.split(":"))
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "KUBECONFIG": value}
    done = subprocess.run(
        [kubectl, "config", "view", "--raw", "-o", "json"], env=environment, capture_output=True, text=True, check=True
    )
    theirs = json.loads(done.stdout)
    ours = load_kubeconfig(None, environment)
    assert (ours.current_context or "") == theirs["current-context"]
    for section, entries in (("clusters", ours.clusters), ("users", ours.users), ("contexts", ours.contexts)):
        listed = {each["name"]: each[section[:-1]] for each in theirs[section] or []}
        assert set(entries) == set(listed)
        for name, entry in entries.items():
            assert set(entry) == set(listed[name])
            for key, value in entry.items():
                ours_shown, shown = (each["command"] if key == "exec" else each for each in (value, listed[name][key]))
                assert ours_shown == shown or ours_shown in starting_points(tmp_path, shown)


def starting_points(folder: Path, shown: str) -> list[str]:
    """What a relative path means (``config view`` shows it as it stands) from each of the files' folders."""
    return [os.path.normpath(folder / name / shown) for name in FILES]


EXCEPTIONS = ["", "*", "cluster.example", ".cluster.example", "example", "cluster.example:6443", "cluster.example:1"]


@pytest.mark.parametrize("exceptions", EXCEPTIONS)
def test_the_environment_chooses_a_proxy_as_in_kubectl(
    kubectl: Path, exceptions: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name does not exist: only a proxy reaches it."""
    with FakeServer(worlds.answers()) as server, FakeProxy(server.host) as proxy:
        case = Case(cluster={"server": "https://api.cluster.example:6443", "tls-server-name": "localhost"})
        path = written(case, server, tmp_path)
        variables = {"HTTPS_PROXY": f"http://me:p%40ss@{proxy.host}", "NO_PROXY": exceptions, "KUBECONFIG": str(path)}
        environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), **variables}
        theirs = subprocess.run(
            [kubectl, "get", "--raw", "/version"], env=environment, capture_output=True, text=True, check=False
        )
        their_requests, their_proxies = asked(server), list(proxy.asked)
        proxy.asked.clear()
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        try:
            connect(ConnectionFlags()).get("/version")
            reached = True
        except LlmfitError:
            reached = False
        assert (reached, asked(server), proxy.asked) == (theirs.returncode == 0, their_requests, their_proxies)


def test_where_kubectl_would_ask_for_a_user_name_we_ask_the_server_anonymously(tmp_path: Path) -> None:
    """No API server since 1.19 takes what kubectl would ask for; a user without credentials is taken at its word."""
    with FakeServer(worlds.answers()) as server:
        path = written(Case({}), server, tmp_path)
        assert connect(ConnectionFlags(kubeconfig=str(path))).get("/version")
        assert [headers for _, headers in asked(server)] == [[("accept-encoding", "gzip")]]
