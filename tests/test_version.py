"""Versions stand in one place each, and where they must agree a test holds them together."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from kubectl_llmfit import __version__
from kubectl_llmfit.version import REFERENCE_VERSION

ROOT = Path(__file__).parents[1]


def test_the_package_and_its_metadata_have_one_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == __version__
    assert f"({__version__})" in (ROOT / "CHANGELOG.md").read_text()


def test_one_llmfit_is_pinned_everywhere() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    assert f"llmfit=={REFERENCE_VERSION}" in build
    assert f"llmfit=={REFERENCE_VERSION}" in (ROOT / "requirements" / "dev.in").read_text().splitlines()
    locked = re.findall(r"^llmfit==(\S+)", (ROOT / "requirements" / "dev.txt").read_text(), re.MULTILINE)
    assert locked == [REFERENCE_VERSION]


def test_requirements_name_no_address() -> None:
    for name in ("dev.txt", "run.txt"):
        text = (ROOT / "requirements" / name).read_text()
        assert "://" not in text
        assert not re.search(r"^\s*--(index|extra-index|find-links|trusted)", text, re.MULTILINE)


def test_what_users_get_in_an_image_is_what_is_tested() -> None:
    tested, run = (
        set(re.findall(r"^\S+==\S+", (ROOT / "requirements" / name).read_text(), re.MULTILINE))
        for name in ("dev.txt", "run.txt")
    )
    assert run < tested
