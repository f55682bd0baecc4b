"""What the documents for users show: command lines, flags, links; read by the tests that run them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = (README, *(ROOT / "docs" / name for name in ("checks.md", "drivers.md", "rights.md")))
MODEL = "meta-llama/Llama-3.1-8B-Instruct"

BLOCK = re.compile(r"```console\n\$ (?P<command>[^\n]+)\n(?P<output>.*?)```", re.DOTALL)
_INDENTED = re.compile(r"^    ((?:kubectl|make|pipx|uv) .+)$", re.MULTILINE)
_INLINE = re.compile(r"`((?:kubectl llmfit|kubectl krew|kubectl get|make) [^`]+)`")
_FLAG = re.compile(r"(?<![\w-])--?[a-zA-Z][a-z-]*")
_LINK = re.compile(r"\]\(([^)]+)\)")


@dataclass(frozen=True, slots=True)
class Line:
    """A command line as a page shows it, without the remark behind it."""

    page: str
    text: str

    @property
    def is_ours(self) -> bool:
        """Whether it runs the program."""
        return self.text.startswith(("kubectl llmfit", "check-nodes"))


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks() -> list[tuple[Path, str]]:
    """Every command that is shown with its output, and the page it is on."""
    return [(page, match["command"]) for page in PAGES for match in BLOCK.finditer(text_of(page))]


def lines() -> list[Line]:
    """Every other command line."""
    return list(dict.fromkeys(_lines()))


def _lines() -> Iterator[Line]:
    for page in PAGES:
        text = BLOCK.sub("", text_of(page))
        for found in (*_INDENTED.findall(text), *_INLINE.findall(text)):
            yield Line(page.name, re.split(r"\s{2,}#|\s+# ", found)[0].strip())


def flags() -> set[str]:
    """Every flag that a page names, those of other programs' command lines left out."""
    return {flag for span in _spans() for flag in _FLAG.findall(span)}


def _spans() -> Iterator[str]:
    others = tuple(line.text for line in lines() if not line.is_ours)
    for page in PAGES:
        text = BLOCK.sub("", text_of(page))
        for span in (*re.findall(r"`([^`]+)`", text), *re.findall(r"^    (.+)$", text, re.MULTILINE)):
            if not span.startswith(others):
                yield span


def links() -> list[tuple[str, str]]:
    """Every link to a file of this repository, with its page."""
    pages = (*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "docs" / "threats.md", ROOT / "docs" / "commands.md")
    return [
        (str(page.relative_to(ROOT)), target)
        for page in pages
        for target in _LINK.findall(text_of(page))
        if "://" not in target
    ]
