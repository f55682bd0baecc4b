"""Whether a tag may be released from here: it is this version's, and this is the place that all addresses name.

    python packaging/tagged.py v0.1.0 https://the.host/owner/repository

Asked first by the release workflow, before anything is built. Exit status: 0 yes, 1 no, and a line that says why.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from project import HOMEPAGE, ROOT, VERSION


def objections(tag: str, address: str, changelog: str) -> Iterator[str]:
    """What speaks against releasing this checkout as ``tag`` at ``address``, the web page of the repository."""
    if tag != f"v{VERSION}":
        yield f"the tag {tag} is not v{VERSION}, the version in pyproject.toml"
    if address != HOMEPAGE:
        yield f"{address} is not {HOMEPAGE}, where pyproject.toml says that it is published"
    if not re.search(rf"^## {re.escape(VERSION)}\b", changelog, re.MULTILINE):
        yield f'CHANGELOG.md has no heading "## {VERSION}"'


def main(tag: str, address: str) -> int:
    """See the top of this file."""
    found = list(objections(tag, address, (ROOT / "CHANGELOG.md").read_text("utf-8")))
    sys.stderr.writelines(f"error: {each}\n" for each in found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
