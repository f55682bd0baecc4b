"""What a part of a selector is about is read from its syntax tree, in the words of the driver's profile."""

from __future__ import annotations

import pytest

from kubectl_llmfit.check.asked import Part, PartKind
from kubectl_llmfit.check.parts import describe_parts
from kubectl_llmfit.dra.environment import selector

D = "device.attributes['llmfit.ai']"
X = "device.attributes['x.com']"
MEMORY = "device.capacity['llmfit.ai'].memory"


def parts(text: str) -> tuple[Part, ...]:
    program = selector(text, stored=True).program
    assert program is not None
    return describe_parts(program)


@pytest.mark.parametrize(
    ("text", "about", "kind", "operator"),
    [
        (f"{MEMORY}.compareTo(quantity('5Gi')) >= 0", "memory", PartKind.COMPARISON, ">="),
        (f"0 <= {MEMORY}.compareTo(quantity('5Gi'))", "memory", PartKind.COMPARISON, ">="),
        (f"{MEMORY}.isGreaterThan(quantity('5Gi'))", "memory", PartKind.COMPARISON, ">"),
        (f"{D}.memoryBandwidthGBs >= 300", "bandwidth", PartKind.COMPARISON, ">="),
        (f"300 < {D}['memoryBandwidthGBs']", "bandwidth", PartKind.COMPARISON, ">"),
        (f"{D}.healthy", "health", PartKind.FLAG, None),
        (f"!{X}.shared", "shared", PartKind.FLAG, "!"),
        (f"'memory' in {MEMORY.removesuffix('.memory')}", "memory", PartKind.PRESENCE, None),
        (f"has({X}.model)", "model", PartKind.PRESENCE, None),
        (f"{X}.model in ['A100', 'H100']", "model", PartKind.MEMBERSHIP, None),
        ("device.driver == 'llmfit.ai'", "driver", PartKind.COMPARISON, "=="),
        (f"{X}.healthy", "healthy", PartKind.FLAG, None),  # another driver's word is its own
        (f"{X}.model.startsWith('A')", "model", PartKind.TEXT, "startsWith"),
        (f"{X}.model.lowerAscii().contains('a100')", "model", PartKind.TEXT, "contains"),
        (f"matches({X}.model, '^A')", "model", PartKind.TEXT, "matches"),
        (f"'A100'.contains({X}.model)", "model", PartKind.OTHER, None),
        (f"!('shared' in {X})", "shared", PartKind.PRESENCE, "!"),
        (f"!has({X}.shared)", "shared", PartKind.PRESENCE, "!"),
        (f"{X}.a == {X}.b", None, PartKind.OTHER, None),
        (f"{X}.a || {X}.b", None, PartKind.OTHER, None),
        ("true", None, PartKind.OTHER, None),
    ],
)
def test_one_part(text: str, about: str | None, kind: PartKind, operator: str | None) -> None:
    (part,) = parts(text)
    assert (part.expression, part.about, part.kind, part.operator) == (text, about, kind, operator)


def test_bandwidth_has_its_unit() -> None:
    assert [part.unit for part in parts(f"{D}.memoryBandwidthGBs >= 300 && {D}.healthy")] == ["GB/s", None]


def test_parts_are_the_operands_of_the_whole_chain_in_order() -> None:
    assert [part.about for part in parts(f"{X}.a && ({X}.b && {X}.c) && ({X}.d || {X}.e)")] == ["a", "b", "c", None]


def test_a_chain_of_thousands_of_operands_is_described() -> None:
    assert len(parts(" && ".join([f"{X}.a"] * 3000))) == 3000
