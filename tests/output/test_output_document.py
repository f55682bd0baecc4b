"""Documents keep their order, and every reader takes a string for a string."""

from __future__ import annotations

import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kubectl_llmfit.output.document import to_json, to_yaml

texts = st.text(st.characters(exclude_categories=("Cs",)))
documents = st.recursive(
    st.none() | st.booleans() | st.integers() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=12,
)


def test_json_is_indented_by_four_and_ends_with_a_newline() -> None:
    assert to_json({"b": 1, "a": ["x"]}) == '{\n    "b": 1,\n    "a": [\n        "x"\n    ]\n}\n'


def test_yaml_keeps_the_order_of_the_document() -> None:
    assert to_yaml({"b": 1, "a": ["x", None]}) == "b: 1\na:\n- x\n- null\n"


# Kubernetes reads YAML 1.1 by its own library: y and 1e3 are no strings there.
@pytest.mark.parametrize(
    "text", ["y", "N", "yes", "Off", "null", "~", "1e3", "0x1F", "0o17", "1_000", "1:30", "", " a"]
)
def test_what_a_yaml_reader_may_take_for_something_else_is_quoted(text: str) -> None:
    assert to_yaml({"key": text}) == f'key: "{text}"\n'


@pytest.mark.parametrize("text", ["gpu-a", "resource.k8s.io/v1", "Qwen/Qwen3-8B"])
def test_plain_words_stay_bare(text: str) -> None:
    assert to_yaml([text]) == f"- {text}\n"


def test_long_strings_stay_on_their_line() -> None:
    assert to_yaml({"key": "a b " * 100}).count("\n") == 1


def test_the_same_list_twice_is_written_twice() -> None:
    same = ["x"]
    assert to_yaml({"a": same, "b": same}) == "a:\n- x\nb:\n- x\n"


@pytest.mark.parametrize("write", [to_json, to_yaml])
def test_marks_that_turn_text_around_are_escaped(write) -> None:  # type: ignore[no-untyped-def]  # two functions
    text = write({"key": "a\u202eb"})
    assert "\u202e" not in text
    assert yaml.safe_load(text) == {"key": "a\u202eb"}


def test_half_a_surrogate_pair_can_be_written() -> None:
    assert yaml.safe_load(to_yaml({"key": "a\ud800"})) == {"key": "a\ufffd"}


@given(documents)
def test_yaml_reads_back_as_the_document(document: object) -> None:
    assert yaml.safe_load(to_yaml(document)) == document


@given(documents)
def test_json_reads_back_as_the_document(document: object) -> None:
    assert json.loads(to_json(document)) == document
