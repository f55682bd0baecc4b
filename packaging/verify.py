"""What an archive must be so that krew installs it and it runs; and its figures.

krew 0.5.0 takes directories and regular files only (internal/download: extractTARGZ), and krew-index wants a
LICENSE (cmd/validate-krew-manifest).
"""

from __future__ import annotations

import hashlib
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from elf import Version, glibc_floor
from project import DOCUMENTS, PACKAGE, PROGRAM

CODE = (".py", ".pyi", ".pyc", ".md")


class ArchiveError(Exception):
    """An archive that krew would refuse, or that would not run."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What users want to know of an archive before they fetch it."""

    archive_bytes: int
    unpacked_bytes: int
    files: int
    glibc: Version | None  # the oldest that it runs with; None where it is no matter (macOS)
    sha256: str

    def __str__(self) -> str:
        floor = "no glibc" if self.glibc is None else f"glibc {self.glibc[0]}.{self.glibc[1]} or newer"
        sizes = f"{self.archive_bytes / 1e6:.1f} MB, {self.unpacked_bytes / 1e6:.1f} MB unpacked"
        return f"{sizes}, {self.files} files, {floor}"


def verify(archive: Path, wheel: Path | None = None, max_glibc: Version | None = None) -> Figures:
    """The figures of an archive that keeps every rule. Raises ArchiveError for one that does not.

    ``wheel``: the wheel that was frozen; its data must all be there, byte for byte. ``max_glibc``: the newest glibc
    that the archive may ask for.
    """
    with tarfile.open(archive) as opened:
        contents = dict(_contents(archive, opened))
    _require_files(archive, contents)
    if wheel is not None:
        _require_data(archive, contents, wheel)
    floor = glibc_floor(contents.values())
    if floor and max_glibc and floor > max_glibc:
        raise ArchiveError(f"{archive.name} needs glibc {floor[0]}.{floor[1]}, more than {max_glibc[0]}.{max_glibc[1]}")
    packed = archive.read_bytes()
    unpacked = sum(map(len, contents.values()))
    return Figures(len(packed), unpacked, len(contents), floor, hashlib.sha256(packed).hexdigest())


def wheel_data(wheel: Path) -> dict[str, bytes]:
    """Every file of the wheel's package that is no code: catalogue, product table, templates, whatever comes."""
    with zipfile.ZipFile(wheel) as opened:
        names = (name for name in opened.namelist() if name.startswith(f"{PACKAGE}/") and not name.endswith(CODE))
        return {name: opened.read(name) for name in names}


def _contents(archive: Path, opened: tarfile.TarFile) -> Iterator[tuple[str, bytes]]:
    for member in opened:
        path = PurePosixPath(member.name)
        if path.is_absolute() or ".." in member.name:
            raise ArchiveError(f"{archive.name}: {member.name} leads out of the folder")
        if member.isdir():
            continue
        content = opened.extractfile(member) if member.isreg() else None
        if content is None:
            raise ArchiveError(f"{archive.name}: {member.name} is neither a directory nor a regular file")
        if member.name == PROGRAM and not member.mode & 0o100:
            raise ArchiveError(f"{archive.name}: {PROGRAM} is not executable")
        yield member.name, content.read()


def _require_files(archive: Path, contents: Mapping[str, bytes]) -> None:
    for name in (PROGRAM, *DOCUMENTS):
        if not contents.get(name):
            raise ArchiveError(f"{archive.name}: {name} is missing or empty")


def _require_data(archive: Path, contents: Mapping[str, bytes], wheel: Path) -> None:
    for name, content in wheel_data(wheel).items():
        if contents.get(f"_internal/{name}") != content:
            raise ArchiveError(f"{archive.name}: {name} is missing or another than in {wheel.name}")
