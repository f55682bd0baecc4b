"""Every test that docs/threats.md names is there, and does what its name says somewhere in this folder."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "threats.md").read_text(encoding="utf-8")
SOURCES = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`(test_\w+)`", TEXT))))
def test_a_test_that_is_named_exists(name: str) -> None:
    assert re.search(rf"^\s*def {name}\(", SOURCES, re.MULTILINE)


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`(?:tests/[\w/]+/)?(test_\w+\.py)`", TEXT))))
def test_a_file_of_tests_that_is_named_exists(path: str) -> None:
    assert list((ROOT / "tests").rglob(path))


def test_every_danger_names_what_holds_it() -> None:
    rows = [line for line in TEXT.splitlines() if line.startswith("| ") and not line.startswith("| danger")]
    assert len(rows) > 40
    assert [
        row for row in rows if not re.search(r"`(tests/|test_|make )|the tests above|the same", row.split(" | ")[-1])
    ] == []
