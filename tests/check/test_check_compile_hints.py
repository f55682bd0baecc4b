"""The usual mistakes in selectors that do not compile, each with what to write instead."""

from __future__ import annotations

import pytest

from check.check_worlds import claim
from kubectl_llmfit.check.compile_hints import compile_hint
from kubectl_llmfit.check.subject import require_valid_selectors
from kubectl_llmfit.dra.environment import selector
from kubectl_llmfit.errors import UsageError

MEMORY = "device.capacity['d'].memory"
DOMAIN = "the domain is missing: names are read as device.attributes['DOMAIN'].NAME, device.capacity['DOMAIN'].NAME"


def hint(text: str) -> str | None:
    error = selector(text, stored=False).compile_error
    assert error is not None
    return compile_hint(error, text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{MEMORY} >= quantity('1Gi')", "quantities have no >=: write x.compareTo(quantity('1Gi')) >= 0"),
        (f"{MEMORY} < 5", "quantities have no <: write x.compareTo(quantity('1Gi')) < 0"),
        (f"'5Gi' < {MEMORY}", "quantities have no <: write x.compareTo(quantity('1Gi')) < 0"),
        ("semver('2.0.0') > semver('1.0.0')", "versions have no >: write x.compareTo(semver('1.0.0')) > 0"),
        (f"{MEMORY} == '5Gi'", "a quantity equals only another quantity: write quantity('1Gi')"),
        ("semver('1.0.0') != '1.0.0'", "a version equals only another version: write semver('1.0.0')"),
        (
            f"{MEMORY}.isGreaterThan('5Gi')",
            "a quantity is compared with a quantity: write isGreaterThan(quantity('1Gi'))",
        ),
        (f"{MEMORY}.compareTo(5) >= 0", "a quantity is compared with a quantity: write compareTo(quantity('1Gi'))"),
        (f"{MEMORY}.sign() > 0", "sign is a function, not a method: write sign(x)"),
        (f"{MEMORY}.compareTo(quantity('1Gi'))", "compareTo gives -1, 0 or 1: compare it with 0"),
        ("device.attributes.healthy == true", DOMAIN),
        ("device.attributes.bandwidth >= 5", DOMAIN),
        ("device.attributes.healthy", DOMAIN),
        ("device.attribute['d'].x", "the nearest field is attributes"),
        ("device.zzz", "device has the fields attributes, capacity, driver, allowMultipleAllocations"),
        ("devise.driver == 'd'", "the variable is device"),
        (
            "healthy",
            "an attribute is read as device.attributes['DOMAIN'].healthy,"
            " a capacity as device.capacity['DOMAIN'].healthy",
        ),
        ("device.driver = 'd'", "equality is written =="),
        ("device.driver == 'd' and true", "write && instead of and"),
    ],
)
def test_a_usual_mistake_has_a_hint(text: str, words: str) -> None:
    assert hint(text) == words


@pytest.mark.parametrize(
    "text", ["device.driver ==", "quantiy('1Gi') == 1", "1 + 'a' == 2", "5 < 'a'", "[1] == 'a'", "1"]
)
def test_any_other_mistake_has_none(text: str) -> None:
    assert hint(text) is None


def test_a_claim_that_is_handed_over_gets_the_hint_too() -> None:
    with pytest.raises(UsageError) as refused:
        require_valid_selectors((claim(f"{MEMORY} >= quantity('1Gi')"),))
    assert refused.value.hint == "quantities have no >=: write x.compareTo(quantity('1Gi')) >= 0"
