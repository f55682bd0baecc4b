from __future__ import annotations

import pytest

from kubectl_llmfit.errors import UsageError
from kubectl_llmfit.fit.llmfit import estimate
from kubectl_llmfit.fit.model import Model
from kubectl_llmfit.fit.parameters import parameters_billions, size_of_packed
from kubectl_llmfit.fit.target import make_target


def billions(name: str, counted: int | None = None, written: str = "") -> float:
    return parameters_billions(Model(name=name, parameters_raw=counted, parameter_count=written))[0]


@pytest.mark.parametrize(
    ("name", "counted", "used"),
    [
        ("nvidia/Qwen3-8B-NVFP4", 5.152, 8.0),
        ("RedHatAI/Llama-3.1-8B-Instruct-NVFP4", 4.977, 8.0),
        ("cyankiwi/GLM-4.7-Flash-REAP-23B-A3B-AWQ-4bit", 4.570, 23.0),  # the largest of 23B and A3B's 3
        ("nvidia/Qwen2.5-VL-7B-Instruct-NVFP4", 5.029, 7.0),  # 5.029 / 7 = 0.718
        ("someone/Model-7B-AWQ", 5.30, 5.30),  # 5.30 / 7 = 0.757
        ("mlx-community/Model-27B-4bit", 4.2, 4.2),  # MLX repositories are not corrected
    ],
)
def test_packed_checkpoints_take_the_size_in_their_name(name: str, counted: float, used: float) -> None:
    need = estimate(Model(name=name, parameters_raw=round(counted * 1e9)), make_target())
    assert need.parameters_billions == pytest.approx(used)


@pytest.mark.parametrize("word", ["nvfp4", "mxfp4", "mxfp8", "w4a16", "w8a16", "awq", "gptq", "int4", "int8"])
def test_a_word_for_packed_weights_counts_anywhere_in_the_name_and_in_any_case(word: str) -> None:
    for name in (f"me/a-8B-{word}", f"me/a-8B-{word.upper()}", f"me/a-8B-u{word}x", f"{word}/a-8B"):
        assert size_of_packed(name) == 8.0


@pytest.mark.parametrize(
    "word", ["fp8", "w8a8", "nf4", "fp4", "int3", "w4a8", "w4a4", "4bit", "bnb", "autoround", "hqq"]
)
def test_formats_that_pack_nothing_or_are_unknown_to_the_program_leave_the_count(word: str) -> None:
    assert billions(f"me/a-8B-{word}", 10**9) == 1.0


@pytest.mark.parametrize("word", ["dflash", "DSpark", "eagle", "EAGLE3", "eagle33", "dflash2"])
def test_draft_heads_keep_their_count(word: str) -> None:
    for name in (f"me/a-8B-int4-{word}", f"me/a-8B-int4_{word}", f"me/{word}-8B-int4", f"me/a-8B-{word}.v2-int4"):
        assert billions(name, 10**9) == 1.0


@pytest.mark.parametrize("word", ["draft", "lora", "speculator", "beagle", "eaglet", "eagle3x", "xdflash", "dsparkv2"])
def test_drafts_and_adapters_of_other_names_are_sized_as_the_model_in_theirs(word: str) -> None:
    assert billions(f"me/a-8B-int4-{word}", 10**9) == 8.0


@pytest.mark.parametrize("name", ["eagle/a-8B-int4", "eagle-x/a-8B-int4", "me/a eagle-8B-int4", "me/a-8B-int4+eagle"])
def test_a_draft_word_counts_in_the_last_part_only_and_between_hyphens_underscores_and_points(name: str) -> None:
    assert size_of_packed(name) == 8.0


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("8B", 8.0),
        ("8b", 8.0),
        ("1.8B", 1.8),
        ("1_8B", 1.8),
        ("8.B", 8.0),
        ("8_B", 8.0),
        (".5B", 5.0),  # what a point begins is no fraction
        ("1.2.3B", 2.3),
        ("1.2_8B", 2.8),
        ("1_8_2B", 8.2),
        ("1.8.B", 8.0),
        ("1.5_B", 5.0),
        ("1__8B", 8.0),
        ("1_.8B", 8.0),
        ("9._B", 0.0),
        ("9..B", 0.0),
        ("3B.9B", 9.0),
        ("9B_3B", 9.0),
        ("Qwen2.5-9B", 9.0),
        ("Qwen2.5B", 0.0),  # a number that begins in a word, and so no part of it
        ("Qwen2.5.B", 5.0),
        ("Qwen2.5_8B", 5.8),
        ("Qwen3_8B", 0.0),
        ("Llama-3_8B", 3.8),
        ("foo.8B", 8.0),
        ("foo_8B", 8.0),
        ("3B,9B", 9.0),
        ("+9B", 9.0),
        ("foo8B", 0.0),
        ("A3B", 0.0),
        ("8x7B", 0.0),
        ("1e1B", 0.0),
        ("8Bx", 0.0),
        ("8B2", 0.0),
        ("8BB", 0.0),
        ("3B9B", 0.0),
        ("8-B", 0.0),
        ("8 B", 0.0),
        ("500M", 0.0),
        ("2T", 0.0),
        ("8Billion", 0.0),
        ("0012B", 12.0),
        ("9Bé", 0.0),
        ("é9B", 0.0),
        ("9B²", 0.0),
        ("٨B", 0.0),
        ("\N{ARABIC-INDIC DIGIT EIGHT}.8B", 8.0),
    ],
)
def test_a_size_in_a_name_is_a_number_and_a_b_that_no_letter_and_no_digit_touches(text: str, size: float) -> None:
    assert size_of_packed(f"me/model-{text}-awq") == size


def test_the_owner_s_name_counts_too() -> None:
    assert size_of_packed("someone-70B/model-8B-int4") == 70.0
    assert size_of_packed("int4-people/model-8B") == 8.0


@pytest.mark.parametrize(
    ("name", "counted", "used"),
    [
        ("a-7B-int4", 5_249_999_999, 7.0),
        ("a-7B-int4", 5_250_000_000, 5.25),
        ("a-7B-int4", 5_250_000_001, 5.250000001),
        ("a-1.1B-int4", 825_000_000, 1.1),  # 0.75 × 1.1 is 0.8250000000000001 in doubles
        ("a-1.1B-int4", 825_000_001, 0.825000001),
        ("a-0.1B-int4", 75_000_000, 0.1),  # 0.75 × 0.1 is 0.07500000000000001
        ("a-0.7B-int4", 525_000_000, 0.525),  # 0.75 × 0.7 is 0.5249999999999999
        ("a-2.3B-int4", 1_725_000_000, 1.725),
        ("a-2.3B-int4", 1_724_999_999, 2.3),
    ],
)
def test_the_name_counts_below_three_quarters_of_its_size_in_doubles(name: str, counted: int, used: float) -> None:
    assert billions(name, counted) == used


@pytest.mark.parametrize(("written", "used"), [("1B", 8.0), ("5.9B", 8.0), ("6B", 6.0), ("7B", 7.0), ("900M", 8.0)])
def test_the_name_is_held_against_a_written_count_as_well(written: str, used: float) -> None:
    assert billions("me/a-8B-int4", written=written) == used


@pytest.mark.parametrize("written", ["", "many", "7BB", "-7B"])
def test_the_name_sizes_packed_weights_where_no_count_can_be_read(written: str) -> None:
    assert billions("me/a-8B-int4", written=written) == 8.0


@pytest.mark.parametrize(
    ("written", "used"),
    [
        ("7B", 7.0),
        (" 7b\n", 7.0),
        ("7.B", 7.0),
        (".5B", 0.5),
        ("+7B", 7.0),
        ("1e1B", 10.0),
        ("500M", 0.5),
        ("1.5T", 1500.0),
        (" 30K ", 3e-5),
        ("12 B", 12.0),
    ],
)
def test_a_written_count_is_read_when_no_other_is_there(written: str, used: float) -> None:
    assert billions("me/a", written=written) == used


@pytest.mark.parametrize("written", ["", "many", "7", "7BB", "-7B", "infB", "nanB", "1,000M", "1_8B", "٧B"])
def test_a_model_without_any_readable_count_is_refused(written: str) -> None:
    with pytest.raises(UsageError, match="model 'me/a-8B' has no parameter count in the catalogue") as caught:
        billions("me/a-8B", written=written)
    assert repr(written) in str(caught.value)


@pytest.mark.parametrize(("counted", "written"), [(0, "7B"), (None, "0B"), (None, "0.0M")])
def test_a_count_of_nought_is_refused_in_one_line(counted: int | None, written: str) -> None:
    with pytest.raises(UsageError) as caught:
        estimate(Model(name="me/a", parameters_raw=counted, parameter_count=written), make_target())
    assert str(caught.value) == "model 'me/a' cannot be sized: its parameter count is 0"


def test_a_count_of_nought_beside_a_size_for_packed_weights_is_no_obstacle() -> None:
    assert billions("me/a-8B-int4", 0) == 8.0
    with pytest.raises(UsageError, match="count is 0"):
        billions("me/a-0B-int4", 0)


def test_the_working_says_where_a_size_comes_from() -> None:
    def working(counted: int | None, written: str) -> str:
        return parameters_billions(Model(name="me/a-8B-int4", parameters_raw=counted, parameter_count=written))[1]

    assert working(10**9, "") == "8 billion, from the name (1.000 counted: packed weights)"
    assert working(None, "many") == "8 billion, from the name (none counted: packed weights)"
    assert working(None, " 7B ") == "7B, as the catalogue writes it"
    assert working(7 * 10**9, "") == "7.000 billion"
