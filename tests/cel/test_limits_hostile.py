"""Expressions made to take forever: each ends with an error, or soon; none takes the process with it.

What the API server refuses when it is created (estimate) and what the scheduler ends (actual cost) are told apart:
the second is all that stands between it and what an older API server let pass.
"""

from __future__ import annotations

import gc
import sys
import tracemalloc

import pytest

from cel.devices import device, environment
from kubectl_llmfit.cel import CelCompileError, CelRuntimeError

TOO_COMPLEX = "too complex, exceeds cost limit"
CANCELLED = "operation cancelled: actual cost limit exceeded"
FIFTY = f"[{', '.join(['1'] * 50)}]"


def nested(macro: str, innermost: str, levels: int = 5) -> str:
    """Loops in loops over 50 elements: 50**5 rounds are 312 million."""
    text = innermost
    for level in range(levels):
        text = f"{FIFTY}.{macro}(v{level}, {text})"
    return text


def bound(first: str, step: str, levels: int, result: str) -> str:
    """``cel.bind(v0, first, cel.bind(v1, step of v0, …))``; in ``step`` and ``result``, v is the variable before."""
    text = result.replace("v", f"v{levels - 1}")
    for level in reversed(range(1, levels)):
        text = f"cel.bind(v{level}, {step.replace('v', f'v{level - 1}')}, {text})"
    return f"cel.bind(v0, {first}, {text})"


LOOPS = [
    nested("all", "true"),
    nested("exists", "false"),
    nested("exists_one", "1 / 0 == 1") + " || true",
    nested("map", "1") + " == []",
    nested("map", "'x' + string(v0)") + " == []",
    f"{FIFTY}.filter(v, {nested('all', 'true')}) == []",
    f"{FIFTY}.transformList(i, v, {nested('map', '1')}) == []",
    f"{FIFTY}.transformMap(i, v, {nested('map', '1')}) == {{}}",
]


@pytest.mark.parametrize("text", LOOPS, ids=lambda text: text[-60:])
def test_loops_in_loops_are_refused_and_ended(text: str) -> None:
    with pytest.raises(CelCompileError) as refused:
        environment(limited=True).compile(text)
    assert str(refused.value) == TOO_COMPLEX
    with pytest.raises(CelRuntimeError) as ended:
        environment(stored=True).compile(text).matches(device())
    assert str(ended.value) == CANCELLED


GROWTH = [
    # 16 * 2**40 characters, or elements of lists, or elements in elements.
    bound("'aaaaaaaaaaaaaaaa'", "v + v", 40, "v == ''"),
    bound("dyn('aaaaaaaaaaaaaaaa')", "v + v", 40, "v == ''"),
    bound("[1]", "v + v", 60, "size(v) == 1"),
    bound("[1]", "[v, v]", 60, "v == v"),
    bound("{1: 1}", "{1: v, 2: v}", 60, "v in [v]"),
    f"'{'a' * 1000}'.replace('', '{'b' * 1000}').replace('', '{'c' * 1000}').size() == 1",
    "lists.range(1000000).map(x, x) == []",
    "lists.range(1000).map(x, lists.range(1000)).flatten() == []",
    "lists.range(1000).distinct() == []",
    "lists.range(3000).all(x, [lists.range(3000)] == [lists.range(3000)])",
]


@pytest.mark.parametrize("text", GROWTH, ids=lambda text: text[:60])
def test_values_that_grow_without_end_are_not_made(text: str) -> None:
    program = environment(stored=True).compile(text)
    tracemalloc.start()
    try:
        with pytest.raises(CelRuntimeError) as ended:
            program.matches(device())
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert str(ended.value) == CANCELLED
    assert peak_bytes < 200 * 2**20


@pytest.mark.parametrize(
    "text",
    [
        "'" + "a" * 4000 + "'.matches('(a*)*b')",
        "'" + "a" * 4000 + "'.matches('" + "(a*)*" * 1000 + "b')",
        "'" + "a" * 2000 + "'.matches('" + "(a?){50}" * 10 + "b')",
        "'" + "a" * 4000 + "'.find('" + "(a*)*" * 1000 + "b') == 'a'",
    ],
    ids=lambda text: text[-40:],
)
def test_a_pattern_that_other_engines_choke_on_is_searched_for(text: str) -> None:
    assert environment(stored=True).compile(text).matches(device()) is False


@pytest.mark.parametrize(
    "text",
    [
        "9" * 9000 + " == 1",
        "0x" + "f" * 9000 + " == 1",
        "1e" + "9" * 9000 + " == 1.0",
        "int('" + "9" * 9000 + "') == 1",
        "double('" + "9" * 9000 + "') == 1.0",
        "duration('" + "9" * 9000 + "s') == duration('1s')",
    ],
    ids=lambda text: text[:20],
)
def test_numbers_of_thousands_of_digits_are_refused(text: str) -> None:
    with pytest.raises(CelCompileError):
        environment().compile(text)


@pytest.mark.parametrize(
    "text",
    [
        "[" + "1," * 5000 + "1] == [1]",
        "1 in [" + "2," * 5000 + "2]",
        "[" + "[1]," * 2500 + "[1]] == [[1]]",
        "{" + ",".join(f"{key}: {key}" for key in range(1000)) + "} == {}",
        "quantity('" + "9" * 9000 + "').isInteger()",
    ],
    ids=lambda text: text[:20],
)
def test_giant_literals_are_only_long(text: str) -> None:
    assert environment().compile(text).matches(device()) is False


@pytest.mark.parametrize(("before", "after"), [("(", ")"), ("[", "]"), ("{1:", "}"), ("-(", ")"), ("dyn(", ")")])
def test_brackets_as_far_as_the_text_goes_are_refused(before: str, after: str) -> None:
    levels = 10_000 // len(before + after)
    with pytest.raises(CelCompileError, match="expression recursion limit exceeded: 250"):
        environment(limited=True).compile(before * levels + "1" + after * levels)


def test_an_explanation_ends_where_the_verdict_does() -> None:
    text = f"device.driver == 'd' && {nested('all', 'true')} && device.driver == 'd'"
    first, loops, last = environment(stored=True).compile(text).explain(device())
    assert (first.result, last.result) == ("true", "true")
    assert (loops.result, loops.error) == ("error", CANCELLED)


def test_hostile_expressions_leave_the_recursion_limit_alone() -> None:
    before = sys.getrecursionlimit()
    with pytest.raises(CelRuntimeError):
        environment(stored=True).compile(LOOPS[0]).matches(device())
    assert sys.getrecursionlimit() == before


def filled(part: str, between: str = " && ") -> str:
    """As much of a part as a stored expression may have."""
    return between.join([part] * (99_000 // len(part + between)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (filled("device.driver == 'd'"), True),
        (filled("device.driver == 'x'", " || "), False),
        (filled("[1, 2].map(x, x > 0).size() == 2"), True),
        (filled("optional.of(1).optMap(x, x + 1).hasValue()"), True),
        (filled("google.protobuf.Int32Value{value: 1} == 1"), True),
        ("device.driver in [" + filled("'abcdefgh'", ", ") + "]", False),
        ("'%s'.format([" * 60 + "[" + filled("1", ",")[:90_000] + "1]" + "])" * 60 + " == ''", False),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_stored_expression_of_a_hundred_thousand_characters_is_only_long(text: str, expected: bool) -> None:
    assert environment(stored=True).compile(text).matches(device()) is expected


def test_compiling_what_is_long_leaves_the_collection_of_garbage_alone() -> None:
    assert gc.isenabled()
    environment(stored=True).compile(filled("true"))
    with pytest.raises(CelCompileError):
        environment(stored=True).compile(filled("nobody"))
    assert gc.isenabled()


def test_thousands_of_matches_are_found_in_one_pass() -> None:
    text = "ab" * 20_000
    found = environment(stored=True).compile("device.attributes['d'].text.findAll('a').size() == 20000")
    assert found.matches(device({"text": text}))


def test_an_any_that_holds_a_thousand_others_is_only_deep() -> None:
    name, packed = b"google.protobuf.Any", b""
    for _ in range(1000):
        packed = b"\x0a" + bytes([len(name)]) + name + b"\x12" + _varint(len(packed)) + packed
    escaped = "".join(chr(octet) if chr(octet).isalnum() else f"\\x{octet:02x}" for octet in packed)
    program = environment(stored=True).compile(
        f"google.protobuf.Any{{type_url: '{name.decode()}', value: b'{escaped}'}} == 1"
    )
    with pytest.raises(CelRuntimeError, match="unsupported conversion to ref"):
        program.matches(device())


def _varint(number: int) -> bytes:
    octets = bytearray()
    while number > 0x7F:
        octets.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*octets, number])
