"""Text to tokens.

Owns the lexical grammar (cel-go: parser/gen/CEL.g4, lexer rules). Must not know what tokens mean together.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from .source import Source

# Kinds of token beside the operators and keywords, whose kind is their own text.
IDENTIFIER: Final = "IDENTIFIER"
ESCAPED_IDENTIFIER: Final = "ESC_IDENTIFIER"
NUM_FLOAT: Final = "NUM_FLOAT"
NUM_INT: Final = "NUM_INT"
NUM_UINT: Final = "NUM_UINT"
STRING: Final = "STRING"
BYTES: Final = "BYTES"
END: Final = "<EOF>"

_ESCAPE = r"""\\(?:[abfnrtv"'\\?`]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})"""
_STRING = "|".join(
    (
        rf'"""(?:{_ESCAPE}|[^\\])*?"""',
        rf"'''(?:{_ESCAPE}|[^\\])*?'''",
        r'[rR]""".*?"""',
        r"[rR]'''.*?'''",
        rf'"(?:{_ESCAPE}|[^\\"\n\r])*"',
        rf"'(?:{_ESCAPE}|[^\\'\n\r])*'",
        r'[rR]"[^"\n\r]*"',
        r"[rR]'[^'\n\r]*'",
    )
)
_TOKEN: Final = re.compile(
    "|".join(
        (
            r"(?P<SPACE>[\t \r\n\f]+|//[^\n]*)",
            rf"(?P<BYTES>[bB](?:{_STRING}))",
            rf"(?P<STRING>{_STRING})",
            r"(?P<NUM_FLOAT>[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?)",
            r"(?P<NUM_UINT>0x[0-9a-fA-F]+[uU]|[0-9]+[uU])",
            r"(?P<NUM_INT>0x[0-9a-fA-F]+|[0-9]+)",
            r"(?P<IDENTIFIER>[A-Za-z_][A-Za-z0-9_]*)",
            r"(?P<ESC_IDENTIFIER>`[A-Za-z0-9_.\-/ ]+`)",
            r"(?P<OPERATOR>==|!=|<=|>=|&&|\|\||[<>\[\]{}().,\-!?:+*/%])",
        )
    ),
    re.DOTALL,
)
_KEYWORDS: Final = frozenset({"in", "true", "false", "null"})
_QUOTE: Final = re.compile(r"""[bB]?[rR]?(?P<quote>['"])[^\n\r]*|[&|=].?""")


@dataclass(frozen=True, slots=True)
class Token:
    """``kind``, the text it was written as, and where: ``start`` and ``end`` in code points."""

    kind: str
    text: str
    start: int
    end: int


def tokenize(source: Source) -> list[Token]:
    """All tokens, the last one of kind END. What is no token is complained about and skipped."""
    tokens: list[Token] = []
    text, position = source.text, 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            position = _skip(source, position)
            continue
        kind, word = match.lastgroup or "", match.group()
        if kind == "OPERATOR" or word in _KEYWORDS:
            kind = word
        if kind != "SPACE":
            tokens.append(Token(kind, word, position, match.end()))
        position = match.end()
    tokens.append(Token(END, END, position, position))
    return tokens


def _skip(source: Source, position: int) -> int:
    """Complain about what starts at ``position`` and return where to go on."""
    match = _QUOTE.match(source.text, position)
    end = match.end() if match else position + 1
    shown = source.text[position:end].replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")
    source.complain(position, f"Syntax error: token recognition error at: '{shown}'")
    return end
