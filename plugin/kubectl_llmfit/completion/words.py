"""Where the cursor is: which command, which flags are given, and whether a flag's value is wanted.

Knows the spellings of flags that ``arguments`` knows: ``--flag value``, ``--flag=value``, ``-f value``, ``-f=value``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Line:
    """A command line up to the cursor.

    ``parameters`` are the command's, as Typer has them; ``given`` are the values of flags by the parameter's name;
    ``flag`` is the parameter whose value the cursor is in, and ``last`` what there is of that value.
    """

    command: str | None
    last: str
    parameters: tuple[Any, ...] = ()
    given: Mapping[str, list[str]] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    flag: Any = None
    only_arguments: bool = False  # there was a "--"


def read_line(before: Sequence[str], last: str) -> Line:
    """The line whose complete words are ``before``."""
    from ..app import COMMANDS, group

    place = _command_place(before, COMMANDS)
    if place is None:
        return Line(None, last)
    name = before[place]
    command = group(name).commands[name]
    parameters = tuple(command.params)
    reader = _Reader({spelling: one for one in parameters for spelling in one.opts if spelling.startswith("-")})
    reader.read([*before[:place], *before[place + 1 :]])
    flag, value = reader.at(last)
    return Line(name, value, parameters, reader.given, tuple(reader.arguments), flag, reader.only_arguments)


def _command_place(words: Sequence[str], commands: Mapping[str, object]) -> int | None:
    """Where the command stands: the first name of one that is not the value of a flag before it."""
    places = [index for index, word in enumerate(words) if word in commands]
    free = (index for index in places if index == 0 or not words[index - 1].startswith("-") or "=" in words[index - 1])
    return next(free, places[0] if places else None)


class _Reader:
    """Goes through the words of one command."""

    def __init__(self, flags: Mapping[str, Any]) -> None:
        self.given: dict[str, list[str]] = {}
        self.arguments: list[str] = []
        self.only_arguments = False
        self._flags = flags
        self._open: Any = None  # the flag whose value comes next

    def read(self, words: Sequence[str]) -> None:
        """Take in complete words."""
        for word in words:
            if self._open is not None:
                self._give(self._open, word)
                self._open = None
            elif word == "--" and not self.only_arguments:
                self.only_arguments = True
            elif word.startswith("-") and word != "-" and not self.only_arguments:
                self._read_flag(word)
            else:
                self.arguments.append(word)

    def at(self, last: str) -> tuple[Any, str]:
        """The flag whose value ``last`` is part of, if any, and that part."""
        if self._open is not None:
            return self._open, last
        spelling, equals, value = last.partition("=")
        if equals and spelling in self._flags and not self.only_arguments:
            return self._flags[spelling], value
        return None, last

    def _read_flag(self, word: str) -> None:
        spelling, equals, value = word.partition("=")
        if spelling not in self._flags and not word.startswith("--"):
            spelling, equals, value = word[:2], word[2:], word[2:]  # -nNAME
        flag = self._flags.get(spelling)
        if flag is None:
            return
        if flag.is_flag or equals:
            self._give(flag, value)
        else:
            self._open = flag

    def _give(self, flag: Any, value: str) -> None:
        self.given.setdefault(flag.name, []).append(value)
