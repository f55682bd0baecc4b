"""What is generated for the comparison with Kubernetes, and random texts, which need no Kubernetes."""

from __future__ import annotations

import random
import re
from collections import Counter

from agree.cases import cases
from agree.devices import random_device, shape_of
from agree.fuzzing import fuzz
from agree.pieces import with_spans_left_out
from cel.devices import environment
from kubectl_llmfit.cel import CelCompileError
from kubectl_llmfit.cel.libraries import functions

SEED = 20261130
MACROS = {
    *("has", "all", "exists", "exists_one", "existsOne", "map", "filter", "transformList", "transformMap"),
    *("transformMapEntry", "bind", "optMap", "optFlatMap", "sortBy"),
}
SIGNS = ("&&", "||", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", " in ", "?", "!", ".?", "[?", "{?")


def compiles(text: str) -> bool:
    try:
        environment(stored=True).compile(text)
    except CelCompileError:
        return False
    return True


def test_2000_random_texts_give_programs_or_clean_errors() -> None:
    findings = fuzz(SEED, 2000)
    assert findings.faults == []
    assert min(findings.outcomes.values()) > 50


def test_expressions_that_compile_use_every_function_operator_and_macro() -> None:
    compiled = [case.text for case in cases(SEED, 6000) if compiles(case.text)]
    words = Counter(word for text in compiled for word in set(re.findall(r"[a-zA-Z_.0-9]+", text)))
    last_parts = {part for word in words for part in (word, word.rpartition(".")[2])}
    named = {name for name in functions(stored=True) if re.fullmatch(r"[\w.]+", name)}
    assert named - last_parts == set()
    assert MACROS - last_parts == set()
    assert [sign for sign in SIGNS if not any(sign in text for text in compiled)] == []


def test_devices_have_every_kind_of_attribute() -> None:
    draw = random.Random(SEED)
    devices = [random_device(draw) for _ in range(40)]
    kinds = {kind for device in devices for value in device["attributes"].values() for kind in value}
    assert kinds == {"int", "bool", "string", "version", "ints", "bools", "strings", "versions"}
    assert all(not shape_of(device).unreadable for device in devices)


def test_the_same_seed_gives_the_same_cases() -> None:
    assert list(cases(7, 50)) == list(cases(7, 50))
    assert list(cases(7, 50)) != list(cases(8, 50))


def test_a_text_is_made_smaller_by_whole_tokens() -> None:
    assert set(with_spans_left_out("!(a)")) == {"", "!", "!(", "!(a", "!a)", "!()", "!)", "(a)", "a)", ")", "!a"}
