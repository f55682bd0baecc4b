"""What a repository's name says of its model: sizes, expert counts, weight formats. Reads text, judges nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# A number is a size only where no letter, digit or point runs into it: A3B (active), Qwen3, 3.5bpw are none.
_BEFORE = r"(?<![A-Za-z0-9.])"
_AFTER = r"(?![A-Za-z0-9])"
_SIZE = re.compile(rf"{_BEFORE}(\d+(?:\.\d+)?)\s?([TBM]){_AFTER}", re.IGNORECASE)
_DECIMAL_AFTER_UNIT = re.compile(rf"{_BEFORE}(\d+)[bB](\d){_AFTER}")  # 1b7
_DECIMAL_UNDERSCORE = re.compile(rf"{_BEFORE}(\d+)_(\d)[bB]{_AFTER}")  # 1_8b
_TWO_SIZES = re.compile(
    rf"{_BEFORE}(\d+(?:\.\d+)?)([bm])-?(\d+(?:\.\d+)?)([bm]){_AFTER}", re.IGNORECASE
)  # 2b-2b, 1b14b
_TIMES = re.compile(rf"{_BEFORE}(\d+)x(\d+(?:\.\d+)?)[bB]{_AFTER}", re.IGNORECASE)  # 8x7B
_EXPERTS = re.compile(rf"{_BEFORE}(\d+)E{_AFTER}", re.IGNORECASE)  # 17B-16E
# A smaller number of M is a context length or a variant's name.
FEWEST_MILLIONS = 10
_BILLIONS = {"T": 1000.0, "B": 1.0, "M": 0.001}


@dataclass(frozen=True, slots=True)
class Size:
    """One reading of a size, as written and as the least and the most it can mean, in billions."""

    text: str
    least: float
    most: float


def sizes_in(name: str) -> tuple[Size, ...]:
    """Return every reading of a size in a name: billions before trillions and millions, larger ones first.

    ``8x7B`` is eight experts that share their attention: anything from 7 to 56 billion. ``17B-16E`` names what
    is active of 16 experts: anything from 17 to 272. ``2b-2b`` is an encoder and a decoder, ``1b14b`` the active of
    all: anything from the larger to the sum. A reading may also be a number of tokens or another model's size.
    """
    experts = max([1, *(int(count) for count in _EXPERTS.findall(name))])
    readings = [Size(size.text, size.least, size.most * experts) for size in [*_plain(name), *_decimals(name)]]
    for first, unit, second, other in _TWO_SIZES.findall(name):
        both = float(first) * _BILLIONS[unit.upper()], float(second) * _BILLIONS[other.upper()]
        readings.append(Size(f"{first}{unit}-{second}{other}".upper(), max(both), sum(both)))
    for count, each in _TIMES.findall(name):
        readings.append(Size(f"{count}x{each}B", float(each), int(count) * float(each)))
    return tuple(sorted(readings, key=lambda size: (not size.text.endswith("B"), -size.most)))


def _plain(name: str) -> Iterator[Size]:
    for number, unit in _SIZE.findall(name):
        value = float(number)
        if value > 0 and (unit not in "mM" or value >= FEWEST_MILLIONS):
            billions = value * _BILLIONS[unit.upper()]
            yield Size(number + unit.upper(), billions, billions)


def _decimals(name: str) -> Iterator[Size]:
    for whole, part in [*_DECIMAL_AFTER_UNIT.findall(name), *_DECIMAL_UNDERSCORE.findall(name)]:
        value = float(f"{whole}.{part}")
        yield Size(f"{whole}.{part}B", value, value)


@dataclass(frozen=True, slots=True)
class Format:
    """A weight format that a name speaks of: its label, its family, and its bits where they are known."""

    label: str
    family: str
    bits: float | None


_WORD_START = r"(?<![a-z0-9])"
_WORD_END = r"(?![a-z0-9])"
# In the order in which a label is chosen. ``(\d+)`` is the number of bits.
_FORMATS: tuple[tuple[str, str, int | None, str], ...] = (
    ("NVFP4", "float", 4, r"nvfp4(?:a\d+)?"),
    ("MXFP4", "float", 4, r"mxfp4(?:a\d+)?"),
    ("MXFP8", "float", 8, r"mxfp8"),
    ("FP4", "float", 4, r"fp4"),
    ("NF4", "float", 4, r"nf4|bnb4|bnb-4bit"),
    ("W4A8", "integer", 4, r"w4a(?:fp)?8"),
    ("W4A16", "integer", 4, r"w4a16"),
    ("W8A8", "integer", 8, r"w8a8"),
    ("W8A16", "integer", 8, r"w8a16"),
    ("INT4", "integer", 4, r"int4"),
    ("INT8", "integer", 8, r"int8"),
    ("FP8", "float", 8, r"w?fp8(?:e4m3|e5m2)?|f8e4m3"),
    ("AWQ", "AWQ", None, r"awq"),
    ("GPTQ", "GPTQ", None, r"gptq"),
    ("AutoRound", "AutoRound", None, r"auto-?round"),
    ("EXL3", "EXL", None, r"exl3"),
    ("EXL2", "EXL", None, r"exl2"),
    ("MLX", "MLX", None, r"mlx"),
    ("BF16", "float", 16, r"bf16|bfloat16"),
    ("FP16", "float", 16, r"fp16|f16|float16"),
    ("FP32", "float", 32, r"fp32|f32|float32"),
)
_COMPILED = tuple(
    (label, family, bits, re.compile(f"{_WORD_START}(?:{pattern}){_WORD_END}"))
    for label, family, bits, pattern in _FORMATS
)
_GGUF_TYPE = re.compile(rf"{_WORD_START}(i?q(\d)_(?:[0-9k](?:_(?:xs|xxs|s|m|l|xl))?|xs|xxs|s|m|nl)){_WORD_END}")
_BITS = re.compile(rf"{_WORD_START}(?<!\d\.)(\d+(?:\.\d+)?)[-_]?bits?{_WORD_END}")
_MLX_BITS = re.compile(rf"{_WORD_START}(?:oq|q(?=\de?[^/]*mlx)|(?<=mlx-)q)(\d)e?{_WORD_END}")  # oQ4e, Q4-MLX, mlx-q4
MOST_BITS = 32


def formats_in(name: str) -> tuple[Format, ...]:
    """Return the weight formats that a name speaks of, the most telling first."""
    text = name.lower()
    found = [Format(label, family, bits) for label, family, bits, word in _COMPILED if word.search(text)]
    found += [Format(kind.upper(), "GGUF", int(bits)) for kind, bits in dict.fromkeys(_GGUF_TYPE.findall(text))]
    plain = bits_in(text)
    return tuple(found) if found or plain is None else (Format(f"{plain:g}-bit", "plain", plain),)


def bits_in(name: str) -> float | None:
    """Return the number of bits that a name gives, as in ``4bit``, ``1.58-bit`` or, for MLX, ``oQ4e``."""
    text = name.lower()
    match = _BITS.search(text) or _MLX_BITS.search(text)
    return float(match[1]) if match and float(match[1]) <= MOST_BITS else None
