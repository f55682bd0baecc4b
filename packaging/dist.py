"""Builds what is released: the wheel, the source archive, the krew archive of this platform, and the manifest.

    python packaging/dist.py [--outdir DIR]        # with the locked development requirements; default: dist/
    python packaging/dist.py --only packages       # the wheel and the source archive: the same for all platforms
    python packaging/dist.py --only archive        # this platform's archive, from the wheel that is there

The krew archive holds exactly what the wheel holds, frozen by PyInstaller as a folder: ``kubectl-llmfit`` beside
``_internal/``, and LICENSE and NOTICE at the root. The same content, built with the same interpreter, gives the same
bytes wherever and whenever: fixed times (``SOURCE_DATE_EPOCH``, else a constant), a fixed hash seed, members sorted,
no owner. ``--twice`` proves it: everything is built a second time and compared. The manifest in the checkout is left
alone: ``packaging/release.py`` writes that.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from archive import write_archive  # noqa: E402 -- a script's own folder
from manifest import ManifestError  # noqa: E402
from project import (  # noqa: E402
    DOCUMENTS,
    PROGRAM,
    ROOT,
    SDIST,
    SECONDS,
    WHEEL,
    archive_name,
    release_address,
    this_platform,
)
from release import MANIFEST, write_manifest  # noqa: E402
from verify import ArchiveError, verify  # noqa: E402


class BuildError(Exception):
    """A step that failed; the tool that failed has said why."""


def main() -> int:
    """Build what is asked for; the last lines name what there is."""
    parser = argparse.ArgumentParser(description="Build the wheel, the source archive and this platform's archive.")
    parser.add_argument("--outdir", type=Path, default=ROOT / "dist")
    parser.add_argument("--only", choices=("packages", "archive"), help="build a part; no manifest is written")
    parser.add_argument("--twice", action="store_true", help="build again and refuse other bytes")
    given = parser.parse_args()
    outdir: Path = given.outdir.resolve()
    try:
        names = make(outdir, given.only)
        if given.twice:
            require_same_again(outdir, names, given.only)
        figures = {} if given.only else write_manifest(outdir, release_address())
    except (BuildError, ArchiveError, ManifestError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 1
    for name in (*names, *([] if given.only else [MANIFEST])):
        size = (outdir / name).stat().st_size
        say(f"{outdir.name}/{name}" + (f"  {size / 1e6:.1f} MB" if size > 100_000 else ""))
    for each in figures.values():
        say(f"the archive: {each}")
    return 0


def make(outdir: Path, only: str | None) -> list[str]:
    """Build everything or a part; the names of the files. Raises BuildError and ArchiveError."""
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH") or SECONDS)
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(seconds), "PYTHONHASHSEED": "0"}
    outdir.mkdir(parents=True, exist_ok=True)
    names: list[str] = []
    if only != "archive":
        build(outdir, environment)
        names += [WHEEL, SDIST]
    if only != "packages":
        names += [freeze_into(outdir, environment, seconds)]
    return names


def require_same_again(outdir: Path, names: list[str], only: str | None) -> None:
    """Raise BuildError unless a second build, in another folder, gives the same bytes."""
    say("once more, to compare ...")
    with tempfile.TemporaryDirectory() as folder:
        if only == "archive":
            shutil.copy(outdir / WHEEL, folder)
        make(Path(folder), only)
        for name in names:
            if (Path(folder) / name).read_bytes() != (outdir / name).read_bytes():
                raise BuildError(f"{name} is not the same when it is built again")


def freeze_into(outdir: Path, environment: dict[str, str], seconds: int) -> str:
    """This platform's archive of the wheel in ``outdir``, verified; its name."""
    if not (outdir / WHEEL).exists():
        raise BuildError(f"{outdir / WHEEL} is not there: --only packages builds it")
    archive = outdir / archive_name(this_platform())
    with tempfile.TemporaryDirectory() as work:
        frozen = freeze(outdir / WHEEL, Path(work), environment)
        write_archive(archive, frozen, {name: ROOT / name for name in DOCUMENTS}, seconds)
    verify(archive, outdir / WHEEL)
    return archive.name


def build(outdir: Path, environment: dict[str, str]) -> None:
    """The wheel and the source archive, by this interpreter's own build tools: nothing is fetched."""
    say("building the wheel and the source archive ...")
    for name in (WHEEL, SDIST):
        (outdir / name).unlink(missing_ok=True)
    build = [sys.executable, "-m", "build", "--wheel", "--sdist", "--no-isolation"]
    run([*build, "--outdir", str(outdir), str(ROOT)], environment)


def freeze(wheel: Path, work: Path, environment: dict[str, str]) -> Path:
    """The program as a folder that needs no Python; in ``work``."""
    say("freezing it (a minute or so) ...")
    if sys.platform == "linux" and shutil.which("strip") is None:
        raise BuildError("strip is not installed: it comes with binutils")
    site = work / "site"
    with zipfile.ZipFile(wheel) as content:
        content.extractall(site)
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    command += ["--distpath", str(work / "dist"), "--workpath", str(work / "build"), str(HERE / "frozen.spec")]
    # the checkout's own package must not be found in place of the wheel's, and no other run's cache used
    variables = {"PYTHONPATH": str(site), "KUBECTL_LLMFIT_SITE": str(site), "PYINSTALLER_CONFIG_DIR": str(work)}
    run(command, environment | variables)
    return work / "dist" / PROGRAM


def run(command: list[str], environment: dict[str, str]) -> None:
    """Run a tool; what it says is shown only when it fails."""
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.stderr.write(done.stdout + done.stderr)
        raise BuildError(f"{' '.join(command[1:3])} failed with {done.returncode}")


def say(line: str) -> None:
    """Progress and results."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
