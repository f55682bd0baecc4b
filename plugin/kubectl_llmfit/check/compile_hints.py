"""The mistakes that people make most in selectors that do not compile, and what to write instead.

Goes by Kubernetes' own words for them; owns no rule of the language.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import get_close_matches

from ..cel import CelCompileError

_FIELDS = ("attributes", "capacity", "driver", "allowMultipleAllocations")
_OVERLOAD = "found no matching overload for "
_KINDS = {"kubernetes.Quantity": ("quantity", "quantity('1Gi')"), "kubernetes.Semver": ("version", "semver('1.0.0')")}
_SEVERAL = {"quantity": "quantities", "version": "versions"}
_WORDS = {"and": "&&", "or": "||", "not": "!"}

_Hint = Callable[[re.Match[str], str], str | None]


def compile_hint(error: CelCompileError, text: str) -> str | None:
    """What to write instead, in one line; None for a mistake that is none of the usual ones.

    ``text`` is the selector, ``error`` what compiling it as a new one gave.
    """
    for pattern, hint in _HINTS:
        match = pattern.search(error.message)
        if match is not None:
            return hint(match, text)
    return None


def _ordered(match: re.Match[str], _: str) -> str | None:
    kind = _kind(match["operands"])
    if kind is None:
        return _domain(match["operands"])
    name, example = kind
    return f"{_SEVERAL[name]} have no {match['sign']}: write x.compareTo({example}) {match['sign']} 0"


def _equal(match: re.Match[str], _: str) -> str | None:
    kind = _kind(match["operands"])
    if kind is None:
        return _domain(match["operands"])
    name, example = kind
    return f"a {name} equals only another {name}: write {example}"


def _method(match: re.Match[str], _: str) -> str | None:
    kind = _kind(match["operands"])
    if kind is None:
        return None
    name, example = kind
    if match["function"] == "sign":
        return "sign is a function, not a method: write sign(x)"
    return f"a {name} is compared with a {name}: write {match['function']}({example})"


def _kind(operands: str) -> tuple[str, str] | None:
    """The word for, and an example of, the first operand that is a quantity or a version."""
    return next((_KINDS[type_] for type_ in re.findall(r"kubernetes\.\w+", operands) if type_ in _KINDS), None)


def _domain(operands: str) -> str | None:
    if "map(string, " not in operands:
        return None
    return "the domain is missing: names are read as device.attributes['DOMAIN'].NAME, device.capacity['DOMAIN'].NAME"


def _field(match: re.Match[str], _: str) -> str:
    near = get_close_matches(match["field"], _FIELDS, 1)
    return f"the nearest field is {near[0]}" if near else f"device has the fields {', '.join(_FIELDS)}"


def _reference(match: re.Match[str], text: str) -> str | None:
    name = match["name"]
    if re.search(rf"\b{re.escape(name)}\s*\(", text):
        return None
    if get_close_matches(name, ["device"]):
        return "the variable is device"
    return f"an attribute is read as device.attributes['DOMAIN'].{name}, a capacity as device.capacity['DOMAIN'].{name}"


def _result(match: re.Match[str], text: str) -> str | None:
    if match["type"] == "int" and "compareTo" in text:
        return "compareTo gives -1, 0 or 1: compare it with 0"
    return _domain(match["type"])


def _word(match: re.Match[str], _: str) -> str:
    return f"write {_WORDS[match['word']]} instead of {match['word']}"


_HINTS: tuple[tuple[re.Pattern[str], _Hint], ...] = (
    (re.compile(rf"{_OVERLOAD}'_(?P<sign>[<>]=?)_' applied to '(?P<operands>.*)'"), _ordered),
    (re.compile(rf"{_OVERLOAD}'_[=!]=_' applied to '(?P<operands>.*)'"), _equal),
    (
        re.compile(
            rf"{_OVERLOAD}'(?P<function>sign|compareTo|isLessThan|isGreaterThan)' applied to '(?P<operands>[^(]*\..*)'"
        ),
        _method,
    ),
    (re.compile(r"undefined field '(?P<field>[^']*)'"), _field),
    (re.compile(r"undeclared reference to '(?P<name>\w+)'"), _reference),
    (re.compile(r"must evaluate to bool or the unknown type, not (?P<type>.*)"), _result),
    (re.compile(r"token recognition error at: '= *'?"), lambda *_: "equality is written =="),
    (re.compile(r"input '(?P<word>and|or|not)'"), _word),
)
