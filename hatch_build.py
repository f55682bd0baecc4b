"""Turns the model list of the pinned llmfit program into the one SQLite file that the package reads; and compiles the
templates into Python for the wheel.

As a hatch build hook it runs for every wheel; ``python hatch_build.py`` does the same in a checkout, and
nothing when the file is already the one that the pinned program and this recipe give.

The program merges a user's own models into its list (``LLMFIT_CUSTOM_MODELS``, ``custom_models.json`` and
``hf_models_cache.json`` in the data folder), so it runs with an empty home and without its variables, and the
number of entries is checked. The same list gives the same bytes: fixed page size, the program's own order, no
clock, no journal.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hatchling.builders.config import BuilderConfig
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface

    HookBase = BuildHookInterface[BuilderConfig]
else:
    try:
        from hatchling.builders.hooks.plugin.interface import BuildHookInterface as HookBase
    except ModuleNotFoundError:  # run as a script, by a Python without hatchling
        HookBase = object

COMPILED = "kubectl_llmfit/compiled"  # inside the wheel: claim/render.py looks for it
DATABASE = "plugin/kubectl_llmfit/catalog/models.sqlite"
EXPECTED_MODELS = 15_855
RUN_SECONDS = 120

SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE shapes (id INTEGER PRIMARY KEY, keys TEXT NOT NULL);
CREATE TABLE models (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    key TEXT NOT NULL,
    short TEXT NOT NULL,
    gguf INTEGER NOT NULL,
    parameters INTEGER
);
CREATE TABLE entries (id INTEGER PRIMARY KEY, shape INTEGER NOT NULL, entry TEXT NOT NULL);
CREATE UNIQUE INDEX models_by_key ON models (key);
CREATE INDEX models_by_short ON models (short);
"""


class CatalogBuildError(Exception):
    """The file cannot be built; the message says what to do about it."""


class CustomBuildHook(HookBase):
    """Puts the model file in place before hatchling collects the files of a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build for wheels, editable ones too; a source archive carries the recipe instead of the file."""
        if self.target_name == "wheel":
            build(Path(self.root))
        if self.target_name == "wheel" and version != "editable":  # in a checkout templates are there to be edited
            self.compiled = tempfile.TemporaryDirectory()
            compile_templates(Path(self.root), Path(self.compiled.name))
            build_data["force_include"][self.compiled.name] = COMPILED

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002 as above
        """Remove what was only made for the wheel."""
        if self.target_name == "wheel" and version != "editable":
            self.compiled.cleanup()


def compile_templates(root: Path, folder: Path) -> None:
    """Write the package's templates as Python modules into ``folder``."""
    sys.path.insert(0, str(root / "plugin"))
    try:
        from kubectl_llmfit.claim.render import compiled_sources
    finally:
        sys.path.pop(0)
    for name, source in compiled_sources().items():
        (folder / name).write_text(source, "utf-8")


def build(root: Path) -> bool:
    """Bring the model file under ``root`` up to date; False when there was nothing to do."""
    version = pinned_version(root)
    target = root / DATABASE
    meta = {"catalog": "llmfit", "version": version, "recipe": recipe_digest()}
    if stored_meta(target) == meta:
        return False
    models = read_models(find_program(), version)
    target.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(prefix=".models-", suffix=".sqlite", dir=target.parent)
    os.close(descriptor)
    try:
        write_database(Path(temporary), models, meta)
        os.chmod(temporary, 0o644)
        os.replace(temporary, target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    return True


def pinned_version(root: Path) -> str:
    """Return the one llmfit version that pyproject.toml builds with."""
    requirements = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["build-system"]["requires"]
    for requirement in requirements:
        name, _, version = requirement.partition("==")
        if name.strip() == "llmfit":
            return str(version.strip())
    raise CatalogBuildError("pyproject.toml: build-system.requires pins no llmfit==VERSION")


def recipe_digest() -> str:
    """Return a digest of this file, so that a changed layout is a changed catalogue."""
    return hashlib.sha256(Path(__file__).read_bytes()).hexdigest()


def stored_meta(database: Path) -> dict[str, str] | None:
    """Return what the file says of itself; None when there is no usable file."""
    if not database.is_file():
        return None
    try:
        connection = sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
        try:
            return dict(connection.execute("SELECT key, value FROM meta"))
        finally:
            connection.close()
    except sqlite3.Error:
        return None


def find_program() -> Path:
    """Return llmfit's executable: of the installed wheel, else beside this Python, else on PATH.

    pip's isolated builds install it into a prefix of their own that only the wheel's metadata and PATH know.
    """
    for candidate in program_candidates():
        if candidate.is_file():
            return candidate
    raise CatalogBuildError("the llmfit program is not installed beside this Python; run make")


def program_candidates() -> Iterator[Path]:
    """Yield the places where the executable may be, the surest first."""
    file_name = "llmfit.exe" if os.name == "nt" else "llmfit"
    try:
        files = importlib.metadata.files("llmfit") or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    yield from (Path(str(file.locate())) for file in files if file.name == file_name)
    yield Path(sys.executable).parent / file_name
    on_path = shutil.which("llmfit")
    if on_path:
        yield Path(on_path)


def read_models(program: Path, version: str) -> list[dict[str, Any]]:
    """Run the program, which must have the pinned version, and return its list of models, checked."""
    said = run_program(program, "--version").split()
    if said[-1:] != [version]:
        raise CatalogBuildError(f"{program} is {' '.join(said) or 'silent about its version'}, not {version}")
    models: list[dict[str, Any]] = json.loads(run_program(program, "list", "--json"))
    names = {model["name"].lower() for model in models}
    if len(models) != EXPECTED_MODELS or len(names) != EXPECTED_MODELS:
        raise CatalogBuildError(
            f"{program} list --json gave {len(models)} models with {len(names)} distinct names, not {EXPECTED_MODELS}"
        )
    return models


def run_program(program: Path, *arguments: str) -> str:
    """Return what the program prints when it sees no file and no variable of the user's."""
    with tempfile.TemporaryDirectory() as home:
        places = ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "APPDATA", "LOCALAPPDATA")
        kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
        result = subprocess.run(
            [program, *arguments],
            env=kept | dict.fromkeys(places, home),
            cwd=home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=RUN_SECONDS,
        )
    if result.returncode != 0:
        last_words = result.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        raise CatalogBuildError(
            f"{program} {' '.join(arguments)} ended with status {result.returncode}: {' '.join(last_words)}"
        )
    return result.stdout.decode("utf-8")


def write_database(path: Path, models: list[dict[str, Any]], meta: dict[str, str]) -> None:
    """Write every field of every model, losslessly.

    An entry is a JSON array of values; ``shapes`` holds the few sets of field names that the list has.
    """
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("PRAGMA page_size = 4096")
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.executescript(SCHEMA)
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO meta VALUES (?, ?)", sorted(meta.items()))
        shapes: dict[str, int] = {}
        for number, model in enumerate(models):
            shape = shapes.setdefault(compact(list(model)), len(shapes))
            connection.execute("INSERT INTO models VALUES (?, ?, ?, ?, ?, ?)", (number, *index_row(model)))
            connection.execute("INSERT INTO entries VALUES (?, ?, ?)", (number, shape, compact(list(model.values()))))
        connection.executemany("INSERT INTO shapes VALUES (?, ?)", ((n, keys) for keys, n in shapes.items()))
        connection.execute("COMMIT")
        connection.execute("VACUUM")
    finally:
        connection.close()


def index_row(model: dict[str, Any]) -> tuple[str, str, str, bool, int | None]:
    """Return what lookup, completion and search need to know of a model."""
    name = model["name"]
    key = name.lower()
    return name, key, key.rpartition("/")[2], bool(model["gguf_sources"]), model["parameters_raw"]


def compact(value: Any) -> str:
    """Return the shortest JSON text of a value."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    try:
        if build(Path(__file__).resolve().parent):
            print(f"built {DATABASE}")
    except CatalogBuildError as error:
        sys.exit(f"error: {error}")
