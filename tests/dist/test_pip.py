"""The wheel and the checkout, installed by pip, pipx and uv on every Python here, and used without a network."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from dist.installation import ROOT, SDIST, VERSION, WHEEL, run_checkout

MODEL = "meta-llama/Llama-3.1-8B-Instruct"
SNAPSHOT = ROOT / "examples" / "cluster.yaml"
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
PROGRAMS = ("kubectl-llmfit", "kubectl_complete-llmfit")
# What a run without a network may do. In a network namespace of its own there is not even a loopback that is up.
CUT_OFF = ("unshare", "--net", "--map-root-user")


def interpreters() -> dict[str, str]:
    """The interpreters of each version, of PATH and of pyenv, that can make a virtual environment."""
    found = {f"{sys.version_info[0]}.{sys.version_info[1]}": sys.executable}
    roots = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for version in VERSIONS:
        installed = sorted(roots.glob(f"{version}.*/bin/python"))
        on_path = shutil.which(f"python{version}")
        for candidate in (*map(str, installed), *([on_path] if on_path else [])):
            if version not in found and _is_usable(candidate, version):
                found[version] = candidate
    return {version: found[version] for version in VERSIONS if version in found}


def _is_usable(python: str, version: str) -> bool:
    asked = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run([python, "-c", asked], capture_output=True, text=True, check=False)
    return done.stdout.strip() == version


def install(command: Sequence[str | Path], **variables: str) -> None:
    done = subprocess.run([*map(str, command)], env=os.environ | variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def require_works(programs: Path, home: Path) -> None:
    """Both programs answer as the checkout does: in an empty environment, a foreign folder, without a network."""
    cut_off = CUT_OFF if subprocess.run([*CUT_OFF, "true"], capture_output=True, check=False).returncode == 0 else ()
    for words in (("claim", MODEL), ("check-nodes", MODEL, "--snapshot", str(SNAPSHOT)), ("models", "llama-3.1")):
        command = [*cut_off, str(programs / PROGRAMS[0]), *words]
        done = subprocess.run(command, cwd=home, env={}, capture_output=True, text=True, check=False)
        wanted = run_checkout(words)
        assert (done.returncode, done.stdout, done.stderr) == (0, wanted.stdout, wanted.stderr)
    completed = subprocess.run([str(programs / PROGRAMS[1]), "cla"], cwd=home, env={}, capture_output=True, check=False)
    assert completed.stdout.startswith(b"claim\t")


@pytest.mark.parametrize("version", VERSIONS)
def test_pip_installs_the_wheel_with_all_it_needs(built: Path, version: str, tmp_path: Path) -> None:
    python = interpreters().get(version)
    if python is None:
        pytest.skip(f"there is no Python {version} here")
    install([python, "-m", "venv", tmp_path / "env"])
    own = tmp_path / "env" / "bin"
    install([own / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", WHEEL])
    require_works(own, tmp_path)
    told = subprocess.run([own / "python", "-m", "pip", "check"], capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout


@pytest.mark.parametrize("source", ["checkout", "source archive"])
def test_pip_install_builds_from_the_source(built: Path, source: str, tmp_path: Path) -> None:
    """As ``pip install .`` does: the build requirements, the llmfit program among them, are fetched by pip."""
    install([sys.executable, "-m", "venv", tmp_path / "env"])
    own = tmp_path / "env" / "bin"
    if source == "checkout":
        install(["git", "clone", "--quiet", ROOT, tmp_path / "clone"])
    origin = tmp_path / "clone" if source == "checkout" else SDIST
    install([own / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", origin])
    require_works(own, tmp_path)
    asked = "import kubectl_llmfit; print(kubectl_llmfit.__version__)"
    done = subprocess.run([own / "python", "-I", "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == VERSION


@pytest.mark.parametrize("tool", ["pipx", "uv"])
def test_a_tool_installer_puts_both_programs_on_path(built: Path, tool: str, tmp_path: Path) -> None:
    program = shutil.which(tool)
    if program is None:
        install([sys.executable, "-m", "venv", tmp_path / "tool"])
        own = tmp_path / "tool" / "bin"
        got = subprocess.run(
            [own / "python", "-m", "pip", "install", "--quiet", tool], capture_output=True, check=False
        )
        if got.returncode:
            pytest.skip(f"{tool} is not here and cannot be had")
        program = str(own / tool)
    folders = {
        "PIPX_HOME": str(tmp_path / "pipx"),
        "PIPX_BIN_DIR": str(tmp_path / "bin"),
        "UV_TOOL_DIR": str(tmp_path / "uv"),
        "UV_TOOL_BIN_DIR": str(tmp_path / "bin"),
        "UV_CACHE_DIR": str(tmp_path / "cache"),
    }
    words = ["install", WHEEL] if tool == "pipx" else ["tool", "install", "--python", sys.executable, WHEEL]
    install([program, *words], **folders)
    assert {path.name for path in (tmp_path / "bin").iterdir()} == set(PROGRAMS)
    require_works(tmp_path / "bin", tmp_path)
