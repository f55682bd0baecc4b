"""What expressions can cost and do cost, beside recorded figures of Kubernetes, to the last unit.

The file says which version answered. Every entry has, for new and for stored expressions, the estimate and the
cost of an evaluation on each device; null where Kubernetes panics. Devices have one attribute at most, since Go goes
over maps in an order left to chance.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cel.devices import device, environment, variables
from kubectl_llmfit.cel import ANY, STRING, CelCompileError, CelRuntimeError, Environment, Extent, MapType, Program

_RECORDED = json.loads((Path(__file__).parent / "cost_answers.json").read_text(encoding="utf-8"))
_DEVICES = [variables(entry) for entry in _RECORDED["devices"]]
_ENVIRONMENTS = {stored: environment(stored) for stored in (False, True)}
_LIMIT = 1_000_000


def _costs(program: Program, expected: list[int | None]) -> list[int | None]:
    """What each device costs; any two figures over the limit are as good as one another."""
    costs: list[int | None] = []
    for values, wanted in zip(_DEVICES, expected, strict=True):
        cost = program.actual_cost(values)
        beyond = wanted is not None and wanted > _LIMIT and cost > _LIMIT
        costs.append(wanted if beyond or wanted is None else cost)
    return costs


def _check(expression: str, stored: bool, expected: dict[str, Any]) -> None:
    program = _ENVIRONMENTS[stored].compile(expression)
    assert (program.max_cost, _costs(program, expected["actual"])) == (expected["most"], expected["actual"])


@pytest.mark.parametrize(
    "answer", [entry for entry in _RECORDED["answers"] if "new" in entry], ids=lambda entry: entry["expression"]
)
def test_a_new_expression_costs_what_it_costs_kubernetes(answer: dict[str, Any]) -> None:
    _check(answer["expression"], False, answer["new"])


@pytest.mark.parametrize("answer", _RECORDED["answers"], ids=lambda entry: entry["expression"])
def test_a_stored_expression_costs_what_it_costs_kubernetes(answer: dict[str, Any]) -> None:
    _check(answer["expression"], True, answer.get("stored", answer.get("new")))


def test_a_comparison_is_counted_by_hand() -> None:
    program = environment().compile("device.driver == 'd'")
    # Reading device 1, its driver 1; comparing at most 1 character: a tenth of a unit, rounded up to 1.
    assert program.max_cost == 3
    assert program.actual_cost(device()) == 3


def test_the_estimate_goes_by_the_greatest_sizes_of_the_variables() -> None:
    text = "names.all(name, name.contains('abcdefghijk'))"
    kind = MapType(STRING, ANY)
    narrow = Environment({"names": kind}, extents={"names": Extent(10, keys=Extent(20))})
    # names 1; per name: the check 2, the accumulator 1, name 1, ceil(20 / 10) * ceil(11 / 10) = 4; the result 1.
    assert narrow.compile(text).max_cost == 1 + 10 * (2 + 1 + 1 + 4) + 1
    wide = Environment({"names": kind}, extents={"names": Extent(100_000, keys=Extent(2_000))})
    # A hundred thousand names of 200 * 2 units each.
    with pytest.raises(CelCompileError) as refused:
        wide.compile(text)
    assert str(refused.value) == refused.value.message == "too complex, exceeds cost limit"


def test_stored_expressions_may_be_estimated_over_the_limit() -> None:
    # Nobody has said how large a type is.
    text = "type(device.driver) == string"
    with pytest.raises(CelCompileError, match="too complex"):
        environment(limited=True).compile(text)
    program = environment(stored=True, limited=True).compile(text)
    assert program.max_cost > _LIMIT
    assert program.matches(device())


def test_the_limit_is_a_million_units_and_no_more() -> None:
    # The range n + 11; a round: check 2, accumulator 1, x 1, comparison 1; the result 1: 6 n + 12 in all.
    below = environment(stored=True).compile("lists.range(166664).all(x, x >= 0)")
    assert below.actual_cost(device()) == 6 * 166_664 + 12 == 999_996
    assert below.matches(device())
    above = environment(stored=True).compile("lists.range(166665).all(x, x >= 0)")
    with pytest.raises(CelRuntimeError, match="actual cost limit exceeded"):
        above.matches(device())


def test_an_evaluation_over_the_limit_is_an_error_that_nothing_absorbs() -> None:
    program = environment(stored=True).compile("true || lists.range(1).size() == 1")
    assert program.matches(device())
    program = environment(stored=True).compile("lists.range(990000).all(x, true) || true")
    with pytest.raises(CelRuntimeError) as ended:
        program.matches(device())
    assert str(ended.value) == "operation cancelled: actual cost limit exceeded"


def test_every_evaluation_has_the_limit_to_itself() -> None:
    program = environment(stored=True).compile("lists.range(100000).all(x, x >= 0)")
    assert [program.matches(device()) for _ in range(3)] == [True] * 3


@pytest.mark.parametrize("answer", _RECORDED["answers"], ids=lambda entry: entry["expression"])
def test_counting_changes_no_result(answer: dict[str, Any]) -> None:
    program = _ENVIRONMENTS[True].compile(answer["expression"])
    for values in _DEVICES:
        assert _outcome(program.evaluate, values) == _outcome(_counted(program), values)


def _counted(program: Program) -> Callable[[dict[str, object]], object]:
    return lambda values: program.metered.evaluate(program.metered.frame(values))


def _outcome(evaluate: Callable[[dict[str, object]], object], values: dict[str, object]) -> str:
    try:
        return repr(evaluate(values))
    except CelRuntimeError as error:
        return str(error)
