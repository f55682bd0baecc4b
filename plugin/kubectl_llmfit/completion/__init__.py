"""kubectl's completion protocol for plugins: the words after the plugin's name in, candidates out.

kubectl (1.26 and newer, pkg/cmd/plugin/plugin_completion.go) runs ``kubectl_complete-llmfit`` with those words, the
last of them possibly empty, and reads one candidate per line, a tab and a description behind it if there is one, and
on the last line cobra's directive to the shell. Everything comes from local data but what only a cluster knows: that
comes live, within ``live.SECONDS`` or not at all.
"""

from __future__ import annotations

from collections.abc import Sequence

from .answer import Answer
from .words import Line, read_line

__all__ = ["answer", "candidates"]


def answer(words: Sequence[str]) -> str:
    """What kubectl reads, given the words after the plugin's name."""
    return candidates(words).text()


def candidates(words: Sequence[str]) -> Answer:
    """What may stand in place of the last word, given those before it."""
    *before, last = words or [""]
    line = read_line(before, last)
    if line.command is None:
        return _commands(line.last)
    if line.flag is None and line.last.startswith("-") and not line.only_arguments:
        return _flags(line)
    from .sources import values

    return values(line)


def _commands(last: str) -> Answer:
    from ..app import COMMANDS

    if last.startswith("-"):
        return Answer.of(last, [("--help", "Show the help"), ("--version", "Print the version")])
    return Answer.of(last, [(name, entry.summary.rstrip(".")) for name, entry in COMMANDS.items()])


def _flags(line: Line) -> Answer:
    """The long flags that may still be given; those that the help hides, kubectl's own, when nothing else fits."""
    open_flags = [each for each in line.parameters if each.multiple or each.name not in line.given]
    for hidden in (False, True):
        found = [
            (spelling, _first_line(each.help))
            for each in open_flags
            for spelling in each.opts
            if each.hidden is hidden and spelling.startswith("--") and len(spelling) > 3
        ]
        known = Answer.of(line.last, [*found, ("--help", "Show the help")])
        if known.candidates:
            return known
    return Answer()


def _first_line(text: str | None) -> str:
    return (text or "").strip().partition("\n")[0].rstrip(".")
