"""Contents of files that are no answer to anything, or that would take the machine if they were believed."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

from safety.inputs import CLAIM


def _bomb(levels: int = 9, width: int = 10) -> str:
    lists = [f"l{level}: &l{level} [{', '.join([f'*l{level - 1}'] * width)}]" for level in range(1, levels)]
    return "\n".join(["l0: &l0 [lol]", *lists, ""])


def _merge_bomb(levels: int = 9, width: int = 10) -> str:
    maps = [f"m{level}: &m{level}\n  <<: [{', '.join([f'*m{level - 1}'] * width)}]" for level in range(1, levels)]
    return "\n".join(["m0: &m0 {a: b}", *maps, ""])


def _wide_merge() -> str:
    keys = ", ".join(f"k{number}: 1" for number in range(3000))
    return f"a: &a {{{keys}}}\nb:\n  <<: [{', '.join(['*a'] * 3000)}]\n"


def _claim(field: str) -> str:
    """A claim as YAML whose device class is ``field``, written as it stands."""
    return "# YAML\n" + json.dumps(CLAIM).replace('"any"', field)


def _noise() -> bytes:
    return random.Random(1).randbytes(100_000)


# No reader takes any of these; those of YAML are for readers of YAML.
CONTENTS: dict[str, Callable[[], str | bytes]] = {
    "empty": lambda: "",
    "blank": lambda: " \n\t\n" * 1000,
    "nothing but a mark": lambda: b"\xef\xbb\xbf",
    "comments": lambda: "# nothing\n# at all\n",
    "NUL": lambda: "\0",
    "a NUL at the end": lambda: json.dumps(CLAIM) + "\n\0",
    "zeros": lambda: b"\0" * 3_000_000,
    "invalid UTF-8": lambda: b'{"name": "\xff\xfe"}',
    "UTF-8 broken off": lambda: b'{"name": "\xe4\xb8',
    "UTF-16 broken off": lambda: b"\xff\xfe{",
    "UTF-16 with half a pair": lambda: b"\xff\xfe" + '{"a": "\ud800"}'.encode("utf-16-le", "surrogatepass"),
    "UTF-32": lambda: "{}".encode("utf-32"),
    "noise": _noise,
    "ELF": lambda: b"\x7fELF\x02\x01\x01" + b"\0" * 9,
    "gzip": lambda: b"\x1f\x8b\x08\0\0\0\0\0",
    "a terminal's commands": lambda: "\x1b[2J\x1b]0;owned\x07",
    "a word": lambda: "hello",
    "a number": lambda: "5",
    "a number of 5,000 digits": lambda: "9" * 5000,
    "a string of 10 MB": lambda: '"' + "x" * 10_000_000 + '"',
    "a line of 10 MB": lambda: "x" * 10_000_000,
    "ten million line breaks": lambda: "\n" * 10_000_000 + "x",
    "a null": lambda: "null",
    "JSON broken off": lambda: json.dumps(CLAIM)[:-9],
    "JSON and more": lambda: json.dumps(CLAIM) + "}",
    "NaN": lambda: '{"a": NaN}',
    "infinity": lambda: '{"a": -Infinity}',
    "beyond a float": lambda: '{"a": 1e400}',
    "an integer of 5,000 digits": lambda: '{"a": ' + "9" * 5000 + "}",
    "a key twice": lambda: '{"apiVersion": "v1", "kind": "List", "kind": "List", "items": []}',
    "a key twice among 300,000": lambda: (
        "{" + ", ".join(f'"k{number}": 1' for number in range(300_000)) + ', "k299999": 2}'
    ),
    "lists in lists": lambda: "[" * 100_000 + "]" * 100_000,
    "lists without end": lambda: "[" * 1_000_000,
    "maps in maps": lambda: '{"a":' * 100_000 + "1" + "}" * 100_000,
    "Lists in Lists": lambda: '{"apiVersion":"v1","kind":"List","items":[' * 100_000 + "]}" * 100_000,
    "a template": lambda: "{{ 7 * 7 }}{% for x in y %}",
    "a script": lambda: "#!/bin/sh\ntouch pwned\n",
    "markup": lambda: "<html><body>Sign in</body></html>\n",
}
YAML_CONTENTS: dict[str, Callable[[], str | bytes]] = {
    "a control character": lambda: "a: b\nc: \x01\n",
    "a tab": lambda: "a:\n\tb: c\n",
    "a bomb of aliases": _bomb,
    "a bomb of merge keys": _merge_bomb,
    "a wide merge": _wide_merge,
    "an alias in itself": lambda: "a: &a [*a]\n",
    "a map in itself": lambda: "&a a: *a\n",
    "a map merged into itself": lambda: "a: &a\n  <<: *a\n  b: &b {<<: [*a, *b]}\n",
    "an unknown alias": lambda: "a: *nothing\n",
    "a merge of a word": lambda: "a:\n  <<: word\n",
    "a key twice in YAML": lambda: "apiVersion: v1\nkind: List\nkind: List\nitems: []\n",
    "a key twice by its number": lambda: '1: a\n"1": b\n',
    "a list for a key": lambda: "? [a]\n: b\n",
    "a program": lambda: "!!python/object/apply:os.system [touch pwned]\n",
    "a program's name": lambda: "a: !!python/name:os.system\n",
    "a module": lambda: "!!python/module:os\n",
    "an unknown tag": lambda: "a: !secret word\n",
    "bytes": lambda: "a: !!binary aGVsbG8=\n",
    "a set": lambda: "a: !!set {b, c}\n",
    "ordered pairs": lambda: "a: !!omap [b: c]\n",
    "a list tagged as an integer": lambda: "a: !!int [1]\n",
    "a word tagged as an integer": lambda: "a: !!int word\n",
    "a word tagged as a boolean": lambda: "a: !!bool maybe\n",
    "a word tagged as a float": lambda: "a: !!float word\n",
    "a word tagged as a map": lambda: "a: !!map word\n",
    "a word tagged as a list": lambda: "a: !!seq word\n",
    "blocks in blocks": lambda: "- " * 100_000,
    "flows in flows": lambda: "a: " + "[" * 100_000 + "]" * 100_000,
    "braces in braces": lambda: "# YAML\n" + "{a: " * 100_000,
    "900 blocks": lambda: "\n".join(" " * depth + "a:" for depth in range(900)),
    "33 MiB": lambda: "# comment\n" * (33 << 20 >> 3),
    "a directive": lambda: "%YAML 9.9\n---\na: b\n",
}
CLAIM_CONTENTS: dict[str, Callable[[], str]] = {
    "an integer": lambda: _claim("7"),
    "beyond 64 bits": lambda: _claim("99999999999999999999"),
    "hexadecimal of 5,000 digits": lambda: _claim("0x" + "f" * 5000),
    "5,000 digits": lambda: _claim("9" * 5000),
    "a boolean": lambda: _claim("yes"),
    "a null": lambda: _claim("~"),
    "600 lists": lambda: _claim("[" * 600 + "]" * 600),
    "900 maps": lambda: _claim("{a: " * 900 + "1" + "}" * 900),
}
