"""When two specs mean the same, and in what words they differ."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from kubectl_llmfit.api.differences import spec_differences
from kubectl_llmfit.api.read import ReadError

Object = dict[str, Any]
EXACTLY = "spec.devices.requests[0].exactly"
GUARDED = (
    "'memory' in device.capacity['llmfit.ai'] && "
    "device.capacity['llmfit.ai'].memory.compareTo(quantity('{memory}')) >= 0 && "
    "'bandwidth' in device.attributes['llmfit.ai'] && device.attributes['llmfit.ai'].bandwidth >= {bandwidth}"
)


def nested(**fields: Any) -> Object:
    return {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "llmfit.ai"} | fields}]}}


def flat(**fields: Any) -> Object:
    return {"devices": {"requests": [{"name": "gpu", "deviceClassName": "llmfit.ai"} | fields]}}


def selecting(expression: str) -> Object:
    return nested(selectors=[{"cel": {"expression": expression}}])


@pytest.mark.parametrize(
    "same",
    [
        nested(),
        flat(),
        nested(allocationMode="ExactCount"),
        nested(count=1),
        nested(count=0),
        nested(selectors=[], tolerations=None),
        flat(allocationMode="ExactCount", count=1),
        {"devices": nested()["devices"] | {"constraints": [], "config": None}},
    ],
)
def test_defaults_and_shapes_make_no_difference(same: Object) -> None:
    assert spec_differences(nested(), same) == []
    assert spec_differences(same, nested()) == []


def test_the_default_operator_and_the_spelling_of_quantities_make_no_difference() -> None:
    ours = nested(tolerations=[{"key": "a"}], capacity={"requests": {"memory": "1024Mi", "cores": 2}})
    theirs = nested(
        tolerations=[{"key": "a", "operator": "Equal", "value": ""}],
        capacity={"requests": {"memory": "1Gi", "cores": "2"}},
    )
    assert spec_differences(ours, theirs) == []


def test_alternatives_are_defaulted_too() -> None:
    def spec(**fields: Any) -> Object:
        return {"devices": {"requests": [{"name": "gpu", "firstAvailable": [{"name": "a"} | fields]}]}}

    assert spec_differences(spec(), spec(allocationMode="ExactCount", count=1)) == []
    assert spec_differences(spec(count=2), spec()) == ["spec.devices.requests[0].firstAvailable[0].count: 1 -> 2"]


@pytest.mark.parametrize(
    ("ours", "theirs", "difference"),
    [
        (nested(count=2), nested(), f"{EXACTLY}.count: 1 -> 2"),
        (nested(), flat(count=3), f"{EXACTLY}.count: 3 -> 1"),
        (nested(deviceClassName="other"), nested(), f"{EXACTLY}.deviceClassName: llmfit.ai -> other"),
        (nested(adminAccess=True), nested(), f"{EXACTLY}.adminAccess: not set -> true"),
        (nested(), nested(adminAccess=False), f"{EXACTLY}.adminAccess: false -> not set"),
        (selecting("a > 1"), selecting("a > 2"), f"{EXACTLY}.selectors[0].cel.expression: a > 2 -> a > 1"),
        (
            selecting("a > 1"),
            nested(),
            f'{EXACTLY}.selectors: not set -> [{{"cel": {{"expression": "a > 1"}}}}]',
        ),
        (
            nested(capacity={"requests": {"memory": "2Gi"}}),
            nested(capacity={"requests": {"memory": "1Gi"}}),
            f"{EXACTLY}.capacity.requests.memory: 1Gi -> 2Gi",
        ),
        (
            nested(future={"a": [1]}),
            nested(future={"a": [True]}),
            f"{EXACTLY}.future.a[0]: true -> 1",
        ),
        (selecting("a  > 1"), selecting("a > 1"), f'{EXACTLY}.selectors[0].cel.expression: "a > 1" -> "a  > 1"'),
        (selecting("\x1b[31m"), selecting("a"), f'{EXACTLY}.selectors[0].cel.expression: a -> "\\u001b[31m"'),
    ],
)
def test_what_differs_is_said_as_path_theirs_and_ours(ours: Object, theirs: Object, difference: str) -> None:
    assert spec_differences(ours, theirs) == [difference]


def test_all_and_exact_counts_differ_in_both_fields() -> None:
    assert spec_differences(nested(allocationMode="All"), nested()) == [
        f"{EXACTLY}.allocationMode: ExactCount -> All",
        f"{EXACTLY}.count: 1 -> not set",
    ]


def test_long_expressions_are_cut_down_to_where_they_differ() -> None:
    ours = selecting(GUARDED.format(memory="18Gi", bandwidth=300))
    theirs = selecting(GUARDED.format(memory="18Gi", bandwidth=170))
    (difference,) = spec_differences(ours, theirs)
    path, words = difference.split(": ", 1)
    assert path == f"{EXACTLY}.selectors[0].cel.expression"
    assert words == "…lmfit.ai'].bandwidth >= 170 -> …lmfit.ai'].bandwidth >= 300"


def test_numbers_are_never_cut_in_two() -> None:
    ours = selecting(GUARDED.format(memory="18Gi", bandwidth=170))
    theirs = selecting(GUARDED.format(memory="128Gi", bandwidth=170))
    (difference,) = spec_differences(ours, theirs)
    assert "quantity('128Gi')" in difference
    assert "quantity('18Gi')" in difference


def test_a_longer_list_of_requests_differs() -> None:
    longer = nested()
    longer["devices"]["requests"].append({"name": "more", "exactly": {"deviceClassName": "c"}})
    (difference,) = spec_differences(longer, nested())
    assert difference.startswith('spec.devices.requests[1]: not set -> {"name": "more"')


def test_the_parameters_of_a_driver_are_compared_as_they_stand() -> None:
    def spec(parameters: Object) -> Object:
        return nested() | {"devices": nested()["devices"] | {"config": [{"opaque": {"parameters": parameters}}]}}

    assert spec_differences(spec({"a": []}), spec({"a": []})) == []
    assert spec_differences(spec({"a": []}), spec({"b": 1})) == [
        "spec.devices.config[0].opaque.parameters.b: 1 -> not set",
        "spec.devices.config[0].opaque.parameters.a: not set -> []",
    ]


def test_the_specs_of_templates_are_compared_below_their_metadata() -> None:
    ours = {"metadata": {"labels": {"a": "1"}}, "spec": nested(count=2)}
    theirs = {"metadata": {"labels": {"a": "2"}, "annotations": {}}, "spec": flat()}
    assert spec_differences(ours, theirs) == [
        "spec.metadata.labels.a: 2 -> 1",
        "spec.spec.devices.requests[0].exactly.count: 1 -> 2",
    ]
    assert spec_differences(ours, deepcopy(ours)) == []


def test_what_is_no_spec_is_refused() -> None:
    with pytest.raises(ReadError, match=r"claim: spec\.devices: must be an object"):
        spec_differences(nested(), {"devices": []})


def test_the_name_of_a_field_that_no_terminal_should_obey_is_escaped() -> None:
    (difference,) = spec_differences({"devices": {"a\nb": 1}}, {"devices": {"a\nb": 2}})
    assert difference == "spec.devices.a\\u000ab: 2 -> 1"


def test_a_field_whose_name_is_no_text_is_named_all_the_same() -> None:
    assert spec_differences({1: 2}, {}) == ["spec.1: not set -> 2"]
