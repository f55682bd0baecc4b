"""Strings: charAt, indexOf, join, replace, split, substring, trim and the like.

Owns version 2 of cel-go's string extensions, which Kubernetes enables (cel-go: ext/strings.go); format has a
file of its own. Positions count code points; a byte that is no UTF-8 is one, too. There is no reverse: that came
with version 3.
"""

from __future__ import annotations

import re
from typing import Final

from ..errors import CelRuntimeError
from ..functions import Function, Implementation, Overload
from ..spelling import spell
from ..text import characters, decoded, encoded, is_broken, joined
from ..types import INT, STRING, ListType, Type

# Go: unicode.IsSpace. Python would strip the separators 0x1C to 0x1F, too.
_SPACES: Final = "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a" + (
    "\u2028\u2029\u202f\u205f\u3000"
)
_UPPER: Final = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
_LOWER: Final = {code: code - 32 for code in range(ord("a"), ord("z") + 1)}
_QUOTED: Final = {
    "\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v", "\\": "\\\\", '"': '\\"',
}  # fmt: skip
_TO_QUOTE: Final = re.compile(r'[\a\b\f\n\r\t\v\\"]')


def _out_of_range(index: int) -> CelRuntimeError:
    return CelRuntimeError(f"index out of range: {index}")


def char_at(text: str, index: int) -> str:
    """The character at an index; nothing right after the last one."""
    if not 0 <= index <= len(text):
        raise _out_of_range(index)
    return characters(text[index : index + 1])


def index_of(text: str, part: str, start: int = 0) -> int:
    """Where ``part`` first begins, from ``start`` on; -1 when nowhere."""
    if start < 0:
        raise _out_of_range(start)
    return characters(text).find(characters(part), start) if part else min(start, len(text))


def last_index_of(text: str, part: str) -> int:
    """Where ``part`` last begins; -1 when nowhere."""
    return characters(text).rfind(characters(part))


def last_index_of_before(text: str, part: str, last: int) -> int:
    """Where ``part`` last begins, at ``last`` or before; -1 when nowhere, and beyond the text."""
    if last < 0:
        raise _out_of_range(last)
    if not part:
        return min(last, len(text))
    return -1 if last >= len(text) else characters(text).rfind(characters(part), 0, last + len(part))


def split(text: str, separator: str, limit: int = -1) -> list[str]:
    """The parts between separators, at most ``limit`` of them when it is not negative; characters for ``''``."""
    if limit == 0:
        return []
    most = limit - 1 if limit > 0 else -1
    if is_broken(separator):
        return list(map(decoded, encoded(text).split(encoded(separator), most)))
    if separator:
        return text.split(separator, most)
    characters = list(text)
    if 0 < limit < len(characters):
        return [*characters[: limit - 1], text[limit - 1 :]]
    return characters


def replace(text: str, old: str, new: str, limit: int = -1) -> str:
    """``old`` replaced, ``limit`` times at most when it is not negative; ``''`` is found around every character."""
    most = limit if 0 <= limit <= len(text) else -1
    if is_broken(old):
        return decoded(encoded(text).replace(encoded(old), encoded(new), most))
    return joined(text.replace(old, new, most))


def substring(text: str, start: int) -> str:
    """The characters from ``start`` on."""
    if not 0 <= start <= len(text):
        raise _out_of_range(start)
    return characters(text[start:])


def substring_between(text: str, start: int, end: int) -> str:
    """The characters from ``start`` on, before ``end``."""
    if start > end:
        raise CelRuntimeError(f"invalid substring range. start: {start}, end: {end}")
    for index in (start, end):
        if not 0 <= index <= len(text):
            raise _out_of_range(index)
    return characters(text[start:end])


def join(parts: list[object], separator: str = "") -> str:
    """Strings one after the other."""
    for part in parts:
        if not isinstance(part, str):
            raise CelRuntimeError(f"join: invalid input: {spell(part)}")
    return joined(separator.join(map(str, parts)))


def quote(text: str) -> str:
    """The text in double quotes, control characters escaped."""
    return '"' + _TO_QUOTE.sub(lambda match: _QUOTED[match[0]], characters(text)) + '"'


def _method(id_: str, run: Implementation, result: Type, *args: Type) -> Overload:
    return Overload(id_, args, result, member=True, run=run)


_STRINGS: Final = ListType(STRING)

FUNCTIONS: Final = (
    Function("charAt", (_method("string_char_at_int", char_at, STRING, STRING, INT),)),
    Function(
        "indexOf",
        (
            _method("string_index_of_string", index_of, INT, STRING, STRING),
            _method("string_index_of_string_int", index_of, INT, STRING, STRING, INT),
        ),
    ),
    Function(
        "lastIndexOf",
        (
            _method("string_last_index_of_string", last_index_of, INT, STRING, STRING),
            _method("string_last_index_of_string_int", last_index_of_before, INT, STRING, STRING, INT),
        ),
    ),
    Function(
        "lowerAscii", (_method("string_lower_ascii", lambda text: characters(text).translate(_UPPER), STRING, STRING),)
    ),
    Function(
        "upperAscii", (_method("string_upper_ascii", lambda text: characters(text).translate(_LOWER), STRING, STRING),)
    ),
    Function(
        "replace",
        (
            _method("string_replace_string_string", replace, STRING, STRING, STRING, STRING),
            _method("string_replace_string_string_int", replace, STRING, STRING, STRING, STRING, INT),
        ),
    ),
    Function(
        "split",
        (
            _method("string_split_string", split, _STRINGS, STRING, STRING),
            _method("string_split_string_int", split, _STRINGS, STRING, STRING, INT),
        ),
    ),
    Function(
        "substring",
        (
            _method("string_substring_int", substring, STRING, STRING, INT),
            _method("string_substring_int_int", substring_between, STRING, STRING, INT, INT),
        ),
    ),
    Function("trim", (_method("string_trim", lambda text: text.strip(_SPACES), STRING, STRING),)),
    Function(
        "join",
        (
            _method("list_join", join, STRING, _STRINGS),
            _method("list_join_string", join, STRING, _STRINGS, STRING),
        ),
    ),
    Function("strings.quote", (Overload("strings_quote", (STRING,), STRING, run=quote),)),
)
