from __future__ import annotations

import pytest

from kubectl_llmfit.errors import UsageError
from kubectl_llmfit.fit.llmfit import estimate
from kubectl_llmfit.fit.model import Model
from kubectl_llmfit.fit.target import make_target
from kubectl_llmfit.fit.units import GIB

LLAMA = Model(
    name="meta-llama/Llama-3.1-8B-Instruct",
    parameters_raw=8_030_261_248,
    min_vram_gb=4.1,
    min_ram_gb=4.5,
    source="llmfit",
)


def memory_gi(model: Model, **target: object) -> int:
    return estimate(model, make_target(**target)).memory_bytes // GIB  # type: ignore[arg-type]  # test shorthand


def bandwidth(model: Model, **target: object) -> int | None:
    return estimate(model, make_target(**target)).bandwidth_gbs  # type: ignore[arg-type]  # test shorthand


def test_weights_are_parameters_times_bytes_and_the_bounds_follow_from_them() -> None:
    # 8.030261248 × 0.58 = 4.65755… GB; ceil(max(4.1, 4.66)) = 5; 20 × 4.65755 × 100 / 55 = 169.4 → 170
    need = estimate(LLAMA, make_target())
    assert need.weights_gb == pytest.approx(4.65755152384, abs=0)
    assert need.memory == "5Gi"
    assert need.bandwidth_gbs == 170
    assert (need.quant, need.quant_is_own, need.catalog) == ("Q4_K_M", True, "llmfit")


def test_the_catalogues_minimum_wins_over_smaller_weights() -> None:
    # weights 1 × 0.58; the catalogue says 3.2 → 4
    assert memory_gi(Model(name="a", parameters_raw=10**9, min_vram_gb=3.2)) == 4


def test_without_a_vram_figure_the_ram_figure_stands_in() -> None:
    assert memory_gi(Model(name="a", parameters_raw=10**9, min_ram_gb=9.0)) == 9


def test_another_quantisation_counts_a_fifth_more_than_its_weights_and_no_minimum() -> None:
    # 8.030261248 × 1.05 = 8.43; × 1.2 = 10.12 → 11; bandwidth 12.5 × 8.43 × 100 / 55 = 191.6 → 192
    assert memory_gi(LLAMA, quant="Q8_0") == 11
    assert bandwidth(LLAMA, quant="Q8_0", min_tps=12.5) == 192
    # 1 × 0.37 × 1.2 = 0.44 → 1, although the catalogue's minimum is 30
    assert memory_gi(Model(name="a", parameters_raw=10**9, min_vram_gb=30.0), quant="Q2_K") == 1


@pytest.mark.parametrize("spelling", ["Q4_K_M", "q4_k_m", "q4_K_m"])
def test_any_spelling_of_the_models_own_quantisation_is_its_own(spelling: str) -> None:
    need = estimate(LLAMA, make_target(quant=spelling))
    assert (need.quant, need.quant_is_own, need.memory) == ("Q4_K_M", True, "5Gi")


def test_nothing_asks_for_less_than_one() -> None:
    need = estimate(Model(name="Fu01978/Nano-H", parameters_raw=2, min_vram_gb=0.5), make_target())
    assert (need.memory, need.bandwidth_gbs) == ("1Gi", 1)


def test_an_exact_bound_is_not_raised() -> None:
    # 10 × 1.0 = 10 GB (FP16's half: AWQ-8bit is 1.0); 11 × 10 × 100 / 100 = 110 exactly
    model = Model(name="a", parameters_raw=10 * 10**9, quantization="AWQ-8bit", min_vram_gb=1.0)
    assert bandwidth(model, min_tps=11, efficiency_pct=100) == 110
    assert memory_gi(model) == 10


def test_every_expert_of_a_mixture_counts_whatever_is_active() -> None:
    # 16 × 0.58 = 9.28 → 10; 20 × 9.28 × 100 / 55 = 337.5 → 338
    model = Model(
        name="a", parameters_raw=16 * 10**9, is_moe=True, num_experts=8, active_experts=1, active_parameters=3 * 10**9
    )
    assert (memory_gi(model), bandwidth(model)) == (10, 338)


def test_a_vram_figure_of_nought_is_a_figure_and_the_ram_figure_does_not_stand_in() -> None:
    # weights 2 × 0.58 = 1.16 → 2
    assert memory_gi(Model(name="a", parameters_raw=2 * 10**9, min_vram_gb=0.0, min_ram_gb=9.2)) == 2


def test_an_unknown_quantisation_of_the_catalogues_own_keeps_the_reference_figure_and_warns() -> None:
    need = estimate(Model(name="a", parameters_raw=10**9, quantization="GPTQ-Int2"), make_target())
    assert need.weights_gb == 0.58
    assert need.quant == "GPTQ-Int2"
    assert "GPTQ-Int2" in need.warnings[0]
    assert "0.58" in need.warnings[0]


def test_a_model_beyond_int64_is_refused_instead_of_wrapped() -> None:
    with pytest.raises(UsageError, match="too large for any claim"):
        estimate(Model(name="a", parameters_raw=10**30), make_target())


def test_the_working_names_every_term() -> None:
    terms = {term.name: term.value for term in estimate(LLAMA, make_target()).terms}
    assert list(terms) == ["parameters", "quantisation", "weights", "memory", "bandwidth"]
    assert terms["bandwidth"] == "20 tok/s × 4.66 GB × 100 / 55, rounded up"
    assert terms["memory"] == "weights 4.66 GB, rounded up"
