"""Which server and user are chosen: kubectl's rules for files, contexts, flags and pods."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from kubectl_llmfit.cluster import kubeconfig as module
from kubectl_llmfit.cluster.kubeconfig import Target, load_kubeconfig, resolve
from kubectl_llmfit.cluster.options import ConnectionOptions
from kubectl_llmfit.errors import ClusterError, ExitCode

ONE = """
apiVersion: v1
kind: Config
clusters:
- {name: shared, cluster: {server: "https://one:6443"}}
- {name: ca, cluster: {server: "https://one:6443", certificate-authority: certs/ca.crt}}
users:
- {name: jane, user: {token: one}}
contexts:
- {name: first, context: {cluster: shared, user: jane, namespace: team-a}}
- {name: with-ca, context: {cluster: ca, user: jane}}
- {name: no-cluster, context: {cluster: gone, user: jane}}
- {name: no-user, context: {cluster: shared, user: gone}}
- {name: nobody, context: {cluster: shared}}
"""
TWO = """
current-context: second
clusters:
- {name: shared, cluster: {server: "https://two:6443"}}
- {name: serverless, cluster: {}}
users:
- {name: jane, user: {token: two}}
- {name: joe, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: bin/login}}}
contexts:
- {name: second, context: {cluster: shared, user: joe}}
- {name: serverless, context: {cluster: serverless, user: jane}}
"""


@pytest.fixture
def files(tmp_path: Path) -> str:
    (tmp_path / "one").write_text(ONE)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "two").write_text(TWO)
    return f"{tmp_path}/one{os.pathsep}{tmp_path}/sub/two"


def target(files: str, **options: Any) -> Target:
    environ = {"KUBECONFIG": files}
    chosen = ConnectionOptions(**options)
    return resolve(load_kubeconfig(chosen.kubeconfig, environ), chosen, environ)


def refusal(files: str, **options: Any) -> str:
    with pytest.raises(ClusterError) as caught:
        target(files, **options)
    assert caught.value.exit_code == ExitCode.CLUSTER
    return caught.value.message


def test_the_current_context_may_stand_in_the_second_file(files: str) -> None:
    assert target(files).context == "second"


def test_the_first_file_that_has_a_name_wins_it(files: str) -> None:
    chosen = target(files, context="first")
    assert chosen.cluster["server"] == "https://one:6443"
    assert chosen.user["token"] == "one"


def test_the_first_current_context_wins(files: str, tmp_path: Path) -> None:
    (tmp_path / "one").write_text(ONE + "current-context: first\n")
    assert target(files).context == "first"


def test_missing_and_empty_files_and_a_trailing_colon_are_skipped(files: str, tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("")
    every = os.pathsep.join([f"{tmp_path}/missing", f"{tmp_path}/empty", files, ""])
    assert target(every).context == "second"


def test_the_namespace_is_the_flags_else_the_contexts_else_default(files: str) -> None:
    assert target(files, context="first", namespace="other").namespace == "other"
    assert target(files, context="first").namespace == "team-a"
    assert target(files, context="with-ca").namespace == "default"


def test_relative_paths_start_at_their_own_file(files: str, tmp_path: Path) -> None:
    assert target(files, context="with-ca").cluster["certificate-authority"] == f"{tmp_path}/certs/ca.crt"
    assert target(files).user["exec"]["command"] == f"{tmp_path}/sub/bin/login"


def test_flags_choose_cluster_and_user_without_their_context(files: str) -> None:
    chosen = target(files, context="second", cluster="ca", user="jane")
    assert "certificate-authority" in chosen.cluster
    assert chosen.user == {"token": "one"}


def test_server_and_token_beat_the_files(files: str) -> None:
    chosen = target(files, server="https://flag:1", token="mine")
    assert chosen.cluster["server"] == "https://flag:1"
    assert chosen.user == {"token": "mine"}


def test_a_server_flag_drops_the_tls_server_name(tmp_path: Path) -> None:
    (tmp_path / "c").write_text(
        "current-context: x\ncontexts: [{name: x, context: {cluster: x}}]\n"
        "clusters: [{name: x, cluster: {server: 'https://a', tls-server-name: b}}]\n"
    )
    assert not target(f"{tmp_path}/c", server="https://other").cluster.get("tls-server-name")


def test_skipping_verification_drops_the_authority(files: str) -> None:
    chosen = target(files, context="with-ca", insecure_skip_tls_verify=True)
    assert not chosen.cluster["certificate-authority"]


def test_a_bare_host_means_http_whatever_is_configured_for_tls(files: str) -> None:
    assert target("", server="127.0.0.1:8080").cluster["server"] == "http://127.0.0.1:8080"
    chosen = target("", server="127.0.0.1:6443", insecure_skip_tls_verify=True, token="t")
    assert chosen.cluster["server"] == "http://127.0.0.1:6443"
    assert chosen.user == {}


def test_a_query_is_no_part_of_a_server_but_a_path_is() -> None:
    assert target("", server="https://a/k8s/clusters/c-1/?x=1#y").cluster["server"] == "https://a/k8s/clusters/c-1"


@pytest.mark.parametrize("server", ["https://", "http://[", ":::", "https://a b", "https://a:99999", "ftp://a", "a:b"])
def test_what_is_no_address_of_a_server_is_refused_in_kubectls_words(server: str) -> None:
    assert refusal("", server=server) == f'host must be a URL or a host:port pair: "{server}"'


def test_a_refused_address_does_not_show_its_password() -> None:
    assert refusal("", server="https://me:hunter2@a b") == 'host must be a URL or a host:port pair: "a b"'


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"context": "nope"}, 'context "nope" does not exist'),
        ({"cluster": "nope"}, 'cluster "nope" does not exist'),
        ({"user": "nope"}, 'auth info "nope" does not exist'),
        ({"context": "no-cluster"}, 'cluster "gone" was not found for context "no-cluster"'),
        ({"context": "no-user"}, 'user "gone" was not found for context "no-user"'),
        ({"context": "serverless"}, 'cluster "serverless" has no server defined'),
        ({"kubeconfig": "/nonexistent/config"}, "stat /nonexistent/config: no such file or directory"),
        (
            {"as_groups": ("admins",)},
            "requesting uid, groups or user-extra for joe without impersonating a user",
        ),
    ],
)
def test_what_does_not_exist_is_refused_in_kubectls_words(files: str, options: Any, words: str) -> None:
    assert refusal(files, **options) == words


def test_a_context_without_a_user_is_anonymous(files: str) -> None:
    assert target(files, context="nobody").user == {}


def test_no_kubeconfig_at_all_is_said_with_where_it_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(ClusterError) as caught:
        resolve(load_kubeconfig(None, {"HOME": str(tmp_path)}), ConnectionOptions(), {})
    assert caught.value.message.startswith("no configuration has been provided")
    assert f"{tmp_path}/.kube/config" in str(caught.value.hint)


def test_no_current_context_lists_the_contexts(tmp_path: Path) -> None:
    (tmp_path / "c").write_text(ONE)
    with pytest.raises(ClusterError) as caught:
        target(f"{tmp_path}/c")
    assert caught.value.message == "no context chosen: current-context is not set"
    assert "first, no-cluster, no-user, nobody, with-ca" in str(caught.value.hint)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (": bad [", "yaml: line 1: did not find expected key"),
        ("[]", "not a kubeconfig"),
        ("kind: Pod\napiVersion: v1", "not a kubeconfig"),
        ("clusters: [{name: a, cluster: {}}, {name: a, cluster: {}}]", 'duplicate name "a" in list of clusters'),
        ("users: [token-in-the-wrong-place]", "users must have a name and a user each"),
        ("clusters: {a: b}", "clusters must be a list"),
        ("clusters: 5", "clusters must be a list"),
        ("current-context: [a]", "current-context must be a string"),
        ("clusters: [{name: a, cluster: {server: 5}}]", 'server of the cluster "a" has the wrong type'),
        ("users: [{name: a, user: {exec: login}}]", 'exec of the user "a" has the wrong type'),
    ],
)
def test_a_damaged_kubeconfig_is_named_without_its_contents(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "bad"
    path.write_text(text)
    message = refusal(str(path))
    assert message.startswith(f'error loading config file "{path}": ')
    assert words in message
    assert "token-in-the-wrong-place" not in message


def test_binary_and_folders_are_no_kubeconfig(tmp_path: Path) -> None:
    (tmp_path / "bin").write_bytes(b"\xff\x00\x80")
    assert "not text in UTF-8" in refusal(f"{tmp_path}/bin")
    assert "Is a directory" in refusal(str(tmp_path))


@pytest.fixture
def pod(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A pod's service account and environment."""
    for name, text in (("token", "pod-token\n"), ("ca.crt", "ca"), ("namespace", "pod-namespace\n")):
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(module, "SERVICE_ACCOUNT_FOLDER", str(tmp_path))
    return {"HOME": str(tmp_path), "KUBERNETES_SERVICE_HOST": "fd00::1", "KUBERNETES_SERVICE_PORT": "443"}


def test_without_any_kubeconfig_a_pod_uses_its_service_account(pod: dict[str, str], tmp_path: Path) -> None:
    chosen = resolve(load_kubeconfig(None, pod), ConnectionOptions(), pod)
    assert chosen.in_cluster
    assert chosen.context is None
    assert chosen.cluster == {"server": "https://[fd00::1]:443", "certificate-authority": f"{tmp_path}/ca.crt"}
    assert chosen.user == {"tokenFile": f"{tmp_path}/token"}
    assert chosen.namespace == "pod-namespace"


def test_impersonation_holds_in_a_pod_too(pod: dict[str, str]) -> None:
    chosen = resolve(load_kubeconfig(None, pod), ConnectionOptions(as_user="reader"), pod)
    assert chosen.user["as"] == "reader"


def test_a_kubeconfig_beats_the_pod(pod: dict[str, str], files: str) -> None:
    environ = {**pod, "KUBECONFIG": files}
    assert resolve(load_kubeconfig(None, environ), ConnectionOptions(), environ).context == "second"
