"""Tokens to syntax tree.

Owns the grammar (cel-go: parser/gen/CEL.g4, parser.go): precedence, the recursion limits, where each node
is reported at. Macros are expanded on the way by ``macros``. Must not know types or functions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from . import operators
from .ast import Call, Entry, FieldEntry, Ident, ListLiteral, Literal, MapLiteral, MessageLiteral, Node, Select
from .lexer import (
    BYTES,
    END,
    ESCAPED_IDENTIFIER,
    IDENTIFIER,
    NUM_FLOAT,
    NUM_INT,
    NUM_UINT,
    STRING,
    Token,
    tokenize,
)
from .macros import MacroError, expand
from .source import Source
from .unescape import bytes_value, double_value, int_value, string_value, uint_value
from .values import UInt

# parser.go: maxRecursionDepth, for every grammar rule and again for the nodes above one another.
RECURSION_LIMIT: Final = 250

RESERVED: Final = frozenset(
    {
        "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop",
        "package", "namespace", "return", "var", "void", "while",
    }
)  # fmt: skip
_EXPRESSION_START: Final = (
    "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"
)
_RELATIONS: Final = frozenset({"<", "<=", ">", ">=", "==", "!=", "in"})
_FACTORS: Final = frozenset({"*", "/", "%"})
_TERMS: Final = frozenset({"+", "-"})
_LITERALS: Final[dict[str, Callable[[str], object]]] = {
    NUM_INT: int_value,
    NUM_UINT: lambda text: UInt(uint_value(text)),
    NUM_FLOAT: double_value,
    STRING: string_value,
    BYTES: bytes_value,
    "true": lambda _: True,
    "false": lambda _: False,
    "null": lambda _: None,
}


class _StopError(Exception):
    """The text is not worth reading further; the source has the complaint."""


def parse(source: Source) -> Node | None:
    """The tree of an expression; None when ``source`` was given complaints instead."""
    tokens = tokenize(source)
    try:
        root = _Parser(source, tokens).start()
    except _StopError:
        return None
    if root.depth > RECURSION_LIMIT:
        source.complain(None, "max recursion depth exceeded")
    return None if source.complaints else root


class _Parser:
    """One reading of one token list; ``depth`` of a node counts what cel-go's visitor counts."""

    def __init__(self, source: Source, tokens: list[Token]) -> None:
        self._source = source
        self._tokens = tokens
        self._position = 0
        self._nesting = {"expr": 0, "relation": 0, "calc": 0}

    # Tokens

    @property
    def _token(self) -> Token:
        return self._tokens[self._position]

    def _at(self, kind: str, ahead: int = 0) -> bool:
        index = self._position + ahead
        return index < len(self._tokens) and self._tokens[index].kind == kind

    def _next(self) -> Token:
        token = self._token
        self._position += 1
        return token

    def _accept(self, kind: str) -> Token | None:
        return self._next() if self._at(kind) else None

    def _expect(self, kind: str, expecting: str | None = None) -> Token:
        if self._at(kind):
            return self._next()
        wanted = expecting or (f"'{kind}'" if kind not in (IDENTIFIER, END) else kind)
        verb = "extraneous" if self._at(kind, 1) else "mismatched"
        raise self._fail(f"{verb} input '{self._token.text}' expecting {wanted}")

    def _fail(self, message: str, offset: int | None = None) -> _StopError:
        self._source.complain(self._token.start if offset is None else offset, f"Syntax error: {message}")
        return _StopError()

    def _enter(self, rule: str) -> None:
        self._nesting[rule] += 1
        if self._nesting[rule] > RECURSION_LIMIT:
            self._source.complain(None, f"expression recursion limit exceeded: {RECURSION_LIMIT}")
            raise _StopError

    def _leave(self, rule: str) -> None:
        self._nesting[rule] -= 1

    def _finish(self, node: Node, start: int, depth: int) -> Node:
        """Give a node its span, up to the last token read, and its depth."""
        node.start = start
        node.end = self._tokens[self._position - 1].end
        node.depth = depth
        return node

    # Rules, from the loosest binding to the tightest

    def start(self) -> Node:
        """The whole text: one expression and nothing after it."""
        root = self._expression()
        self._expect(END)
        return root

    def _expression(self) -> Node:
        self._enter("expr")
        start = self._token.start
        node = self._or()
        if question := self._accept("?"):
            then = self._or()
            self._expect(":")
            otherwise = self._expression()
            node = self._call(question.start, start, operators.CONDITIONAL, [node, then, otherwise], 1)
        self._leave("expr")
        return node

    def _or(self) -> Node:
        return self._logical("||", operators.LOGICAL_OR, self._and)

    def _and(self) -> Node:
        return self._logical("&&", operators.LOGICAL_AND, self._relation)

    def _logical(self, sign: str, function: str, operand: Callable[[], Node]) -> Node:
        terms = [operand()]
        places: list[int] = []
        while token := self._accept(sign):
            places.append(token.start)
            terms.append(operand())
        return _balanced(function, terms, places, 0, len(places) - 1) if places else terms[0]

    def _relation(self, chained: bool = True) -> Node:
        self._enter("relation")
        start = self._token.start
        node = self._calc(_TERMS | _FACTORS)
        while chained and self._token.kind in _RELATIONS:
            sign = self._next()
            right = self._relation(chained=False)
            node = self._call(sign.start, start, operators.BINARY[sign.kind], [node, right], 1)
        self._leave("relation")
        return node

    def _calc(self, signs: frozenset[str]) -> Node:
        self._enter("calc")
        start = self._token.start
        node = self._unary()
        while self._token.kind in signs:
            sign = self._next()
            right = self._calc(_FACTORS if sign.kind in _TERMS else frozenset())
            node = self._call(sign.start, start, operators.BINARY[sign.kind], [node, right], 1)
            # After a sum, a product would bind to its right operand, which has taken it.
        self._leave("calc")
        return node

    def _unary(self) -> Node:
        sign = self._token
        if sign.kind == "!":
            function = operators.LOGICAL_NOT
        elif sign.kind == "-" and not (self._at(NUM_INT, 1) or self._at(NUM_FLOAT, 1)):
            function = operators.NEGATE
        else:
            return self._member()
        count = 0
        while self._accept(sign.kind):
            count += 1
        node = self._member()
        if count % 2 == 0:
            return node
        return self._call(sign.start, sign.start, function, [node], 0)

    def _member(self) -> Node:
        start = self._token.start
        node = self._primary()
        while True:
            if self._at("."):
                node = self._selection(node, start)
            elif self._at("["):
                node = self._index(node, start)
            else:
                return node

    def _selection(self, operand: Node, start: int) -> Node:
        dot = self._next()
        if self._accept("?"):
            name = self._field_name()
            field = Literal(name.text, offset=name.start, start=name.start, end=name.end)
            field.value = _plain_name(name)
            return self._call(dot.start, start, operators.OPTIONAL_SELECT, [operand, field], 1)
        name = self._field_name()
        if name.kind == IDENTIFIER and self._at("("):
            return self._arguments(start, name.text, operand)
        node = Select(operand, _plain_name(name), offset=dot.start)
        return self._finish(node, start, operand.depth + 1)

    def _field_name(self) -> Token:
        if self._at(IDENTIFIER) or self._at(ESCAPED_IDENTIFIER):
            return self._next()
        if self._token.kind in ("true", "false", "null"):
            raise self._fail(f"mismatched input '{self._token.text}' expecting IDENTIFIER")
        raise self._fail(f"no viable alternative at input '.{self._token.text}'")

    def _index(self, operand: Node, start: int) -> Node:
        bracket = self._next()
        optional = self._accept("?") is not None
        key = self._expression()
        self._expect("]")
        function = operators.OPTIONAL_INDEX if optional else operators.INDEX
        return self._call(bracket.start, start, function, [operand, key], 1)

    def _primary(self) -> Node:
        token = self._token
        match token.kind:
            case "(":
                self._next()
                node = self._expression()
                self._expect(")")
                return node
            case "[":
                return self._list()
            case "{":
                return self._map()
            case "-":
                return self._literal(self._next().text)
            case "." | "IDENTIFIER":
                return self._name()
            case kind if kind in _LITERALS:
                return self._literal("")
        expecting = _EXPRESSION_START
        raise self._fail(f"mismatched input '{token.text}' expecting {expecting}")

    def _literal(self, sign: str) -> Node:
        token = self._next()
        start = token.start if not sign else self._tokens[self._position - 2].start
        try:
            value = _LITERALS[token.kind](sign + token.text)
        except ValueError as error:
            self._source.complain(start, str(error))
            value = None
        return self._finish(Literal(value, offset=start), start, 0)

    def _name(self) -> Node:
        start = self._token.start
        dot = "." if self._accept(".") else ""
        if not self._at(IDENTIFIER):
            raise self._fail(f"mismatched input '{self._token.text}' expecting IDENTIFIER")
        if self._message_ahead():
            return self._message(dot, start)
        name = self._next()
        if name.text in RESERVED:
            self._source.complain(start, f"reserved identifier: {name.text}")
        if self._at("("):
            return self._arguments(start, dot + name.text, None)
        return self._finish(Ident(dot + name.text, offset=name.start), start, 0)

    def _arguments(self, start: int, function: str, target: Node | None) -> Node:
        bracket = self._next()
        arguments: list[Node] = []
        if not self._at(")"):
            arguments.append(self._expression())
            while self._accept(","):
                arguments.append(self._expression())
        self._expect(")")
        return self._call(bracket.start, start, function, arguments, int(target is not None), target)

    def _call(
        self, offset: int, start: int, function: str, args: list[Node], counted: int, target: Node | None = None
    ) -> Node:
        """A call, or what the macro of that name makes of it."""
        depth = counted + max((child.depth for child in (*args, target) if child is not None), default=0)
        try:
            node = expand(function, target, args, offset)
        except MacroError as error:
            self._source.complain(error.offset, str(error))
            node = None
        if node is None:
            node = Call(function, args, target, offset=offset)
        return self._finish(node, start, depth)

    # Aggregates

    def _list(self) -> Node:
        bracket = self._next()
        elements: list[Node] = []
        optional: list[bool] = []
        while not (self._at("]") or (self._at(",") and self._at("]", 1))):
            optional.append(self._accept("?") is not None)
            elements.append(self._expression())
            if not self._at(","):
                break
            if not self._at("]", 1):
                self._next()
        self._accept(",")
        self._expect("]")
        depth = max((element.depth for element in elements), default=0)
        return self._finish(ListLiteral(elements, optional, offset=bracket.start), bracket.start, depth)

    def _map(self) -> Node:
        brace = self._next()
        entries: list[Entry] = []
        while not (self._at("}") or (self._at(",") and self._at("}", 1))):
            optional = self._accept("?") is not None
            key = self._expression()
            self._expect(":")
            entries.append(Entry(key, self._expression(), optional))
            if not self._at(","):
                break
            if not self._at("}", 1):
                self._next()
        self._accept(",")
        self._expect("}")
        depth = max((max(entry.key.depth, entry.value.depth) for entry in entries), default=0)
        return self._finish(MapLiteral(entries, offset=brace.start), brace.start, depth)

    def _message_ahead(self) -> bool:
        """Whether ``a.b.c {`` follows: names, dots, and a brace."""
        ahead = 1
        while self._at(".", ahead) and self._at(IDENTIFIER, ahead + 1):
            ahead += 2
        return self._at("{", ahead)

    def _message(self, dot: str, start: int) -> Node:
        names = [self._next().text]
        while self._accept("."):
            names.append(self._next().text)
        brace = self._next()
        entries: list[FieldEntry] = []
        while not (self._at("}") or (self._at(",") and self._at("}", 1))):
            optional = self._accept("?") is not None
            name = _plain_name(self._field_name())
            colon = self._expect(":")
            entries.append(FieldEntry(name, self._expression(), optional, colon.start))
            if not self._at(","):
                break
            if not self._at("}", 1):
                self._next()
        self._accept(",")
        self._expect("}")
        depth = max((entry.value.depth for entry in entries), default=0)
        node = MessageLiteral(dot + ".".join(names), entries, offset=brace.start)
        return self._finish(node, start, depth)


def _balanced(function: str, terms: list[Node], places: list[int], low: int, high: int) -> Node:
    """``a && b && c …`` as a balanced tree (parser/helper.go: logicManager), each node at its own sign."""
    middle = (low + high + 1) // 2
    left = terms[middle] if middle == low else _balanced(function, terms, places, low, middle - 1)
    right = terms[middle + 1] if middle == high else _balanced(function, terms, places, middle + 1, high)
    depth = max(left.depth, right.depth)
    return Call(function, [left, right], offset=places[middle], start=left.start, end=right.end, depth=depth)


def _plain_name(token: Token) -> str:
    """A field's name without its backticks."""
    return token.text[1:-1] if token.kind == ESCAPED_IDENTIFIER else token.text
