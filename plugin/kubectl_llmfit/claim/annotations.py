"""Where a claim comes from, as annotations: what kustomize and the API server keep when they drop comments."""

from __future__ import annotations

from ..fit.model import Need
from ..fit.units import plain_number
from .alternatives import Wishes

PREFIX = "llmfit.ai/"


def annotations_of(need: Need, wishes: Wishes) -> dict[str, str]:
    """Annotations for the metadata of a claim or a template; a fact that the need lacks has none.

    No tool version and no version of the data, so that an upgrade makes no diff. The speed is left out where the
    user's own bandwidth stands instead of the one counted for it.
    """
    counted = need.min_tps is not None and not need.bandwidth_is_given
    facts = {
        "model": need.model,
        "quant": need.quant,
        "min-tps": plain_number(need.min_tps) if counted and need.min_tps is not None else None,
        "efficiency-pct": str(need.efficiency_pct) if counted else None,
        "memory": need.memory,
        "min-bandwidth-gbs": None if need.bandwidth_gbs is None else str(need.bandwidth_gbs),
        "system-memory": None if need.system_memory_gb is None else f"{plain_number(need.system_memory_gb)}Gi",
        "estimator": need.estimator,
        "catalog": need.catalog or None,
        "accelerators": wishes.table_name,
        "require-health": None if wishes.health is None else wishes.health.value,
    }
    return {f"{PREFIX}{key}": value for key, value in facts.items() if value is not None}
