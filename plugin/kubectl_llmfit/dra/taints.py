"""Device taints and what tolerates them.

Rules: kube-scheduler 1.37, ``resourceclaim.ToleratesTaint`` and ``structured/internal/incubating``
taintPreventsAllocation. A DeviceClass cannot tolerate; admin access does not either.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..api.values import Taint, TaintRule, Toleration
from .answer import DeviceID

BLOCKING_EFFECTS = frozenset({"NoSchedule", "NoExecute"})
"""Any other effect, None and unknown ones included, keeps nothing away (1.35 and newer)."""


def taint_prevents_allocation(taints: Iterable[Taint], tolerations: tuple[Toleration, ...]) -> bool:
    """Whether one of the taints blocks and nothing tolerates it."""
    return any(is_untolerated(taint, tolerations) for taint in taints)


def is_untolerated(taint: Taint, tolerations: tuple[Toleration, ...]) -> bool:
    """Whether the taint has a blocking effect and no toleration for it is there."""
    return taint.effect in BLOCKING_EFFECTS and not any(tolerates_taint(t, taint) for t in tolerations)


def tolerates_taint(toleration: Toleration, taint: Taint) -> bool:
    """Source: resourceclaim.ToleratesTaint; an unknown operator tolerates nothing."""
    if toleration.effect and toleration.effect != taint.effect:
        return False
    if toleration.key and toleration.key != taint.key:
        return False
    if toleration.operator in {"", "Equal"}:
        return toleration.value == taint.value
    return toleration.operator == "Exists"


def tolerates_everything(tolerations: tuple[Toleration, ...]) -> bool:
    """Whether no taint of any key, value or effect can block."""
    return any(not t.key and not t.effect and t.operator == "Exists" for t in tolerations)


def rule_selects(rule: TaintRule, device: DeviceID) -> bool:
    """Whether every field that the rule sets names the device.

    Source: resourceslice/tracker applyPatches; a rule without a selector selects none, an empty selector all.
    """
    return (
        rule.selects_any
        and (rule.driver is None or rule.driver == device.driver)
        and (rule.pool is None or rule.pool == device.pool)
        and (rule.device is None or rule.device == device.device)
    )
