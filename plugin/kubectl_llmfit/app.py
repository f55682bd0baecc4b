"""The Typer app: registers the commands, holds no logic."""

from collections.abc import Callable
from typing import NamedTuple

import typer
from typer.core import TyperGroup
from typer.main import get_group

from .cli.flags import command, take_as_given
from .console import Result

EPILOG = (
    "Exit status: 0 done, or yes; 1 the answer is no; 2 wrong usage or input; 3 could not tell; 4 the cluster. "
    "The connection flags that every kubectl command takes (see 'kubectl options') are understood by the "
    "commands that read a cluster."
)

Command = Callable[..., Result]


def _claim() -> Command:
    from .cli.claim import claim

    return claim


def _check_nodes() -> Command:
    from .cli.check_nodes import check_nodes

    return check_nodes


def _devices() -> Command:
    from .cli.devices import devices

    return devices


def _drivers() -> Command:
    from .cli.drivers import drivers

    return drivers


def _eval() -> Command:
    from .cli.eval import evaluate

    return evaluate


def _models() -> Command:
    from .cli.models import models

    return models


def _snapshot() -> Command:
    from .cli.snapshot import snapshot

    return snapshot


def _rbac() -> Command:
    from .cli.rbac import rbac

    return rbac


def _completion() -> Command:
    from .cli.completion import completion

    return completion


def _version() -> Command:
    from .cli.version import version

    return version


class Entry(NamedTuple):
    """A command: how to get it, and what the program's own help says of it (the first line of its own)."""

    load: Callable[[], Command]
    summary: str


# In the order of the help. Each is imported when it is needed: all of them take as long as Typer itself.
COMMANDS: dict[str, Entry] = {
    "claim": Entry(
        _claim,
        "Print the ResourceClaim that a model needs, ready for kubectl apply; or check the cluster and apply it.",
    ),
    "check-nodes": Entry(_check_nodes, "Say which nodes can satisfy a claim, and why the others cannot."),
    "devices": Entry(_devices, "List the devices that the cluster's ResourceSlices publish."),
    "drivers": Entry(
        _drivers,
        "List the DRA drivers that are known, and what can and cannot be asked of their devices; NAME shows one.",
    ),
    "eval": Entry(_eval, "Evaluate a CEL selector on the published devices, as the scheduler would."),
    "models": Entry(_models, "Search the catalogue; original publishers and models with GGUF files come first."),
    "snapshot": Entry(_snapshot, "Write what a check would read as JSON, for check-nodes --snapshot."),
    "rbac": Entry(
        _rbac, "Print the ClusterRole with the least rights that the other commands need, for kubectl apply -f -."
    ),
    "completion": Entry(_completion, "Print how to switch completion on for bash, zsh and fish."),
    "version": Entry(_version, "Print the version of the tool and of the reference rules it follows."),
}


def group(only: str | None = None) -> TyperGroup:
    """The app as a command group, with all commands or just one of ``COMMANDS``."""
    app = _app()
    for name in COMMANDS if only is None else (only,):
        entry = COMMANDS[name]
        app.command(name, short_help=entry.summary, epilog=EPILOG)(command(entry.load()))
    return get_group(app)


def outline() -> TyperGroup:
    """The app with the names and summaries of its commands: all that its own help shows."""
    app = _app()
    for name, entry in COMMANDS.items():
        app.command(name, short_help=entry.summary)(_nothing)
    return get_group(app)


def _app() -> typer.Typer:
    app = typer.Typer(
        name="llmfit",
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
    )
    app.callback(epilog=EPILOG)(_root)
    return app


def _nothing() -> None:
    """Stands for a command that is not run."""


def _root() -> None:
    """Turn "serve this model at this speed" into a ResourceClaim, and see which nodes can satisfy it."""


def invoke(commands: TyperGroup, program: str, words: list[str]) -> object:
    """Run one command line that asks for no help; what the command returns. Raises TyperException for wrong usage."""
    for command_ in (commands, *commands.commands.values()):
        command_.add_help_option = False  # answered by ``help_text``; an option would be coerced
        take_as_given(command_)
    return commands.main(args=words, prog_name=program, standalone_mode=False)


def help_text(commands: TyperGroup, program: str, topic: str) -> str:
    """The help of the command ``topic``, of the program itself for ""."""
    context = commands.context_class(commands, info_name=program, **commands.context_settings)
    if topic:
        chosen = commands.commands[topic]
        context = chosen.context_class(chosen, info_name=topic, parent=context, **chosen.context_settings)
    return f"{context.command.get_help(context)}\n"
