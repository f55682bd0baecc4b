"""Expressions that are too much: long, deep, broken. Never a hang, never an exception of Python's own."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cel.devices import device, environment
from kubectl_llmfit.cel import CelCompileError, CelRuntimeError

ENVIRONMENT = environment()


def refuses(text: str) -> str:
    with pytest.raises(CelCompileError) as caught:
        ENVIRONMENT.compile(text)
    return str(caught.value)


def test_a_new_expression_has_at_most_ten_kibibytes() -> None:
    assert ENVIRONMENT.compile("true" + " " * (10 * 1024 - 4)).matches(device())
    assert refuses("true" + " " * (10 * 1024 - 3)) == "Too long: may not be more than 10240 bytes"
    assert refuses("'" + "é" * 5120 + "' == ''") == "Too long: may not be more than 10240 bytes"


def test_a_stored_expression_has_the_parsers_limit_only() -> None:
    assert environment(stored=True).compile("true" + " " * 20_000).matches(device())
    with pytest.raises(CelCompileError, match="expression code point size exceeds limit: size: 100001, limit 100000"):
        environment(stored=True).compile("true" + " " * 99_997)


# Each bracket is an expression within an expression: 250 of the rule are allowed, the outermost is one.
@pytest.mark.parametrize(("before", "core", "after"), [("(", "true", ")"), ("!(", "true", ")"), ("dyn(", "true", ")")])
def test_expressions_nest_250_deep(before: str, core: str, after: str) -> None:
    # 248 keeps the number of negations even.
    program = ENVIRONMENT.compile(f"{before * 248}{core}{after * 248} == true")
    assert program.matches(device())
    assert refuses(f"{before * 250}{core}{after * 250}") == (
        "ERROR: <input>:-1:0: expression recursion limit exceeded: 250"
    )


def test_chains_nest_250_deep() -> None:
    # 249 additions and the comparison around them.
    assert ENVIRONMENT.compile("0" + " + 1" * 249 + " == 249").matches(device())
    assert refuses("0" + " + 1" * 250 + " == 250") == "ERROR: <input>:-1:0: max recursion depth exceeded"
    assert refuses("device" + ".a" * 251) == "ERROR: <input>:-1:0: max recursion depth exceeded"


def test_logic_does_not_nest() -> None:
    assert ENVIRONMENT.compile(" && ".join(["true"] * 1000)).matches(device())


def test_the_recursion_limit_of_the_process_stays_as_it_was() -> None:
    before = sys.getrecursionlimit()
    ENVIRONMENT.compile("(" * 200 + "true" + ")" * 200).matches(device())
    assert sys.getrecursionlimit() == before


def test_a_deep_expression_can_be_evaluated_from_deep_within_a_program() -> None:
    program = ENVIRONMENT.compile("[" * 240 + "1" + "]" * 240 + " == []")

    def descend(levels: int) -> bool:
        return program.matches(device()) if levels == 0 else descend(levels - 1)

    assert descend(600) is False


def test_a_chain_of_optional_maps_doubles_its_work_with_every_link() -> None:
    # The macro copies its target: 2**100 evaluations, were they not counted.
    chain = "optional.of(1)" + ".optMap(x, x)" * 100 + ".hasValue()"
    with pytest.raises(CelCompileError, match=r"^too complex, exceeds cost limit$"):
        environment(limited=True).compile(chain)
    program = environment(stored=True).compile(chain)
    with pytest.raises(CelRuntimeError, match=r"^operation cancelled: actual cost limit exceeded$"):
        program.matches(device())
    assert program.reads == frozenset()


@pytest.mark.parametrize("text", ["(" * 5000, "[" * 5000, "{" * 5000, "!" * 5000, "-" * 5000, "a." * 5000, "1+" * 5000])
def test_ten_kibibytes_of_one_sign_are_refused(text: str) -> None:
    assert "ERROR: <input>:" in refuses(text)


def test_many_mistakes_are_cut_off_at_a_hundred() -> None:
    assert refuses(" + ".join(["x"] * 150)).endswith("50 more errors were truncated")


PIECES = [
    "device", ".attributes", ".capacity", "['d']", ".x", ".?x", "[?'x']", "(", ")", "[", "]", "{", "}", ",", ":", "?",
    "1", "1.5", "2u", "'a'", '"', "'", "'''", "b'a'", "r'a'", "\\", "true", "null", "in", "==", "!=", "<", "&&", "||",
    "!", "-", "+", "*", "/", "%", ".all(x, ", ".map(x, ", ".exists(k, v, ", "has(", "cel.bind(x, ", "optional.of(",
    ".orValue(", "quantity('1Gi')", "semver('1.0.0')", ".compareTo(", ".matches(", "x", "size(", "dyn(", "`", "@", "é",
    "//", "\n", " ", "int(", "string(", "type(", ".optMap(x, ", "if",
]  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=60), st.lists(st.sampled_from(PIECES), max_size=25).map("".join)))
def test_any_text_compiles_or_is_refused_cleanly(text: str) -> None:
    for stored in (False, True):
        try:
            program = environment(stored).compile(text)
        except CelCompileError:
            continue
        try:
            assert isinstance(program.matches(device({"x": 1}, {"x": "1Gi"})), bool)
        except CelRuntimeError as error:
            assert str(error)  # noqa: PT017 -- most expressions raise nothing
