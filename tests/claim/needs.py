"""The asks that the tests of this folder share."""

from __future__ import annotations

from typing import Any

from kubectl_llmfit.claim.alternatives import Wishes
from kubectl_llmfit.claim.classes import shipped_class
from kubectl_llmfit.fit.llmfit import estimate
from kubectl_llmfit.fit.model import Model, Need
from kubectl_llmfit.fit.modelfit import need_from_model_fit
from kubectl_llmfit.fit.overrides import with_min_bandwidth, with_min_memory
from kubectl_llmfit.fit.target import make_target

LLAMA = Model(
    name="meta-llama/Llama-3.1-8B-Instruct",
    parameters_raw=8_030_261_248,
    min_vram_gb=4.1,
    min_ram_gb=4.5,
    source="llmfit",
)


def llama(quant: str | None = None, min_tps: float = 20.0) -> Need:
    """5Gi and 170 GB/s at the defaults."""
    return estimate(LLAMA, make_target(min_tps, quant=quant))


def fit() -> Need:
    """The ModelFit of the source document: 12 GB of RAM, 8 GB of VRAM."""
    return need_from_model_fit({"name": "llama-7b", "min_ram_gb": 12, "min_vram_gb": 8})


def given() -> Need:
    """Both figures the user's own."""
    return with_min_bandwidth(with_min_memory(llama(), 18 * 2**30, "18Gi"), 300)


def of(*names: str, **wishes: Any) -> Wishes:
    """Wishes for classes that known drivers ship, in this order."""
    classes = tuple(found for name in names if (found := shipped_class(name)) is not None)
    assert len(classes) == len(names)
    return Wishes(classes, **wishes)
