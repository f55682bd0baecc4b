"""Random command lines that both programs should answer alike."""

from __future__ import annotations

import random

from kubectl_llmfit.fit.model import Model
from kubectl_llmfit.fit.quantisation import QUANTISATIONS, REFERENCE
from parity.reference import Flags

_QUANTS = tuple(entry.name for entry in QUANTISATIONS if entry.source == REFERENCE)
_CLASSES = ("llmfit.ai", "gpu.llmfit.ai", "npu.llmfit.ai", "cpu.llmfit.ai", "nic.llmfit.ai", "my-gpus", "a.b.example")


def random_flags(model: Model, draw: random.Random) -> Flags:
    """Each flag is there or not; the quantisations are those that llmfit's own table has."""

    def maybe(value: object) -> object:
        return value if draw.random() < 0.6 else None

    return Flags(
        model=model.name,
        min_tps=maybe(_speed(draw)),  # type: ignore[arg-type]  # ``maybe`` keeps the type
        efficiency=maybe(draw.randint(1, 100)),  # type: ignore[arg-type]  # as above
        quant=maybe(draw.choice((*_QUANTS, model.quantization))),  # type: ignore[arg-type]  # as above
        name=maybe(draw.choice(("my-claim", "llama.team-a", "a" * 63))),  # type: ignore[arg-type]  # as above
        device_class=maybe(draw.choice(_CLASSES)),  # type: ignore[arg-type]  # as above
        template=draw.random() < 0.5,
    )


def _speed(draw: random.Random) -> float:
    """Whole speeds as people ask for, and odd ones that end in another last bit."""
    return draw.choice((float(draw.randint(1, 400)), draw.uniform(0.01, 500.0), draw.uniform(1, 50) ** 3))
