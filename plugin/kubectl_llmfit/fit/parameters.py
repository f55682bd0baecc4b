"""How many parameters a model has, as ``llmfit claim`` 1.1.17 counts them. Pure; reads an entry, sizes nothing.

Repositories that pack several weights into one word are catalogued with the number of words. For names that say so
the program takes the size in the name where the count is under three quarters of it; not for draft heads, whose
names carry the size of the model that they draft for. All of this was observed on entries planted in the program.

Beyond the program, which takes 7 billion for every written count that it cannot read: counts in T and K and with a
space before the unit are read, and a model that has no readable count is refused.
"""

from __future__ import annotations

import re

from ..errors import UsageError
from .model import Model
from .units import plain_number

PACKED_WORDS = ("nvfp4", "mxfp4", "mxfp8", "w4a16", "w8a16", "awq", "gptq", "int4", "int8")
"""Anywhere in the name, owner and all, in any case. fp8, w8a8 and nf4 are none of them: nothing is packed there."""

DRAFT_WORDS = ("dflash", "dspark", "eagle")
"""Between ``-``, ``_`` and ``.`` of what follows the last slash, in any case, perhaps with a number (eagle3)."""

PACKED_BELOW = 0.75

# A number may have one point or underscore (1_8B is 1.8, 8.B is 8). No letter and no digit touches number and b, and
# what is left of a number that began in a word is none: the 5 of Qwen2.5B.
_SIZE = re.compile(r"(?<![^\W_])([0-9]+[._][0-9]*|(?<![0-9][._])[0-9]+)b(?![^\W_])")
_DRAFT = re.compile(rf"(?:\A|[-_.])(?:{'|'.join(DRAFT_WORDS)})\d*(?:\Z|[-_.])")
_WRITTEN = re.compile(r"\+?((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:E[+-]?[0-9]+)?)\s*([TBMK])")
_UNITS_PER_BILLION = {"T": 0.001, "B": 1.0, "M": 1000.0, "K": 1000000.0}


def parameters_billions(model: Model) -> tuple[float, str]:
    """Parameters in billions, above 0, and how they were counted.

    Raises UsageError for a model without a readable count, and for a count of 0, unless its name gives the size.
    """
    counted, how = _catalogued(model)
    named = size_of_packed(model.name)
    if (counted or 0.0) < PACKED_BELOW * named:
        why = "none counted" if counted is None else f"{counted:.3f} counted"
        return named, f"{plain_number(named)} billion, from the name ({why}: packed weights)"
    if counted is None:
        raise UsageError(f"model {model.name!r} has no parameter count in the catalogue ({model.parameter_count!r})")
    if counted == 0:
        raise UsageError(f"model {model.name!r} cannot be sized: its parameter count is 0")
    return counted, how


def size_of_packed(name: str) -> float:
    """The largest size in billions in a name that speaks of packed weights; 0 when it does not, or has no size."""
    folded = name.lower()
    if not any(word in folded for word in PACKED_WORDS) or _DRAFT.search(folded.rpartition("/")[2]):
        return 0.0
    return max((float(size.replace("_", ".")) for size in _SIZE.findall(folded)), default=0.0)


def _catalogued(model: Model) -> tuple[float | None, str]:
    if model.parameters_raw is not None:
        billions = model.parameters_raw / 1e9
        return billions, f"{billions:.3f} billion"
    written = model.parameter_count.strip()
    match = _WRITTEN.fullmatch(written.upper())
    if match is None:
        return None, ""
    return float(match[1]) / _UNITS_PER_BILLION[match[2]], f"{written}, as the catalogue writes it"
