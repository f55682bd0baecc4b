"""The user's own models, each case held against the real llmfit program."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kubectl_llmfit.catalog import Catalog, open_catalog
from kubectl_llmfit.catalog.overlay import overlay_path
from kubectl_llmfit.catalog.packaged import PackagedStore
from kubectl_llmfit.errors import UsageError
from kubectl_llmfit.fit.estimators import ESTIMATORS
from kubectl_llmfit.fit.model import Target

Entry = dict[str, Any]
RunLlmfit = Callable[..., subprocess.CompletedProcess[str]]
Compare = Callable[..., Catalog]


@pytest.fixture
def as_llmfit(run_llmfit: RunLlmfit, store: PackagedStore) -> Compare:
    """Opens the catalogue under some variables, having checked that llmfit lists the very same models."""

    def compare(**environ: str) -> Catalog:
        run = run_llmfit("list", "--json", **environ)
        theirs = json.loads(run.stdout)
        catalog = open_catalog(environ=environ)
        assert sorted(catalog.names()) == sorted(entry["name"] for entry in theirs)
        assert bool(catalog.warnings) == ("skipping custom models" in run.stderr)
        for entry in (entry for entry in theirs if entry["provider"] == "my-org"):
            model = catalog.find(entry["name"])
            # llmfit adds capabilities that it infers from names; everything else is the entry's own
            same = {key: value for key, value in entry.items() if key not in ("capabilities", "attention_layout")}
            ours = {key: getattr(model, key) for key in same}
            assert {key: list(v) if isinstance(v, tuple) else v for key, v in ours.items()} == same
        return catalog

    return compare


@pytest.fixture
def own(tmp_path: Path) -> Callable[[str | bytes | list[Entry]], str]:
    """Writes a file of the user's own models."""

    def write(content: str | bytes | list[Entry]) -> str:
        path = tmp_path / "own.json"
        if isinstance(content, list):
            content = json.dumps(content)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write


Write = Callable[[str | bytes | list[Entry]], str]


def test_a_new_model_is_added(as_llmfit: Compare, own: Write, entry: Entry) -> None:
    path = own([entry])
    catalog = as_llmfit(LLMFIT_CUSTOM_MODELS=path)
    model = catalog.find("zebra-9b")
    assert (model.name, model.source) == ("my-org/Zebra-9B", "custom_models.json")
    assert catalog.find("qwen3-8b").source == "llmfit"
    assert catalog.name == "llmfit"
    assert catalog.warnings == ()


def test_a_model_of_the_same_name_is_replaced(as_llmfit: Compare, own: Write, entry: Entry) -> None:
    catalog = as_llmfit(LLMFIT_CUSTOM_MODELS=own([entry | {"name": "qwen/QWEN3-8b"}]))
    assert catalog.find("Qwen/Qwen3-8B").name == "qwen/QWEN3-8b"
    assert catalog.find("qwen3-8b").provider == "my-org"


@pytest.mark.parametrize("name", ["me/Qwen3-8B", "me/qwen_3.8b", "a/b/Qwen3-8B", "qwen38b", "/Qwen3-8B"])
def test_a_model_of_the_same_slug_hides_the_catalogues(as_llmfit: Compare, own: Write, entry: Entry, name: str) -> None:
    catalog = as_llmfit(LLMFIT_CUSTOM_MODELS=own([entry | {"name": name}]))
    assert catalog.find(name).provider == "my-org"
    with pytest.raises(UsageError, match="model 'Qwen/Qwen3-8B' not found"):
        catalog.find("Qwen/Qwen3-8B")
    assert "Qwen/Qwen3-8B" not in catalog.names("qwen/")
    assert "Qwen/Qwen3-8B" not in [model.name for model in catalog.search("qwen3-8b")]


@pytest.mark.parametrize("name", ["me/Qwen3:8B", "me/Qwen3+8B", "QWEN/QWEN3 8B", "Qwen/", "Qwen/Qwen3-8B-mine"])
def test_another_slug_hides_nothing(as_llmfit: Compare, own: Write, entry: Entry, name: str) -> None:
    catalog = as_llmfit(LLMFIT_CUSTOM_MODELS=own([entry | {"name": name}]))
    assert catalog.find("Qwen/Qwen3-8B").provider == "Alibaba"
    assert catalog.find(name).provider == "my-org"


def test_one_entry_hides_all_that_share_its_slug(as_llmfit: Compare, own: Write, entry: Entry) -> None:
    catalog = as_llmfit(LLMFIT_CUSTOM_MODELS=own([entry | {"name": "me/Qwen2.5-1.5B-Instruct"}]))
    # without the entry this short name is ambiguous
    assert catalog.find("qwen2.5-1.5b-instruct").name == "me/Qwen2.5-1.5B-Instruct"


def test_of_two_own_entries_with_one_slug_the_first_counts(as_llmfit: Compare, own: Write, entry: Entry) -> None:
    second = entry | {"name": "other/zebra_9b", "parameter_count": "1B"}
    catalog = as_llmfit(LLMFIT_CUSTOM_MODELS=own([entry, second, entry | {"context_length": 1}]))
    assert catalog.find("zebra-9b").context_length == 32768
    assert "other/zebra_9b" not in catalog.names()


def test_every_optional_field_is_taken(as_llmfit: Compare, own: Write, entry: Entry) -> None:
    full = entry | {
        "parameters_raw": 30_000_000_000,
        "min_vram_gb": 17.5,
        "is_moe": True,
        "num_experts": 128,
        "active_experts": 8,
        "active_parameters": 3_000_000_000,
        "release_date": "2026-01-31",
        "gguf_sources": [{"repo": "my-org/Zebra-GGUF", "provider": "my-org"}],
        "languages": ["en", "sw"],
        "format": "safetensors",
        "num_attention_heads": 32,
        "num_key_value_heads": 4,
        "num_hidden_layers": 48,
        "head_dim": 128,
        "license": "mit",
        "hidden_size": 2048,
        "moe_intermediate_size": 768,
        "vocab_size": 151936,
        "shared_expert_intermediate_size": None,
        "architecture": "zebra_moe",
        "a_field_of_mine": [1, 2],
    }
    assert as_llmfit(LLMFIT_CUSTOM_MODELS=own([full])).find("zebra-9b").unknown == {"a_field_of_mine": [1, 2]}


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{}",
        '[{"na',
        "[] x",
        b"\xff\xfe\x00",
        '[{"name": "a/c"}]',
        '[{"name": "a/b", "name": "a/c"}]',
        "[5]",
    ],
)
def test_a_file_that_is_wrong_anywhere_is_left_out_with_a_warning(
    as_llmfit: Compare, own: Write, content: str | bytes
) -> None:
    path = own(content)
    (warning,) = as_llmfit(LLMFIT_CUSTOM_MODELS=path).warnings
    assert warning.startswith(f"skipping custom models: {path}: ")
    assert warning.isprintable()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", 5),
        ("provider", None),
        ("quantization", None),
        ("min_ram_gb", None),
        ("min_ram_gb", "5"),
        ("parameters_raw", "9"),
        ("parameters_raw", 9e9),
        ("parameters_raw", -1),
        ("context_length", 1.5),
        ("context_length", 2**32),
        ("num_experts", -1),
        ("is_moe", None),
        ("is_moe", 1),
        ("capabilities", None),
        ("languages", None),
        ("format", None),
        ("gguf_sources", [{"repo": "x"}]),
        ("license", 5),
    ],
)
def test_one_wrong_value_leaves_the_whole_file_out(
    as_llmfit: Compare, own: Write, entry: Entry, field: str, value: object
) -> None:
    good = entry | {"name": "my-org/Good-1B"}
    catalog = as_llmfit(LLMFIT_CUSTOM_MODELS=own([good, entry | {field: value}]))
    assert f"{field} is " in catalog.warnings[0]
    assert "my-org/Good-1B" not in catalog.names()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("parameters_raw", 0),
        ("parameters_raw", None),
        ("min_vram_gb", None),
        ("min_ram_gb", 5),
        ("context_length", 0),
        ("quantization", "banana"),
        ("release_date", "x"),
        ("use_case", ""),
    ],
)
def test_values_that_llmfit_takes_are_taken(
    as_llmfit: Compare, own: Write, entry: Entry, field: str, value: object
) -> None:
    model = as_llmfit(LLMFIT_CUSTOM_MODELS=own([entry | {field: value}])).find("zebra-9b")
    assert getattr(model, field) == value


def test_numbers_that_no_model_has_are_refused_although_llmfit_takes_them(own: Write, entry: Entry) -> None:
    catalog = open_catalog(environ={"LLMFIT_CUSTOM_MODELS": own([entry | {"min_vram_gb": -5}])})
    assert "min_vram_gb is -5, not a number from 0" in catalog.warnings[0]


def test_a_folder_in_place_of_the_file_is_a_warning(as_llmfit: Compare, tmp_path: Path) -> None:
    (warning,) = as_llmfit(LLMFIT_CUSTOM_MODELS=str(tmp_path)).warnings
    assert warning == f"skipping custom models: cannot read {tmp_path}: Is a directory"


def test_a_file_called_dash_is_a_file(
    own: Write, entry: Entry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path(own([entry])).rename(tmp_path / "-")
    monkeypatch.chdir(tmp_path)
    assert open_catalog(environ={"LLMFIT_CUSTOM_MODELS": "-"}).find("zebra-9b").provider == "my-org"


def test_an_empty_list_is_no_models_and_no_warning(as_llmfit: Compare, own: Write) -> None:
    assert as_llmfit(LLMFIT_CUSTOM_MODELS=own([])).warnings == ()


@pytest.mark.parametrize("place", ["home", "xdg", "xdg empty", "xdg relative", "variable wins", "variable empty"])
def test_the_file_is_where_llmfit_looks(as_llmfit: Compare, entry: Entry, tmp_path: Path, place: str) -> None:
    home, data = tmp_path / "home", tmp_path / "data"
    for folder, name in ((home / ".local" / "share", "org/AtHome-1B"), (data, "org/AtXdg-1B")):
        (folder / "llmfit").mkdir(parents=True)
        (folder / "llmfit" / "custom_models.json").write_text(json.dumps([entry | {"name": name}]))
    chosen = tmp_path / "chosen.json"
    chosen.write_text(json.dumps([entry | {"name": "org/Chosen-1B"}]))
    environ, expected = {
        "home": ({}, "org/AtHome-1B"),
        "xdg": ({"XDG_DATA_HOME": str(data)}, "org/AtXdg-1B"),
        "xdg empty": ({"XDG_DATA_HOME": ""}, "org/AtHome-1B"),
        "xdg relative": ({"XDG_DATA_HOME": "data"}, "org/AtHome-1B"),
        "variable wins": ({"LLMFIT_CUSTOM_MODELS": str(chosen)}, "org/Chosen-1B"),
        "variable empty": ({"LLMFIT_CUSTOM_MODELS": ""}, None),
    }[place]
    catalog = as_llmfit(HOME=str(home), **environ)
    assert catalog.names("org/") == [name for name in catalog.names("org/") if name == expected]
    assert len(catalog.names()) == 15_855 + (expected is not None)


def test_a_variable_that_names_no_file_means_no_models(as_llmfit: Compare, tmp_path: Path) -> None:
    assert as_llmfit(LLMFIT_CUSTOM_MODELS=str(tmp_path / "none.json")).warnings == ()


def test_the_cache_of_llmfit_update_is_no_part_of_the_list(as_llmfit: Compare, entry: Entry, tmp_path: Path) -> None:
    folder = tmp_path / ".local" / "share" / "llmfit"
    folder.mkdir(parents=True)
    (folder / "hf_models_cache.json").write_text(json.dumps([entry]))
    assert len(as_llmfit(HOME=str(tmp_path)).names()) == 15_855


@pytest.mark.parametrize(
    ("platform", "environ", "path"),
    [
        ("linux", {"HOME": "/h"}, "/h/.local/share/llmfit/custom_models.json"),
        ("darwin", {"HOME": "/h"}, "/h/Library/Application Support/llmfit/custom_models.json"),
        ("darwin", {"HOME": "/h", "XDG_DATA_HOME": "/x"}, "/h/Library/Application Support/llmfit/custom_models.json"),
        ("win32", {"APPDATA": "/roaming"}, "/roaming/llmfit/custom_models.json"),
        ("win32", {}, None),
        ("linux", {"LLMFIT_CUSTOM_MODELS": "~/m.json", "HOME": "/h"}, "~/m.json"),
    ],
)
def test_the_data_folder_of_each_system(platform: str, environ: dict[str, str], path: str | None) -> None:
    assert overlay_path(environ, platform) == path


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"parameter_count": "137M"},
        {"parameters_raw": 8_190_735_360},
        {"min_vram_gb": 100.0},
        {"quantization": "F16"},
    ],
)
def test_an_own_model_is_sized_as_llmfit_sizes_it(
    run_llmfit: RunLlmfit, own: Write, entry: Entry, fields: Entry
) -> None:
    path = own([entry | fields])
    theirs = json.loads(run_llmfit("claim", "my-org/Zebra-9B", "--json", LLMFIT_CUSTOM_MODELS=path).stdout)
    model = open_catalog(environ={"LLMFIT_CUSTOM_MODELS": path}).find("my-org/Zebra-9B")
    need = ESTIMATORS["llmfit"](model, Target())
    assert need.memory_bytes == theirs["memoryGi"] * 2**30
    assert need.bandwidth_gbs == theirs["minBandwidthGBs"]
