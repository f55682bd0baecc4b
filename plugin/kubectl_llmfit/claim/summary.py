"""What else is said of an ask: the summary for controllers (``--json``) and the line on stderr."""

from __future__ import annotations

from .. import __version__
from ..fit.model import Need
from ..fit.modelfit import CATALOGUE_NAME
from ..fit.units import gib_from_bytes, plain_number, round_half_away
from .alternatives import Alternative
from .ask import EXPORT_VERSION, Ask


def summary(ask: Ask) -> dict[str, object]:
    """The object of ``--json``, keys in alphabetical order, as ``llmfit claim --json`` prints them.

    ``weightsGb`` is rounded to one decimal, halves up; ``memoryGi`` is an integer where it is whole; what the need
    lacks is null. From a ModelFit there is also ``systemMemoryGi``, and for devices of other drivers, or several
    alternatives, ``alternatives`` in the order in which they are tried.
    """
    need = ask.need
    answer: dict[str, object] = {
        "claimName": ask.name,
        "deviceClass": ask.classes[0],
        "efficiencyPct": need.efficiency_pct,
        "memoryGi": _memory_gi(need),
        "minBandwidthGBs": need.bandwidth_gbs,
        "minTps": need.min_tps,
        "model": need.model,
        "quant": need.quant,
        "resolverVersion": __version__,
        "weightsGb": None if need.weights_gb is None else round_half_away(need.weights_gb, 1),
    }
    if need.system_memory_gb is not None:
        answer["systemMemoryGi"] = _whole(need.system_memory_gb)
    if not ask.is_plain:
        answer["alternatives"] = [_alternative(ask, each) for each in ask.alternatives]
    return dict(sorted(answer.items()))


def _alternative(ask: Ask, alternative: Alternative) -> dict[str, object]:
    floor = alternative.floor
    health = ask.wishes.health or alternative.profile.health.default
    return {
        "name": alternative.name,
        "deviceClass": alternative.device_class,
        "driver": alternative.profile.name,
        "memoryBytes": floor.memory_bytes,
        "memoryBelowBytes": floor.below_bytes,
        "minBandwidthGBs": floor.bandwidth_gbs,
        "health": health.value,
        "capacity": dict(alternative.capacity),
    }


def asking(ask: Ask) -> str:
    """The line for stderr: what is asked and how it was counted."""
    need = ask.need
    asked = [f"memory >= {need.memory}"]
    if need.bandwidth_gbs is not None:
        asked.append(f"bandwidth >= {need.bandwidth_gbs} GB/s")
    of = "" if ask.is_plain else f" of {', else '.join(ask.classes)}"
    return f"asking: {', '.join(asked)}{of} ({_basis(need)})"


def sharing(ask: Ask) -> str | None:
    """What a plain claim means for several pods; None for a template, which makes a claim per pod, and an export."""
    if ask.template or ask.api_version == EXPORT_VERSION:
        return None
    whole = any(each.profile.allocation_mode == "All" for each in ask.alternatives)
    shared = "what it gets" if whole or ask.wishes.share else "one device"
    return f"all pods that name this claim share {shared}; --template makes one claim for each pod"


def _basis(need: Need) -> str:
    parts = list(need.overrides)
    if need.system_memory_gb is not None:
        whose = "the catalogue's minimum" if need.estimator == CATALOGUE_NAME else "from the ModelFit"
        parts.append(f"{whose}; the pod itself needs {plain_number(need.system_memory_gb)}Gi of system memory")
    elif need.quant is not None and not (need.memory_is_given and need.bandwidth_is_given):
        whose = "the catalogue's own" if need.quant_is_own else "--quant"
        parts.append(f"{need.quant}, {whose}; the reference rule counts no KV cache")
    return "; ".join(parts)


def _memory_gi(need: Need) -> int | float:
    return gib_from_bytes(need.memory_bytes) if need.gpu_memory_gb is None else _whole(need.gpu_memory_gb)


def _whole(value: float) -> int | float:
    return int(value) if value.is_integer() else value
