"""A server that answers for a small cluster, and the real client connected to it by a kubeconfig."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from fakes import worlds
from fakes.api_server import CERTIFICATE, FakeServer
from kubectl_llmfit.cluster.connection import Connection, ConnectionOptions, RetryPolicy, connect

TOKEN = "the-secret-token"


@dataclass
class Naps:
    """A sleep that only remembers how long it was asked to."""

    seconds: list[float] = field(default_factory=list)

    def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


@pytest.fixture
def naps() -> Naps:
    return Naps()


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with FakeServer(worlds.answers()) as running:
        yield running


Write = Callable[..., Path]


@pytest.fixture
def kubeconfig(tmp_path: Path) -> Write:
    """``kubeconfig(url, user={…}, cluster={…}, context={…})`` writes a file with the context ``dev``."""

    def write(
        url: str,
        user: dict[str, Any] | None = None,
        cluster: dict[str, Any] | None = None,
        context: dict[str, Any] | None = None,
        name: str = "config",
    ) -> Path:
        document = {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "dev",
            "clusters": [
                {
                    "name": "fake",
                    "cluster": {"server": url, "certificate-authority": str(CERTIFICATE), **(cluster or {})},
                }
            ],
            "users": [{"name": "jane", "user": {"token": TOKEN} if user is None else user}],
            "contexts": [{"name": "dev", "context": {"cluster": "fake", "user": "jane", **(context or {})}}],
        }
        path = tmp_path / name
        path.write_text(json.dumps(document))
        return path

    return write


Connect = Callable[..., Connection]


@pytest.fixture
def connected(server: FakeServer, kubeconfig: Write, naps: Naps) -> Connect:
    """``connected(**options)``: a connection to ``server`` that never really waits before another attempt."""

    def make(**options: Any) -> Connection:
        path = kubeconfig(server.url)
        return connect(ConnectionOptions(kubeconfig=str(path), **options), environ={}, retry=RetryPolicy(sleep=naps))

    return make
