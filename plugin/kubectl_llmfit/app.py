"""The Typer app: registers the commands, holds no logic."""

import typer
from typer.core import TyperGroup
from typer.main import get_group

from .cli import check_nodes, claim, completion, devices, eval, models, snapshot, version
from .cli.flags import command, take_as_given
from .cli.version import text as version_text

__all__ = ["app", "group", "help_text", "invoke", "version_text"]

EPILOG = (
    "Exit status: 0 done, or yes; 1 the answer is no; 2 wrong usage or input; 3 could not tell; 4 the cluster. "
    "The connection flags that every kubectl command takes (see 'kubectl options') are understood by the "
    "commands that read a cluster."
)

app = typer.Typer(
    name="llmfit",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
)
app.command("claim", epilog=EPILOG)(command(claim.claim))
app.command("check-nodes", epilog=EPILOG)(command(check_nodes.check_nodes))
app.command("devices", epilog=EPILOG)(command(devices.devices))
app.command("eval", epilog=EPILOG)(command(eval.evaluate))
app.command("models", epilog=EPILOG)(command(models.models))
app.command("snapshot", epilog=EPILOG)(command(snapshot.snapshot))
app.command("completion")(command(completion.completion))
app.command("version")(command(version.version))


@app.callback(epilog=EPILOG)
def _root() -> None:
    """Turn "serve this model at this speed" into a ResourceClaim, and see which nodes can satisfy it."""


def group() -> TyperGroup:
    """The app as a command group."""
    return get_group(app)


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
