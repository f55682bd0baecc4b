"""The reference estimator: the arithmetic of ``llmfit claim`` 1.1.17, double for double.

It counts weights and nothing else: no KV cache, no runtime buffers, all experts of a mixture. Memory is a
number of decimal gigabytes that the program writes with the suffix ``Gi``.
"""

from __future__ import annotations

import math

from ..errors import UsageError
from .model import Model, Need, Target, Term
from .parameters import parameters_billions
from .quantisation import UNKNOWN_BYTES_PER_PARAMETER, Choice, choose
from .units import GIB, INT64_MAX, plain_number, round_half_away

NAME = "llmfit"

GB = 10**9

OVERRIDE_FACTOR = 1.2
"""Margin on the weights when ``--quant`` differs from the entry's own (llmfit 1.1.17)."""


def estimate(model: Model, target: Target) -> Need:
    """What one device must have to decode ``model`` at ``target``.

    Raises UsageError for an unknown ``target.quant``, for a model without a parameter count or with
    a count of 0, and for one so large that no claim could state its bounds.
    """
    billions, counted = parameters_billions(model)
    quant = choose(model.quantization, target.quant)
    weights_gb = billions * quant.bytes_per_parameter
    memory_gi, exact_bytes, memory_term = _memory(model, quant, weights_gb)
    # the order of operations is the program's: another one differs in the last bit, and then in the ceiling
    bandwidth = target.min_tps * weights_gb * 100.0 / target.efficiency_pct
    if not (math.isfinite(bandwidth) and bandwidth <= INT64_MAX and memory_gi * GIB <= INT64_MAX):
        raise UsageError(f"model {model.name!r} is too large for any claim: {billions:g} billion parameters")
    bandwidth_gbs = max(1, math.ceil(bandwidth))
    return Need(
        model=model.name,
        estimator=NAME,
        memory_bytes=memory_gi * GIB,
        exact_bytes=min(exact_bytes, memory_gi * GIB),
        bandwidth_gbs=bandwidth_gbs,
        quant=quant.name,
        quant_is_own=quant.own,
        weights_gb=weights_gb,
        parameters_billions=billions,
        min_tps=target.min_tps,
        efficiency_pct=target.efficiency_pct,
        catalog=model.source,
        terms=(
            Term("parameters", counted),
            Term("quantisation", _quant_term(quant)),
            Term("weights", f"{_figure(weights_gb)} GB"),
            Term("memory", memory_term),
            Term("bandwidth", _bandwidth_term(target, weights_gb)),
        ),
        warnings=_warnings(quant),
    )


def _memory(model: Model, quant: Choice, weights_gb: float) -> tuple[int, int, str]:
    """The floor in GiB, what it is in bytes before rounding, and how it was counted.

    Weights are decimal gigabytes; the catalogue's minimum, which the program reads as binary, counts as binary.
    """
    if not quant.own:
        # the program multiplies the weights, whatever the catalogue's minimum says
        term = f"weights {_figure(weights_gb)} GB × {OVERRIDE_FACTOR}, rounded up"
        needed_gb = weights_gb * OVERRIDE_FACTOR
        return max(1, math.ceil(needed_gb)), math.ceil(needed_gb * GB), term
    minimum = (model.min_ram_gb if model.min_vram_gb is None else model.min_vram_gb) or 0.0
    larger, what = max((weights_gb, "weights"), (minimum, "the catalogue's minimum"))
    term = f"{what} {_figure(larger)} GB, rounded up"
    return max(1, math.ceil(larger)), math.ceil(max(weights_gb * GB, minimum * GIB)), term


def _bandwidth_term(target: Target, weights_gb: float) -> str:
    speed = f"{plain_number(target.min_tps)} tok/s"
    return f"{speed} × {_figure(weights_gb)} GB × 100 / {target.efficiency_pct}, rounded up"


def _quant_term(quant: Choice) -> str:
    whose = "the catalogue's own" if quant.own else "--quant"
    return f"{quant.name} ({whose}), {quant.bytes_per_parameter:g} bytes a parameter"


def _warnings(quant: Choice) -> tuple[str, ...]:
    if quant.source is not None:
        return ()
    return (
        f"the catalogue's quantisation {quant.name!r} is in no table: "
        f"counted as {UNKNOWN_BYTES_PER_PARAMETER} bytes a parameter, as llmfit does",
    )


def _figure(gigabytes: float) -> str:
    return plain_number(round_half_away(gigabytes, 2))
