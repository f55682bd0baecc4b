"""Why a selector said what it said, part by part."""

from __future__ import annotations

import pytest

from cel.devices import device, environment
from kubectl_llmfit.cel import PartResult


def explain(text: str, variables: dict[str, object]) -> tuple[PartResult, ...]:
    return environment().compile(text).explain(variables)


def test_the_parts_are_the_operands_of_the_top_level_and_in_order() -> None:
    program = environment().compile("device.driver == 'd' && (true || false) && 1 < 2")
    assert [part.text for part in program.parts] == ["device.driver == 'd'", "true || false", "1 < 2"]


def test_a_single_condition_is_one_part() -> None:
    assert [part.text for part in environment().compile(" device.driver == 'd' ").parts] == ["device.driver == 'd'"]


@pytest.mark.parametrize(
    ("text", "observed", "required"),
    [
        ("device.capacity['d'].memory.compareTo(quantity('18Gi')) >= 0", "15Gi", "18Gi"),
        ("0 <= device.capacity['d'].memory.compareTo(quantity('18Gi'))", "15Gi", "18Gi"),
        ("device.capacity['d'].memory.isGreaterThan(quantity('18Gi'))", "15Gi", "18Gi"),
        ("device.attributes['d'].bandwidth >= 300", "170", "300"),
        ("300 <= device.attributes['d'].bandwidth", "170", "300"),
        ("device.attributes['d'].product == 'H100'", "A100", "H100"),
        ("device.attributes['d'].ratio > 2.5", "1.5", "2.5"),
        ("device.attributes['d'].healthy == false", "true", "false"),
        ("device.attributes['d'].product in ['H100', 'B200']", "A100", "[H100, B200]"),
        ("device.attributes['d'].product.contains('H100')", "A100", "H100"),
        ("device.attributes['d'].product.startsWith('H')", "A100", "H"),
        ("device.attributes['d'].product.endsWith('0G')", "A100", "0G"),
        ("device.attributes['d'].product.matches('^H[0-9]+$')", "A100", "^H[0-9]+$"),
        ("matches(device.attributes['d'].product, '^H')", "A100", "^H"),
        ("'H100 B200'.contains(device.attributes['d'].product)", "A100", "H100 B200"),
    ],
)
def test_comparisons_show_both_sides_as_people_write_them(text: str, observed: str, required: str) -> None:
    variables = device({"bandwidth": 170, "product": "A100", "ratio": 1.5, "healthy": True}, {"memory": "15Gi"})
    assert explain(text, variables) == (PartResult(text, "false", observed, required),)


def test_what_is_no_comparison_has_no_sides() -> None:
    (part,) = explain("device.attributes['d'].healthy", device({"healthy": False}))
    assert (part.result, part.observed, part.required) == ("false", None, None)


def test_an_error_before_any_false_part_is_shown_with_its_words() -> None:
    parts = explain("device.attributes['d'].x > 1 && false", device())
    assert [(part.result, part.error) for part in parts] == [("error", "no such key: x"), ("false", None)]
    assert parts[0].required == "1"


def test_an_error_after_a_false_part_is_skipped() -> None:
    parts = explain("'x' in device.attributes['d'] && device.attributes['d'].x > 1", device())
    assert [part.result for part in parts] == ["false", "skipped"]


def test_a_part_that_is_no_bool_is_an_error() -> None:
    parts = explain("device.attributes['d'].x && true", device({"x": 1}))
    assert [(part.result, part.error) for part in parts] == [("error", "no such overload"), ("true", None)]
