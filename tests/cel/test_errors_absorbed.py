"""Which errors logic and macros swallow, and which one is left."""

from __future__ import annotations

import pytest

from cel.devices import device, environment
from kubectl_llmfit.cel import CelRuntimeError

MISSING = "device.attributes['d'].missing"
OTHER = "device.attributes['d'].other"


def outcome(text: str) -> bool | str:
    try:
        return environment().compile(text).matches(device())
    except CelRuntimeError as error:
        return str(error)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{MISSING} || true", True),
        (f"true || {MISSING}", True),
        (f"{MISSING} && false", False),
        (f"false && {MISSING}", False),
        (f"{MISSING} || false", "no such key: missing"),
        (f"true && {MISSING}", "no such key: missing"),
        (f"{MISSING} || {OTHER}", "no such key: missing"),
        (f"{OTHER} && {MISSING}", "no such key: other"),
        (f"({MISSING} && {OTHER}) || true", True),
    ],
)
def test_logic_absorbs_errors_on_either_side(text: str, expected: bool | str) -> None:
    assert outcome(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"true ? true : {MISSING}", True),
        (f"false ? {MISSING} : true", True),
        (f"{MISSING} ? true : true", "no such key: missing"),
        ("dyn(1) ? true : true", "no such overload"),
    ],
)
def test_a_condition_evaluates_only_the_branch_it_takes(text: str, expected: bool | str) -> None:
    assert outcome(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[0, 1].exists(x, 1 / x == 1)", True),
        ("[0, 2].all(x, 1 / x == 1)", False),  # 1 / 0 raises, 1 / 2 is 0
        ("[0, 1].all(x, 1 / x == 1)", "division by zero"),
        ("[0, 2].exists(x, 1 / x == 1)", "division by zero"),
        ("[0, 1].exists_one(x, 1 / x == 1)", "division by zero"),
        ("[0, 1].map(x, 1 / x) == []", "division by zero"),
        ("[0, 1].filter(x, 1 / x == 1) == []", "division by zero"),
        ("[1].exists(x, dyn(x))", "no such overload"),
    ],
)
def test_quantifiers_absorb_like_logic_and_transformations_do_not(text: str, expected: bool | str) -> None:
    assert outcome(text) == expected


def test_of_several_errors_of_a_filter_the_last_is_raised() -> None:
    text = f"['first', 'second'].filter(k, device.attributes['d'][k]) == [] || {MISSING}"
    assert outcome(text) == "no such key: second"


def test_a_bound_value_is_worked_out_when_needed_and_once() -> None:
    assert outcome("cel.bind(x, 1 / 0, true)") is True
    assert outcome("cel.bind(x, 1 / 0, x == 1 || true)") is True
    assert outcome("cel.bind(x, 1 / 0, x == 1)") == "division by zero"


def test_membership_ignores_elements_that_cannot_be_compared() -> None:
    assert outcome("dyn(quantity('1')) in [dyn(semver('1.0.0')), dyn(quantity('1'))]") is True
    assert outcome("dyn(quantity('1')) in [dyn('1')]") is False


def test_lists_are_equal_despite_elements_that_cannot_be_compared() -> None:
    assert outcome("dyn([semver('1.0.0')]) == ['1.0.0']") is True
    assert outcome("[semver('1.0.0')] + [semver('2.0.0')] == dyn(['1.0.0', '2.0.0'])") == "no such overload"
