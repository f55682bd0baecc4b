"""What holds for every file of the engine: it stands alone, and everything public says what it does."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import kubectl_llmfit.cel

ENGINE = Path(kubectl_llmfit.cel.__file__).parent
FILES = sorted(ENGINE.rglob("*.py"))
OUTSIDE = {"re2"}
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def definitions(tree: ast.AST) -> Iterator[Definition]:
    """Every function and class that is not named as private, wherever it stands."""
    return (
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not node.name.startswith("_")
    )


def without_words(tree: ast.AST) -> list[str]:
    return [f"{node.name}, line {node.lineno}" for node in definitions(tree) if not ast.get_docstring(node)]


def foreign_imports(tree: ast.AST, depth: int) -> list[str]:
    """What is imported from outside of the engine; ``depth`` folders lead from its root to the file."""
    found: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [name.name for name in node.names if name.name.partition(".")[0] not in sys.stdlib_module_names]
        elif isinstance(node, ast.ImportFrom) and node.level > depth + 1:
            found.append("." * node.level + (node.module or ""))
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found += [node.module] if (node.module or "").partition(".")[0] not in sys.stdlib_module_names else []
    return [name for name in found if name not in OUTSIDE]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ENGINE).as_posix())
def test_everything_public_says_what_it_does(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree)
    assert without_words(tree) == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ENGINE).as_posix())
def test_the_engine_needs_nothing_but_itself_the_standard_library_and_re2(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert foreign_imports(tree, len(path.relative_to(ENGINE).parts) - 1) == []


def test_the_rules_find_what_breaks_them() -> None:
    silent = "def f():\n    def g():\n        'Does.'\nclass C:\n    'Is.'\n    def m(self): ..."
    assert without_words(ast.parse(silent)) == ["f, line 1", "m, line 6"]
    imports = ast.parse(
        "import re, re2, yaml\nfrom .a import b\nfrom ..api import c\nfrom typing import d\nfrom attr import e"
    )
    assert foreign_imports(imports, 0) == ["yaml", "..api", "attr"]
    assert foreign_imports(imports, 1) == ["yaml", "attr"]
