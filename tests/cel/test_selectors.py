"""Selectors as people write them, and the rules of Kubernetes that surprise."""

from __future__ import annotations

import pytest

from cel.devices import device, environment
from kubectl_llmfit.cel import CelCompileError, CelRuntimeError, Semver

SIX_CONDITIONS = (
    "'memory' in device.capacity['llmfit.ai'] && "
    "device.capacity['llmfit.ai'].memory.compareTo(quantity('5Gi')) >= 0 && "
    "'memoryBandwidthGBs' in device.attributes['llmfit.ai'] && "
    "device.attributes['llmfit.ai'].memoryBandwidthGBs >= 170 && "
    "'healthy' in device.attributes['llmfit.ai'] && device.attributes['llmfit.ai'].healthy"
).replace("llmfit.ai", "d")


def matches(text: str, variables: dict[str, object]) -> bool:
    return environment().compile(text).matches(variables)


def raises(text: str, variables: dict[str, object]) -> str:
    with pytest.raises(CelRuntimeError) as caught:
        matches(text, variables)
    return str(caught.value)


def refuses(text: str, stored: bool = False) -> str:
    with pytest.raises(CelCompileError) as caught:
        environment(stored).compile(text)
    return str(caught.value)


def test_a_device_that_meets_all_six_conditions_matches() -> None:
    assert matches(SIX_CONDITIONS, device({"memoryBandwidthGBs": 170, "healthy": True}, {"memory": "5Gi"}))


@pytest.mark.parametrize(
    ("attributes", "memory"),
    [
        ({"memoryBandwidthGBs": 170, "healthy": True}, "5119Mi"),
        ({"memoryBandwidthGBs": 169, "healthy": True}, "5Gi"),
        ({"memoryBandwidthGBs": 170, "healthy": False}, "5Gi"),
        ({"healthy": True}, "5Gi"),
        ({"memoryBandwidthGBs": 170}, "5Gi"),
    ],
)
def test_a_device_that_misses_one_of_six_conditions_does_not_match(attributes: dict[str, object], memory: str) -> None:
    assert not matches(SIX_CONDITIONS, device(attributes, {"memory": memory}))


def test_a_device_that_publishes_nothing_does_not_match_guarded_conditions() -> None:
    assert not matches(SIX_CONDITIONS, device())


def test_comparing_quantities_with_an_operator_does_not_compile() -> None:
    assert refuses("device.capacity['d'].memory >= quantity('5Gi')") == (
        "ERROR: <input>:1:29: found no matching overload for '_>=_' applied to "
        "'(kubernetes.Quantity, kubernetes.Quantity)'\n"
        " | device.capacity['d'].memory >= quantity('5Gi')\n"
        " | ............................^"
    )


def test_an_error_names_its_place_in_lines_and_columns() -> None:
    with pytest.raises(CelCompileError) as caught:
        environment().compile("device.driver == 'd' &&\n  device.foo")
    assert (caught.value.line, caught.value.column) == (2, 9)
    assert caught.value.message == "undefined field 'foo'"


def test_wide_characters_are_marked_wide() -> None:
    assert refuses("'日本' == 1").split("\n")[2] == " | .．．..^"


def test_an_unknown_domain_reads_as_an_empty_map_although_it_is_not_there() -> None:
    assert raises("device.attributes['nope'].x", device()) == "no such key: x"
    assert not matches("'nope' in device.attributes", device())
    assert matches("device.attributes[?'nope'].hasValue()", device())


def test_a_version_compared_with_a_string_raises_but_not_the_other_way_round() -> None:
    versioned = device({"v": Semver.parse("1.2.3")})
    assert raises("device.attributes['d'].v == '1.2.3'", versioned) == "no such overload"
    assert not matches("'1.2.3' == device.attributes['d'].v", versioned)
    assert matches("device.attributes['d'].v != '1.2.3'", versioned)


def test_a_version_looked_for_among_constant_strings_ends_the_evaluation() -> None:
    versioned = device({"v": Semver.parse("1.2.3")})
    text = "device.attributes['d'].v in ['1.2.3'] || true"
    assert raises(text, versioned) == "internal error: runtime error: hash of unhashable type cel.Semver"


def test_a_sum_of_quantities_equals_nothing_from_the_right() -> None:
    assert matches("quantity('2').add(1) == quantity('3')", device())
    assert raises("quantity('3') == quantity('2').add(1)", device()) == "no such overload"


def test_sign_is_a_function_and_no_method() -> None:
    assert matches("sign(device.capacity['d'].memory) == 1", device({}, {"memory": "1Gi"}))
    assert "found no matching overload for 'sign'" in refuses("device.capacity['d'].memory.sign() == 1")


@pytest.mark.parametrize("text", ["bool('gpu')", "int('x') == 1", "double('x') < 1.0"])
def test_conversions_of_constants_are_done_when_compiling(text: str) -> None:
    assert refuses(text).startswith("program instantiation failed: type conversion error from 'string' to")


def test_a_bad_quantity_raises_only_when_it_is_reached() -> None:
    assert matches("true || quantity('x').isInteger()", device())
    assert raises("quantity('x').isInteger()", device()).startswith("quantities must match the regular expression")


def test_a_literal_pattern_is_checked_when_compiling() -> None:
    assert "invalid matches argument" in refuses("'a'.matches('[')")
    assert "invalid matches argument" in refuses(r"'a'.matches('\\C')")


def test_attributes_that_may_be_lists_are_iterable_in_stored_expressions_only() -> None:
    text = "device.attributes['d'].links.exists(link, link == 'nvlink')"
    assert environment(stored=True).compile(text).matches(device({"links": ["pcie", "nvlink"]}))
    assert "cannot be range of a comprehension" in refuses(text)


def test_a_result_that_is_no_bool_does_not_compile() -> None:
    assert refuses("device.driver") == "must evaluate to bool or the unknown type, not string"
    assert refuses("dyn(true)") == "must evaluate to bool or the unknown type, not dyn"
    assert environment(stored=True).compile("dyn(true)").matches(device())


def test_a_result_of_unknown_type_that_is_no_bool_raises() -> None:
    assert raises("device.attributes['d'].s", device({"s": "true"})) == (
        "CEL result of type string could not be converted to bool: unsupported native conversion from string to 'bool'"
    )


def test_any_result_is_fine_where_none_is_expected() -> None:
    assert environment().compile("device.driver + '!'", expect_bool=False).evaluate(device()) == "d!"


def test_includes_is_unknown_to_new_expressions() -> None:
    assert "undeclared reference to 'includes' (in container '')" in refuses("['a'].includes('a')")
    assert environment(stored=True).compile("['a'].includes('a')").matches(device())


def test_a_missing_variable_is_named() -> None:
    assert raises("device.driver == 'd'", {}) == "no such attribute(s): device"
