from __future__ import annotations

import pytest

from kubectl_llmfit.errors import UsageError
from kubectl_llmfit.fit.quantisation import QUANTISATIONS, REFERENCE, choose, find

REFERENCE_TABLE = {
    "F32": 4.0, "F16": 2.0, "BF16": 2.0, "Q8_0": 1.05, "Q6_K": 0.80, "Q5_K_M": 0.68, "Q4_K_M": 0.58, "Q4_0": 0.58,
    "MXFP4": 0.55, "mlx-4bit": 0.55, "AWQ-4bit": 0.5, "GPTQ-Int4": 0.5, "AutoRound-4bit": 0.5, "mlx-8bit": 1.0,
    "AWQ-8bit": 1.0, "GPTQ-Int8": 1.0, "AutoRound-8bit": 1.0, "Q3_K_M": 0.48, "Q2_K": 0.37,
}  # fmt: skip


def test_the_reference_programs_own_figures_are_kept() -> None:
    ours = {entry.name: entry.bytes_per_parameter for entry in QUANTISATIONS if entry.source == REFERENCE}
    assert ours == REFERENCE_TABLE


def test_names_are_distinct_in_any_case() -> None:
    assert len({entry.name.lower() for entry in QUANTISATIONS}) == len(QUANTISATIONS)


@pytest.mark.parametrize("entry", QUANTISATIONS, ids=lambda entry: entry.name)
def test_every_name_is_found_in_any_case(entry: object) -> None:
    name = entry.name  # type: ignore[attr-defined]  # parametrize loses the type
    assert find(name) == find(name.lower()) == find(name.upper()) == entry


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [("FP8", 1.0, 1.2), ("int8", 1.0, 1.1), ("W8A8", 1.0, 1.2), ("w4a16", 0.5, 0.75), ("INT4", 0.5, 0.75),
     ("NVFP4", 0.5625, 0.75), ("IQ2_XXS", 0.25, 0.35), ("Q4_K_S", 0.56, 0.62), ("Q5_0", 0.6875, 0.72)],
)  # fmt: skip
def test_what_people_ask_for_has_its_real_size(text: str, low: float, high: float) -> None:
    found = find(text)
    assert found is not None
    assert low <= found.bytes_per_parameter <= high


@pytest.mark.parametrize(
    ("text", "name"), [("fp16", "F16"), ("FP32", "F32"), ("awq", "AWQ-4bit"), ("GPTQ", "GPTQ-Int4")]
)
def test_other_common_names_mean_the_tables_entry(text: str, name: str) -> None:
    assert choose("Q4_K_M", text).name == name


def test_another_name_of_the_models_own_is_its_own() -> None:
    assert choose("F16", "fp16").own


@pytest.mark.parametrize("text", ["banana", "", "Q4_KM", "F64", "q4_k_m ", "\x1b[31m"])
def test_an_unknown_quantisation_is_refused_with_the_known_ones(text: str) -> None:
    with pytest.raises(UsageError, match=r"for --quant: must be one of F32, F16, BF16, Q8_0") as raised:
        choose("Q4_K_M", text)
    assert raised.value.message.isprintable()


def test_an_unknown_own_string_may_be_named_by_its_user() -> None:
    choice = choose("GPTQ-Int2", "gptq-int2")
    assert (choice.name, choice.own, choice.bytes_per_parameter, choice.source) == ("GPTQ-Int2", True, 0.58, None)
