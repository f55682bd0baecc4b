"""Installed and upgraded from an index of one's own, a git repository, with two versions on a release page."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from dist.installation import ARCHIVE, ROOT, VERSION, Installation

sys.path.append(str(ROOT / "packaging"))

from archive import write_archive
from manifest import stamp
from project import DOCUMENTS, archive_name, this_platform
from verify import verify

OLD = "0.0.1"
MANIFEST = (ROOT / "krew-manifest.yaml").read_text("utf-8")


def git(repository: Path, *arguments: str) -> None:
    named = ["-c", "user.name=Tests", "-c", "user.email=tests@example.com", "-c", "init.defaultBranch=main"]
    command = ["git", "-C", str(repository), *named, *arguments]
    environment = {"PATH": os.environ["PATH"], "HOME": str(repository)}
    subprocess.run(command, env=environment, check=True, capture_output=True)


def publish(repository: Path, manifest: str) -> None:
    """A commit with the manifest as krew-index has it."""
    (repository / "plugins" / "llmfit.yaml").write_text(manifest, "utf-8")
    git(repository, "add", "plugins")
    git(repository, "commit", "--quiet", "--message=llmfit")


@pytest.fixture
def krew(bare: Installation, tmp_path: Path) -> Installation:
    """krew with git, and nothing installed."""
    made = Installation(tmp_path / "root", tmp_path / "home", tmp_path / "tools")
    made.home.mkdir()
    shutil.copytree(bare.tools, made.tools, symlinks=True)
    program = shutil.which("git")
    assert program is not None
    (made.tools / "git").symlink_to(program)
    return made


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A git repository of the shape of an index."""
    made = tmp_path / "index"
    (made / "plugins").mkdir(parents=True)
    git(made, "init", "--quiet")
    return made


def older(folder: Path, work: Path) -> Path:
    """Yesterday's archive: today's with a note in it, under its own name."""
    with tarfile.open(ARCHIVE) as opened:
        opened.extractall(work, filter="tar")
    (work / "_internal" / "OLDER").write_text("an older version\n")
    archive = folder / archive_name(this_platform(), OLD)
    write_archive(archive, work, {name: ROOT / name for name in DOCUMENTS}, 1_000_000_000)
    return archive


def test_krew_installs_from_an_index_and_upgrades_when_the_index_does(
    built: Path, krew: Installation, repository: Path, served: tuple[Path, str], tmp_path: Path
) -> None:
    folder, address = served
    old, new = older(folder, tmp_path / "old"), folder / ARCHIVE.name
    shutil.copy(ARCHIVE, new)

    def told(*arguments: str) -> str:
        done = krew.kubectl("krew", *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr

    publish(repository, stamp(MANIFEST, OLD, address, {this_platform(): verify(old)}))
    # every update asks the default index too, which would be the public one
    (tmp_path / "default" / "plugins").mkdir(parents=True)
    git(tmp_path / "default", "init", "--quiet")
    (tmp_path / "default" / "plugins" / ".keep").touch()
    git(tmp_path / "default", "add", "plugins")
    git(tmp_path / "default", "commit", "--quiet", "--message=empty")
    told("index", "add", "default", f"file://{tmp_path}/default")
    told("index", "add", "own", f"file://{repository}")
    told("install", "own/llmfit")
    link = krew.root / "bin" / "kubectl-llmfit"
    assert (link.resolve().parent / "_internal" / "OLDER").is_file()
    assert "glibc" in told("info", "own/llmfit")  # the caveats

    publish(repository, stamp(MANIFEST, VERSION, address, {this_platform(): verify(new)}))
    told("upgrade")
    store = krew.root / "store" / "llmfit"
    assert [each.name for each in store.iterdir()] == [f"v{VERSION}"]  # nothing stays of the old one
    assert link.resolve() == store / f"v{VERSION}" / "kubectl-llmfit"
    assert krew.kubectl("llmfit", "version").stdout.startswith(f"kubectl-llmfit {VERSION} ")

    told("uninstall", "llmfit")
    assert not os.path.lexists(link)
    assert not store.exists()
