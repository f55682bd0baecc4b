"""How archives are packed, verified and stamped into the manifest; nothing is frozen here."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "packaging"))

from archive import write_archive  # noqa: E402 -- a folder of scripts, no package
from elf import glibc_floor, glibc_versions  # noqa: E402
from manifest import ManifestError, check, stamp  # noqa: E402
from project import HOMEPAGE, PLATFORMS, VERSION, Platform, archive_name, release_address  # noqa: E402
from verify import ArchiveError, Figures, verify  # noqa: E402

AMD64, ARM64 = Platform("linux", "amd64"), Platform("linux", "arm64")
BUILT = Figures(1, 1, 1, (2, 28), "5a" * 32)
MANIFEST = (ROOT / "krew-manifest.yaml").read_text()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "frozen"
    (made / "_internal").mkdir(parents=True)
    (made / "kubectl-llmfit").write_text("run")
    (made / "kubectl-llmfit").chmod(0o700)
    (made / "_internal" / "libz.so.1").write_text("library")
    (made / "_internal" / "libz.so").symlink_to("libz.so.1")
    for name in ("LICENSE", "NOTICE"):
        (tmp_path / name).write_text("terms")
    return made


def packed(folder: Path, name: str = "a.tar.gz") -> Path:
    archive = folder.parent / name
    documents = {each: folder.parent / each for each in ("LICENSE", "NOTICE") if (folder.parent / each).exists()}
    write_archive(archive, folder, documents, 1_000_000_000)
    return archive


def test_an_archive_has_no_links_no_owner_and_one_date(folder: Path) -> None:
    with tarfile.open(packed(folder)) as archive:
        members = archive.getmembers()
        library = archive.extractfile("_internal/libz.so")
        assert library is not None
        assert library.read() == b"library"
    names = ["LICENSE", "NOTICE", "_internal/libz.so", "_internal/libz.so.1", "kubectl-llmfit"]
    assert [each.name for each in members] == names
    assert [oct(each.mode) for each in members] == ["0o644"] * 4 + ["0o755"]
    assert all(each.isreg() and (each.uid, each.gid, each.uname) == (0, 0, "") for each in members)
    assert {each.mtime for each in members} == {1_000_000_000}


def test_the_same_files_give_the_same_bytes(folder: Path) -> None:
    first = packed(folder, "first.tar.gz")
    (folder / "kubectl-llmfit").touch()  # another time of change
    assert first.read_bytes() == packed(folder, "second.tar.gz").read_bytes()


def test_an_archive_that_keeps_the_rules_is_counted(folder: Path) -> None:
    figures = verify(packed(folder))
    # LICENSE and NOTICE of 5 bytes, the library twice (7), the program (3)
    assert (figures.files, figures.unpacked_bytes, figures.glibc) == (5, 5 + 5 + 7 + 7 + 3, None)


@pytest.mark.parametrize("name", ["LICENSE", "NOTICE", "frozen/kubectl-llmfit"])
def test_an_archive_without_its_licence_or_program_is_refused(folder: Path, name: str) -> None:
    (folder.parent / name).unlink()
    with pytest.raises(ArchiveError, match=rf"{Path(name).name} is missing or empty"):
        verify(packed(folder))


def test_a_program_that_cannot_be_run_is_refused(folder: Path) -> None:
    (folder / "kubectl-llmfit").chmod(0o600)
    with pytest.raises(ArchiveError, match="not executable"):
        verify(packed(folder))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda member: setattr(member, "type", tarfile.SYMTYPE), "neither a directory nor a regular file"),
        (lambda member: setattr(member, "type", tarfile.LNKTYPE), "neither a directory nor a regular file"),
        (lambda member: setattr(member, "name", "../evil"), "leads out of the folder"),
        (lambda member: setattr(member, "name", "/evil"), "leads out of the folder"),
    ],
    ids=["symbolic link", "hard link", "parent", "absolute"],
)
def test_what_krew_refuses_to_unpack_is_refused(
    tmp_path: Path, change: Callable[[tarfile.TarInfo], None], words: str
) -> None:
    member = tarfile.TarInfo("library")
    member.linkname = "LICENSE"
    change(member)
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as archive:
        archive.addfile(member)
    with pytest.raises(ArchiveError, match=words):
        verify(tmp_path / "a.tar.gz")


@pytest.mark.skipif(sys.platform != "linux", reason="ELF is what Linux has")
def test_the_glibc_floor_is_what_readelf_sees() -> None:
    python = Path(sys.executable).resolve()
    done = subprocess.run(["readelf", "-V", python], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("readelf is not installed")
    words = {word.removeprefix("GLIBC_") for word in done.stdout.split() if word.startswith("GLIBC_2.")}
    seen = {tuple(int(part) for part in word.split(".")[:2]) for word in words}
    assert set(glibc_versions(python.read_bytes())) == seen
    assert glibc_floor([b"no ELF", python.read_bytes()]) == max(seen)


def test_what_is_no_elf_file_needs_no_glibc() -> None:
    assert glibc_floor([b"", b"\x7fELF\x01\x01 of 32 bits", b"#!/bin/sh\n"]) is None


def test_an_archive_may_be_held_to_a_glibc(folder: Path) -> None:
    (folder / "_internal" / "python").write_bytes(Path(sys.executable).resolve().read_bytes())
    archive = packed(folder)
    floor = verify(archive).glibc
    assert floor is not None
    assert verify(archive, max_glibc=floor).glibc == floor
    with pytest.raises(ArchiveError, match=r"needs glibc 2\.\d+, more than 2.1$"):
        verify(archive, max_glibc=(2, 1))


def test_a_stamp_writes_version_address_sums_and_platforms_and_nothing_else() -> None:
    stamped = stamp(MANIFEST, "0.2.0", "https://example.com/v2", {ARM64: BUILT, AMD64: BUILT})
    manifest, before = yaml.safe_load(stamped), yaml.safe_load(MANIFEST)
    platforms = manifest["spec"].pop("platforms")
    assert [entry["selector"]["matchLabels"]["arch"] for entry in platforms] == ["amd64", "arm64"]
    assert {entry["sha256"] for entry in platforms} == {"5a" * 32}
    assert platforms[1]["uri"] == "https://example.com/v2/kubectl-llmfit-v0.2.0-linux-arm64.tar.gz"
    assert manifest["spec"].pop("version") == "v0.2.0"
    assert "needs glibc 2.28 or newer:" in manifest["spec"].pop("caveats")
    for name in ("platforms", "version", "caveats"):
        before["spec"].pop(name)
    assert manifest == before
    # a second stamp over the first changes only what differs
    assert stamp(stamped, "0.2.0", "https://example.com/v2", {ARM64: BUILT, AMD64: BUILT}) == stamped


def test_a_manifest_without_archives_is_none() -> None:
    with pytest.raises(ManifestError, match="no platform"):
        stamp(MANIFEST, VERSION, release_address(), {})


def test_the_manifest_of_the_checkout_can_be_installed_from() -> None:
    check(MANIFEST)
    manifest = yaml.safe_load(MANIFEST)["spec"]
    assert manifest["version"] == f"v{VERSION}"
    assert manifest["homepage"] == HOMEPAGE
    for entry in manifest["platforms"]:
        name = archive_name(Platform(**entry["selector"]["matchLabels"]))
        assert entry["uri"] == f"{HOMEPAGE}/releases/download/v{VERSION}/{name}"


GOOD = stamp(MANIFEST, VERSION, release_address(), dict.fromkeys(PLATFORMS, BUILT))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("5a" * 32, "0" * 64, "linux/amd64: sha256 0000"),
        ("5a" * 32, "5A" * 32, "sha256 5A5A"),
        ("arch: arm64", "arch: amd64", "linux/amd64 is unknown or there twice"),
        ("os: darwin", "os: macos", "macos/amd64 is unknown"),
        ("bin: kubectl-llmfit", "bin: ./kubectl-llmfit", "bin ./kubectl-llmfit"),
        ("bin: kubectl-llmfit", "bin: kubectl-llmfit\n      file: []", "fields of a platform"),
        (f"{VERSION}-linux-amd64.tar.gz", "9.9.9-linux-amd64.tar.gz", "the uri names another archive"),
        ("  name: llmfit", "  name: llm", "metadata is more or less than the name llmfit"),
        ("  homepage:", "  homePage:", "fields of spec: homePage, homepage"),
        (f"version: v{VERSION}", f"version: {VERSION}", f"version {VERSION}"),
        ("kind: Plugin", "kind: Plug", "apiVersion or kind"),
        ("shortDescription: ", f"shortDescription: {'long ' * 10}", "shortDescription is too long"),
    ],
)
def test_what_krew_or_its_reviewers_refuse_is_found(old: str, new: str, words: str) -> None:
    check(GOOD)
    assert old in GOOD
    with pytest.raises(ManifestError) as caught:
        check(GOOD.replace(old, new, 1))
    assert words in str(caught.value)


def test_every_address_of_ours_comes_from_one_place() -> None:
    from kubectl_llmfit.main import REPORT_AT

    assert f"{HOMEPAGE}/issues" == REPORT_AT
    places = [
        path.name
        for path in (ROOT / "packaging").iterdir()
        if path.is_file() and "https://github.com/" in path.read_text("utf-8")
    ]
    assert places == []
