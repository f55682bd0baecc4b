"""Differences to Kubernetes that generated expressions brought to light, one test for each kind."""

from __future__ import annotations

import pytest

from cel.devices import device, environment
from kubectl_llmfit.cel import CelCompileError, CelRuntimeError

NOTHING = device()


def result(expression: str) -> str:
    """What a new expression gives on a device that publishes nothing, errors in their words."""
    try:
        return str(environment().compile(expression).matches(NOTHING)).lower()
    except (CelCompileError, CelRuntimeError) as error:
        return str(error)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("has(optional.of({'a': 1}).a)", "true"),
        (
            "true ? has(optional.of({'a': 1}).a) : true",
            "CEL result of type optional_type could not be converted to bool: "
            "unsupported type conversion from 'int' to bool",
        ),
        ("true ? has(optional.of({'a': true}).a) : true", "true"),
        ("true ? has(optional.of({'a': false}).a) : true", "false"),
        (
            "true ? has(optional.none().a) : true",
            "CEL result of type optional_type could not be converted to bool: optional.none() dereference",
        ),
        ("true ? has({'a': 1}.a) : true", "true"),
        ("(true ? has(optional.none().a) : true) || true", "true"),
    ],
)
def test_has_of_an_optional_gives_what_it_found_where_a_conditional_chooses_it(expression: str, expected: str) -> None:
    assert result(expression) == expected


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("[", "missing closing ]: `[`"),
        ("(", "missing closing ): `(`"),
        (")", "unexpected ): `)`"),
        ("(?=a)", "invalid or unsupported Perl syntax: `(?=`"),
        ("a**", "invalid nested repetition operator: `**`"),
        ("*", "missing argument to repetition operator: `*`"),
        ("a{1001}", "invalid repeat count: `{1001}`"),
        ("[b-a]", "invalid character class range: `b-a`"),
        (r"\8", r"invalid escape sequence: `\8`"),
    ],
)
def test_a_wrong_regular_expression_is_refused_in_the_words_of_go(pattern: str, words: str) -> None:
    assert result(f"matches('a', r'{pattern}')") == f"program instantiation failed: error parsing regexp: {words}"


def test_the_error_of_a_version_quotes_the_text_as_go_does() -> None:
    # a line break in a message would break the line that shows it
    assert result(r"semver('1\n.2.3').major() == 1") == r'Invalid character(s) found in major number "1\n"'


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("{b'a': 1} == {}", "internal error: runtime error: hash of unhashable type types.Bytes"),
        ("{b'a': device.driver} == {}", "internal error: runtime error: hash of unhashable type types.Bytes"),
        ("{?b'a': optional.none()} == {}", "internal error: hash of unhashable type: types.Bytes"),
    ],
)
def test_a_key_that_go_cannot_hash_is_an_internal_error_whenever_it_is_met(expression: str, words: str) -> None:
    assert result(expression) == words


@pytest.mark.parametrize("name", ["timestamp", "duration"])
def test_timestamp_and_duration_are_names_of_types_that_no_program_knows(name: str) -> None:
    assert result(f"type(1) == {name}") == f"program instantiation failed: reference to undefined type: {name}"
    assert result(name) == f"must evaluate to bool or the unknown type, not type(google.protobuf.{name.capitalize()})"
    assert result(f"[1].all({name}, {name} == 1)") == "true"


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("[1].all(.x, true)", "true"),
        ("[1].all(x, .x == 1)", "undeclared reference to '.x' (in container '')"),
        ("[1].all(.x, .x == 1)", "undeclared reference to '.x' (in container '')"),
        ("cel.bind(.i, 1, true)", "undeclared reference to '.i' (in container '')"),
        ("cel.bind(.device, 1, true)", "expected type 'int' but found 'kubernetes.DRADevice'"),
        ("[1].all(device, .device.driver == 'd')", "true"),
    ],
)
def test_a_name_with_a_dot_in_front_is_never_the_variable_of_a_macro(expression: str, expected: str) -> None:
    assert expected in result(expression).split("\n")[0]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        # -2**63 is its own negative in an int64, which is where a sum of whole numbers of one scale is made.
        ("quantity('0').sub(-9223372036854775808).isGreaterThan(quantity('0'))", "false"),
        # -5 and 2**63 do not fit there, nor does 2**63 in thousandths: these sums are exact.
        ("quantity('-5').sub(-9223372036854775808).isGreaterThan(quantity('0'))", "true"),
        ("quantity('1500m').sub(-9223372036854775808).isGreaterThan(quantity('0'))", "true"),
    ],
)
def test_the_lowest_number_is_subtracted_as_int64_or_exactly(expression: str, expected: str) -> None:
    assert result(expression) == expected


def test_what_would_cost_less_than_nothing_ends_the_evaluation() -> None:
    # A test for presence gives one unit back, and a conditional whose condition fails has paid none.
    limit = "operation cancelled: actual cost limit exceeded"
    assert result("has((dyn('a') ? {'a': 1} : {'a': 2}).a)") == limit
    assert result("has((dyn('a') ? {'a': 1} : {'a': 2}).a) || true") == limit
    assert result("1 == 1 && has((dyn('a') ? {'a': 1} : {'a': 2}).a)") == "no such overload"


def test_a_bound_value_is_looked_at_before_its_name() -> None:
    undefined = "program instantiation failed: reference to undefined type"
    assert result("cel.bind(v, google.protobuf.Value, false)") == f"{undefined}: google.protobuf.Value"
    assert result("cel.bind(v, int, false)") == f"{undefined}: v"


def test_bytes_that_are_no_text_are_characters_when_looked_for_and_bytes_when_put_together() -> None:
    half, other = "url('http://h/?q=%c3').getQuery()['q'][0]", "url('http://h/?q=%a9').getQuery()['q'][0]"
    assert result(f"{half}.matches('^\\\\x{{FFFD}}$')") == "true"
    assert result(f"{half} + {other} == 'é'") == "true"
    assert result(f"'é'.startsWith({half})") == "true"
    assert result(f"{half} > '\U0001f600'") == "false"  # 0xC3 comes before 0xF0
    assert result(f"ip({half}) == ip('::1')").endswith('ParseAddr("\\xc3"): unable to parse IP')


def test_an_error_is_always_text() -> None:
    message = result("{'a': 1}[url('http://h/?q=%ff').getQuery()['q'][0]] == 1")
    assert message == "no such key: \ufffd"
    message.encode()
