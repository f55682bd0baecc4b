"""The control plane of the live tests: one for the run (one for each pytest-xdist worker that has live tests).

Where its programs are not built the tests are skipped and say so; with ``KUBECTL_LLMFIT_REQUIRE_LIVE=1`` in
the environment, as in CI, they fail.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from controlplane.build import NotBuiltError
from controlplane.client import Client
from controlplane.plane import ControlPlane, exit_on_sigterm
from live.cards import WORLD
from live.program import Shell
from live.worlds import Cluster

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder; with ``--dist loadgroup`` they share one worker and so one plane."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.live)
            item.add_marker(pytest.mark.xdist_group("live"))


@pytest.fixture(scope="session")
def control_plane() -> Iterator[ControlPlane]:
    """A running control plane with the users ``reader`` and ``stranger``, who may do nothing yet."""
    try:
        plane = ControlPlane(users=("reader", "stranger"))
    except NotBuiltError as error:
        if os.environ.get("KUBECTL_LLMFIT_REQUIRE_LIVE"):
            raise
        pytest.skip(str(error))
    exit_on_sigterm()
    plane.start()
    yield plane
    plane.stop()


@pytest.fixture(scope="session")
def cluster(control_plane: ControlPlane) -> Iterator[Cluster]:
    """The cluster as worlds are put into it."""
    client = control_plane.client()
    yield Cluster(client)
    client.close()


@pytest.fixture
def client(control_plane: ControlPlane) -> Iterator[Client]:
    """The administrator's requests."""
    made = control_plane.client()
    yield made
    made.close()


@pytest.fixture
def shell(control_plane: ControlPlane, cluster: Cluster, tmp_path: Path) -> Iterator[Shell]:
    """The administrator's shell, with the world of ``cards`` in the cluster."""
    with cluster.holding(WORLD):
        yield Shell(tmp_path, control_plane.kubectl, control_plane.kubeconfig())
