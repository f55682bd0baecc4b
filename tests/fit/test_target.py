from __future__ import annotations

import math

import pytest

from kubectl_llmfit.errors import UsageError
from kubectl_llmfit.fit.target import MAX_TPS, make_target


@pytest.mark.parametrize(
    ("min_tps", "shown"),
    [
        (math.nan, "nan"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        (0.0, "0"),
        (-0.0, "-0"),
        (-1.0, "-1"),
        (1e300, "1e+300"),
        (MAX_TPS + 1, "1000001"),
    ],
)
def test_a_speed_that_no_claim_can_mean_is_refused(min_tps: float, shown: str) -> None:
    with pytest.raises(UsageError) as raised:
        make_target(min_tps=min_tps)
    assert raised.value.message == (
        f'invalid value "{shown}" for --min-tps: must be tokens per second above 0, at most 1000000'
    )


@pytest.mark.parametrize("efficiency", [0, 101, -1, 10**20])
def test_an_efficiency_outside_1_to_100_is_refused(efficiency: int) -> None:
    with pytest.raises(UsageError, match=f'"{efficiency}" for --efficiency: must be a whole percentage from 1 to 100'):
        make_target(efficiency_pct=efficiency)


@pytest.mark.parametrize("min_tps", [1e-300, 0.001, 12.5, MAX_TPS])
def test_any_finite_speed_up_to_the_limit_is_taken(min_tps: float) -> None:
    assert make_target(min_tps=min_tps, efficiency_pct=1).min_tps == min_tps
