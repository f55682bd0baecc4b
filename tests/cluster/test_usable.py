"""Entries of a kubeconfig that cannot be used together are refused before anything is read or sent."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.api_server import FakeServer
from kubectl_llmfit.cluster.connection import ConnectionOptions, connect
from kubectl_llmfit.cluster.discovery import collection_path, path_segment
from kubectl_llmfit.cluster.options import parse_user_extra
from kubectl_llmfit.errors import ClusterError, UsageError
from live.program import run_here

PAIR = {"client-certificate-data": "eA==", "client-key-data": "eA=="}


@pytest.mark.parametrize(
    ("user", "words"),
    [
        (
            {"token": "secret", "username": "jane"},
            "more than one authentication method found for jane; found [token basicAuth], only one is allowed",
        ),
        (
            {"client-certificate-data": "eA=="},
            "client-key-data or client-key must be specified for jane to use the clientCert authentication method",
        ),
        (
            {"client-key-data": "secret"},
            "client-certificate-data or client-certificate must be specified for jane: there is only a client-key",
        ),
        (
            {**PAIR, "client-certificate": "x"},
            "client-certificate-data and client-certificate are both specified for jane: only one is allowed",
        ),
        (
            {**PAIR, "client-key": "x"},
            "client-key-data and client-key are both specified for jane: only one is allowed",
        ),
        (
            {"exec": {"command": "x"}, "auth-provider": {"name": "oidc"}},
            "authProvider cannot be provided in combination with an exec plugin for jane",
        ),
        ({"as-groups": ["a"]}, "requesting uid, groups or user-extra for jane without impersonating a user"),
        ({"as": "x", "as-user-extra": {"k": "v"}}, "as-user-extra of jane must have a list for each key"),
    ],
)
def test_a_user_that_contradicts_itself_is_refused_in_kubectls_words(
    server: FakeServer, kubeconfig: Any, user: dict[str, Any], words: str
) -> None:
    path = kubeconfig(server.url, user)
    with pytest.raises(ClusterError) as caught:
        connect(ConnectionOptions(kubeconfig=str(path)), environ={})
    assert caught.value.message == words


def test_an_authority_in_a_file_and_as_data_is_refused(server: FakeServer, kubeconfig: Any) -> None:
    path = kubeconfig(server.url, cluster={"certificate-authority-data": "eA=="})
    with pytest.raises(ClusterError, match="certificate-authority are both specified for fake"):
        connect(ConnectionOptions(kubeconfig=str(path)), environ={})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("..", "[may not be '..']"),
        (".", "[may not be '.']"),
        ("ns/x", "[may not contain '/']"),
        ("a%2fb", "[may not contain '%']"),
    ],
)
def test_a_namespace_is_one_segment_of_a_path(server: FakeServer, kubeconfig: Any, text: str, words: str) -> None:
    answer = run_here("check-nodes", "resourceclaim/x", "-n", text, "--kubeconfig", kubeconfig(server.url))
    assert (answer.code, answer.stdout) == (2, "")
    assert answer.stderr == f'error: invalid namespace "{text}": {words}\n'


def test_what_else_stands_in_a_namespace_or_name_cannot_become_a_query() -> None:
    assert collection_path("nodes", "v1", "a?b#c d") == "/apis/resource.k8s.io/v1/namespaces/a%3Fb%23c%20d/nodes"
    assert path_segment("resource name", "ü?watch=1") == "%C3%BC%3Fwatch%3D1"


def test_user_extras_are_gathered_by_key() -> None:
    assert parse_user_extra(["scopes=view", "scopes=edit", "a=b=c"]) == {"scopes": ["view", "edit"], "a": ["b=c"]}


@pytest.mark.parametrize("text", ["scopes", "=view", ""])
def test_a_user_extra_without_a_key_is_wrong_usage(text: str) -> None:
    with pytest.raises(UsageError, match="--as-user-extra: must be KEY=VALUE"):
        parse_user_extra([text])
