"""What to write instead where a selector raises or names what no device publishes."""

from __future__ import annotations

import pytest

from check.check_worlds import DRIVER, check, claim, gpu, on, world
from kubectl_llmfit.api.values import ClusterState, DeviceClass
from kubectl_llmfit.cel import Semver
from kubectl_llmfit.check.evaluation import class_selectors, evaluate, published
from kubectl_llmfit.check.hints import MOST_HINTS, evaluation_hints
from kubectl_llmfit.check.names import Name, Published, names_in, unguarded_names
from kubectl_llmfit.dra.environment import selector

A = "device.attributes['llmfit.ai']"
C = "device.capacity['llmfit.ai']"
VERSIONED = gpu("gpu-0", driverVersion=Semver.parse("1.2.0"), **{"example.com/numaNode": 1})
STATE = world(on("a", VERSIONED, gpu("gpu-1", healthy=None)))


def hints(text: str, state: ClusterState = STATE, device_class: str | None = None) -> tuple[str, ...]:
    classes = class_selectors(state, device_class) if device_class else ()
    own = selector(text, stored=False)
    return evaluation_hints([evaluate(classes, own, one) for one in published(state)], state)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{A}.memory == 1", "llmfit.ai/memory is a capacity: read device.capacity['llmfit.ai'].memory"),
        (f"{C}.kind.isInteger()", "llmfit.ai/kind is an attribute: read device.attributes['llmfit.ai'].kind"),
        (f"{A}.knid == 'gpu'", "no device publishes llmfit.ai/knid; the nearest is kind"),
        (
            f"{A}.MemoryBandwidthGbs > 5",
            "no device publishes llmfit.ai/MemoryBandwidthGbs; the nearest is memoryBandwidthGBs",
        ),
        (f"{A}.memroy == 1", "no device publishes llmfit.ai/memroy; the nearest is memory, a capacity"),
        (f"{A}.zzz == 1", "no device publishes llmfit.ai/zzz"),
        (
            "device.attributes['llmfit.io'].knid",
            "no device publishes anything in domain llmfit.io; the nearest is llmfit.ai",
        ),
        (
            "device.attributes['gpu.vendor.org'].numaNode == 1",
            "no device publishes anything in domain gpu.vendor.org;"
            " numaNode is published as device.attributes['example.com'].numaNode",
        ),
        ("device.attributes['zzz'].zzz == 1", "no device publishes anything in domain zzz"),
    ],
)
def test_a_name_that_no_device_publishes_is_corrected(text: str, words: str) -> None:
    assert hints(text) == (words,)


def test_a_guarded_name_is_corrected_where_nothing_matches() -> None:
    assert hints(f"'memroy' in {C} && {C}.memroy.isInteger()") == (
        "no device publishes llmfit.ai/memroy; the nearest is memory",
    )
    assert hints(f"{A}.?knid.orValue('') == 'gpu'") == ("no device publishes llmfit.ai/knid; the nearest is kind",)


@pytest.mark.parametrize(
    "text", [f"'memroy' in {C} || {A}.kind == 'gpu'", f"!('vendorManaged' in {A}) && false", "false"]
)
def test_what_matches_or_wants_a_name_absent_is_not_corrected(text: str) -> None:
    assert hints(text) == ()


def test_a_name_that_some_devices_lack_gets_its_guard() -> None:
    assert hints(f"{A}.healthy") == (
        f"not every device publishes llmfit.ai/healthy: write 'healthy' in {A} && {A}.healthy instead of {A}.healthy",
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("driverVersion == '1.2.0'", "llmfit.ai/driverVersion is a version: compare it with semver('1.0.0')"),
        (
            "driverVersion >= '1.2.0'",
            f"llmfit.ai/driverVersion is a version: write {A}.driverVersion.compareTo(semver('1.0.0')) >= 0",
        ),
        ("memoryBandwidthGBs >= '5'", "llmfit.ai/memoryBandwidthGBs is a number: compare it with a number"),
        ("kind >= 5", "llmfit.ai/kind is a text: compare it with a text in quotes"),
    ],
)
def test_a_comparison_of_two_types_says_what_the_device_has(text: str, words: str) -> None:
    name = text.partition(" ")[0]
    assert words in hints(f"'{name}' in {A} && {A}.{text}")


def test_class_selectors_get_hints_as_well() -> None:
    state = world(on("a", gpu("gpu-0")), classes=(DeviceClass("c", (f"{A}.knid == 'gpu'",)),))
    assert hints("true", state, "c") == ("no device publishes llmfit.ai/knid; the nearest is kind",)


def test_there_are_a_few_hints_at_most_and_none_without_devices() -> None:
    assert len(hints(" || ".join(f"{A}.zzz{i} == 1" for i in range(9)))) == MOST_HINTS
    assert hints("device.attributes['x'].y", world(nodes=("a",))) == ()


def test_a_claim_of_ones_own_is_told_what_no_device_publishes() -> None:
    texts = [s.text for s in check(STATE, claim(f"'knid' in {A} && {A}.knid == 'gpu'")).summary.suggestions]
    assert texts[0] == "no device publishes llmfit.ai/knid; the nearest is kind"


def test_a_claim_is_told_what_type_a_device_has() -> None:
    state = world(on("a", VERSIONED))
    texts = [s.text for s in check(state, claim(f"{A}.driverVersion == '1.2.0'")).summary.suggestions]
    assert texts == ["in request model: llmfit.ai/driverVersion is a version: compare it with semver('1.0.0')"]


def test_a_selector_that_some_device_passes_has_no_wrong_names() -> None:
    text = f"'new' in {A} ? {A}.new : {A}.kind == 'gpu'"
    state = world(on("a", gpu("gpu-0", taints=())), classes=(DeviceClass("llmfit.ai", (f"{A}.kind == 'gpu'",)),))
    checked = check(state, claim(text, count=2))
    assert [s.text for s in checked.summary.suggestions if "no device publishes" in s.text] == []


def test_names_are_read_and_shown_as_cel() -> None:
    name = Name("attributes", DRIVER, "kind")
    assert (str(name), name.read) == ("llmfit.ai/kind", f"{A}.kind")
    assert Name("capacity", "d", "a-b").read == "device.capacity['d']['a-b']"
    paths = {("device", "attributes", DRIVER, "kind", "x"), ("device", "driver"), ("device", "attributes", DRIVER)}
    assert names_in(paths) == (name,)
    assert Published(STATE).correction(name) is None


def test_only_names_need_a_guard_not_domains_nor_what_is_below_a_name() -> None:
    program = selector(f"{A}.x.y == 1 && {C}.memory.isInteger()", stored=True).program
    assert program is not None
    assert unguarded_names(program) == (Name("attributes", DRIVER, "x"), Name("capacity", DRIVER, "memory"))
