"""The build hook: one file, losslessly, reproducibly, and only from the pinned program's own list."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from kubectl_llmfit.catalog.packaged import PackagedStore

ROOT = Path(__file__).parents[2]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def fake_program(folder: Path, version: str, listing: object) -> Path:
    """A program that says what llmfit would say, had it that version and that list."""
    (folder / "list.json").write_text(json.dumps(listing))
    program = folder / "llmfit"
    program.write_text(
        f'#!/bin/sh\nif [ "$1" = --version ]; then echo "llmfit {version}"; else cat "{folder}/list.json"; fi\n'
    )
    program.chmod(0o755)
    return program


def test_the_shipped_list_has_every_model_with_every_field_in_the_programs_order(
    store: PackagedStore, llmfit_list: list[dict[str, Any]]
) -> None:
    assert len(llmfit_list) == 15_855
    assert [listing.name for listing in store.listings()] == [entry["name"] for entry in llmfit_list]
    for entry in llmfit_list:
        # json.dumps and not ==: 1 and 1.0 and True are different texts, and the order of the fields counts
        assert json.dumps(store.entry(entry["name"].lower())) == json.dumps(entry)


def test_the_file_knows_the_version_it_was_built_from(hatch_build: ModuleType, store: PackagedStore) -> None:
    assert store.version == hatch_build.pinned_version(ROOT) == "1.1.17"


def test_a_model_has_every_field_of_its_entry(store: PackagedStore, llmfit_list: list[dict[str, Any]]) -> None:
    by_name = {model.name: model for model in store.models()}
    for entry in llmfit_list:
        model = by_name[entry["name"]]
        assert model.source == "llmfit"
        assert model.unknown == {}
        for field, value in entry.items():
            kept = getattr(model, field)
            assert (list(kept) if isinstance(kept, tuple) else kept) == value, (model.name, field)


def test_the_same_list_gives_the_same_bytes(hatch_build: ModuleType, checkout: Path, store: PackagedStore) -> None:
    assert hatch_build.build(checkout)
    built = checkout / hatch_build.DATABASE
    assert built.read_bytes() == (ROOT / hatch_build.DATABASE).read_bytes()
    assert os.listdir(built.parent) == ["models.sqlite"]
    assert built.stat().st_size < 10_000_000


def test_nothing_is_done_when_the_file_is_up_to_date(hatch_build: ModuleType, checkout: Path) -> None:
    assert hatch_build.build(checkout)
    before = (checkout / hatch_build.DATABASE).stat()
    assert not hatch_build.build(checkout)
    assert (checkout / hatch_build.DATABASE).stat() == before


@pytest.mark.parametrize("damage", ["another version", "no database", "another recipe"])
def test_a_file_that_is_not_todays_is_built_again(hatch_build: ModuleType, checkout: Path, damage: str) -> None:
    hatch_build.build(checkout)
    path = checkout / hatch_build.DATABASE
    good = path.read_bytes()
    if damage == "no database":
        path.write_text("half a file")
    else:
        key = {"another version": "version", "another recipe": "recipe"}[damage]
        with sqlite3.connect(path) as connection:
            connection.execute("UPDATE meta SET value = 'other' WHERE key = ?", (key,))
        connection.close()
    assert hatch_build.build(checkout)
    assert path.read_bytes() == good


def test_the_users_own_models_never_get_into_the_file(
    hatch_build: ModuleType,
    checkout: Path,
    store: PackagedStore,
    entry: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = checkout / "llmfit" / "custom_models.json"
    own.parent.mkdir()
    own.write_text(json.dumps([entry]))
    monkeypatch.setenv("LLMFIT_CUSTOM_MODELS", str(own))
    monkeypatch.setenv("XDG_DATA_HOME", str(checkout))
    hatch_build.build(checkout)
    assert (checkout / hatch_build.DATABASE).read_bytes() == (ROOT / hatch_build.DATABASE).read_bytes()


def test_another_version_of_the_program_is_refused(hatch_build: ModuleType, tmp_path: Path) -> None:
    program = fake_program(tmp_path, "1.1.18", [])
    with pytest.raises(hatch_build.CatalogBuildError, match=r"is llmfit 1\.1\.18, not 1\.1\.17"):
        hatch_build.read_models(program, "1.1.17")


def test_a_list_of_another_length_is_refused(
    hatch_build: ModuleType, tmp_path: Path, llmfit_list: list[dict[str, Any]]
) -> None:
    program = fake_program(tmp_path, "1.1.17", llmfit_list[:-1])
    with pytest.raises(hatch_build.CatalogBuildError, match="15854 models with 15854 distinct names, not 15855"):
        hatch_build.read_models(program, "1.1.17")


def test_a_list_with_a_name_twice_is_refused(
    hatch_build: ModuleType, tmp_path: Path, llmfit_list: list[dict[str, Any]]
) -> None:
    program = fake_program(tmp_path, "1.1.17", [*llmfit_list[:-1], llmfit_list[0]])
    with pytest.raises(hatch_build.CatalogBuildError, match="15855 models with 15854 distinct names"):
        hatch_build.read_models(program, "1.1.17")


def test_a_failing_program_is_reported_in_its_own_words(hatch_build: ModuleType, tmp_path: Path) -> None:
    program = tmp_path / "llmfit"
    program.write_text("#!/bin/sh\necho 'wrong machine' >&2\nexit 3\n")
    program.chmod(0o755)
    with pytest.raises(hatch_build.CatalogBuildError, match="--version ended with status 3: wrong machine"):
        hatch_build.read_models(program, "1.1.17")


def test_a_failed_build_leaves_the_old_file_and_no_other(
    hatch_build: ModuleType, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hatch_build.build(checkout)
    path = checkout / hatch_build.DATABASE
    path.write_text("old")

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(hatch_build, "write_database", fail)
    with pytest.raises(OSError, match="disk full"):
        hatch_build.build(checkout)
    assert path.read_text() == "old"
    assert os.listdir(path.parent) == ["models.sqlite"]


def test_only_a_wheel_gets_the_file(hatch_build: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    built: list[Path] = []
    monkeypatch.setattr(hatch_build, "build", built.append)
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "claim.yaml.j2").write_text("kind: {{ kind }}\n")
    data: dict[str, dict[str, dict[str, str]]] = {target: {"force_include": {}} for target in ("sdist", "wheel")}
    for target, build_data in data.items():
        hook = hatch_build.CustomBuildHook(str(tmp_path), {}, None, None, str(tmp_path), target)
        hook.initialize("standard", build_data)
        hook.finalize("standard", build_data, "")
    assert built == [tmp_path]
    assert (data["sdist"]["force_include"], len(data["wheel"]["force_include"])) == ({}, 1)  # the compiled templates


def test_a_pyproject_without_a_pin_is_refused(hatch_build: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[build-system]\nrequires = ["hatchling", "llmfit>=1"]\n')
    with pytest.raises(hatch_build.CatalogBuildError, match="pins no llmfit==VERSION"):
        hatch_build.build(tmp_path)
