"""The krew manifest: stamped with what was built, and held to krew's rules.

``krew-manifest.yaml`` at the root says in words what the plugin is; its version, its homepage and everything below
``platforms:`` are written by ``stamp``. ``check`` is stricter than krew, which ignores a field that it does not know.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from project import HOMEPAGE, PLATFORMS, PROGRAM, Platform, archive_name
from verify import Figures

FIELDS = {"version", "homepage", "shortDescription", "description", "caveats", "platforms"}
LONGEST_SHORT_DESCRIPTION = 50  # krew-index, naming and review guidelines
_VERSION = re.compile(r"v\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?")
_SUM = re.compile(r"[0-9a-f]{64}")
_PLATFORM = """\
    - selector:
        matchLabels:
          os: {platform.os}
          arch: {platform.arch}
      uri: {uri}
      sha256: "{digest}"
      bin: {program}
"""


class ManifestError(Exception):
    """A manifest that krew or its reviewers would refuse."""


def stamp(text: str, version: str, address: str, archives: Mapping[Platform, Figures]) -> str:
    """The manifest of ``version`` with a platform for each archive, published below ``address``.

    Raises ManifestError where the text has no place for a value, or where the outcome is none that krew would take.
    """
    head, found, _ = text.partition("  platforms:\n")
    floor = max((each.glibc for each in archives.values() if each.glibc), default=None)
    values = {r"(?m)^  version: ()\S+$": f"v{version}", r"(?m)^  homepage: ()\S+$": HOMEPAGE}
    if floor:
        values[r"glibc ()\d+\.\d+ or newer"] = f"{floor[0]}.{floor[1]}"
    for place, value in values.items():
        head = _put(head, place, value)
    if not found:
        raise ManifestError("the manifest has no spec.platforms")
    entries = (
        _PLATFORM.format(
            platform=platform,
            uri=f"{address}/{archive_name(platform, version)}",
            digest=archives[platform].sha256,
            program=PROGRAM,
        )
        for platform in PLATFORMS
        if platform in archives
    )
    stamped = head + found + "".join(entries)
    check(stamped)
    return stamped


def _put(text: str, place: str, value: str) -> str:
    """``text`` with ``value`` for the word that begins at the empty group of ``place``, which must be there once."""
    found = list(re.finditer(place, text))
    if len(found) != 1:
        raise ManifestError(f"the manifest has {len(found)} places for {value}, not one")
    start = found[0].start(1)
    return text[:start] + re.sub(r"^\S+", value, text[start:], count=1)


def check(text: str) -> None:
    """Raise ManifestError, with all that is wrong, unless krew would install from this text."""
    import yaml

    if problems := list(_problems(yaml.safe_load(text))):
        raise ManifestError("; ".join(problems))


def _problems(manifest: Any) -> Iterator[str]:
    """What krew 0.5.0 (internal/index/validation) or a reviewer would object to."""
    if set(manifest) != {"apiVersion", "kind", "metadata", "spec"}:
        yield f"fields {', '.join(sorted(manifest))}"
        return
    if manifest["apiVersion"] != "krew.googlecontainertools.github.com/v1alpha2" or manifest["kind"] != "Plugin":
        yield "apiVersion or kind"
    if manifest["metadata"] != {"name": "llmfit"}:
        yield "metadata is more or less than the name llmfit"
    spec = manifest["spec"]
    if set(spec) != FIELDS:
        yield f"fields of spec: {', '.join(sorted(set(spec) ^ FIELDS))}"
        return
    if not _VERSION.fullmatch(spec["version"]):
        yield f"version {spec['version']}"
    if "\n" in spec["shortDescription"] or len(spec["shortDescription"]) > LONGEST_SHORT_DESCRIPTION:
        yield "shortDescription is too long"
    if not spec["platforms"]:
        yield "no platform"
        return
    yield from _platform_problems(spec["platforms"], spec["version"].removeprefix("v"))


def _platform_problems(entries: list[dict[str, Any]], version: str) -> Iterator[str]:
    seen = set()
    for entry in entries:
        if set(entry) != {"selector", "uri", "sha256", "bin"} or set(entry["selector"]) != {"matchLabels"}:
            yield f"fields of a platform: {', '.join(sorted(entry))}"
            continue
        platform = Platform(**entry["selector"]["matchLabels"])
        if platform not in PLATFORMS or platform in seen:
            yield f"{platform} is unknown or there twice"
        seen.add(platform)
        if not re.fullmatch(rf"https?://[^/]+/(?:.*/)?{re.escape(archive_name(platform, version))}", entry["uri"]):
            yield f"{platform}: the uri names another archive: {entry['uri']}"
        if not _SUM.fullmatch(str(entry["sha256"])) or len(set(entry["sha256"])) == 1:
            yield f"{platform}: sha256 {entry['sha256']}"
        if entry["bin"] != PROGRAM:
            yield f"{platform}: bin {entry['bin']}"
