"""What a selector can look at, from its text alone."""

from __future__ import annotations

import pytest

from cel.devices import environment

D = ("device", "attributes", "d")


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("device.attributes['d'].x == 1", {(*D, "x")}),
        ("device.attributes.d['x'] == 1", {(*D, "x")}),
        ("has(device.attributes['d'].x)", {(*D, "x")}),
        ("'x' in device.attributes['d']", {(*D, "x")}),
        ("device.attributes['d'].?x.orValue(1) == 1", {(*D, "x")}),
        ("device.attributes[?'d'][?'x'].hasValue()", {(*D, "x")}),
        ("'d' in device.attributes", {D}),
        ("device.driver == 'd'", {("device", "driver")}),
        ("device.attributes['d'].x == device.attributes['d'].y", {(*D, "x"), (*D, "y")}),
        ("cel.bind(d, device.attributes['d'], d.x && d.y)", {(*D, "x"), (*D, "y")}),
        ("device.attributes['d'].?x.optMap(v, v.z).hasValue()", {(*D, "x"), (*D, "x", "z")}),
        ("device.attributes['d'].exists(k, k == 'x')", {D}),
        ("device.attributes[device.driver].x", {("device", "attributes"), ("device", "driver")}),
        ("device.attributes['d'].x[0] == 1", {(*D, "x")}),
        ("device == device", {("device",)}),
        ("[1].exists(device, device == 1)", set()),
        ("[device.attributes['d']].exists(device, device.x == 1)", {D}),
        ("true", set()),
        ("type(1) == int", set()),
    ],
)
def test_the_paths_an_expression_reads(text: str, paths: set[tuple[str, ...]]) -> None:
    assert environment().compile(text).reads == paths
