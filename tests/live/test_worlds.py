"""check-nodes answers as the real scheduler decides, world by world."""

from __future__ import annotations

import pytest

from live import cases_holding, cases_pools, cases_requests, cases_selectors
from live.worlds import Cluster, Decision, World

CASES = cases_selectors.CASES | cases_pools.CASES | cases_requests.CASES | cases_holding.CASES


def names_of(decision: Decision, node: str) -> tuple[str, ...]:
    """Devices as the cases write them: the pool only where it is not named as the node."""
    pairs = ((each["pool"], each["device"]) for each in decision.devices)
    return tuple(name if pool == node else f"{pool}/{name}" for pool, name in pairs)


@pytest.mark.parametrize("world", CASES.values(), ids=CASES.keys())
def test_world(cluster: Cluster, world: World) -> None:
    with cluster.holding(world):
        decisions = {name: cluster.decide_node(world, name) for name in world.expected}
        whole = cluster.decide_world(world)
    for name, expected in world.expected.items():
        decision = decisions[name]
        assert (decision.outcome, names_of(decision, name)) == (expected.outcome, expected.devices), decision.message
    assert whole.outcome == world.outcome, whole.message
