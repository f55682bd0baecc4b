"""kubectl's spellings of flags, made into those that Typer reads.

kubectl takes ``-o=json``, ``--no-headers=true`` and flags before the subcommand; Typer reads the first as the
value ``=json`` and refuses the others. Which flags exist, and which take a value, is asked of the commands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from .errors import UsageError

TRUE = frozenset({"1", "t", "T", "true", "TRUE", "True"})  # Go's strconv.ParseBool
FALSE = frozenset({"0", "f", "F", "false", "FALSE", "False"})
TEMPLATE_HINT = (
    "--template makes a ResourceClaimTemplate; for kubectl's templates over the output, pipe -o json into them"
)


class Parameter(Protocol):
    """What is read of a Typer parameter: its spellings, and whether it is a flag without a value."""

    opts: list[str]
    is_flag: bool


HELP = frozenset({"-h", "--help"})


def normalise(arguments: Sequence[str], group: object) -> list[str]:
    """The same command line as Typer reads it. ``group`` is Typer's command group.

    Raises UsageError for a boolean flag whose value is neither true nor false.
    """
    commands: Mapping[str, object] = getattr(group, "commands", {})
    before, rest = _split_at_command(list(arguments), commands)
    if not rest:
        return list(_respelled(before, {}))
    name, after = rest[0], rest[1:]
    return [name, *_respelled([*before, *after], _flags(commands[name]))]


def asks_for_help(words: Sequence[str], group: object) -> str | None:
    """The command whose help the normalised ``words`` ask for, "" for the group's own, None for no help."""
    commands: Mapping[str, object] = getattr(group, "commands", {})
    name = words[0] if words and words[0] in commands else ""
    flags = _flags(commands[name]) if name else {}
    skip = False
    for word in words:
        if skip or word in HELP:
            if not skip:
                return name
            skip = False
        elif word == "--":
            return None
        else:
            skip = word in flags and not flags[word].is_flag
    return None


def _split_at_command(words: list[str], commands: Mapping[str, object]) -> tuple[list[str], list[str]]:
    """The words before the subcommand, and those from it on (none when there is no subcommand)."""
    known: dict[str, Parameter] = {}
    for command in commands.values():
        known.update(_flags(command))
    index = 0
    while index < len(words):
        word = words[index]
        if not word.startswith("-") or word == "-":
            return (words[:index], words[index:]) if word in commands else (words, [])
        parameter = known.get(word)
        index += 2 if parameter is not None and not parameter.is_flag else 1
    return words, []


def _flags(command: object) -> dict[str, Parameter]:
    """Every spelling of a command's options."""
    return {
        spelling: parameter
        for parameter in getattr(command, "params", [])
        for spelling in parameter.opts
        if spelling.startswith("-")
    }


def _respelled(words: list[str], flags: Mapping[str, Parameter]) -> Iterator[str]:
    index = 0
    while index < len(words):
        word = words[index]
        index += 1
        if word == "--":
            yield from words[index - 1 :]
            return
        name, equals, value = word.partition("=")
        parameter = flags.get(name) if word.startswith("-") else None
        if parameter is None:
            yield word
        elif parameter.is_flag:
            if not equals or _boolean(name, value):
                yield name
        elif equals:
            yield from (name, value)
        else:
            yield word
            yield from words[index : index + 1]
            index += 1


def _boolean(flag: str, value: str) -> bool:
    if value in TRUE or value in FALSE:
        return value in TRUE
    raise UsageError(
        f'invalid argument "{value}" for "{flag}" flag: must be true or false',
        TEMPLATE_HINT if flag == "--template" else None,
    )
