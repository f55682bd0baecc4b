from __future__ import annotations

from typing import Any

import pytest

from dra.dra_worlds import DRIVER, attribute
from kubectl_llmfit.api.values import AttributeValue, Capacity, DeviceShape
from kubectl_llmfit.cel import Program, Quantity, Semver
from kubectl_llmfit.dra.environment import Selector, SelectorError, selector

NOT_BOOL = "unsupported native conversion from string to 'bool'"
HINT = (
    ". consider using CEL optional chaining (.? followed by orValue())"
    " or guarding the check with has() for optional fields"
)


def matches(text: str, driver: str = DRIVER, **shape: Any) -> bool:
    return Selector(text, stored=True).matches(driver, DeviceShape(**shape))


def error_of(text: str, **shape: Any) -> str:
    with pytest.raises(SelectorError) as caught:
        matches(text, **shape)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"device.driver == '{DRIVER}'", True),
        ("device.allowMultipleAllocations", False),
        (f"{attribute('model')} == 'm'", True),
        (f"{attribute('cores')} == 8", True),
        (f"{attribute('ok')}", True),
        (f"{attribute('driver')}.isGreaterThan(semver('1.0.0'))", True),
        (f"{attribute('zone', 'other.com')} == 'z'", True),
        (f"device.capacity['{DRIVER}'].memory.compareTo(quantity('10Gi')) >= 0", True),
        (f"device.capacity['{DRIVER}'].memory == quantity('10240Mi')", True),
        (f"{attribute('modes')}.exists(m, m == 'fast')", True),
        (f"'other.com/zone' in device.attributes['{DRIVER}']", False),
        ("'nope' in device.attributes", False),
        ("'other.com' in device.attributes", True),
        ("has(device.attributes['nope'].foo)", False),
        ("'foo' in device.attributes['nope']", False),
        ("device.attributes[?'nope'].hasValue()", True),
        ("device.attributes['nope'].?foo.orValue(0) == 0", True),
        ("device.attributes.exists(d, d == 'nope')", False),
        (f"{attribute('model')} == 1", False),
        (f"'1.2.3' == {attribute('driver')}", False),
        (f"{attribute('missing')} == 1 || true", True),
        (f"true || {attribute('missing')} == 1", True),
        (f"{attribute('missing')} == 1 && false", False),
    ],
)
def test_a_selector_reads_what_the_device_publishes(text: str, expected: bool) -> None:
    attributes: dict[str, AttributeValue] = {
        "model": "m",
        "cores": 8,
        "ok": True,
        "driver": Semver.parse("1.2.3"),
        "other.com/zone": "z",
        "modes": ("fast", "slow"),
    }
    capacity = {"memory": Capacity(Quantity.parse("10Gi"))}
    assert matches(text, attributes=attributes, capacity=capacity) is expected


def test_a_bare_name_belongs_to_the_driver_that_publishes_it() -> None:
    text = f"has({attribute('model')})"
    assert matches(text, attributes={"model": "m"})
    assert matches(text, attributes={f"{DRIVER}/model": "m"})
    assert not matches(text, driver="other.com", attributes={"model": "m"})


def test_the_name_of_an_attribute_is_split_at_its_first_slash() -> None:
    assert matches("device.attributes['a.com']['b/c'] == 1", attributes={"a.com/b/c": 1})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (attribute("x") + " == 1", "no such key: x" + HINT),
        ("device.attributes['nope'].foo == 1", "no such key: foo" + HINT),
        (attribute("version") + " == '1.0.0'", "no such overload"),
        (attribute("word") + " > 5", "no such overload"),
        (attribute("word"), f"CEL result of type string could not be converted to bool: {NOT_BOOL}"),
    ],
)
def test_an_error_has_the_schedulers_words(text: str, message: str) -> None:
    attributes: dict[str, AttributeValue] = {"version": Semver.parse("1.0.0"), "word": "true"}
    assert error_of(text, attributes=attributes) == f"CEL runtime error: {message}"


def test_a_text_that_does_not_compile_fails_on_every_device() -> None:
    broken = selector("device.nope", stored=True)
    assert broken.compile_error is not None
    with pytest.raises(
        SelectorError, match=r"CEL compile error: compilation failed: ERROR: <input>:1:7: undefined"
    ) as caught:
        broken.matches(DRIVER, DeviceShape())
    assert not caught.value.runtime


def test_a_result_that_cannot_be_a_bool_does_not_compile() -> None:
    assert "must evaluate to bool or the unknown type, not int" in str(selector("1", stored=True).compile_error)


def test_a_capacity_has_no_operator_for_comparison() -> None:
    text = f"device.capacity['{DRIVER}'].memory >= quantity('1Gi')"
    assert selector(text, stored=True).compile_error is not None


def test_only_what_is_stored_may_iterate_over_an_attribute() -> None:
    text = f"{attribute('modes')}.exists(m, m == 'fast')"
    assert selector(text, stored=True).compile_error is None
    assert selector(text, stored=False).compile_error is not None


def test_one_attribute_that_cannot_be_read_breaks_every_expression_on_the_device() -> None:
    assert error_of("true", unreadable=("odd",)) == "CEL runtime error: attribute odd: unsupported attribute value"


@pytest.fixture
def evaluations(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Every evaluation of a compiled expression, as it happens."""
    seen: list[object] = []
    plain = Program.matches

    def counting(self: Program, variables: dict[str, object]) -> bool:
        seen.append(self.text)
        return plain(self, variables)

    monkeypatch.setattr(Program, "matches", counting)
    return seen


def test_devices_that_differ_only_in_what_is_not_read_cost_one_evaluation(evaluations: list[object]) -> None:
    text = Selector(f"'model' in device.attributes['{DRIVER}'] && {attribute('model')} == 'm'", stored=True)
    for number in range(100):
        assert text.matches(DRIVER, DeviceShape({"model": "m", "uuid": str(number)}))
    assert not text.matches(DRIVER, DeviceShape({"model": "n"}))
    assert len(evaluations) == 2


def test_a_whole_domain_that_is_read_is_told_apart(evaluations: list[object]) -> None:
    text = Selector(f"device.attributes['{DRIVER}'].exists(k, k == 'b')", stored=True)
    assert not text.matches(DRIVER, DeviceShape({"a": 1, "other.com/b": 1}))
    assert text.matches(DRIVER, DeviceShape({"a": 1, "b": 1, "other.com/b": 1}))
    assert len(evaluations) == 2


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        (attribute("x") + " == 1", {"x": 1}, {"x": True}),
        (attribute("x") + " == [1]", {"x": (1,)}, {"x": (True,)}),
        (f"has({attribute('x')})", {"x": 1}, {}),
        ("'a.com' in device.attributes", {"a.com/x": 1}, {"x": 1}),
        ("device.attributes.exists(d, d == 'a.com')", {"a.com/x": 1}, {"x": 1}),
    ],
)
def test_a_remembered_result_is_not_taken_for_another_value(
    text: str, first: dict[str, AttributeValue], second: dict[str, AttributeValue]
) -> None:
    compiled = Selector(text, stored=True)
    assert compiled.matches(DRIVER, DeviceShape(first))
    assert not compiled.matches(DRIVER, DeviceShape(second))


def test_quantities_of_one_value_that_kubernetes_holds_differently_are_told_apart() -> None:
    compiled = Selector(f"device.capacity['{DRIVER}'].memory.isInteger()", stored=True)
    whole, decimal = Quantity.parse("1"), Quantity(1000, -3)
    assert whole == decimal
    assert compiled.matches(DRIVER, DeviceShape({}, {"memory": Capacity(whole)}))
    assert not compiled.matches(DRIVER, DeviceShape({}, {"memory": Capacity(decimal)}))


def test_an_error_is_remembered_as_an_error() -> None:
    compiled = Selector(attribute("x"), stored=True)
    for _ in range(2):
        with pytest.raises(SelectorError, match="no such key: x"):
            compiled.matches(DRIVER, DeviceShape())


def test_the_parts_are_explained_with_both_sides() -> None:
    compiled = selector(f"device.driver == '{DRIVER}' && {attribute('cores')} >= 300", stored=True)
    first, second = compiled.explain(DRIVER, DeviceShape({"cores": 170}))
    assert (first.result, second.result) == ("true", "false")
    assert (second.observed, second.required) == ("170", "300")
