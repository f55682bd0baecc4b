"""Names: exact ones, short ones, ambiguous ones, mistaken ones; search and completion."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kubectl_llmfit.catalog import Catalog, open_catalog
from kubectl_llmfit.catalog.packaged import PackagedStore, open_packaged
from kubectl_llmfit.errors import CannotTellError, UsageError


def candidates(catalog: Catalog, name: str) -> list[str]:
    """The names that the error for a name offers, in its order."""
    with pytest.raises(UsageError) as caught:
        catalog.find(name)
    assert "\n" not in caught.value.message
    offered = re.search(r"(?:nearest|ambiguous): (.*)", caught.value.message)
    return offered[1].split(", ") if offered else []


@pytest.mark.parametrize("name", ["Qwen/Qwen3-8B", "qwen/qwen3-8b", "QWEN/QWEN3-8B", " Qwen/Qwen3-8B "])
def test_an_exact_name_is_found_in_any_case(catalog: Catalog, name: str) -> None:
    model = catalog.find(name)
    assert (model.name, model.parameters_raw, model.quantization) == ("Qwen/Qwen3-8B", 8_190_735_360, "Q4_K_M")


def test_every_name_finds_its_own_entry(catalog: Catalog, store: PackagedStore) -> None:
    for listing in store.listings():
        assert catalog.find(listing.name).name == listing.name


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("qwen2.5-32b", "Qwen/Qwen2.5-32B"),
        ("qwen3-8b", "Qwen/Qwen3-8B"),
        ("llama-3.1-8b", "meta-llama/Llama-3.1-8B"),
        ("Llama-3.1-8B-Instruct", "meta-llama/Llama-3.1-8B-Instruct"),
        ("DeepSeek-R1", "deepseek-ai/DeepSeek-R1"),
    ],
)
def test_the_part_after_the_slash_is_enough_when_it_is_unique(catalog: Catalog, short: str, full: str) -> None:
    assert catalog.find(short).name == full


def test_a_short_name_of_two_models_lists_both_the_publisher_first(catalog: Catalog) -> None:
    with pytest.raises(UsageError) as caught:
        catalog.find("qwen2.5-1.5b-instruct")
    assert caught.value.message == (
        "model 'qwen2.5-1.5b-instruct' is ambiguous: Qwen/Qwen2.5-1.5B-Instruct, onnx-community/Qwen2.5-1.5B-Instruct"
    )


@pytest.mark.parametrize("name", ["zzzz", "Llama-3.1-8B-Instr", "wen3-8B", "Qwen/", "Qwen", "/", "*", "%"])
def test_part_of_a_name_never_resolves(catalog: Catalog, name: str) -> None:
    with pytest.raises(UsageError, match="not found"):
        catalog.find(name)


@pytest.mark.parametrize("name", ["", " "])
def test_no_name_is_not_found_and_says_how_to_search(catalog: Catalog, name: str) -> None:
    with pytest.raises(UsageError, match="not found") as caught:
        catalog.find(name)
    assert caught.value.hint == "`kubectl llmfit models QUERY` searches the catalogue"


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("gpt-oss", ["openai/gpt-oss-20b", "openai/gpt-oss-120b"]),
        ("gemma-3-27b", ["google/gemma-3-27b-it", "google/gemma-3-27b-pt"]),
        ("phi4", ["microsoft/phi-4"]),
        ("mistralai/mistral-7b", ["mistralai/Mistral-7B-v0.1"]),
        ("deepseek", ["deepseek-ai/DeepSeek-R1", "deepseek-ai/DeepSeek-V3"]),
        ("meta-llama/Llama-3.1-8B-Instrct", ["meta-llama/Llama-3.1-8B-Instruct"]),
        ("Qwen/qwne3-8b", ["Qwen/Qwen3-8B"]),
        ("unsloth/DeepSeek-R1", ["deepseek-ai/DeepSeek-R1"]),
    ],
)
def test_a_mistaken_name_is_answered_with_the_nearest_originals_first(
    catalog: Catalog, asked: str, first: list[str]
) -> None:
    offered = candidates(catalog, asked)
    assert offered[: len(first)] == first
    assert len(offered) <= 5


def test_a_name_like_nothing_gets_a_hint_instead_of_strangers(catalog: Catalog) -> None:
    assert candidates(catalog, "xyzzyfoobar") == []


def test_control_characters_of_a_name_never_reach_the_message(catalog: Catalog) -> None:
    with pytest.raises(UsageError) as caught:
        catalog.find("a\x1b[31m\nb")
    assert caught.value.message.isprintable()


def test_search_wants_every_word_and_puts_originals_first(catalog: Catalog) -> None:
    found = catalog.search("qwen3 8B")
    assert found[0].name == "Qwen/Qwen3-8B"
    assert all("qwen3" in model.name.lower() and "8b" in model.name.lower() for model in found)
    assert [model.name for model in catalog.search("qwen3 8B", limit=3)] == [model.name for model in found[:3]]
    assert catalog.search("qwen3 nosuchword") == []


def test_names_start_with_the_prefix_in_any_case_and_are_sorted(catalog: Catalog, store: PackagedStore) -> None:
    expected = [entry.name for entry in store.listings() if entry.key.startswith("meta-llama/llama-3")]
    names = catalog.names("META-llama/llama-3")
    assert sorted(expected, key=str.lower) == names
    assert catalog.names("meta-llama/llama-3", limit=2) == names[:2]
    assert len(catalog.names()) == 15_855


@pytest.mark.parametrize("prefix", ["%", "_", "qwen/'", "\U0010ffff"])
def test_odd_prefixes_match_nothing(catalog: Catalog, prefix: str) -> None:
    assert catalog.names(prefix) == []


def test_the_data_has_a_name_without_a_version(catalog: Catalog) -> None:
    assert catalog.name == "llmfit"
    assert catalog.find("qwen3-8b").source == "llmfit"


def test_a_missing_file_says_to_run_make(store: PackagedStore) -> None:
    with pytest.raises(CannotTellError, match="catalogue is missing") as caught:
        open_packaged("nosuch.sqlite")
    assert caught.value.hint is not None
    assert "run make" in caught.value.hint


def test_a_file_of_another_layout_is_an_error_in_words(store: PackagedStore) -> None:
    with pytest.raises(CannotTellError, match="is damaged: file is not a database"):
        open_packaged("store.py")


def test_finding_a_model_imports_nothing_that_searching_needs(store: PackagedStore, tmp_path: Path) -> None:
    program = """
import sys
from kubectl_llmfit.catalog import open_catalog
before = set(sys.modules)
assert "sqlite3" not in before and "json" not in before
open_catalog(environ={}).find("Qwen/Qwen3-8B")
loaded = set(sys.modules)
print(sorted(loaded & {"difflib", "kubectl_llmfit.catalog.ranking", "kubectl_llmfit.catalog.trust"}))
"""
    run = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(Path(__file__).parents[2] / "plugin"), "HOME": str(tmp_path)},
    )
    assert run.stdout.strip() == "[]"


def test_a_dump_of_the_catalogue_answers_as_the_catalogue_does(
    catalog: Catalog, llmfit_list: list[dict[str, Any]], tmp_path: Path
) -> None:
    path = tmp_path / "models.json"
    path.write_text(json.dumps(llmfit_list))
    dump = open_catalog(str(path))
    assert dump.name == "models.json"
    assert dump.names() == catalog.names()
    assert candidates(dump, "gpt-oss") == candidates(catalog, "gpt-oss")
    found, packaged = dump.find("qwen3-8b"), catalog.find("qwen3-8b")
    assert found.source == "models.json"
    assert found.gguf_sources == packaged.gguf_sources
    assert found.parameters_raw == packaged.parameters_raw
