"""What a user may ask of an estimator, checked once: speed, usable share of bandwidth, quantisation."""

from __future__ import annotations

import math

from ..errors import UsageError
from .model import Target
from .units import plain_number

MAX_TPS = 1_000_000.0
"""Above any real decode speed, and low enough that the bound of every catalogue entry fits CEL's int64."""


def make_target(min_tps: float = 20.0, efficiency_pct: int = 55, quant: str | None = None) -> Target:
    """A Target from ``--min-tps``, ``--efficiency`` and ``--quant``; a value out of range is a UsageError.

    ``quant`` is looked up with the model, whose own string is always allowed.
    """
    if not math.isfinite(min_tps) or not 0 < min_tps <= MAX_TPS:
        shown = plain_number(min_tps) if math.isfinite(min_tps) and abs(min_tps) < 1e16 else f"{min_tps:g}"
        raise UsageError(
            f'invalid value "{shown}" for --min-tps: must be tokens per second above 0, at most {plain_number(MAX_TPS)}'
        )
    if not 1 <= efficiency_pct <= 100:
        raise UsageError(f'invalid value "{efficiency_pct}" for --efficiency: must be a whole percentage from 1 to 100')
    return Target(min_tps=float(min_tps), efficiency_pct=efficiency_pct, quant=quant)
