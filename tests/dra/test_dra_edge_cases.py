"""Rules that a cluster of default gates cannot show, judged by the allocator of kube-scheduler 1.37 itself.

The older schedulers judge the same rows in ``make agree``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from agree.scheduler.edge_cases import CASES, EdgeCase, differences, told
from controlplane.build import NotBuiltError
from kubectl_llmfit.dra.rules import NEWEST
from oracle.scheduler import SchedulerOracle

JUDGED = [case for case in CASES if NEWEST in case.outcomes]


@pytest.fixture(scope="module")
def oracle() -> Iterator[SchedulerOracle]:
    try:
        made = SchedulerOracle()
    except NotBuiltError as error:
        if os.environ.get("KUBECTL_LLMFIT_REQUIRE_LIVE"):
            raise
        pytest.skip(str(error))
    with made:
        yield made


@pytest.mark.parametrize("case", JUDGED, ids=[f"{case.number} {case.title}" for case in JUDGED])
def test_edge_case(oracle: SchedulerOracle, case: EdgeCase) -> None:
    assert list(differences(oracle, NEWEST, [case])) == []


def test_a_row_that_is_wrong_is_found(oracle: SchedulerOracle) -> None:
    (wrong,) = differences(oracle, NEWEST, [JUDGED[0].but(NEWEST, "A" if told(JUDGED[0], NEWEST) == "R" else "R")])
    assert JUDGED[0].title in wrong
