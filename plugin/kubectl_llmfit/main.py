"""The process boundary: argv in, streams and exit status out.

The only place that turns errors into words and exit codes, and, with ``console``, the only one that
writes to the streams. Everything between is values.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

from .arguments import HELP, asks_for_help, normalise
from .console import Result, abandon, prepare, say, write
from .errors import ExitCode, LlmfitError
from .version import text

PROGRAM = "kubectl llmfit"
COMPLETION_PROGRAM = "kubectl_complete-llmfit"
# What kubectl prints without "error: " (k8s.io/kubectl cmd/util: checkErr, StandardErrorMessage).
AS_IT_STANDS = (
    "Error from server",
    "The connection to the server",
    "Unable to connect",
    "The ResourceClaim",
    "The request is invalid",
)
_LONGEST_MESSAGE = 4000  # characters: what is wrong with a longer one stands at its ends
REPORT_AT = "https://github.com/kubectl-llmfit/kubectl-llmfit/issues"


def main() -> NoReturn:
    """Run the program with this process's arguments and end the process."""
    if os.path.basename(sys.argv[0]).startswith(COMPLETION_PROGRAM):
        complete()
    signal.signal(signal.SIGTERM, _terminate)
    with _interruptible():
        status = run(sys.argv[1:])
    sys.exit(status)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Turns Ctrl-C into KeyboardInterrupt; outside, where nobody answers that, it ends the process without a word."""
    silent = signal.getsignal(signal.SIGINT) is signal.SIG_DFL
    if silent:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        if silent:
            signal.signal(signal.SIGINT, signal.SIG_DFL)


def complete() -> NoReturn:
    """Answer kubectl's completion protocol; silent and empty when anything fails.

    What it starts, such as a credential plugin, must not ask or tell a person anything either.
    """
    from .completion import answer

    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 2):
            os.dup2(nothing, stream)
        prepare()
        write(answer(sys.argv[1:]))
    except Exception:
        sys.exit(ExitCode.NO)
    sys.exit(ExitCode.OK)


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return the exit status; never raises but for a termination signal."""
    prepare()
    try:
        return int(_invoke(arguments))
    except LlmfitError as error:
        say_error(error.message, error.hint)
        return int(error.exit_code)
    except BrokenPipeError:
        abandon(sys.stdout)
        return int(ExitCode.BROKEN_PIPE)
    except KeyboardInterrupt:
        return int(ExitCode.INTERRUPTED)
    except MemoryError:
        say_error("not enough memory")
        return int(ExitCode.CANNOT_TELL)
    except Exception as error:
        if wants_trace(arguments):
            raise
        return _report(error)


def _invoke(arguments: Sequence[str]) -> int:
    """Parse, run, print: what a command returns is a ``Result``."""
    if list(arguments) == ["--version"]:
        return _print(Result(text()))
    from typer import TyperException

    from .app import COMMANDS, group, help_text, invoke, outline

    if not arguments:
        say(*help_text(outline(), PROGRAM, "").splitlines())
        return int(ExitCode.USAGE)
    if arguments[0] in HELP:
        return _print(Result(help_text(outline(), PROGRAM, "")))
    commands = group(next((word for word in arguments[:1] if word in COMMANDS), None))
    words = normalise(arguments, commands)
    topic = asks_for_help(words, commands)
    if topic is not None:
        return _print(Result(help_text(commands, PROGRAM, topic)))
    try:
        outcome = invoke(commands, PROGRAM, words)
    except TyperException as error:
        return _usage(error)
    if isinstance(outcome, Result):
        return _print(outcome)
    return outcome if isinstance(outcome, int) else int(ExitCode.OK)  # Typer's own status after Ctrl-C


def _print(result: Result) -> int:
    """Print an answer; its exit status. A closed stdout is ``run``'s to handle."""
    try:
        result.print()
    except BrokenPipeError:
        raise
    except OSError as error:
        abandon(sys.stdout)
        raise LlmfitError(f"the output could not be written: {error.strerror or error}") from error
    return int(result.exit_code)


def _usage(error: Exception) -> int:
    """Say a usage error of the command line in one line, with where to look."""
    format_message = getattr(error, "format_message", error.__str__)
    message = " ".join(format_message().split()).rstrip(".")
    path = getattr(getattr(error, "ctx", None), "command_path", PROGRAM)
    say_error(message[:1].lower() + message[1:], f"see '{path} --help' for usage")
    return int(ExitCode.USAGE)


def say_error(message: str, hint: str | None = None) -> None:
    """One line on stderr in kubectl's style; what the server says keeps kubectl's own beginning."""
    if len(message) > _LONGEST_MESSAGE:
        message = f"{message[: _LONGEST_MESSAGE // 2]} … {message[-_LONGEST_MESSAGE // 2 :]}"
    say(message if message.startswith(AS_IT_STANDS) else f"error: {message}")
    if hint:
        say(f"hint: {hint}")


def wants_trace(arguments: Sequence[str]) -> bool:
    """Whether ``-v 9`` (or higher) was given, in any of its spellings."""
    words = list(arguments)
    for index, word in enumerate(words):
        name, _, value = word.partition("=")
        if name not in ("-v", "--v"):
            name, value = word[:2], word[2:]
        if name in ("-v", "--v"):
            level = value or (words[index + 1] if index + 1 < len(words) else "")
            if level.isdecimal() and int(level[:3]) >= 9:
                return True
    return False


def _report(error: Exception) -> int:
    words = " ".join(f"{type(error).__name__}: {error}".split())
    say_error(f"this is a fault of kubectl-llmfit: {words[:300]}", f"run it with -v 9 and report it at {REPORT_AT}")
    return int(ExitCode.CANNOT_TELL)


def _terminate(*_: object) -> NoReturn:
    sys.exit(ExitCode.TERMINATED)
