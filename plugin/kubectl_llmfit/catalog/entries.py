"""From the JSON of one entry to a ``Model``: the shape that llmfit writes and reads, checked field by field.

The rules are those of the llmfit 1.1.17 program, observed on the files it takes for its own custom models: which
fields must be there, their JSON types, ``null`` only where a value is optional, unsigned 32-bit counts, no JSON
key twice. Beyond it, numbers that no model has and texts that a terminal would obey are refused; and unknown
fields, capabilities and formats are kept, for a newer llmfit may write them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from ..escapes import as_json
from ..fit.model import Model

MAX_COUNT = 2**32 - 1
# The largest entry known has 3e13 parameters and asks for 17,400 GB.
MAX_PARAMETERS = 10**15
MAX_GB = 1e6
MAX_TEXT = 1000

REQUIRED = (
    "name",
    "provider",
    "parameter_count",
    "min_ram_gb",
    "recommended_ram_gb",
    "quantization",
    "context_length",
    "use_case",
)


class EntryError(ValueError):
    """An entry is not what llmfit writes; the message names the model, the field and the value."""


def read_entry(raw: object, source: str) -> Model:
    """Check one entry of a list and return it. Raises ``EntryError``."""
    if not isinstance(raw, Mapping):
        raise EntryError(f"is {as_json(raw)}, not an object")
    label = f"model {as_json(raw['name'])}" if "name" in raw else "a model without a name"
    for name in REQUIRED:
        if name not in raw:
            raise EntryError(f"{label}: {name} is missing")
    for name, value in raw.items():
        check = CHECKS.get(name)
        wanted = check(value) if check else None
        if wanted:
            raise EntryError(f"{label}: {name} is {as_json(value)}, not {wanted}")
    return model_of({"format": "gguf", **raw}, source)


def model_of(raw: Mapping[str, Any], source: str) -> Model:
    """Return the model of an entry whose shape is known to be right."""
    known = {name: value for name, value in raw.items() if name in MODEL_FIELDS}
    for name in SEQUENCES:
        if name in known:
            known[name] = tuple(known[name])
    unknown = {name: value for name, value in raw.items() if name not in MODEL_FIELDS}
    return Model(**known, source=source, unknown=unknown)


def _text(value: object) -> str | None:
    if not isinstance(value, str):
        return "a string"
    if len(value) > MAX_TEXT:
        return f"a string of at most {MAX_TEXT} characters"
    return None if value.isprintable() else "printable text"


def _name(value: object) -> str | None:
    if isinstance(value, str) and not value.strip():
        return "a name"
    return _text(value)


def _gb(value: object) -> str | None:
    number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return None if number and 0 <= value <= MAX_GB else f"a number from 0 to {MAX_GB:,.0f}"  # type: ignore[operator]  # number says so


def _count_up_to(maximum: int) -> Callable[[object], str | None]:
    def check(value: object) -> str | None:
        whole = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= maximum
        return None if whole else f"a whole number from 0 to {maximum:,}"

    return check


def _optional(check: Callable[[object], str | None]) -> Callable[[object], str | None]:
    return lambda value: None if value is None else check(value)


def _flag(value: object) -> str | None:
    return None if isinstance(value, bool) else "true or false"


def _texts(value: object) -> str | None:
    good = isinstance(value, list) and all(_text(item) is None for item in value)
    return None if good else "a list of strings"


def _sources(value: object) -> str | None:
    good = isinstance(value, list) and all(
        isinstance(item, Mapping) and _text(item.get("repo")) is None and _text(item.get("provider")) is None
        for item in value
    )
    return None if good else "a list of objects with repo and provider"


_count = _count_up_to(MAX_COUNT)
_parameters = _optional(_count_up_to(MAX_PARAMETERS))

CHECKS: Mapping[str, Callable[[object], str | None]] = {
    "name": _name,
    "provider": _text,
    "parameter_count": _text,
    "parameters_raw": _parameters,
    "min_ram_gb": _gb,
    "recommended_ram_gb": _gb,
    "min_vram_gb": _optional(_gb),
    "quantization": _text,
    "context_length": _count,
    "use_case": _text,
    "is_moe": _flag,
    "num_experts": _optional(_count),
    "active_experts": _optional(_count),
    "active_parameters": _parameters,
    "release_date": _optional(_text),
    "gguf_sources": _sources,
    "capabilities": _texts,
    "languages": _texts,
    "format": _text,
    "num_attention_heads": _optional(_count),
    "num_key_value_heads": _optional(_count),
    "num_hidden_layers": _optional(_count),
    "head_dim": _optional(_count),
    "license": _optional(_text),
    "hidden_size": _optional(_count),
    "moe_intermediate_size": _optional(_count),
    "vocab_size": _optional(_count),
    "shared_expert_intermediate_size": _optional(_count),
    "architecture": _optional(_text),
}
SEQUENCES = ("gguf_sources", "capabilities", "languages")
MODEL_FIELDS = frozenset(field.name for field in fields(Model)) - {"source", "unknown"}
