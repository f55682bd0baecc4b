"""Device taints, those of DeviceTaintRules among them, and what tolerates them.

Rules: kube-scheduler 1.37, ``resourceclaim.ToleratesTaint``, ``structured/internal/incubating``
taintPreventsAllocation and ``resourceslice/tracker`` applyPatches. A DeviceClass cannot tolerate; admin access does
not either.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..api.values import Taint, TaintRule, Toleration
from .answer import DeviceID, PoolDevice
from .rules import Rules

BLOCKING_EFFECTS = frozenset({"NoSchedule", "NoExecute"})
"""Any other effect, None and unknown ones included, keeps nothing away (1.35 and newer)."""


@dataclass(frozen=True, slots=True)
class TaintRules:
    """The DeviceTaintRules of the cluster; ``unread`` says why they could not be read."""

    rules: tuple[TaintRule, ...] = ()
    unread: str | None = None

    def __bool__(self) -> bool:
        return bool(self.rules or self.unread)

    def judge(self, device: PoolDevice, tolerations: tuple[Toleration, ...], rules: Rules) -> tuple[bool, str | None]:
        """Whether a rule taints the device so that it cannot be taken, or why that is not known."""
        if not (rules.applies_taint_rules and rules.gates.device_taints):
            return False, None
        doubt = None
        for rule in self.rules:
            blocks = is_untolerated(rule.taint, tolerations, every_effect=rules.every_taint_blocks)
            if blocks and rule_selects(rule, device.id, rules):
                if not rule.unknown_fields and rule.device_class_name is None and not rule.selectors:
                    return True, None
                doubt = f"may be tainted by DeviceTaintRule {rule.name}: its selector is not known to this program"
        if self.unread is not None and not tolerates_everything(tolerations):
            return False, f"may be tainted: {self.unread}"
        return False, doubt


def taint_prevents_allocation(
    taints: Iterable[Taint], tolerations: tuple[Toleration, ...], *, every_effect: bool = False
) -> bool:
    """Whether one of the taints blocks and nothing tolerates it; ``every_effect`` does (1.34)."""
    return any(is_untolerated(taint, tolerations, every_effect=every_effect) for taint in taints)


def is_untolerated(taint: Taint, tolerations: tuple[Toleration, ...], *, every_effect: bool = False) -> bool:
    """Whether the taint has a blocking effect and no toleration for it is there."""
    blocks = every_effect or taint.effect in BLOCKING_EFFECTS
    return blocks and not any(tolerates_taint(t, taint) for t in tolerations)


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


def rule_selects(rule: TaintRule, device: DeviceID, rules: Rules) -> bool:
    """Whether every name that the rule sets is the device's. Source: resourceslice/tracker applyPatches."""
    return (
        (rule.selects_any or rules.rule_without_selector_selects_all)
        and (rule.driver is None or rule.driver == device.driver)
        and (rule.pool is None or rule.pool == device.pool)
        and (rule.device is None or rule.device == device.device)
    )
