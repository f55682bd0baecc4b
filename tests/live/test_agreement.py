"""What follows from this program's answers for a pod is what the real scheduler decides, in 40 hostile worlds."""

from __future__ import annotations

import pytest

from agree.scheduler.clusters import cluster_world
from agree.scheduler.deciding import decided
from controlplane.plane import ControlPlane
from live.worlds import Cluster

SEED = 20261130


@pytest.mark.parametrize("number", range(40))
def test_the_scheduler_decides_as_answered(control_plane: ControlPlane, cluster: Cluster, number: int) -> None:
    world = cluster_world(SEED, number)
    client = control_plane.client()
    decision = decided(cluster, client, world)
    client.close()
    assert decision.disagreement is None, f"{decision.told}\n{world.yaml()}"
