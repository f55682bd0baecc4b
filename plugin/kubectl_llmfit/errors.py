"""The one family of errors that reaches a user: a message, perhaps a hint, an exit code.

Only ``main`` turns these into words on stderr and an exit status.
"""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """What the process says with its status; anything above ``NO`` is no answer."""

    OK = 0
    NO = 1
    USAGE = 2
    CANNOT_TELL = 3
    CLUSTER = 4
    INTERRUPTED = 130
    BROKEN_PIPE = 141
    TERMINATED = 143


class LlmfitError(Exception):
    """An expected failure.

    ``message`` is one line in kubectl's style (lower case, no final period); ``hint`` is printed on a
    second line and only given when there is a real next step.
    """

    exit_code = ExitCode.CANNOT_TELL

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class NothingFitsError(LlmfitError):
    """The answer is no before there is anything to print (exit 1)."""

    exit_code = ExitCode.NO


class UsageError(LlmfitError):
    """Wrong usage or input: everything that the user hands over (exit 2)."""

    exit_code = ExitCode.USAGE


class UnknownModelError(UsageError):
    """A name that is no model's in the catalogue, or several models'."""


class CannotTellError(LlmfitError):
    """An input that the answer needs was not read, or a feature is not supported (exit 3)."""

    exit_code = ExitCode.CANNOT_TELL


class ClusterError(LlmfitError):
    """The cluster: not reached, not readable, or it refused a write (exit 4).

    ``message`` that starts with ``Error from server`` is printed as it stands, as kubectl does.
    """

    exit_code = ExitCode.CLUSTER
