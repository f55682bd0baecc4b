"""Reading the files that a user hands over: whole, bounded, as text or JSON, or one line that names the file."""

from __future__ import annotations

import json
import sys
from typing import Any, BinaryIO, NoReturn

from .errors import UsageError
from .escapes import as_json, one_line

STDIN = "-"
# A snapshot of 5,000 nodes with 8 devices each has 60 MB; this bounds what an endless file can take.
LARGEST_FILE = 1 << 30


def display_name(path: str) -> str:
    """What messages call the file."""
    return "standard input" if path == STDIN else one_line(path)


def read_text(path: str, stdin: BinaryIO | None = None) -> str:
    """The text of a file (``-``: of ``stdin``, by default the process's): UTF-8, or UTF-16 with its mark.

    Raises UsageError for a file that is missing, unreadable, too large, empty or no text.
    """
    name = display_name(path)
    try:
        data = _read(path, stdin)
    except FileNotFoundError as error:
        raise UsageError(f'the path "{name}" does not exist') from error
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read {name}: {getattr(error, 'strerror', None) or 'not a file name'}") from error
    if len(data) > LARGEST_FILE:
        raise UsageError(f"{name}: larger than {LARGEST_FILE} bytes")
    if not data.strip():
        raise UsageError(f"{name}: the file is empty")
    try:
        text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{name}: not text in UTF-8 (byte {error.start})") from error
    if "\0" in text:
        raise UsageError(f"{name}: not a text file (it has a NUL byte)")
    return text


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
    except ValueError as error:  # the decoder's own rules, and a number of thousands of digits
        raise UsageError(f"{name}: not usable JSON: {error}") from error


def json_decoder() -> json.JSONDecoder:
    """A decoder that takes only what JSON has: no NaN, and no key twice (ValueError)."""
    return json.JSONDecoder(parse_constant=_refuse_constant, object_pairs_hook=_object)


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON number")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"key {as_json(next(key for key in keys if keys.count(key) > 1))} already set in map")
    return found


def process_stdin() -> BinaryIO:
    """This process's standard input. Raises UsageError when it is closed."""
    if sys.stdin is None:
        raise UsageError("standard input is closed")
    return sys.stdin.buffer


def _read(path: str, stdin: BinaryIO | None) -> bytes:
    if path == STDIN:
        return (stdin or process_stdin()).read(LARGEST_FILE + 1)
    with open(path, "rb") as stream:
        return stream.read(LARGEST_FILE + 1)
