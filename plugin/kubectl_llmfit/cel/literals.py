"""What the literals of the language stand for.

Owns escape sequences and number literals (cel-go: parser/unescape.go, parser.go). Must not know the tree.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from .lexer import BYTES, NUM_FLOAT, NUM_INT, NUM_UINT, STRING
from .values import UInt

_SIMPLE: Final = {
    "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
    "\\": "\\", "'": "'", '"': '"', "`": "`", "?": "?",
}  # fmt: skip
_ESCAPE: Final = re.compile(
    r"\\(?:([xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})|([0-3][0-7]{2})|(.))", re.DOTALL
)
_SURROGATES: Final = range(0xD800, 0xE000)
_INT64: Final = range(-(2**63), 2**63)
_UINT64: Final = range(2**64)


def string_value(text: str) -> str:
    """The string a STRING token stands for; ValueError for an escape that is no character."""
    body, raw = _strip_quotes(text)
    if raw or "\\" not in body:
        return body
    return _ESCAPE.sub(_escaped_character, body)


def bytes_value(text: str) -> bytes:
    r"""The bytes a BYTES token stands for: UTF-8, but ``\xFF`` and octal are single bytes."""
    body, raw = _strip_quotes(text[1:])
    if raw or "\\" not in body:
        return body.encode()
    parts: list[bytes] = []
    position = 0
    for match in _ESCAPE.finditer(body):
        parts += [body[position : match.start()].encode(), _escaped_byte(match)]
        position = match.end()
    return b"".join([*parts, body[position:].encode()])


def int_value(text: str) -> int:
    """A NUM_INT, perhaps with a sign before it; ValueError beyond int64."""
    digits = text.lstrip("-")
    number = int(digits, 16) if digits.startswith("0x") else _decimal(digits)
    if text.startswith("-"):
        number = -number
    if number not in _INT64:
        raise ValueError("invalid int literal")
    return number


def uint_value(text: str) -> int:
    """A NUM_UINT; ValueError beyond uint64."""
    digits = text[:-1]
    number = int(digits, 16) if digits.startswith("0x") else _decimal(digits)
    if number not in _UINT64:
        raise ValueError("invalid uint literal")
    return number


def double_value(text: str) -> float:
    """A NUM_FLOAT; ValueError when it is too large, as Go's ParseFloat says."""
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError("invalid double literal")
    return number


def _decimal(digits: str) -> int:
    """Digits as a number; more than 64 bits can hold need not be worked out."""
    return int(digits) if len(digits.lstrip("0")) <= 20 else 2**64


def _strip_quotes(text: str) -> tuple[str, bool]:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    raw = text[0] in "rR"
    if raw:
        text = text[1:]
    width = 3 if len(text) >= 6 and text[:3] in ("'''", '"""') else 1
    return text[width:-width], raw


def _escaped_character(match: re.Match[str]) -> str:
    code, octal, simple = match.groups()
    if simple is not None:
        return _SIMPLE[simple]
    point = int(octal, 8) if octal is not None else int(code[1:], 16)
    if point > 0x10FFFF or point in _SURROGATES:
        raise ValueError("invalid unicode code point")
    return chr(point)


def _escaped_byte(match: re.Match[str]) -> bytes:
    code, octal, simple = match.groups()
    if simple is not None:
        return _SIMPLE[simple].encode()
    if octal is not None:
        return bytes([int(octal, 8)])
    if code[0] in "uU":
        raise ValueError("unable to unescape string")
    return bytes([int(code[1:], 16)])


# By kind of token, what a token's text (with the sign before it, where there is one) stands for.
LITERALS: Final[dict[str, Callable[[str], object]]] = {
    NUM_INT: int_value,
    NUM_UINT: lambda text: UInt(uint_value(text)),
    NUM_FLOAT: double_value,
    STRING: string_value,
    BYTES: bytes_value,
    "true": lambda _: True,
    "false": lambda _: False,
    "null": lambda _: None,
}
