"""A need from a ModelFit: memory figures that somebody else has computed, taken as they are.

Reads four figures in GB (written and read as binary GB, as the document they come from does): ``min_ram_gb`` or
``ram_gb``, ``min_vram_gb`` or ``vram_gb``, and the tighter ``estimated_memory_gb`` and ``estimated_vram_gb``,
which win when present. A null counts as absent.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping
from dataclasses import replace

from ..errors import UsageError
from .model import Model, Need, Term
from .units import INT64_MAX, bytes_from_gib, plain_number

NAME = "modelfit"
CATALOGUE_NAME = "catalogue"
"""The estimator's name where the catalogue's own minimum figures stand for a ModelFit."""

_SYSTEM_MEMORY = ("estimated_memory_gb", "min_ram_gb", "ram_gb")
_DEVICE_MEMORY = ("estimated_vram_gb", "min_vram_gb", "vram_gb")
_NAMES = ("name", "model")
_CONTROL_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def need_from_model_fit(document: Mapping[str, object], origin: str = "--fit") -> Need:
    """The need that a ModelFit states: a memory floor, and no condition on bandwidth.

    Figures that are not asked for are still checked. Raises UsageError, which starts with ``origin`` (the file), for a
    missing name or figure and for a figure that is no number, not finite, negative, or beyond what can be asked.
    """
    name = _name(document, origin)
    system = _figure(document, _SYSTEM_MEMORY, origin)
    device = _figure(document, _DEVICE_MEMORY, origin)
    return _need(name, NAME, system, device, origin)


def need_of_catalogue(model: Model) -> Need:
    """The need that the catalogue's own minimum figures state (min_ram_gb, min_vram_gb)."""
    figures = {"min_ram_gb": model.min_ram_gb, "min_vram_gb": model.min_vram_gb}
    origin = f"model {model.name!r}"
    system = _figure(figures, _SYSTEM_MEMORY, origin)
    device = _figure(figures, _DEVICE_MEMORY, origin)
    return replace(_need(model.name, CATALOGUE_NAME, system, device, origin), catalog=model.source)


def _need(name: str, estimator: str, system: tuple[str, float], device: tuple[str, float], origin: str) -> Need:
    memory_bytes = bytes_from_gib(device[1])
    if memory_bytes == 0:
        raise UsageError(f"{origin}: {device[0]} is 0: a claim needs device memory to ask for")
    return Need(
        model=name,
        estimator=estimator,
        memory_bytes=memory_bytes,
        bandwidth_gbs=None,
        memory_text=f"{plain_number(device[1])}Gi",
        system_memory_gb=system[1],
        gpu_memory_gb=device[1],
        terms=(
            Term("memory", f"{device[0]} {plain_number(device[1])}"),
            Term("system memory", f"{system[0]} {plain_number(system[1])}"),
        ),
    )


def _name(document: Mapping[str, object], origin: str) -> str:
    name = next((document[key] for key in _NAMES if document.get(key) is not None), None)
    if not isinstance(name, str) or not name.strip():
        raise UsageError(f"{origin}: a ModelFit needs a name")
    if any(unicodedata.category(character) in _CONTROL_CATEGORIES for character in name):
        raise UsageError(f"{origin}: name {name!a} holds control characters")
    return name


def _figure(document: Mapping[str, object], keys: tuple[str, ...], origin: str) -> tuple[str, float]:
    """The first present of ``keys`` with its figure, after a look at all of them."""
    present = [(key, _gigabytes(document[key], key, origin)) for key in keys if document.get(key) is not None]
    if not present:
        raise UsageError(f"{origin}: a ModelFit needs one of {', '.join(keys)}")
    return present[0]


def _gigabytes(value: object, key: str, origin: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UsageError(f"{origin}: {key} is {value!r}: must be a number of GB")
    try:
        figure = float(value)
    except OverflowError:
        figure = math.inf
    if not math.isfinite(figure) or figure < 0:
        raise UsageError(f"{origin}: {key} is {value}: must be a number of GB, 0 or more")
    if bytes_from_gib(figure) > INT64_MAX:
        raise UsageError(f"{origin}: {key} is {value}: more than any device has")
    return figure
