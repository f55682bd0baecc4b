"""What a selector reads without knowing that it is there."""

from __future__ import annotations

import re
from itertools import product
from random import Random

import pytest

from cel.devices import device, environment
from kubectl_llmfit.cel import CelRuntimeError, Program
from kubectl_llmfit.cel.guards import unguarded

M = "device.attributes['d']"
DOMAIN = ("device", "attributes", "d")
NAMES = ("a", "b", "c")
SEED = 20261130
STORED = environment(stored=True)


def compiled(text: str) -> Program:
    """A stored selector, in which ``m`` may stand for device.attributes['d']."""
    return STORED.compile(re.sub(r"\bm(?=\.|\))", M, text))


def names_of(program: Program) -> set[str]:
    """The names in domain d that are read without a guard."""
    found = unguarded(program.expression)
    return {path[3] for path in found if path[:3] == DOMAIN and len(path) == 4}


@pytest.mark.parametrize(
    "text",
    [
        "('a' in m) && m.a",
        "m.a && ('a' in m)",
        "has(m.a) && m.a == 1",
        "has(m.a) && (has(m.b) && (m.b == 1 && m.a == 2))",
        "!('a' in m) || m.a",
        "m.a || !has(m.a)",
        "!(has(m.a) && m.a)",
        "!(!has(m.a) || m.a == 1)",
        "('a' in m) ? m.a : true",
        "!('a' in m) ? true : m.a",
        "('a' in m) == true && m.a",
        "has(m.a) != false && m.a",
        "(has(m.a) ? m.a == 1 : false) && m.a == 1",
        "m.?a.orValue(false)",
        "m.?a.hasValue() && m.a",
        "m.?a == optional.none() || m.a",
        "m.?a.optMap(v, v == 1).orValue(false) && m.a == 1",
        "m.?a.?b.c.orValue(1) == 1",
        "m.?a.or(optional.of(true)).value() == true",
        "has(m.a) && [1, 2].exists(i, m.a == i)",
        "[1, 2].all(i, !has(m.a) || m.a == i)",
        "cel.bind(d, device.attributes['d'], has(d.a) && d.a)",
        "cel.bind(v, m.a, has(m.a) && v)",
        "has(m.a)",
        "true",
    ],
)
def test_a_read_that_a_presence_test_absorbs_or_avoids_is_guarded(text: str) -> None:
    assert names_of(compiled(text)) == set()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("m.a", {"a"}),
        ("m.a == m.b", {"a", "b"}),
        ("device.attributes['d']['a'] == 1", {"a"}),
        ("has(m.a) || m.a", {"a"}),
        ("!has(m.a) && m.a", {"a"}),
        ("has(m.b) && m.a", {"a"}),
        ("(has(m.a) || has(m.b)) && m.a", {"a"}),
        ("has(m.a) ? m.b : m.a", {"a", "b"}),
        ("m.a ? has(m.a) : false", {"a"}),
        ("'d' in device.attributes && m.a", {"a"}),
        ("has(device.capacity['d'].a) && m.a", {"a"}),
        ("device.driver == 'd' && m.a", {"a"}),
        ("has(m.a.b) && m.a.b == 1", {"a"}),
        ("[1].exists(i, m.a == i)", {"a"}),
        ("[m.a].size() == 1 && {'k': m.b}.size() == 1", {"a", "b"}),
        ("m.?a.value()", {"a"}),
        ("m.?a.orValue(m.b)", {"b"}),
        ("cel.bind(v, m.a, v || true)", set()),
        ("cel.bind(v, m.a, v && true)", {"a"}),
    ],
)
def test_a_read_that_nothing_protects_is_named(text: str, names: set[str]) -> None:
    assert names_of(compiled(text)) == names


def test_capacity_and_deeper_members_have_paths_of_their_own() -> None:
    text = "device.capacity['d'].memory.compareTo(quantity('1Gi')) >= 0 && has(device.attributes['d'].x.y)"
    found = unguarded(environment(stored=True).compile(text).expression)
    assert ("device", "capacity", "d", "memory") in found
    assert ("device", "attributes", "d", "x") in found
    assert ("device", "attributes", "d", "x", "y") not in found


def test_fields_of_an_object_are_always_there() -> None:
    assert unguarded(environment().compile("device.driver == 'd' && device.allowMultipleAllocations").expression) == ()


def test_a_long_selector_is_followed_too() -> None:
    text = " && ".join(f"('x{i}' in {M}) && {M}.x{i}" for i in range(300)) + f" && {M}.x"
    assert names_of(compiled(text)) == {"x"}


class Writer:
    """Random selectors over the bools a, b and c, with and without guards; written from one seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def expression(self, depth: int) -> str:
        if depth == 0:
            return self.random.choice([self.read, self.read, self.presence, self.literal])()
        left, right = self.expression(depth - 1), self.expression(depth - 1)
        other = self.expression(0)
        return self.random.choice(
            [
                f"({left} && {right})",
                f"({left} && {right})",
                f"({left} || {right})",
                f"!{left}",
                f"({left} ? {right} : {other})",
                f"({left} == {right})",
                f"({left} != {other})",
                f"[true, false].all(i, i || {left})",
                f"[true].exists(i, i == {left})",
                f"cel.bind(v{depth}, {other}, v{depth} && {left})",
                f"cel.bind(m{depth}, {M}, {left.replace(M, f'm{depth}')})",
                f"{M}.?{self.name()}.orValue({left})",
                f"{M}.?{self.name()}.optMap(o{depth}, o{depth} && {left}).orValue({other})",
                f"({M}.?{self.name()}.or(optional.of({left})).value() == {other})",
            ]
        )

    def name(self) -> str:
        return self.random.choice(NAMES)

    def read(self) -> str:
        return self.random.choice([f"{M}.{{}}", f"{M}['{{}}']", f"{M}.?{{}}.value()"]).format(self.name())

    def presence(self) -> str:
        tests = [f"has({M}.{{}})", f"('{{}}' in {M})", f"!has({M}.{{}})", f"{M}.?{{}}.hasValue()"]
        return self.random.choice(tests).format(self.name())

    def literal(self) -> str:
        return self.random.choice(["true", "false"])


DEVICES = [
    {name: value for name, value in zip(NAMES, values, strict=True) if value is not None}
    for values in product((None, False, True), repeat=len(NAMES))
]


def lacks_that_raise(program: Program) -> tuple[set[str], bool]:
    """The names whose absence an evaluation on some device complains of, and whether any fails for a missing one."""
    named: set[str] = set()
    raised = False
    for attributes in DEVICES:
        try:
            program.evaluate(device(attributes))
        except CelRuntimeError as error:
            words = str(error)
            raised = raised or "no such key" in words or "none() dereference" in words
            if words.startswith("no such key: "):
                named.add(words.removeprefix("no such key: "))
    return named, raised


def test_no_device_raises_for_a_name_that_was_taken_for_guarded() -> None:
    writer = Writer(SEED)
    guarded_reads = 0
    for _ in range(800):
        text = writer.expression(writer.random.randint(1, 4))
        program = compiled(text)
        found = names_of(program)
        named, raised = lacks_that_raise(program)
        assert named <= found, text
        assert found or not raised, text
        guarded_reads += not found and any(f"{M}.{name}" in text for name in NAMES)
    assert guarded_reads > 50


def test_a_name_is_rarely_taken_for_unguarded_when_no_device_raises() -> None:
    """What is approximate: the same test of another member on both sides, loops, and values that decide nothing."""
    writer = Writer(SEED + 1)
    named = wrong = 0
    for _ in range(800):
        program = compiled(writer.expression(writer.random.randint(1, 3)))
        if names_of(program):
            named += 1
            wrong += not lacks_that_raise(program)[1]
    assert wrong <= named / 30


def test_a_program_tells_its_unguarded_reads() -> None:
    program = compiled(f"'a' in {M} && m.a == 1 && m.b == 2")
    assert {path for path in program.reads if path in program.unguarded} == {(*DOMAIN, "b")}
    assert program.reads == {(*DOMAIN, "a"), (*DOMAIN, "b")}
