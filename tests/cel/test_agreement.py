"""Generated expressions on generated devices: the answers of Kubernetes' own CEL, in both environments."""

from __future__ import annotations

import pytest

from agree import engine
from agree.cases import cases, pool
from agree.compare import Comparison
from oracle.program import Answer, Oracle, Result

SEED, COUNT = 20261130, 2000


def test_2000_generated_expressions_mean_what_they_mean_to_kubernetes(oracle: Oracle) -> None:
    devices = pool(SEED)
    comparison = Comparison(oracle, devices)
    found = list(comparison.differences(cases(SEED, COUNT)))
    shown = [comparison.shrunk(difference).report(devices) for difference in found[:3]]
    assert not found, f"{len(found)} differences\n" + "\n".join(shown)


def test_a_wrong_answer_is_found_and_made_small(oracle: Oracle, monkeypatch: pytest.MonkeyPatch) -> None:
    right = engine.answer

    def wrong(text: str, stored: bool, devices: list[engine.EngineDevice]) -> Answer:
        given = right(text, stored, devices)
        if ".startsWith(" in text and given.results:
            return Answer(max_cost=given.max_cost, results=(Result("true", "", 0),) * len(devices))
        return given

    monkeypatch.setattr(engine, "answer", wrong)
    comparison = Comparison(oracle, pool(SEED))
    found = next(comparison.differences(cases(SEED, COUNT)))
    smallest = comparison.shrunk(found)
    assert smallest.kind == "result"
    assert len(smallest.case.text) <= len("device.attributes['gpu.example.com']['driverVersion'].startsWith('a')")
    assert "Kubernetes': Result(value='" in smallest.report(pool(SEED))
