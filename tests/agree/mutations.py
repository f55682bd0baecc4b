"""Texts that are nearly selectors, and texts that are nothing.

Owns the damage that can be done to a text.
"""

from __future__ import annotations

import random

from agree.pieces import tokens

_SCRAPS = (
    *("(", ")", "[", "]", "{", "}", ".", ",", "?", ":", "!", "-", "&&", "||", "==", ">=", "<", "in", "+", "*", "%"),
    *(" ", "\n", "\t", "//", "'", '"', "'''", "r'", "b'", "\\", "0x", "1u", "1.", ".5", "1e", "`", "`a-b`", "$", "#"),
    *("true", "null", "has", "all", "cel", "bind", "device", "attributes", "x", "for", "import", ".?", "[?", "{?"),
    *(
        "9223372036854775808",
        "1e999",
        "\u00e9",
        "\U0001f600",
        "\x00",
        "\u2028",
        "'\\u12'",
        "'\\xZZ'",
        "|",
        "&",
        "=",
        "'\\400'",
    ),
)


def damaged(text: str, draw: random.Random) -> str:
    """The text with one to three tokens lost, doubled, swapped, replaced or put in."""
    parts = tokens(text)
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        if not parts:
            break
        place = draw.randrange(len(parts))
        match draw.randrange(6):
            case 0:
                del parts[place]
            case 1:
                parts.insert(place, parts[place])
            case 2:
                other = draw.randrange(len(parts))
                parts[place], parts[other] = parts[other], parts[place]
            case 3:
                parts[place] = draw.choice(_SCRAPS)
            case 4:
                parts.insert(place, draw.choice(_SCRAPS))
            case _:
                token = parts[place]
                cut = draw.randrange(len(token) + 1)
                parts[place] = token[:cut] + draw.choice(("", chr(draw.randrange(32, 127)))) + token[cut + 1 :]
    return "".join(parts)


_CHARACTERS = "0123456789abcdefxzABCGKMZ.:/-+_*()[]{}?|^$%,@ #é"


def nearly(literal: str, draw: random.Random) -> str:
    """A string literal, now and then with a character lost, doubled, replaced or put in."""
    if draw.random() < 0.8 or not literal.startswith("'") or "\\" in literal:
        return literal
    content = literal[1:-1]
    place = draw.randint(0, len(content))
    kept = content[place + draw.choice((0, 1)) :]
    return f"'{content[:place]}{draw.choice(('', draw.choice(_CHARACTERS), content[place : place + 1]))}{kept}'"


def noise(draw: random.Random) -> str:
    """Scraps, or characters, in any order."""
    length = draw.randint(0, 40)
    if draw.random() < 0.6:
        return "".join(draw.choice(_SCRAPS) for _ in range(length))
    return "".join(
        chr(draw.choice((draw.randrange(128), draw.randrange(0x300), draw.randrange(0x11000)))) for _ in range(length)
    )


def repeated(draw: random.Random) -> str:
    """The same scraps over and over, up to and above the longest text that is allowed."""
    scraps = "".join(draw.choice(_SCRAPS) for _ in range(draw.randint(1, 3)))
    return scraps * draw.choice((100, 1000, 10_240 // len(scraps), 20_000 // len(scraps)))
