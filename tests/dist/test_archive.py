"""How archives are packed and manifests stamped; nothing is frozen here."""

from __future__ import annotations

import sys
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "packaging"))

from archive import write_archive  # noqa: E402 -- a folder of scripts, no package
from manifest import ManifestError, stamp  # noqa: E402

SUM = "5" * 64
NAME = "kubectl-llmfit-v0.1.0-linux-amd64.tar.gz"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "frozen"
    (made / "_internal").mkdir(parents=True)
    (made / "program").write_text("run")
    (made / "program").chmod(0o700)
    (made / "_internal" / "libz.so.1").write_text("library")
    (made / "_internal" / "libz.so").symlink_to("libz.so.1")
    (tmp_path / "LICENSE").write_text("terms")
    return made


def test_an_archive_has_no_links_no_owner_and_one_date(folder: Path, tmp_path: Path) -> None:
    write_archive(tmp_path / "a.tar.gz", folder, {"LICENSE": tmp_path / "LICENSE"}, 1_000_000_000)
    with tarfile.open(tmp_path / "a.tar.gz") as archive:
        members = archive.getmembers()
        library = archive.extractfile("_internal/libz.so")
        assert library is not None
        assert library.read() == b"library"
    assert [each.name for each in members] == ["LICENSE", "_internal/libz.so", "_internal/libz.so.1", "program"]
    assert [oct(each.mode) for each in members] == ["0o644", "0o644", "0o644", "0o755"]
    assert all(each.isreg() and (each.uid, each.gid, each.uname) == (0, 0, "") for each in members)
    assert {each.mtime for each in members} == {1_000_000_000}


def test_the_same_files_give_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first.tar.gz", tmp_path / "second.tar.gz"
    write_archive(first, folder, {}, 1)
    (folder / "program").touch()  # another time of change
    write_archive(second, folder, {}, 1)
    assert first.read_bytes() == second.read_bytes()


def test_a_stamp_changes_the_sum_and_nothing_else() -> None:
    text = (ROOT / "krew-manifest.yaml").read_text()
    stamped = stamp(text, "0.1.0", NAME, SUM)
    changed = [pair for pair in zip(text.splitlines(), stamped.splitlines(), strict=True) if pair[0] != pair[1]]
    assert changed == [(f'      sha256: "{"0" * 64}"', f'      sha256: "{SUM}"')]


def test_another_version_is_not_stamped() -> None:
    with pytest.raises(ManifestError, match=r"spec.version is not v0.2.0"):
        stamp((ROOT / "krew-manifest.yaml").read_text(), "0.2.0", NAME, SUM)


def test_an_unknown_platform_is_not_stamped() -> None:
    with pytest.raises(ManifestError, match=r"0 platforms have the uri of kubectl-llmfit-v0.1.0-plan9-amd64"):
        stamp((ROOT / "krew-manifest.yaml").read_text(), "0.1.0", NAME.replace("linux", "plan9"), SUM)
