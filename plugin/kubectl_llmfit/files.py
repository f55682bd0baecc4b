"""Reading the files that a user hands over: whole, bounded, as text or JSON, or one line that names the file."""

from __future__ import annotations

import json
import math
import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, getincrementaldecoder
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any, BinaryIO, NoReturn

from .errors import UsageError
from .escapes import as_json, one_line

STDIN = "-"
LARGEST_FILE = 64 << 20
"""Bytes of a file that a person writes; llmfit's own list of models has 15 MiB."""
LARGEST_SNAPSHOT = 512 << 20
"""Bytes of a file of objects: 5,000 nodes with 8 devices each have 60 MiB as JSON, and take 8 times that in memory."""
_CHUNK = 1 << 20


class TextError(ValueError):
    """A file that is no text, or too large; in words, without the file's name."""


def display_name(path: str) -> str:
    """What messages call the file."""
    return "standard input" if path == STDIN else one_line(path)


def read_text(path: str, stdin: BinaryIO | None = None, largest: int = LARGEST_FILE) -> str:
    """The text of a file (``-``: of ``stdin``, by default the process's): UTF-8, or UTF-16 with its mark.

    A FIFO is waited for, as every tool does. Raises UsageError for a file that is missing, unreadable, larger than
    ``largest`` bytes, empty or no text.
    """
    name = display_name(path)
    try:
        text = read_bounded(path, stdin, largest)
    except FileNotFoundError as error:
        raise UsageError(f'the path "{name}" does not exist') from error
    except TextError as error:
        raise UsageError(f"{name}: {error}") from error
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read {name}: {getattr(error, 'strerror', None) or 'not a file name'}") from error
    if not text or text.isspace():
        raise UsageError(f"{name}: the file is empty")
    return text


def read_bounded(path: str, stdin: BinaryIO | None = None, largest: int = LARGEST_FILE) -> str:
    """The text of a file, perhaps empty; ends at the first thing that is no text, and beyond ``largest`` bytes.

    Raises OSError, ValueError for what cannot be a file's name, and TextError.
    """
    with _opened(path, stdin) as stream:
        text = "".join(_pieces(stream, largest))
    return text.removeprefix("\ufeff")


def _opened(path: str, stdin: BinaryIO | None) -> AbstractContextManager[BinaryIO]:
    return nullcontext(stdin or process_stdin()) if path == STDIN else open(path, "rb")


def _pieces(stream: BinaryIO, largest: int) -> Iterator[str]:
    """What a stream holds, piece by piece, so that endless ones (/dev/zero) are refused as soon as they are no text."""
    chunk = stream.read(_CHUNK)
    decoder = getincrementaldecoder("utf-16" if chunk[:2] in (BOM_UTF16_LE, BOM_UTF16_BE) else "utf-8")()
    read, lines = 0, 1
    while True:
        pending = len(decoder.getstate()[0])
        try:
            piece = decoder.decode(chunk, final=not chunk)
        except UnicodeDecodeError as error:
            raise TextError(f"not text in UTF-8 (byte {read - pending + error.start})") from error
        nul = piece.find("\0")
        if nul >= 0:
            raise TextError(f"line {lines + piece.count(chr(10), 0, nul)}: not a text file (it has a NUL byte)")
        yield piece
        if not chunk:
            return
        read, lines = read + len(chunk), lines + piece.count("\n")
        if read > largest:
            raise TextError(f"larger than {largest >> 20} MiB")
        chunk = stream.read(_CHUNK)


def read_json(path: str, stdin: BinaryIO | None = None) -> Any:
    """The one JSON document in a file, read as ``json_decoder`` reads it; UsageError says where it breaks off."""
    name = display_name(path)
    text = read_text(path, stdin)
    try:
        return json_decoder().decode(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno} column {error.colno}"
        if not text[error.pos :].strip() or error.msg.startswith("Unterminated string"):
            raise UsageError(f"{name}: the JSON is cut off at {where}") from error
        raise UsageError(f"{name}: not JSON: {error.msg[:1].lower()}{error.msg[1:]} at {where}") from error
    except RecursionError as error:
        raise UsageError(f"{name}: nested too deeply") from error
    except ValueError as error:
        raise UsageError(f"{name}: not usable JSON: {json_problem(error)}") from error


def json_decoder() -> json.JSONDecoder:
    """A decoder that takes only what JSON has: no NaN, no number beyond a float, and no key twice (ValueError)."""
    return json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_float, object_pairs_hook=_object)


def json_problem(error: ValueError) -> str:
    """What a ValueError of the decoder says, in words for the file's owner rather than for Python's."""
    return "a number of thousands of digits" if "int_max_str_digits" in str(error) else str(error)


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON number")


def _float(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"{as_json(text)} is beyond a 64-bit number")
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]  # None: not yet
        raise ValueError(f"key {as_json(twice)} already set in map")
    return found


def process_stdin() -> BinaryIO:
    """This process's standard input. Raises UsageError when it is closed."""
    if sys.stdin is None:
        raise UsageError("standard input is closed")
    return sys.stdin.buffer
