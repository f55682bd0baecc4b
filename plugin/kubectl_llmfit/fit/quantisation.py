"""How many bytes one parameter takes in each weight format. Data and look-up, nothing else.

Sources of the figures:

* ``REFERENCE``: the table of ``llmfit claim`` 1.1.17, kept as it is: the reference estimator must give its numbers.
* ``GGUF_FILE``: ggml's block sizes (ggml-common.h) with llama.cpp's mix of types (llama-quant.cpp): bytes of the
  file per parameter, the median of about 90 dense architectures; small models with tied embeddings take more.
* ``GGML_BLOCK``: the size of ggml's block divided by its weights; a file also holds some tensors of a larger type.
* ``MIXED``: 4- or 8-bit linear layers with scales, embeddings and output head in bf16; the median of the same
  architectures.
* ``MLX_GROUP``: MLX's affine format with groups of 64: the bits, and a 16-bit scale and bias per group.
* ``PLAIN``: one byte a parameter.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import UsageError

REFERENCE = "llmfit 1.1.17"
GGUF_FILE = "GGUF file, median of dense models"
GGML_BLOCK = "ggml block"
MIXED = "checkpoint with bf16 embeddings and head, median of dense models"
MLX_GROUP = "MLX groups of 64"
PLAIN = "one byte a parameter"

UNKNOWN_BYTES_PER_PARAMETER = 0.58
"""What ``llmfit claim`` 1.1.17 takes for every string it does not know."""


@dataclass(frozen=True, slots=True)
class Quantisation:
    """A weight format: its name as its users write it, bytes per parameter, and whose figure that is."""

    name: str
    bytes_per_parameter: float
    source: str


QUANTISATIONS: tuple[Quantisation, ...] = (
    Quantisation("F32", 4.0, REFERENCE),
    Quantisation("F16", 2.0, REFERENCE),
    Quantisation("BF16", 2.0, REFERENCE),
    Quantisation("Q8_0", 1.05, REFERENCE),
    Quantisation("Q6_K", 0.80, REFERENCE),
    Quantisation("Q5_K_M", 0.68, REFERENCE),
    Quantisation("Q5_K_S", 0.6961, GGUF_FILE),
    Quantisation("Q5_1", 0.75, GGML_BLOCK),
    Quantisation("Q5_0", 0.6875, GGML_BLOCK),
    Quantisation("Q4_K_M", 0.58, REFERENCE),
    Quantisation("Q4_K_S", 0.5826, GGUF_FILE),
    Quantisation("Q4_1", 0.625, GGML_BLOCK),
    Quantisation("Q4_0", 0.58, REFERENCE),
    Quantisation("IQ4_NL", 0.5801, GGUF_FILE),
    Quantisation("IQ4_XS", 0.5522, GGUF_FILE),
    Quantisation("Q3_K_L", 0.5384, GGUF_FILE),
    Quantisation("Q3_K_M", 0.48, REFERENCE),
    Quantisation("Q3_K_S", 0.4544, GGUF_FILE),
    Quantisation("IQ3_M", 0.4704, GGUF_FILE),
    Quantisation("IQ3_S", 0.4575, GGUF_FILE),
    Quantisation("IQ3_XXS", 0.4213, GGUF_FILE),
    Quantisation("Q2_K", 0.37, REFERENCE),
    Quantisation("IQ2_M", 0.3636, GGUF_FILE),
    Quantisation("IQ2_XS", 0.3233, GGUF_FILE),
    Quantisation("IQ2_XXS", 0.2971, GGUF_FILE),
    Quantisation("IQ1_M", 0.2658, GGUF_FILE),
    Quantisation("IQ1_S", 0.247, GGUF_FILE),
    Quantisation("FP8", 1.0935, MIXED),
    Quantisation("INT8", 1.0, PLAIN),
    Quantisation("W8A8", 1.0935, MIXED),
    Quantisation("W8A16", 1.0935, MIXED),
    Quantisation("INT4", 0.6579, MIXED),
    Quantisation("W4A16", 0.6579, MIXED),
    Quantisation("NVFP4", 0.6969, MIXED),
    Quantisation("MXFP4", 0.55, REFERENCE),
    Quantisation("AWQ-4bit", 0.5, REFERENCE),
    Quantisation("AWQ-8bit", 1.0, REFERENCE),
    Quantisation("GPTQ-Int4", 0.5, REFERENCE),
    Quantisation("GPTQ-Int8", 1.0, REFERENCE),
    Quantisation("AutoRound-4bit", 0.5, REFERENCE),
    Quantisation("AutoRound-8bit", 1.0, REFERENCE),
    Quantisation("mlx-3bit", 0.4375, MLX_GROUP),
    Quantisation("mlx-4bit", 0.55, REFERENCE),
    Quantisation("mlx-5bit", 0.6875, MLX_GROUP),
    Quantisation("mlx-6bit", 0.8125, MLX_GROUP),
    Quantisation("mlx-8bit", 1.0, REFERENCE),
)

_ALIASES = {"fp32": "F32", "fp16": "F16", "awq": "AWQ-4bit", "gptq": "GPTQ-Int4"}
_BY_FOLDED_NAME = {entry.name.lower(): entry for entry in QUANTISATIONS}


@dataclass(frozen=True, slots=True)
class Choice:
    """The quantisation an estimate uses; ``own``: the model's own; ``source``: whose figure it is."""

    name: str
    bytes_per_parameter: float
    own: bool
    source: str | None


def find(text: str) -> Quantisation | None:
    """The table's entry for ``text`` in any case (or its other common name), or None."""
    folded = text.lower()
    return _BY_FOLDED_NAME.get(_ALIASES.get(folded, folded).lower())


def choose(own: str, override: str | None) -> Choice:
    """The quantisation for a model whose own is ``own``, given ``--quant`` (None when absent).

    Any spelling that means the model's own quantisation is the model's own. An own string that the table
    lacks counts ``UNKNOWN_BYTES_PER_PARAMETER`` with source None; an unknown override is a UsageError.
    """
    own_entry = find(own)
    if override is None or override.lower() == own.lower():
        return _own(own, own_entry)
    entry = find(override)
    if entry is None:
        known = ", ".join(item.name for item in QUANTISATIONS)
        raise UsageError(f"invalid value {override!r} for --quant: must be one of {known}")
    if entry == own_entry:
        return _own(own, own_entry)
    return Choice(entry.name, entry.bytes_per_parameter, own=False, source=entry.source)


def _own(own: str, entry: Quantisation | None) -> Choice:
    if entry is None:
        return Choice(own, UNKNOWN_BYTES_PER_PARAMETER, own=True, source=None)
    return Choice(own, entry.bytes_per_parameter, own=True, source=entry.source)
