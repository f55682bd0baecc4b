"""The wheel, installed in a virtual environment of its own, run from a foreign folder."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from dist.installation import ROOT, VERSION, WHEEL, run_checkout

MODEL = "meta-llama/Llama-3.1-8B-Instruct"


def run(folder: Path, name: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [str(folder / name), *map(str, arguments)]
    return subprocess.run(command, cwd=folder, env={}, capture_output=True, text=True, check=False)


def test_the_package_is_the_wheels(programs_folder: Path) -> None:
    done = run(programs_folder, "python", "-c", "import kubectl_llmfit as p; print(p.__file__, p.__version__)")
    path, version = done.stdout.split()
    assert Path(path).is_relative_to(programs_folder.parent)
    assert version == VERSION


def test_the_source_archive_builds_the_same_wheel(built: Path, tmp_path: Path) -> None:
    # without a word about how, build makes the source archive and then the wheel from it
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    assert next(tmp_path.glob("*.tar.gz")).name == f"kubectl_llmfit-{VERSION}.tar.gz"
    assert contents(tmp_path / WHEEL.name) == contents(WHEEL)


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_both_programs_are_installed(programs_folder: Path) -> None:
    assert run(programs_folder, "kubectl-llmfit", "version").stdout.startswith(f"kubectl-llmfit {VERSION} ")
    assert run(programs_folder, "kubectl_complete-llmfit", "cla").stdout.splitlines()[-1] == ":4"


@pytest.mark.parametrize(
    "arguments",
    [
        ("claim", MODEL),
        ("check-nodes", MODEL, "--snapshot", ROOT / "examples" / "cluster.yaml"),
        ("models", "llama-3.1"),
        ("drivers", "gpu.nvidia.com"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_it_answers_as_the_checkout_does(programs_folder: Path, arguments: tuple[str | Path, ...]) -> None:
    done, wanted = run(programs_folder, "kubectl-llmfit", *arguments), run_checkout(arguments)
    assert (done.returncode, done.stdout, done.stderr) == (wanted.returncode, wanted.stdout, wanted.stderr)
