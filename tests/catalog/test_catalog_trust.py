"""What is doubted about an entry, and that nothing is doubted without a cause."""

from __future__ import annotations

from collections import Counter

import pytest

from kubectl_llmfit.catalog.packaged import PackagedStore
from kubectl_llmfit.catalog.spelling import bits_in, formats_in, sizes_in
from kubectl_llmfit.catalog.trust import warnings_about
from kubectl_llmfit.fit.model import Model

# Models that people serve, from their own publishers: sizes, mixtures and vision models among them.
WELL_KNOWN = """
Qwen/Qwen3-8B Qwen/Qwen3-0.6B Qwen/Qwen3-32B Qwen/Qwen3-30B-A3B Qwen/Qwen3-235B-A22B Qwen/Qwen2.5-7B-Instruct
Qwen/Qwen2.5-0.5B-Instruct Qwen/Qwen2.5-72B-Instruct Qwen/Qwen2.5-Coder-32B-Instruct Qwen/Qwen2.5-VL-7B-Instruct
Qwen/QwQ-32B Qwen/Qwen1.5-MoE-A2.7B Qwen/Qwen2.5-7B-Instruct-1M Qwen/Qwen2.5-7B-Instruct-AWQ
Qwen/Qwen2.5-7B-Instruct-GPTQ-Int4 Qwen/Qwen2.5-7B-Instruct-GPTQ-Int8 Qwen/Qwen3.8-2.4T-A95B
meta-llama/Llama-3.1-8B meta-llama/Llama-3.1-8B-Instruct meta-llama/Llama-3.1-70B-Instruct
meta-llama/Llama-3.1-405B-Instruct meta-llama/Llama-3.2-1B meta-llama/Llama-3.2-3B-Instruct
meta-llama/Llama-3.2-11B-Vision-Instruct meta-llama/Llama-3.3-70B-Instruct
meta-llama/Llama-4-Scout-17B-16E-Instruct meta-llama/Llama-4-Maverick-17B-128E-Instruct
mistralai/Mistral-7B-Instruct-v0.3 mistralai/Mixtral-8x7B-Instruct-v0.1 mistralai/Mixtral-8x22B-Instruct-v0.1
google/gemma-3-1b-it google/gemma-3-27b-it google/gemma-2-9b-it google/gemma-3-270m
microsoft/phi-4 microsoft/Phi-4-mini-instruct microsoft/Phi-4-reasoning-vision-15B
deepseek-ai/DeepSeek-R1 deepseek-ai/DeepSeek-V3 deepseek-ai/DeepSeek-R1-Distill-Qwen-32B
openai/gpt-oss-20b openai/gpt-oss-120b moonshotai/Kimi-K2-Instruct zai-org/GLM-4.5-Air
ibm-granite/granite-4.0-1b tiiuae/Falcon3-1B-Instruct bigscience/bloom-1b7 internlm/internlm2-chat-1_8b
allenai/StdMoE_1b14b_1T EleutherAI/pythia-160m nvidia/Eagle2-1B
""".split()  # noqa: SIM905 one per line would be a page


@pytest.fixture(scope="module")
def models(store: PackagedStore) -> dict[str, Model]:
    return {model.name: model for model in store.models()}


def test_well_known_models_are_not_doubted(models: dict[str, Model]) -> None:
    present = [name for name in WELL_KNOWN if name in models]
    assert len(present) > 45
    assert {name: warnings_about(models[name]) for name in present if warnings_about(models[name])} == {}


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("CYFRAGOVPL/PLLuM-12B-chat-2512", ["12B"]),
        ("FutureMa/Qwen3-8B-Drama-Thinking", ["308,224 parameters", "8B"]),
        ("HCY123902/llama-3-8b-dpo-tw31-beta-1e-0", ["8B"]),
        ("Agnes-AI/Agnes-SeaLLM-8b", ["8B"]),
        ("Fu01978/Nano-H", ["counts 2 parameters", "no such model"]),
        ("nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-NVFP4", ["101.6 billion", "30B"]),
        ("nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-FP8", ["1,492.6 billion", "120B"]),
        ("facebook/opt-1.3b", ["12.8 billion", "1.3B"]),
        ("avlp12/Qwen3.8-27B-Alis-MLX-4bit", ["4.8 billion", "27B"]),
        ("LiquidAI/LFM2.5-1.2B-Instruct-MLX-5bit", ["219.5 million", "1.2B"]),
        ("inclusionAI/Ling-3.0-flash-base-30T", ["30,000.0 billion", "no such model"]),
        # counted in packed words, for which llmfit takes the name's size: both figures are facts
        ("cyankiwi/GLM-4.7-Flash-REAP-23B-A3B-AWQ-4bit", ["4.6 billion", "23B"]),
    ],
)
def test_a_count_far_from_the_names_size_is_said(models: dict[str, Model], name: str, facts: list[str]) -> None:
    (warning,) = [line for line in warnings_about(models[name]) if "catalogue counts" in line]
    assert warning.startswith(f"{name}: ")
    assert all(fact in warning for fact in facts), warning


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("Qwen/Qwen3-32B-FP8", "the name says FP8, the catalogue Q4_K_M: --quant FP8 sizes it as such"),
        ("RedHatAI/Meta-Llama-3.1-8B-Instruct-FP8", "says FP8, the catalogue Q4_K_M"),
        ("nvidia/Qwen3-8B-NVFP4", "says NVFP4, the catalogue Q4_K_M: --quant NVFP4"),
        ("avlp12/Qwen3.8-27B-Alis-MLX-4bit", "says MLX 4-bit, the catalogue Q4_K_M: --quant mlx-4bit"),
        ("LiquidAI/LFM2.5-1.2B-Instruct-MLX-5bit", "says MLX 5-bit, the catalogue Q4_K_M: --quant mlx-5bit"),
        ("mlx-community/Qwen3.8-27B-4bit", "says MLX 4-bit"),
        ("mlx-community/DeepSeek-R1-0528-Qwen3-8B-bf16", "says MLX, BF16, the catalogue Q4_K_M: --quant BF16"),
        ("GoedelMachines/diffusiongemma-26B-A4B-w4a16", "says W4A16, the catalogue Q4_K_M"),
        ("meta-llama/Llama-Guard-3-8B-INT8", "says INT8, the catalogue Q4_K_M"),
        ("unsloth/Qwen2-VL-7B-Instruct-bnb-4bit", "says NF4, the catalogue Q4_K_M"),
        ("zai-org/GLM-5.3-BF16", "says BF16, the catalogue Q4_K_M"),
        ("tiiuae/Falcon3-10B-Base-1.58bit", "says 1.58-bit, the catalogue Q4_K_M"),
        ("onnx-community/Phi-3-mini-4k-instruct", "published as ONNX files, catalogued Q4_0"),
    ],
)
def test_a_format_that_contradicts_the_name_is_said(models: dict[str, Model], name: str, facts: str) -> None:
    assert any(facts in line for line in warnings_about(models[name])), warnings_about(models[name])


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("facebook/mms-tts-eng", "no text decoder but speech (use case 'Text-to-speech', architecture vits)"),
        ("openai/whisper-large-v3", "no text decoder but speech"),
        ("Qwen/Qwen3-Embedding-8B", "an encoder or embeddings (use case 'Text embeddings for RAG'"),
        ("BAAI/bge-large-en-v1.5", "an encoder or embeddings"),
        ("google/t5gemma-2b-2b-ul2", "an encoder and a decoder"),
        ("GoedelMachines/diffusiongemma-26B-A4B-w4a16", "a diffusion model (architecture diffusion_gemma)"),
        ("GSAI-ML/LLaDA-8B-Instruct", "a diffusion model"),
        ("z-lab/Qwen3-8B-DFlash-b16", "its name says dflash, 1.0 billion parameters where the name says 8B"),
        ("nvidia/Qwen3-235B-A22B-Eagle3", "a draft head"),
        ("RedHatAI/Qwen3-8B-speculator.eagle3", "a draft head"),
        ("mlx-community/Qwen3.8-27B-MTP-bf16", "a draft head (architecture qwen3_5_mtp)"),
        ("fchis/Laravel-13x-Qwen2.5-Coder-7B-Instruct-LoRA", "an adapter"),
    ],
)
def test_what_is_no_text_decoder_is_said(models: dict[str, Model], name: str, facts: str) -> None:
    assert any(facts in line for line in warnings_about(models[name])), warnings_about(models[name])


@pytest.mark.parametrize(
    "name",
    [
        "Tesslate/WEBGEN-4B-Preview",  # use case embeddings, for the "bge" in its name
        "EmbeddedLLM/MiniMax-M3-FP8-dynamic",  # the same, for its publisher
        "vicgalle/CarbonBeagle-11B",  # no eagle
        "nvidia/Eagle2.5-8B",  # a vision model of that name
        "mlabonne/Hermes-3-Llama-3.1-8B-lorablated",  # no adapter
        "vikhyatk/moondream2",  # no Dream
        "deepseek-ai/DeepSeek-V4-Flash-DSpark",  # the whole model with its draft
        "lued/Qwen3.8-27B-INT8-W8A16-DFlash2",  # the same
        "Gustavosta/MagicPrompt-Stable-Diffusion",  # a decoder that writes prompts
    ],
)
def test_a_name_that_only_sounds_like_it_is_a_decoder(models: dict[str, Model], name: str) -> None:
    doubts = [line for line in warnings_about(models[name]) if "the name says" not in line]
    assert doubts == []


@pytest.mark.parametrize(
    "name",
    [
        "google/gemma-4-31B-it-qat-q4_0-unquantized",
        "Qwen/Qwen-72B-Chat-Int4",
        "SergiioB/Qwen3.8-27B-GPTQ-Int4-sym-G128-MTP-BF16",
    ],
)
def test_a_format_that_agrees_somewhere_is_not_doubted(models: dict[str, Model], name: str) -> None:
    assert warnings_about(models[name]) == ()


def test_a_quantisation_that_the_user_chose_is_not_argued_with(models: dict[str, Model]) -> None:
    model = models["Qwen/Qwen3-32B-FP8"]
    assert warnings_about(model)
    assert warnings_about(model, quant="FP8") == ()


def test_as_many_entries_are_doubted_as_were_counted_in_the_catalogue(models: dict[str, Model]) -> None:
    """Counted over llmfit 1.1.17's catalogue; a changed rule shows here what it does to all of it."""
    doubts: Counter[str] = Counter()
    for model in models.values():
        for line in warnings_about(model):
            doubts["size" if "catalogue counts" in line else "format" if "catalogue" in line else "kind"] += 1
    assert doubts == {"kind": 2278, "size": 444, "format": 3376}


@pytest.mark.parametrize(
    ("word", "entries"),
    # of the 14 names that are not doubted: MixFP4, P48NVFP4, ROCmFP4, MXFP416 and the like, and "unquantized"
    [("fp4", 625 - 6), ("fp8", 482 - 1), ("bf16|fp16", 298 - 3), ("w4a16|int4", 143 - 1)],
)
def test_nearly_every_format_word_catalogued_as_q4_k_m_is_doubted(
    models: dict[str, Model], word: str, entries: int
) -> None:
    named = [
        model
        for model in models.values()
        if model.quantization == "Q4_K_M" and any(part in model.name.lower() for part in word.split("|"))
    ]
    doubted = [model for model in named if any("catalogue Q4_K_M" in line for line in warnings_about(model))]
    assert len(doubted) == entries


def made(name: str, **fields: object) -> Model:
    return Model(name=name, architecture="llama", format="gguf", **fields)  # type: ignore[arg-type]  # of many types


def test_a_missing_count_is_said_and_a_written_one_is_used() -> None:
    (warning,) = warnings_about(made("me/Zebra", parameter_count="many"))
    assert warning == "me/Zebra: the catalogue has no parameter count ('many'): its size is a guess"
    assert warnings_about(made("me/Zebra-9B", parameter_count="9B")) == ()
    assert "the name says 9B" in warnings_about(made("me/Zebra-9B", parameter_count="900M"))[0]


def test_a_count_of_zero_is_said() -> None:
    assert "no parameter count" in warnings_about(made("me/Zebra-9B", parameters_raw=0, parameter_count="0B"))[0]


@pytest.mark.parametrize(
    ("billions", "doubted"),
    # 10B: from 0.55 × 10 = 5.5 to 1.6 × 10 + 0.4 (what a name leaves out) = 16.4
    [(5.49, True), (5.51, False), (16.39, False), (16.41, True)],
)
def test_the_bounds_of_a_size(billions: float, doubted: bool) -> None:
    assert bool(warnings_about(made("me/Zebra-10B", parameters_raw=int(billions * 1e9)))) == doubted


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("Qwen/Qwen3-30B-A3B", [("30B", 30, 30)]),
        ("mistralai/Mixtral-8x7B-v0.1", [("8x7B", 7, 56)]),
        ("meta-llama/Llama-4-Scout-17B-16E", [("17B", 17, 272)]),
        ("bigscience/bloom-1b7", [("1.7B", 1.7, 1.7)]),
        ("internlm/internlm2-chat-1_8b", [("8B", 8, 8), ("1.8B", 1.8, 1.8)]),
        ("google/t5gemma-2b-2b-ul2", [("2B-2B", 2, 4), ("2B", 2, 2), ("2B", 2, 2)]),
        ("allenai/StdMoE_1b14b_1T", [("1B-14B", 14, 15), ("1T", 1000, 1000)]),
        ("EleutherAI/pythia-160m", [("160M", 0.16, 0.16)]),
        ("a/Tiny-4M", []),
        ("a/Qwen3.8-3.5bpw", []),
        ("a/b8B", []),
        ("a/Zebra", []),
    ],
)
def test_sizes_in_names(name: str, sizes: list[tuple[str, float, float]]) -> None:
    found = [(size.text, round(size.least, 6), round(size.most, 6)) for size in sizes_in(name)]
    assert found == sizes


@pytest.mark.parametrize(
    ("name", "labels", "bits"),
    [
        ("a/X-FP8-dynamic", ["FP8"], None),
        ("a/X-NVFP4A16", ["NVFP4"], None),
        ("a/X-MLX-VL-oQ4-FP16", ["MLX", "FP16"], 4),
        ("a/x-mlx-q8", ["MLX"], 8),
        ("a/x-1.58bit", ["1.58-bit"], 1.58),
        ("a/x-Q5_K_M-GGUF", ["Q5_K_M"], None),
        ("a/x-IQ2_XXS", ["IQ2_XXS"], None),
        ("a/x-Q3", [], None),
        ("a/x-64bit", [], None),
    ],
)
def test_formats_in_names(name: str, labels: list[str], bits: float | None) -> None:
    assert [entry.label for entry in formats_in(name)] == labels
    assert bits_in(name) == bits
