"""The order in which names are offered: search results, candidates, and the nearest names to an unknown one.

Original publishers first, then entries of which GGUF files are published, then those that add least to what was
typed. Only used when a lookup failed or a search was asked for: it reads every name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from .store import Listing, short_of

# Organisations whose names carry models that they trained themselves, as their repositories are called.
ORIGINAL_PUBLISHERS = frozenset(
    """
    01-ai ai21labs allenai amazon apple arcee-ai baai baidu bigcode bigscience bytedance-seed codellama
    cohereforai coherelabs databricks deepseek-ai eleutherai facebook google huggingfaceh4 huggingfacetb ibm-granite
    inclusionai internlm kakaocorp lgai-exaone liquidai llm-jp lmsys meituan-longcat meta-llama microsoft minimaxai
    mistralai moonshotai mosaicml naver-hyperclovax nousresearch nvidia openai openai-community openbmb opengvlab
    qwen rwkv salesforce sarvamai servicenow-ai skt snowflake stabilityai stepfun-ai swiss-ai tencent tiiuae tinyllama
    tokyotech-llm upstage utter-project xai-org xiaomimimo zai-org
    """.split()  # noqa: SIM905 one per line would be a page
)
# Words that mark a copy of somebody's model in another precision or with its manners changed.
COPY_WORDS = frozenset(
    """
    gguf awq gptq exl2 exl3 mlx onnx fp8 fp4 nvfp4 mxfp4 mxfp8 bf16 fp16 int4 int8 w4a16 w8a8 w8a16 4bit 8bit 5bit 6bit
    3bit 2bit bnb autoround quantized pruned reap abliterated uncensored heretic lora draft eagle eagle3 dflash dspark
    """.split()  # noqa: SIM905 one per line would be a page
)
SIMILAR_ENOUGH = 0.5

_WORD = re.compile(r"\d+(?:\.\d+)*[a-z]*|[a-z]+\d*")


def words_of(text: str) -> list[str]:
    """Return the words and numbers of a name: ``Llama-3.1-8B`` is llama, 3.1, 8b; ``Qwen2.5`` is qwen, 2.5."""
    return _WORD.findall(re.sub(r"(?<=[a-z]{2})(?=\d)", " ", text.lower()))


def matching(query: str, listings: Iterable[Listing]) -> list[str]:
    """Return the names that contain every word of the query as a piece, ranked."""
    pieces = query.lower().split()
    return ranked(query, [entry for entry in listings if all(piece in entry.key for piece in pieces)])


def nearest(name: str, listings: list[Listing], limit: int) -> list[str]:
    """Return the names that a mistaken one may have meant: those with all its words, else those spelt alike."""
    wanted = Counter(words_of(short_of(name.lower())))
    same_words = [entry for entry in listings if wanted and not wanted - Counter(words_of(entry.short))]
    if same_words:
        return ranked(name, same_words)[:limit]
    return _spelt_alike(name, listings, limit)


def ranked(query: str, listings: Iterable[Listing]) -> list[str]:
    """Return names in the order in which a person who typed ``query`` wants to see them."""
    typed = len(words_of(short_of(query.lower())))

    def order(entry: Listing) -> tuple[object, ...]:
        words = words_of(entry.short)
        return (*_strangeness(entry, words), len(words) - typed, len(entry.name), entry.key)

    exact = query.strip().lower()
    found = sorted(listings, key=order)
    return [entry.name for entry in sorted(found, key=lambda e: exact not in (e.key, e.short))]


def _strangeness(entry: Listing, words: list[str]) -> tuple[bool, bool]:
    publisher = entry.key.partition("/")[0]
    original = publisher in ORIGINAL_PUBLISHERS and COPY_WORDS.isdisjoint(words)
    return not original, not entry.has_gguf


def _spelt_alike(name: str, listings: list[Listing], limit: int) -> list[str]:
    """Compare pairs of neighbouring letters (Dice's coefficient), publisher included only if one was typed."""
    whole = "/" in name
    wanted = _pairs(name.lower())
    scored = []
    for entry in listings:
        pairs = _pairs(entry.key if whole else entry.short)
        alike = 2 * len(wanted & pairs) / ((len(wanted) + len(pairs)) or 1)
        if alike >= SIMILAR_ENOUGH:
            scored.append((round(-alike, 1), *_strangeness(entry, words_of(entry.short)), -alike, entry.name))
    return [str(row[-1]) for row in sorted(scored)[:limit]]


def _pairs(text: str) -> set[str]:
    return {text[i : i + 2] for i in range(len(text) - 1)}
