"""The layers of the package, as data, held against the imports that the code really has."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "plugin" / "kubectl_llmfit"
NAME = PACKAGE.name

# What each part of the package may import of the others; the boundary (main and what it needs) is the last row.
MAY_IMPORT = {
    "errors": set(),
    "escapes": set(),
    "files": {"errors", "escapes"},
    "console": {"errors", "escapes"},
    "cel": set(),
    "fit": {"errors"},
    "api": {"errors", "escapes", "cel.quantity", "cel.semver"},
    "catalog": {"errors", "escapes", "files", "fit"},
    "drivers": {"errors", "api", "cel"},
    "claim": {"errors", "escapes", "fit", "drivers", "api", "cel", "version"},
    "dra": {"errors", "api", "cel"},
    "check": {"errors", "fit", "claim", "drivers", "dra", "api", "cel", "version"},
    "cluster": {"errors", "escapes", "files", "api", "version"},
    "output": {"errors", "escapes", "check", "api"},
    "cli": {
        *("errors", "console", "cel", "fit", "api", "catalog", "drivers", "claim", "dra", "check", "cluster"),
        *("output", "escapes", "files", "version"),
    },
    "arguments": {"errors"},
    "app": {"cli", "console"},
    "completion": {"app", "errors", "catalog", "fit", "drivers", "claim", "cluster", "cli"},
    "version": set(),
    "main": {"app", "arguments", "completion", "console", "errors", "version"},
    "__main__": {"main"},
}

# Where a third-party module may be imported at all; heavy ones only inside functions (ruff: TID253).
HOMES = {
    "kubernetes": {"cluster"},
    "urllib3": {"cluster"},
    "jinja2": {"claim/render.py"},
    "tabulate": {"output/table.py"},
    "typer": {"main.py", "app.py", "cli"},
    "re2": {"cel"},
    "yaml": {"claim/render.py", "output/document.py", "cluster"},
}
MAX_LINES = 300
MAX_COMMAND_LINES = 150

MODULES = sorted(PACKAGE.rglob("*.py"))


def imports_of(path: Path) -> list[tuple[str, int]]:
    """Every imported module of a file as a dotted name, relative ones made absolute, with the line."""
    package = [NAME, *path.relative_to(PACKAGE).parent.parts]
    found: list[tuple[str, int]] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            stem = ".".join([*base, *([node.module] if node.module else [])])
            found += [(f"{stem}.{alias.name}", node.lineno) for alias in node.names]
    return found


def part_of(path: Path) -> str:
    """The package's part that a file belongs to: its folder, or its own name at the top."""
    first = path.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_only_what_its_layer_may(path: Path) -> None:
    part = part_of(path)
    if part == "__init__":
        return
    assert part in MAY_IMPORT, f"{part} is not in the table of layers"
    wrong = []
    for name, line in imports_of(path):
        if not name.startswith(f"{NAME}."):
            continue
        target = name.removeprefix(f"{NAME}.")
        target = "version" if target == "__version__" else target
        allowed = {part, *MAY_IMPORT[part]}
        if not any(target == item or target.startswith(f"{item}.") for item in allowed):
            wrong.append(f"{path.name}:{line} imports {target}")
    assert not wrong


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_third_party_module_is_imported_only_where_it_belongs(path: Path) -> None:
    place = path.relative_to(PACKAGE).as_posix()
    wrong = [
        f"{place}:{line} imports {name}"
        for name, line in imports_of(path)
        if (root := name.split(".")[0]) not in (*sys.stdlib_module_names, NAME)
        and not any(place == home or place.startswith(f"{home}/") for home in HOMES.get(root, set()))
    ]
    assert not wrong


def test_imports_inside_the_package_are_relative() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}"
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").startswith(NAME))
        or (isinstance(node, ast.Import) and any(alias.name.startswith(NAME) for alias in node.names))
    ]
    assert not wrong


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_that_grows_too_long_wants_splitting(path: Path) -> None:
    is_command = part_of(path) == "cli"
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= (MAX_COMMAND_LINES if is_command else MAX_LINES)
