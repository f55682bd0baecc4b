"""The taints of a device, those of DeviceTaintRules among them, and where each comes from."""

from __future__ import annotations

from typing import NamedTuple

from ..api.values import Taint, Toleration
from ..dra.answer import PoolDevice
from ..dra.inventory import Inventory
from ..dra.taints import is_untolerated, rule_selects
from .words import taint_text


class Tainted(NamedTuple):
    """A taint and the DeviceTaintRule that sets it; None for one that the slice publishes."""

    taint: Taint
    rule: str | None

    def __str__(self) -> str:
        """``key=value:Effect``, and the rule's name."""
        text = taint_text(self.taint)
        return text if self.rule is None else f"{text} of DeviceTaintRule {self.rule}"


def taints_of(device: PoolDevice, inventory: Inventory) -> tuple[Tainted, ...]:
    """All of them; rules that select by what this program does not know are left out."""
    own = tuple(Tainted(taint, None) for taint in device.shape.taints)
    rules = inventory.rules
    if not (rules.applies_taint_rules and rules.gates.device_taints):
        return own
    return own + tuple(
        Tainted(rule.taint, rule.name)
        for rule in inventory.taint_rules.rules
        if not (rule.unknown_fields or rule.device_class_name is not None or rule.selectors)
        and rule_selects(rule, device.id, rules)
    )


def untolerated(device: PoolDevice, tolerations: tuple[Toleration, ...], inventory: Inventory) -> list[Tainted]:
    """Those that keep the device from a request."""
    every = inventory.rules.every_taint_blocks
    return [t for t in taints_of(device, inventory) if is_untolerated(t.taint, tolerations, every_effect=every)]
