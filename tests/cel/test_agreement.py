"""Generated expressions on generated devices: the answers of Kubernetes' own CEL, in both environments."""

from __future__ import annotations

from agree.cases import cases, pool
from agree.compare import Comparison
from oracle.program import Oracle

SEED, COUNT = 20261130, 2000


def test_2000_generated_expressions_mean_what_they_mean_to_kubernetes(oracle: Oracle) -> None:
    devices = pool(SEED)
    comparison = Comparison(oracle, devices)
    found = list(comparison.differences(cases(SEED, COUNT)))
    shown = [comparison.shrunk(difference).report(devices) for difference in found[:3]]
    assert not found, f"{len(found)} differences\n" + "\n".join(shown)
