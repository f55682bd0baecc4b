"""The operands of an expression: names, literals, calls, selections, lists, maps, messages.

Owns the tight half of the grammar (cel-go: parser/gen/CEL.g4, rules member and primary; parser.go) and where
each node is reported at. Macros are expanded here. Must not know operators and their precedence.
"""

from __future__ import annotations

from typing import Final

from . import operators
from .ast import Call, Entry, FieldEntry, Ident, ListLiteral, Literal, MapLiteral, MessageLiteral, Node, Select, deepest
from .cursor import Cursor
from .lexer import ESCAPED_IDENTIFIER, IDENTIFIER, NUM_FLOAT, NUM_INT, Token
from .literals import LITERALS
from .macros import MacroError, expand

RESERVED: Final = frozenset(
    {
        "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop",
        "package", "namespace", "return", "var", "void", "while",
    }
)  # fmt: skip
_EXPRESSION_START: Final = (
    "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"
)
_STARTS: Final = ("[", "{", "(", ".", "-", "!", IDENTIFIER, *LITERALS)


class Operands(Cursor):
    """Reads operands; ``depth`` of a node counts what cel-go's visitor counts."""

    def expression(self) -> Node:
        """A whole expression, where one stands within brackets."""
        raise NotImplementedError

    def finish(self, node: Node, start: int, depth: int) -> Node:
        """Give a node its span, up to the last token read, and its depth."""
        node.start = start
        node.end = self.last.end
        node.depth = depth
        return node

    def call(
        self, offset: int, start: int, function: str, args: list[Node], counted: int, target: Node | None = None
    ) -> Node:
        """A call, or what the macro of that name makes of it."""
        depth = counted + max((child.depth for child in (*args, target) if child is not None), default=0)
        try:
            node = expand(function, target, args, offset)
        except MacroError as error:
            self.source.complain(error.offset, str(error))
            node = None
        if node is None:
            node = Call(function, args, target, offset=offset)
        return self.finish(node, start, depth)

    def member(self) -> Node:
        """An operand and what is selected from it, called on it, indexed in it."""
        start = self.token.start
        node = self._primary()
        while True:
            if self.at("."):
                node = self._selection(node, start)
            elif self.at("["):
                node = self._index(node, start)
            else:
                return node

    def _selection(self, operand: Node, start: int) -> Node:
        dot = self.next()
        if self.accept("?"):
            name = self._field_name()
            field = Literal(_plain_name(name), offset=name.start, start=name.start, end=name.end)
            return self.call(dot.start, start, operators.OPTIONAL_SELECT, [operand, field], 1)
        name = self._field_name()
        if name.kind == IDENTIFIER and self.at("("):
            return self._arguments(start, name.text, operand)
        node = Select(operand, _plain_name(name), offset=dot.start)
        return self.finish(node, start, operand.depth + 1)

    def _field_name(self) -> Token:
        if self.at(IDENTIFIER) or self.at(ESCAPED_IDENTIFIER):
            return self.next()
        if self.token.kind in ("true", "false", "null"):
            raise self.fail(f"mismatched input '{self.token.text}' expecting IDENTIFIER")
        raise self.fail(f"no viable alternative at input '.{self.token.text}'")

    def _index(self, operand: Node, start: int) -> Node:
        bracket = self.next()
        optional = self.accept("?") is not None
        key = self.expression()
        self.expect("]")
        function = operators.OPTIONAL_INDEX if optional else operators.INDEX
        return self.call(bracket.start, start, function, [operand, key], 1)

    def _primary(self) -> Node:
        token = self.token
        match token.kind:
            case "(":
                self.next()
                node = self.expression()
                self.expect(")")
                return node
            case "[":
                return self._list()
            case "{":
                return self._map()
            case "-":
                return self._negative_literal(self.next())
            case "." | "IDENTIFIER":
                return self._name()
            case kind if kind in LITERALS:
                return self._literal()
        # ANTLR calls a token that the right thing follows extraneous.
        verb = "extraneous" if any(self.at(kind, 1) for kind in _STARTS) else "mismatched"
        raise self.fail(f"{verb} input '{token.text}' expecting {_EXPRESSION_START}")

    def _negative_literal(self, sign: Token) -> Node:
        if self.at(NUM_INT) or self.at(NUM_FLOAT):
            return self._literal(sign)
        raise self.fail(f"no viable alternative at input '-{self.token.text}'")

    def _literal(self, sign: Token | None = None) -> Node:
        token = self.next()
        start = sign.start if sign else token.start
        value: object = None
        try:
            value = LITERALS[token.kind](f"{sign.text if sign else ''}{token.text}")
        except ValueError as error:
            self.source.complain(start, str(error))
        return self.finish(Literal(value, offset=start), start, 0)

    def _name(self) -> Node:
        start = self.token.start
        dot = "." if self.accept(".") else ""
        if not self.at(IDENTIFIER):
            raise self.fail(f"mismatched input '{self.token.text}' expecting IDENTIFIER")
        if self._message_ahead():
            return self._message(dot, start)
        name = self.next()
        if name.text in RESERVED:
            self.source.complain(start, f"reserved identifier: {name.text}")
        if self.at("("):
            return self._arguments(start, dot + name.text, None)
        return self.finish(Ident(dot + name.text, offset=name.start), start, 0)

    def _arguments(self, start: int, function: str, target: Node | None) -> Node:
        bracket = self.next()
        arguments: list[Node] = []
        if not self.at(")"):
            arguments.append(self.expression())
            while self.accept(","):
                arguments.append(self.expression())
        self.expect(")")
        return self.call(bracket.start, start, function, arguments, int(target is not None), target)

    # Aggregates

    def _list(self) -> Node:
        bracket = self.next()
        elements: list[Node] = []
        optional: list[bool] = []

        def _element() -> None:
            optional.append(self.accept("?") is not None)
            elements.append(self.expression())

        self.separated("]", _element)
        node = ListLiteral(elements, optional, offset=bracket.start)
        return self.finish(node, bracket.start, deepest(elements))

    def _map(self) -> Node:
        brace = self.next()
        entries: list[Entry] = []

        def _entry() -> None:
            optional = self.accept("?") is not None
            key = self.expression()
            self.expect(":")
            entries.append(Entry(key, self.expression(), optional))

        self.separated("}", _entry)
        node = MapLiteral(entries, offset=brace.start)
        return self.finish(node, brace.start, deepest(node.children()))

    def _message_ahead(self) -> bool:
        """Whether ``a.b.c {`` follows: names, dots, and a brace."""
        ahead = 1
        while self.at(".", ahead) and self.at(IDENTIFIER, ahead + 1):
            ahead += 2
        return self.at("{", ahead)

    def _message(self, dot: str, start: int) -> Node:
        names = [self.next().text]
        while self.accept("."):
            names.append(self.next().text)
        brace = self.next()
        entries: list[FieldEntry] = []

        def _entry() -> None:
            optional = self.accept("?") is not None
            name = _plain_name(self._field_name())
            colon = self.expect(":")
            entries.append(FieldEntry(name, self.expression(), optional, colon.start))

        self.separated("}", _entry)
        node = MessageLiteral(dot + ".".join(names), entries, offset=brace.start)
        return self.finish(node, start, deepest(node.children()))


def _plain_name(token: Token) -> str:
    """A field's name without its backticks."""
    return token.text[1:-1] if token.kind == ESCAPED_IDENTIFIER else token.text
