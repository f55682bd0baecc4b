"""Strings that a reader may take for something else: for an end, a new line, a key, a command, nothing at all."""

from __future__ import annotations

import re

HOSTILE: dict[str, str] = {
    "colour": "\x1b[31mred\x1b[0m",
    "title": "\x1b]0;owned\x07",
    "link": "\x1b]8;;http://x\x1b\\here\x1b]8;;\x1b\\",
    "c1-csi": "\x9b31m\x85\x90",
    "clear-screen": "a\x1b[2J\x1b[H",
    "backspaces": "root\b\b\b\buser",
    "delete": "a\x7fb",
    "newline": "a\nb",
    "forged-line": "x\nerror: all nodes fit\nnode/evil",
    "carriage-return": "a\rYes: 9 of 9 nodes fit",
    "crlf": "a\r\nb",
    "tab": "a\tb\t",
    "vertical": "a\x0bb\x0cc",
    "line-separator": "a\u2028b\u2029c\x85d",
    "bidi": "\u202egnp.exe\u2066x\u2069\u200f\u061c",
    "zero-width": "a\u200bb\u200dc\ufeff\u2060",
    "surrogate": "a\ud800b",
    "invalid-utf-8": "caf\udce9\udcff",
    "astral": "\U0001f4a5\U000e0001\U0010ffff",
    "private": "\ue000\uffff\ufffd",
    "nul": "a\0b",
    "yaml-map": "a: b",
    "yaml-list": "- a",
    "yaml-comment": "a # b",
    "yaml-comment-first": "#",
    "yaml-tag": "!!python/object/apply:os.system [id]",
    "yaml-anchor": "&a",
    "yaml-alias": "*a",
    "yaml-merge": "<<",
    "yaml-documents": "---",
    "yaml-end": "...",
    "yaml-literal": "|",
    "yaml-directive": "%YAML 1.2",
    "yaml-flow": "{a: [b, c]}",
    "yaml-key": "? a",
    "block": "x\nspec:\n  evil: true\n---\nkind: Secret\n",
    "jinja": "{{ 7*7 }}{% raw %}",
    "jinja-comment": "{# #}{%- set x = 1 -%}",
    "cel-or": "' || true || '",
    "cel-string": '") || device.driver != ("',
    "cel-comment": "// x",
    "backslashes": "\\\\n\\x1b\\u0000\\",
    "quotes": "'\"`\u2018\u201c\u00ab",
    "shell": "$(id) `id` ; rm -rf ~ | cat & ${HOME} > /tmp/x",
    "flag": "--as=system:masters",
    "path": "../../etc/passwd",
    "percent": "%s%n%(x)s{0}{x!r}",
    "spreadsheet": "=cmd|' /C calc'!A0",
    "json": '"}],"x":[{"',
    "html": "<script>alert(1)</script>",
    "long": "x" * 70_000,
    "wide": "\u4e00" * 3_000,
    "empty": "",
    "blank": "   ",
    "null": "null",
    "tilde": "~",
    "yes": "yes",
    "no": "n",
    "true": "True",
    "exponent": "1e3",
    "hexadecimal": "0x10",
    "octal": "0o17",
    "base-60": "12:30:45",
    "date": "2001-01-01",
    "infinity": ".inf",
    "number": "007",
    "none": "<none>",
}

# What a terminal obeys, and what hides or reorders text: nothing of it may reach one.
_OBEYED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")


def obeyed(text: str) -> list[str]:
    """The characters of ``text`` that a terminal must not get; newlines are the caller's to count."""
    return _OBEYED.findall(text)
