"""Fixtures: what ``make dist`` built, installed as users install it.

The tests that need it run when this folder is named on pytest's command line, as ``make test-dist`` does;
otherwise an archive left from an earlier commit would be judged.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from controlplane.build import programs
from dist.installation import ARCHIVE, DIST, VALIDATOR, Installation

HERE = Path(__file__).resolve().parent


@pytest.fixture(scope="session")
def built(request: pytest.FixtureRequest) -> Path:
    """The dist folder, freshly built."""
    named = [Path(word) for word in request.config.invocation_params.args if not str(word).startswith("-")]
    if not any((request.config.invocation_params.dir / each).resolve().is_relative_to(HERE) for each in named):
        pytest.skip("judges what make dist built: run make test-dist")
    return DIST


@pytest.fixture(scope="session")
def bare(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """krew and kubectl, and no plugin yet."""
    base = tmp_path_factory.mktemp("krew")
    made = Installation(base / "root", base / "home", base / "tools")
    made.home.mkdir()
    made.tools.mkdir()
    # krew wants an index before it removes a plugin, and would clone the public one: it gets an empty one
    (made.root / "index" / "default" / ".git").mkdir(parents=True)
    found = programs("kubernetes", "krew")
    for name, program in (("kubectl", "kubectl"), ("kubectl-krew", "krew"), (VALIDATOR, VALIDATOR)):
        (made.tools / name).symlink_to(found[program])
    return made


@pytest.fixture(scope="session")
def manifest(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The stamped manifest under the name that an index gives it: krew takes the plugin's name from it."""
    path = tmp_path_factory.mktemp("index") / "llmfit.yaml"
    shutil.copy(built / "krew-manifest.yaml", path)
    return path


@pytest.fixture(scope="session")
def installed(bare: Installation, manifest: Path) -> Installation:
    """The plugin as krew installs it."""
    done = bare.kubectl("krew", "install", f"--manifest={manifest}", f"--archive={ARCHIVE}")
    assert done.returncode == 0, done.stderr
    return bare
