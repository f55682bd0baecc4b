"""Label selectors as ``kubectl -l`` reads them.

Grammar and rules: k8s.io/apimachinery pkg/labels/selector.go (``=``, ``==``, ``!=``, ``in``, ``notin``,
``KEY``, ``!KEY``, ``<``, ``>``, joined by commas; an empty selector chooses everything).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ..api.names import label_key_error, label_value_error
from ..api.values import Requirement
from ..dra.nodes import label_matches, parse_int64
from ..errors import UsageError

_TOKEN = re.compile(r"(==|!=|=|!|<|>|\(|\)|,)|([^\s=!<>(),]+)")
_END = ""


@dataclass(frozen=True, slots=True)
class LabelSelector:
    """Requirements that must all hold."""

    requirements: tuple[Requirement, ...] = ()

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Whether ``labels`` are chosen."""
        return all(label_matches(requirement, labels) for requirement in self.requirements)


EVERYTHING = LabelSelector()


def parse_selector(text: str) -> LabelSelector:
    """The selector ``text``; UsageError says what was found where something else was expected."""
    parser = _Parser(text)
    requirements: list[Requirement] = []
    while not parser.at_end():
        requirements.append(parser.requirement())
        if parser.at_end():
            break
        parser.expect(",")
        if parser.at_end():
            raise parser.refuse("a key after ','")
    return LabelSelector(tuple(requirements))


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = [punctuation or word for punctuation, word in _TOKEN.findall(text)]
        self._at = 0

    def at_end(self) -> bool:
        return self._peek() == _END

    def expect(self, token: str) -> None:
        if self._next() != token:
            self._at -= 1
            raise self.refuse(f"'{token}'")

    def refuse(self, expected: str) -> UsageError:
        found = self._peek() or "the end"
        return UsageError(f"invalid label selector {self._text!r}: found {found!r}, expected {expected}")

    def requirement(self) -> Requirement:
        if self._peek() == "!":
            self._next()
            return Requirement(self._key(), "DoesNotExist")
        key = self._key()
        token = self._peek()
        if token in {_END, ","}:
            return Requirement(key, "Exists")
        self._next()
        if token in {"=", "=="}:
            return Requirement(key, "In", (self._value(),))
        if token == "!=":
            return Requirement(key, "NotIn", (self._value(),))
        if token in {"<", ">"}:
            return Requirement(key, "Lt" if token == "<" else "Gt", (self._integer(),))
        if token in {"in", "notin"}:
            return Requirement(key, "In" if token == "in" else "NotIn", self._values())
        self._at -= 1
        raise self.refuse("one of '=', '==', '!=', 'in', 'notin', '<', '>'")

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else _END

    def _next(self) -> str:
        token = self._peek()
        self._at += 1
        return token

    def _is_word(self) -> bool:
        token = self._peek()
        return token != _END and token[0] not in "=!<>(),"

    def _key(self) -> str:
        if not self._is_word():
            raise self.refuse("a label key")
        key = self._peek()
        if label_key_error(key) is not None:
            raise self.refuse("a label key")
        self._at += 1
        return key

    def _value(self) -> str:
        """A value; none at all is the empty string (``KEY=``)."""
        if not self._is_word():
            if self._peek() in {_END, ",", ")"}:
                return ""
            raise self.refuse("a label value")
        value = self._peek()
        if label_value_error(value) is not None:
            raise self.refuse("a label value (at most 63 letters, digits, '-', '_' or '.')")
        self._at += 1
        return value

    def _integer(self) -> str:
        value = self._value()
        if parse_int64(value) is None:
            self._at -= 1
            raise self.refuse("an integer")
        return value

    def _values(self) -> tuple[str, ...]:
        self.expect("(")
        values = [self._value()]
        while self._peek() == ",":
            self._next()
            values.append(self._value())
        self.expect(")")
        return tuple(sorted(set(values)))
