"""Tokens to syntax tree.

Owns the loose half of the grammar (cel-go: parser/gen/CEL.g4, parser.go): operators, their precedence, and
the recursion limits. Must not know types or functions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from . import operators
from .ast import Node, balanced
from .cursor import StopError
from .lexer import END, NUM_FLOAT, NUM_INT
from .operands import Operands
from .source import Source

# parser.go: maxRecursionDepth, for every grammar rule and again for the nodes above one another.
RECURSION_LIMIT: Final = 250

_RELATIONS: Final = frozenset({"<", "<=", ">", ">=", "==", "!=", "in"})
_FACTORS: Final = frozenset({"*", "/", "%"})
_TERMS: Final = frozenset({"+", "-"})


def parse(source: Source) -> Node | None:
    """The tree of an expression; None when ``source`` was given complaints instead."""
    try:
        root = _Parser(source).start()
    except StopError:
        return None
    if root.depth > RECURSION_LIMIT:
        source.complain(None, "max recursion depth exceeded")
    return None if source.complaints else root


class _Parser(Operands):
    """One reading of one text."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self._nesting = {"expr": 0, "relation": 0, "calc": 0}

    def _enter(self, rule: str) -> None:
        self._nesting[rule] += 1
        if self._nesting[rule] > RECURSION_LIMIT:
            self.source.complain(None, f"expression recursion limit exceeded: {RECURSION_LIMIT}")
            raise StopError

    def _leave(self, rule: str) -> None:
        self._nesting[rule] -= 1

    # Rules, from the loosest binding to the tightest

    def start(self) -> Node:
        """The whole text: one expression and nothing after it."""
        root = self.expression()
        self.expect(END)
        return root

    def expression(self) -> Node:
        """The rule expr: a conditional or what binds tighter; StopError where the text is none."""
        self._enter("expr")
        start = self.token.start
        node = self._or()
        if question := self.accept("?"):
            then = self._or()
            self.expect(":")
            otherwise = self.expression()
            node = self.call(question.start, start, operators.CONDITIONAL, [node, then, otherwise], 1)
        self._leave("expr")
        return node

    def _or(self) -> Node:
        return self._logical("||", operators.LOGICAL_OR, self._and)

    def _and(self) -> Node:
        return self._logical("&&", operators.LOGICAL_AND, self._relation)

    def _logical(self, sign: str, function: str, operand: Callable[[], Node]) -> Node:
        terms = [operand()]
        places: list[int] = []
        while token := self.accept(sign):
            places.append(token.start)
            terms.append(operand())
        return balanced(function, terms, places, 0, len(places) - 1) if places else terms[0]

    def _relation(self, chained: bool = True) -> Node:
        self._enter("relation")
        start = self.token.start
        node = self._calc(_TERMS | _FACTORS)
        while chained and self.token.kind in _RELATIONS:
            sign = self.next()
            right = self._relation(chained=False)
            node = self.call(sign.start, start, operators.BINARY[sign.kind], [node, right], 1)
        self._leave("relation")
        return node

    def _calc(self, signs: frozenset[str]) -> Node:
        self._enter("calc")
        start = self.token.start
        node = self._unary()
        while self.token.kind in signs:
            sign = self.next()
            right = self._calc(_FACTORS if sign.kind in _TERMS else frozenset())
            node = self.call(sign.start, start, operators.BINARY[sign.kind], [node, right], 1)
        self._leave("calc")
        return node

    def _unary(self) -> Node:
        sign = self.token
        if sign.kind == "!":
            function = operators.LOGICAL_NOT
        elif sign.kind == "-" and not (self.at(NUM_INT, 1) or self.at(NUM_FLOAT, 1)):
            function = operators.NEGATE
        else:
            return self.member()
        count = 0
        while self.accept(sign.kind):
            count += 1
        node = self.member()
        if count % 2 == 0:
            return node
        return self.call(sign.start, sign.start, function, [node], 0)
