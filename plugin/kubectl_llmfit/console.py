"""The streams: stdout is the answer and nothing else, stderr has everything a person may want to know.

Nothing else in the package writes to them.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from errno import EBADF
from typing import TextIO

from .errors import ExitCode
from .escapes import one_line

_STREAMS = 2  # the last of the three descriptors of stdin, stdout, stderr


@dataclass(frozen=True, slots=True)
class Result:
    """What a command answers: text for stdout (one piece or many) and the exit status."""

    text: str | Iterable[str] = ""
    exit_code: ExitCode = ExitCode.OK

    def print(self) -> None:
        """Write the answer. Raises OSError, BrokenPipeError among them, when not all of it could be written."""
        if sys.stdout is None:
            raise OSError(EBADF, "standard output is closed")
        for piece in (self.text,) if isinstance(self.text, str) else self.text:
            sys.stdout.write(piece)
        sys.stdout.flush()


def prepare() -> None:
    """Make both streams take any text whatever the locale, and stdout take all of it.

    With PYTHONUNBUFFERED stdout is a raw file, and one write to it may end early without a word.
    """
    _plug()
    raw = getattr(sys.stdout, "buffer", None)
    if isinstance(raw, io.RawIOBase):
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(raw))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _plug() -> None:
    """Let no file that is opened later stand where a closed stream was: what is said there would go into it."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= _STREAMS:
        pass
    os.close(descriptor)


def write(text: str) -> None:
    """Write to stdout at once."""
    Result(text).print()


def say(*lines: str) -> None:
    """Say lines on stderr; whatever is in one, it stays one. A closed stderr is nobody's problem."""
    if sys.stderr is None:  # closed when the process began
        return
    try:
        sys.stderr.write("".join(f"{one_line(line)}\n" for line in lines))
        sys.stderr.flush()
    except (OSError, ValueError):
        abandon(sys.stderr)


def abandon(stream: TextIO | None) -> None:
    """Let what the stream still holds, and the interpreter's own flush at its end, go nowhere."""
    with suppress(OSError, ValueError):
        if stream is not None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def warn(line: str) -> None:
    """Say one warning on stderr."""
    say(f"warning: {line}")


@contextmanager
def progress(words: str) -> Iterator[None]:
    """Say what is going on once it has taken a second, and only on a terminal."""
    from threading import Timer

    timer = Timer(1.0, say, (f"{words} ...",))
    timer.daemon = True
    if sys.stderr is not None and sys.stderr.isatty():
        timer.start()
    try:
        yield
    finally:
        timer.cancel()
