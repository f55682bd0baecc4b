from __future__ import annotations

import pytest

from kubectl_llmfit.errors import UsageError
from kubectl_llmfit.fit.llmfit import estimate
from kubectl_llmfit.fit.model import Model, Need
from kubectl_llmfit.fit.modelfit import need_from_model_fit
from kubectl_llmfit.fit.overrides import with_min_bandwidth, with_min_memory
from kubectl_llmfit.fit.target import make_target
from kubectl_llmfit.fit.units import GIB


@pytest.fixture
def need() -> Need:
    # 7 × 0.58 = 4.06 GB → 5 Gi; 20 × 4.06 × 100 / 55 = 147.6 → 148
    return estimate(Model(name="a/b-7b", parameters_raw=7 * 10**9), make_target())


def test_the_users_own_figures_replace_the_estimates_and_say_so(need: Need) -> None:
    changed = with_min_bandwidth(with_min_memory(need, 18 * GIB, "18Gi"), 300)
    assert (changed.memory, changed.memory_bytes, changed.bandwidth_gbs) == ("18Gi", 18 * GIB, 300)
    assert changed.overrides == (
        "memory is --min-memory, not the estimate's 5Gi",
        "bandwidth is --min-bandwidth, not the estimate's 148 GB/s",
    )


def test_a_modelfit_gets_a_bandwidth_only_from_its_user() -> None:
    fit = need_from_model_fit({"name": "a", "ram_gb": 1, "vram_gb": 2})
    assert with_min_bandwidth(fit, 300).overrides == ("bandwidth is --min-bandwidth",)


@pytest.mark.parametrize("figure", [0, -1, 2**63])
def test_a_floor_that_int64_cannot_hold_or_that_asks_nothing_is_refused(need: Need, figure: int) -> None:
    with pytest.raises(UsageError, match="for --min-memory"):
        with_min_memory(need, figure, str(figure))
    with pytest.raises(UsageError, match="for --min-bandwidth"):
        with_min_bandwidth(need, figure)
