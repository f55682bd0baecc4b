"""Stamps the sum of an archive into the text of the krew manifest; the rest of the text stays as it is."""

from __future__ import annotations

import re


class ManifestError(Exception):
    """The manifest does not speak of this version or of this archive."""


def stamp(text: str, version: str, archive: str, digest: str) -> str:
    """The manifest with ``digest`` as the sum of the platform whose uri ends in ``archive``.

    Raises ManifestError when the manifest is of another version or has no such platform.
    """
    if not re.search(rf"^  version: v{re.escape(version)}$", text, re.MULTILINE):
        raise ManifestError(f"krew-manifest.yaml: spec.version is not v{version}")
    entry = re.compile(rf"^( +uri: \S+/{re.escape(archive)}\n +sha256: )\S+$", re.MULTILINE)
    stamped, count = entry.subn(rf'\g<1>"{digest}"', text)
    if count != 1:
        raise ManifestError(f"krew-manifest.yaml: {count} platforms have the uri of {archive} followed by a sha256")
    return stamped
