"""What this project is called, which version it is and where it is published; every name of a released file.

``project.urls.Homepage`` in pyproject.toml is the one place that says where: all addresses come from it.
Run as a script, it prints the name of the archive of the platform it runs on.
"""

from __future__ import annotations

import platform
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM, PACKAGE = "kubectl-llmfit", "kubectl_llmfit"
DOCUMENTS = ("LICENSE", "NOTICE")
# what the files of archives and wheels are dated: a constant, so that the same content gives the same bytes
# and a manifest can hold the sum of an archive that is built from the very commit it is part of
SECONDS = 1_580_601_600  # 2020-02-02, which hatchling takes too
_ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
_PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
VERSION: str = _PROJECT["version"]
HOMEPAGE: str = _PROJECT["urls"]["Homepage"]
WHEEL = f"{PACKAGE}-{VERSION}-py3-none-any.whl"
SDIST = f"{PACKAGE}-{VERSION}.tar.gz"


@dataclass(frozen=True, slots=True, order=True)
class Platform:
    """An operating system and a processor, named as krew names them."""

    os: str
    arch: str

    def __str__(self) -> str:
        return f"{self.os}/{self.arch}"


PLATFORMS = tuple(Platform(os, arch) for os in ("linux", "darwin") for arch in ("amd64", "arm64"))


def this_platform() -> Platform:
    """The platform that this process runs on, and that an archive built here is for."""
    machine = platform.machine()
    return Platform(platform.system().lower(), _ARCHITECTURES.get(machine, machine))


def archive_name(wanted: Platform, version: str = VERSION) -> str:
    """The file name of a platform's archive."""
    return f"{PROGRAM}-v{version}-{wanted.os}-{wanted.arch}.tar.gz"


def release_address(version: str = VERSION) -> str:
    """Where the files of a version are published, by GitHub's rule for the assets of a release."""
    return f"{HOMEPAGE}/releases/download/v{version}"


if __name__ == "__main__":
    sys.stdout.write(f"{archive_name(this_platform())}\n")
