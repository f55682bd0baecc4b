from __future__ import annotations

import pytest

from kubectl_llmfit.api.values import Taint, TaintRule, Toleration
from kubectl_llmfit.dra.answer import DeviceID
from kubectl_llmfit.dra.rules import rules_for
from kubectl_llmfit.dra.taints import rule_selects, taint_prevents_allocation, tolerates_everything

TAINT = Taint("health", "bad", "NoSchedule")


@pytest.mark.parametrize(
    ("effect", "blocks"),
    [("NoSchedule", True), ("NoExecute", True), ("None", False), ("Preferably", False), ("", False)],
)
def test_only_no_schedule_and_no_execute_block(effect: str, blocks: bool) -> None:
    assert taint_prevents_allocation([Taint("k", "", effect)], ()) is blocks


@pytest.mark.parametrize(
    ("toleration", "tolerated"),
    [
        (Toleration("health", "Equal", "bad", ""), True),
        (Toleration("health", "", "bad", ""), True),
        (Toleration("health", "Equal", "worse", ""), False),
        (Toleration("health", "Exists", "", ""), True),
        (Toleration("other", "Exists", "", ""), False),
        (Toleration("", "Exists", "", ""), True),
        (Toleration("health", "Exists", "", "NoSchedule"), True),
        (Toleration("health", "Exists", "", "NoExecute"), False),
        (Toleration("health", "Like", "bad", ""), False),
    ],
)
def test_a_toleration_must_meet_key_value_and_effect(toleration: Toleration, tolerated: bool) -> None:
    assert taint_prevents_allocation([TAINT], (toleration,)) is not tolerated


def test_every_blocking_taint_needs_a_toleration() -> None:
    other = Taint("maintenance", "", "NoExecute")
    assert taint_prevents_allocation([TAINT, other], (Toleration("health", "Exists", "", ""),))


def test_only_an_empty_exists_tolerates_everything() -> None:
    assert tolerates_everything((Toleration("", "Exists", "", ""),))
    assert not tolerates_everything((Toleration("", "Exists", "", "NoSchedule"),))
    assert not tolerates_everything(())


@pytest.mark.parametrize(
    ("rule", "selects"),
    [
        (TaintRule("r", TAINT), True),
        (TaintRule("r", TAINT, selects_any=False), False),
        (TaintRule("r", TAINT, driver="d", pool="p", device="x"), True),
        (TaintRule("r", TAINT, driver="other"), False),
        (TaintRule("r", TAINT, driver="d", pool="other"), False),
        (TaintRule("r", TAINT, pool="p", device="other"), False),
    ],
)
def test_a_rule_selects_by_all_the_fields_it_sets(rule: TaintRule, selects: bool) -> None:
    assert rule_selects(rule, DeviceID("d", "p", "x"), rules_for(None)) is selects
