"""Writes the archive that krew unpacks: directories and regular files only, the same bytes every time."""

from __future__ import annotations

import gzip
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path


def write_archive(target: Path, folder: Path, documents: Mapping[str, Path], seconds: int) -> None:
    """Pack ``folder`` and, at the root, the documents; every member is dated ``seconds`` since 1970.

    A link in the folder becomes the file it names: krew refuses links.
    """
    members = dict(_members(folder)) | dict(documents)
    with (
        target.open("wb") as raw,
        gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive,
    ):
        for name in sorted(members):
            _add(archive, name, members[name], seconds)


def _members(folder: Path) -> Iterator[tuple[str, Path]]:
    for path in folder.rglob("*"):
        if path.is_dir():
            if path.is_symlink():  # rglob does not follow it; PyInstaller makes none
                raise OSError(f"{path}: a link to a folder")
            continue
        yield str(path.relative_to(folder)), path


def _add(archive: tarfile.TarFile, name: str, path: Path, seconds: int) -> None:
    real = path.resolve(strict=True)
    member = tarfile.TarInfo(name)
    member.size = real.stat().st_size
    member.mtime = seconds
    member.mode = 0o755 if real.stat().st_mode & 0o100 else 0o644
    with real.open("rb") as content:
        archive.addfile(member, content)
