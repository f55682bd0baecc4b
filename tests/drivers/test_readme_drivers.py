"""The table of drivers in docs/drivers.md is what the profiles say.

KUBECTL_LLMFIT_UPDATE_GOLDEN=1 rewrites the table instead.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from kubectl_llmfit.drivers.profile import Profile
from kubectl_llmfit.drivers.registry import PROFILES
from kubectl_llmfit.drivers.words import COLUMNS

PAGE = Path(__file__).parents[2] / "docs" / "drivers.md"
TABLE = re.compile(r"(<!-- drivers: written from the profiles -->\n).*?(<!-- drivers end -->)", re.DOTALL)
HEAD = ("driver", "memory", "bandwidth", "health", "parts")


def row(profile: Profile) -> str:
    """What the profile says, or why nothing can be asked."""
    if profile.inexpressible is not None:
        cells = [f"not to be asked: {profile.inexpressible}", "", "", ""]
    else:
        cells = [said or "–" for said in (say(profile) for say in COLUMNS)]
    return f"| {' | '.join([f'`{profile.name}`', *cells])} |\n"


def written() -> str:
    """The table, in Markdown."""
    asked = [profile for profile in PROFILES if profile.inexpressible is None]
    others = [profile for profile in PROFILES if profile.inexpressible is not None]
    head = f"| {' | '.join(HEAD)} |\n|{'---|' * len(HEAD)}\n"
    return head + "".join(map(row, [*asked, *others]))


def test_the_page_has_the_table_of_drivers() -> None:
    text = PAGE.read_text(encoding="utf-8")
    found = TABLE.search(text)
    assert found is not None
    wanted = f"{found[1]}{written()}{found[2]}"
    if os.environ.get("KUBECTL_LLMFIT_UPDATE_GOLDEN"):
        PAGE.write_text(text.replace(found[0], wanted), encoding="utf-8")
    else:
        assert found[0] == wanted
