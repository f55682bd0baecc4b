"""Entries around the edges of the rules for a model's size, to be planted in the reference as custom models."""

from __future__ import annotations

import random
from typing import Any

_OWNERS = ("me",) * 6 + ("someone-70B", "int4", "eagle")
_STEMS = ("model",) * 3 + ("Qwen2.5", "Llama-3", "x", "v1")
_JOINTS = ("-",) * 4 + ("_", ".", "", "+", "-1.", "-A")
_SIZES = ("8", "0.7", "1.1", "1_8", "23", "8.", "1.2.3", "0", "8x7", "1__8")
_ENDS = ("-",) * 6 + ("_", ".", "x-", "2-", "\N{LATIN SMALL LETTER E WITH ACUTE}-")
_PACKED = ("nvfp4", "MXFP4", "mxfp8", "w4a16", "W8A16", "awq", "GPTQ", "Int4", "uint8", "awqish")
_PLAIN = ("fp8", "w8a8", "nf4", "4bit", "a-w-q", "fp4")
_DRAFTS = ("",) * 12 + (
    "-dflash",
    "-DSpark",
    "_eagle3",
    "-eagle.1",
    "-eagle-x",
    "-beagle",
    "-draft",
    "-lora",
    "-eagle3x",
)
_WRITTEN = ("1B", "900M", "7.1b", "6B", " 5.9B ", ".5B", "7.B", "+12B", "1e1B", "0B")
_QUANTISATIONS = ("F32", "F32", "F16", "Q4_K_M", "AWQ-4bit", "GPTQ-Int8", "GPTQ-Int2")


def planted_entries(count: int, draw: random.Random) -> list[dict[str, Any]]:
    """So many entries of a custom models file, no two of one slug."""
    return [_entry(number, draw) for number in range(count)]


def _entry(number: int, draw: random.Random) -> dict[str, Any]:
    size = draw.choice(_SIZES)
    word = draw.choice(_PACKED if draw.random() < 0.8 else _PLAIN)
    tail = draw.choice(_JOINTS) + size + draw.choice("bB") + draw.choice(_ENDS) + word + draw.choice(_DRAFTS)
    counts = {"parameter_count": draw.choice(_WRITTEN)}
    if draw.random() < 0.75:
        counts["parameters_raw"] = _count(size, draw)
    if draw.random() < 0.7:
        counts["min_vram_gb"] = draw.choice((None, 0, 0.1, 7.25))
    return {
        "name": f"{draw.choice(_OWNERS)}/z{_letters(number)}z{draw.choice(_STEMS)}{tail}",
        "provider": "me",
        "min_ram_gb": draw.choice((0.0, 0.1, 9.2)),
        "recommended_ram_gb": 20.0,
        "quantization": draw.choice(_QUANTISATIONS),
        "context_length": 4096,
        "use_case": "chat",
        **draw.choice(({}, {"is_moe": True, "num_experts": 8, "active_experts": 1, "active_parameters": 10**8})),
        **counts,
    }


def _count(size: str, draw: random.Random) -> int:
    """A count at three quarters of the size, beside it, far from it, or next to nothing."""
    digits = "".join(character if character.isdigit() else "." for character in size).rstrip(".")
    billions = float(digits) if digits.count(".") <= 1 else 2.3
    edge = round(billions * 750_000_000)
    return max(0, draw.choice((edge - 1, edge, edge + 1, round(billions * 10**9), edge // 3, 0, 2)))


def _letters(number: int) -> str:
    return chr(ord("a") + number // 26) + chr(ord("a") + number % 26)
