"""Fixtures: what ``make dist`` built, installed as users install it.

The tests that need it run when this folder is named on pytest's command line, as ``make test-dist`` does;
otherwise an archive left from an earlier commit would be judged.
"""

from __future__ import annotations

import functools
import http.server
import shutil
import subprocess
import sys
import sysconfig
import threading
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

from controlplane.plane import ControlPlane, exit_on_sigterm
from dist.installation import ARCHIVE, DIST, WHEEL, Installation, link_tools

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
    link_tools(made.tools)
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


@pytest.fixture(scope="session")
def programs_folder(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ``bin`` of an environment with the wheel; what it depends on is borrowed from the one that runs this."""
    folder = tmp_path_factory.mktemp("venv")
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps"]
    subprocess.run([*install, "--no-index", str(WHEEL)], check=True)
    site = next(folder.glob("lib/python*/site-packages"))
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder / "bin"


@pytest.fixture(scope="session")
def control_plane() -> Iterator[ControlPlane]:
    """A running control plane."""
    plane = ControlPlane(users=("stranger",))
    exit_on_sigterm()
    plane.start()
    yield plane
    plane.stop()


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Serves a folder and does not write to the terminal."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """An empty folder and the address that it is served at, as a release page serves its files."""
    folder = tmp_path_factory.mktemp("releases")
    handler = functools.partial(QuietHandler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield folder, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()
