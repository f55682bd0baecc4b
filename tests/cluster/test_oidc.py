"""OIDC tokens: used while they are valid, renewed when they are not, kept for the run and never written down."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from fakes.api_server import CERTIFICATE, FakeServer, Reply, Request
from kubectl_llmfit.cluster import oidc
from kubectl_llmfit.cluster.connection import Connection, ConnectionOptions, connect
from kubectl_llmfit.errors import ClusterError

DISCOVERY = "/.well-known/openid-configuration"
METADATA = "oidc: failed to query metadata endpoint"
CANNOT = "Unable to connect to the server: "


def jwt(expires_in: float, mark: str = "a") -> str:
    def part(value: dict[str, Any]) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    return f"{part({'alg': 'none'})}.{part({'exp': time.time() + expires_in, 'mark': mark})}.c2ln"


VALID, EXPIRED = jwt(3600), jwt(-60)


@pytest.fixture
def issuer() -> Iterator[FakeServer]:
    """An issuer that renews tokens."""
    with FakeServer({}) as running:
        running.answers[DISCOVERY] = {"token_endpoint": f"{running.url}/token"}
        running.answers["/token"] = {"id_token": jwt(3600, "renewed"), "refresh_token": "rotated", "token_type": "x"}
        yield running


@pytest.fixture
def as_user(server: FakeServer, issuer: FakeServer, kubeconfig: Any) -> Any:
    """``as_user(**config)``: a connection with these settings of the provider."""

    def make(**config: Any) -> Connection:
        settings = {
            "idp-issuer-url": issuer.url,
            "client-id": "kubectl",
            "client-secret": "s3cret",
            "idp-certificate-authority": str(CERTIFICATE),
            **config,
        }
        user = {"auth-provider": {"name": "oidc", "config": {key: value for key, value in settings.items() if value}}}
        return connect(ConnectionOptions(kubeconfig=str(kubeconfig(server.url, user))), environ={})

    return make


def sent(server: FakeServer) -> list[str]:
    return [value for request in server.requests for value in request.header("Authorization")]


def refusal(connection: Connection, server: FakeServer) -> str:
    with pytest.raises(ClusterError) as caught:
        connection.get("/version")
    assert server.requests == [], "never an anonymous request"
    assert not any(secret in caught.value.message for secret in ("s3cret", "refresh-me", EXPIRED))
    return caught.value.message


def test_a_valid_token_is_sent_and_the_issuer_is_not_asked(
    as_user: Any, server: FakeServer, issuer: FakeServer
) -> None:
    as_user(**{"id-token": VALID}).get("/version")
    assert sent(server) == [f"Bearer {VALID}"]
    assert issuer.requests == []


def test_an_expired_token_is_renewed_and_nothing_is_written(
    as_user: Any, server: FakeServer, issuer: FakeServer, tmp_path: Path
) -> None:
    connection = as_user(**{"id-token": EXPIRED, "refresh-token": "refresh-me"})
    before = (tmp_path / "config").read_bytes()
    connection.get("/version")
    renewed = issuer.answers["/token"]["id_token"]
    assert sent(server) == [f"Bearer {renewed}"]
    (asked,) = issuer.asked("/token")
    assert {key: value[0] for key, value in parse_qs(asked.body.decode()).items()} == {
        "grant_type": "refresh_token",
        "refresh_token": "refresh-me",
        "client_id": "kubectl",
        "client_secret": "s3cret",
    }
    assert (tmp_path / "config").read_bytes() == before


def test_a_token_that_expires_during_the_run_is_renewed_with_the_rotated_refresh_token(
    as_user: Any, server: FakeServer, issuer: FakeServer
) -> None:
    short, long = jwt(oidc._SPARE.total_seconds(), "short"), jwt(3600, "long")
    answers = iter([short, long])

    def token(_: Request) -> dict[str, str]:
        return {"id_token": next(answers), "refresh_token": "rotated"}

    issuer.answers["/token"] = token
    connection = as_user(**{"refresh-token": "refresh-me"})
    connection.get("/version")
    connection.get("/version")
    connection.get("/version")
    assert sent(server) == [f"Bearer {token}" for token in (short, long, long)]
    used = [parse_qs(request.body.decode())["refresh_token"][0] for request in issuer.asked("/token")]
    assert used == ["refresh-me", "rotated"]


def test_an_issuer_that_keeps_the_refresh_token_is_fine(as_user: Any, issuer: FakeServer) -> None:
    del issuer.answers["/token"]["refresh_token"]
    assert as_user(**{"refresh-token": "refresh-me"}).get("/version")


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"id-token": EXPIRED}, f"{CANNOT}No valid id-token, and cannot refresh without refresh-token"),
        ({}, f"{CANNOT}No valid id-token, and cannot refresh without refresh-token"),
        ({"id-token": "a+b"}, f"{CANNOT}ID Token is not a valid JWT"),
        ({"id-token": "a.???.c"}, f"{CANNOT}parsing claims of the id-token: it is not a valid JWT"),
        ({"id-token": "a.W10.c"}, f"{CANNOT}parsing claims of the id-token: it is not a valid JWT"),
        ({"idp-issuer-url": ""}, "Must provide idp-issuer-url"),
        ({"client-id": ""}, "Must provide client-id"),
        (
            {"idp-issuer-url": "http://issuer.example", "refresh-token": "refresh-me"},
            f"{CANNOT}oidc: the issuer http://issuer.example/{DISCOVERY[1:]} is not reached by https",
        ),
        (
            {"idp-certificate-authority": "", "refresh-token": "refresh-me"},
            f"{CANNOT}oidc: failed to query metadata endpoint: SSLError",
        ),
    ],
)
def test_a_token_that_cannot_be_had_is_an_error_and_never_an_anonymous_request(
    as_user: Any, server: FakeServer, issuer: FakeServer, config: Any, words: str
) -> None:
    assert refusal(as_user(**config), server) == words
    assert issuer.requests == []


@pytest.mark.parametrize(
    ("path", "answer", "words"),
    [
        (DISCOVERY, Reply(500, b"boom"), f"{METADATA}: status 500"),
        (
            DISCOVERY,
            Reply(302, b"", {"Location": "https://evil"}),
            f"{METADATA}: status 302",
        ),
        (DISCOVERY, Reply(200, b"[]"), f"{METADATA}: status 200"),
        (DISCOVERY, {}, "oidc: discovery object doesn't contain a token_endpoint"),
        (DISCOVERY, {"token_endpoint": "http://evil/"}, "oidc: discovery object doesn't contain a token_endpoint"),
        ("/token", Reply(400, b'{"error": "invalid_grant"}'), "failed to refresh token: status 400: invalid_grant"),
        ("/token", Reply(drop=True), "failed to refresh token: ProtocolError"),
        ("/token", {"access_token": "x"}, "token response did not contain an id_token"),
    ],
)
def test_an_issuer_that_refuses_is_said_in_one_line(
    as_user: Any, server: FakeServer, issuer: FakeServer, path: str, answer: Any, words: str
) -> None:
    issuer.answers[path] = answer
    assert refusal(as_user(**{"refresh-token": "refresh-me"}), server) == f"{CANNOT}{words}"
