"""Builds what is released: the wheel, the krew archive of this platform, and the manifest stamped with its sum.

    python packaging/dist.py        # with the locked development requirements; writes dist/

The archive holds exactly what the wheel holds, frozen by PyInstaller as a folder: ``kubectl-llmfit`` beside
``_internal/``, and LICENSE and NOTICE at the root. Two runs at one commit with the same interpreter give the
same bytes: fixed times (``SOURCE_DATE_EPOCH``, else the commit's), a fixed hash seed, members sorted, no owner.
The manifest in the checkout is left alone; the stamped copy is ``dist/krew-manifest.yaml``.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
DIST, BUILD = ROOT / "dist", ROOT / "build"
sys.path.insert(0, str(HERE))

from archive import write_archive  # noqa: E402 -- a script's own folder
from manifest import ManifestError, stamp  # noqa: E402

PROGRAM, PACKAGE = "kubectl-llmfit", "kubectl_llmfit"
DOCUMENTS = ("LICENSE", "NOTICE")
DATA = ("templates", "catalog/models.sqlite", "drivers/accelerators.csv")
# typer draws with these only when asked to, and it is not; tests, build tools and typing never run there
UNUSED = ("rich", "pygments", "pytest", "hypothesis", "setuptools", "pip", "tkinter", "unittest", "mypy", "IPython")
EARLIEST = 315_532_800  # 1980-01-01, the first time a zip file can hold
ARCHITECTURES = {"x86_64": "amd64", "AMD64": "amd64", "aarch64": "arm64", "arm64": "arm64"}


class BuildError(Exception):
    """A step that failed; the tool that failed has said why."""


def main() -> int:
    """Build everything; the last lines name what there is."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    seconds = source_date()
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(seconds), "PYTHONHASHSEED": "0"}
    try:
        wheel = build_wheel(environment)
        frozen = freeze(wheel, environment)
        archive = DIST / f"{PROGRAM}-v{version}-{system()}-{architecture()}.tar.gz"
        documents = {name: ROOT / name for name in DOCUMENTS}
        write_archive(archive, frozen, documents, seconds)
        digest = hashlib.sha256(archive.read_bytes()).hexdigest()
        stamped = stamp((ROOT / "krew-manifest.yaml").read_text(), version, archive.name, digest)
    except (BuildError, ManifestError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 1
    (DIST / "krew-manifest.yaml").write_text(stamped)
    say(f"{wheel.relative_to(ROOT)}")
    say(f"{archive.relative_to(ROOT)}  {archive.stat().st_size / 1e6:.1f} MB  sha256 {digest}")
    say("dist/krew-manifest.yaml")
    return 0


def source_date() -> int:
    """Seconds since 1970 that every file in the archive carries."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(given)
    command = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    done = subprocess.run(command, capture_output=True, text=True, check=False) if shutil.which("git") else None
    return int(done.stdout) if done and done.returncode == 0 and done.stdout.strip() else EARLIEST


def build_wheel(environment: dict[str, str]) -> Path:
    """The wheel, by this interpreter's own build tools: nothing is fetched."""
    say("building the wheel ...")
    DIST.mkdir(exist_ok=True)
    for old in DIST.glob(f"{PACKAGE}-*.whl"):
        old.unlink()
    run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(DIST), str(ROOT)], environment)
    return next(DIST.glob(f"{PACKAGE}-*.whl"))


def freeze(wheel: Path, environment: dict[str, str]) -> Path:
    """The program as a folder that needs no Python."""
    say("freezing it (a minute or two) ...")
    shutil.rmtree(BUILD / "frozen", ignore_errors=True)
    site = BUILD / "frozen" / "site"
    with zipfile.ZipFile(wheel) as content:
        content.extractall(site)
    command = [sys.executable, "-m", "PyInstaller", "--onedir", "--name", PROGRAM, "--noconfirm", "--clean"]
    command += ["--log-level", "WARN", "--noupx", "--paths", str(site)]
    command += ["--distpath", str(BUILD / "frozen" / "dist"), "--workpath", str(BUILD / "frozen" / "work")]
    command += ["--specpath", str(BUILD / "frozen")]
    for name in DATA:
        source = site / PACKAGE / name
        inside = Path(PACKAGE, name) if source.is_dir() else Path(PACKAGE, name).parent
        command += ["--add-data", f"{source}{os.pathsep}{inside}"]
    for name in UNUSED:
        command += ["--exclude-module", name]
    # the checkout's own package must not be found in place of the wheel's
    run([*command, str(HERE / "entry.py")], environment | {"PYTHONPATH": str(site)})
    return BUILD / "frozen" / "dist" / PROGRAM


def run(command: list[str], environment: dict[str, str]) -> None:
    """Run a tool; what it says is shown only when it fails."""
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.stderr.write(done.stdout + done.stderr)
        raise BuildError(f"{' '.join(command[1:3])} failed with {done.returncode}")


def system() -> str:
    """The platform's name as krew writes it."""
    return platform.system().lower()


def architecture() -> str:
    """The processor's name as krew writes it."""
    return ARCHITECTURES.get(platform.machine(), platform.machine())


def say(line: str) -> None:
    """Progress and results."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
