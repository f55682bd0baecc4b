"""Stamps the krew manifest with archives that were built and verified: version, address, sums, platforms.

    python packaging/release.py                     # the archives in dist/ -> dist/krew-manifest.yaml
    python packaging/release.py --write             # and -> krew-manifest.yaml, to be committed
    python packaging/release.py --tag v0.1.0 --platforms 4 --max-glibc 2.28         # as the release workflow does

``--address`` is where the archives are to be found, if not at the project's own release page. A platform is listed
when its archive keeps krew's rules, and only then. Exit status: 0 written, 1 something is not as it must be.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from manifest import ManifestError, stamp  # noqa: E402 -- a script's own folder
from project import PLATFORMS, ROOT, SDIST, VERSION, WHEEL, archive_name, release_address  # noqa: E402
from verify import ArchiveError, Figures, Version, verify  # noqa: E402

MANIFEST = "krew-manifest.yaml"


def write_manifest(folder: Path, address: str, max_glibc: Version | None = None) -> dict[str, Figures]:
    """Verify the archives in ``folder`` and write the manifest beside them; the figures of each.

    Raises ArchiveError and ManifestError.
    """
    wheel = folder / WHEEL
    found = {platform: folder / archive_name(platform) for platform in PLATFORMS}
    figures = {
        platform: verify(path, wheel if wheel.exists() else None, max_glibc)
        for platform, path in found.items()
        if path.exists()
    }
    text = (ROOT / MANIFEST).read_text("utf-8")
    (folder / MANIFEST).write_text(stamp(text, VERSION, address, figures), "utf-8")
    return {str(platform): each for platform, each in figures.items()}


def release(given: argparse.Namespace) -> dict[str, Figures]:
    """Write the manifest of a release that is complete; the figures of its archives. Raises as ``write_manifest``."""
    if given.tag not in (None, f"v{VERSION}"):
        raise ManifestError(f"the tag {given.tag} is not v{VERSION}, the version in pyproject.toml")
    if given.tag and not all((given.dist / name).exists() for name in (WHEEL, SDIST)):
        raise ManifestError(f"{WHEEL} or {SDIST} is missing in {given.dist}")
    figures = write_manifest(given.dist, given.address, given.max_glibc)
    if len(figures) < given.platforms:
        raise ManifestError(f"archives of {len(figures)} platforms in {given.dist}, not {given.platforms}")
    return figures


def main() -> int:
    """See the top of this file."""
    parser = argparse.ArgumentParser(description="Stamp the krew manifest with the archives that were built.")
    parser.add_argument("--dist", type=Path, default=ROOT / "dist", help="folder of the archives")
    parser.add_argument("--address", default=release_address(), help="where they are published")
    parser.add_argument("--tag", help="the tag that is released: must be this version's")
    parser.add_argument("--platforms", type=int, default=1, help="how many platforms there must be at least")
    parser.add_argument("--max-glibc", type=_version, help="the newest glibc that an archive may need")
    parser.add_argument("--write", action="store_true", help="write the manifest of the checkout too")
    given = parser.parse_args()
    try:
        figures = release(given)
    except (ArchiveError, ManifestError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 1
    if given.write:
        (ROOT / MANIFEST).write_text((given.dist / MANIFEST).read_text("utf-8"), "utf-8")
    sys.stdout.writelines(f"{platform}: {each}\n" for platform, each in figures.items())
    return 0


def _version(text: str) -> Version:
    major, minor = text.split(".")
    return int(major), int(minor)


if __name__ == "__main__":
    sys.exit(main())
