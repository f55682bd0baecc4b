"""What a completion answers: candidates, perhaps described, and what the shell should do with them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import IntFlag

Candidate = str | tuple[str, str]
"""A text that may stand in place of the last word; perhaps with a description."""


_EXPANDED = frozenset("$`\\\"'!;&|<>(){}[]*?#^")


class Directive(IntFlag):
    """What cobra tells the shell (github.com/spf13/cobra: ShellCompDirective)."""

    FILES = 0  # the default: file names where there is no candidate
    NO_SPACE = 2
    NO_FILES = 4
    DIRECTORIES = 16
    KEEP_ORDER = 32


@dataclass(frozen=True, slots=True)
class Answer:
    """Candidates in the order to show them, none of which the protocol could misread."""

    candidates: tuple[Candidate, ...] = ()
    directive: Directive = Directive.NO_FILES

    @classmethod
    def of(
        cls, prefix: str, found: Iterable[Candidate], directive: Directive = Directive.NO_FILES, before: str = ""
    ) -> Answer:
        """Of ``found`` what starts with ``prefix`` in any case; ``before`` is put in front of each."""
        wanted = prefix.lower()
        texts = ((one, "") if isinstance(one, str) else one for one in found)
        chosen = ((text, words) for text, words in texts if text.lower().startswith(wanted) and _is_plain(text))
        return cls(tuple((before + text, words) if words else before + text for text, words in chosen), directive)

    def keeping_order(self) -> Answer:
        """The same, not to be sorted by the shell."""
        return replace(self, directive=self.directive | Directive.KEEP_ORDER)

    def text(self) -> str:
        """The lines of the protocol."""
        lines = (one if isinstance(one, str) else "\t".join(one) for one in self.candidates)
        return "".join(f"{line}\n" for line in (*lines, f":{int(self.directive)}"))


def _is_plain(text: str) -> bool:
    """Whether every shell takes it as one word and expands nothing: what a kubeconfig names may be anything.

    The scripts of older kubectls expand the candidates themselves (compgen -W).
    """
    return text.isprintable() and not any(character.isspace() or character in _EXPANDED for character in text)
