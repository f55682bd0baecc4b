"""A compiled expression, ready to be evaluated.

Owns the public face of one expression. Must not compile.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from .ast import Node
from .errors import CelRuntimeError, PanicError
from .explain import Part, PartResult, explain_parts
from .plan import Frame, Run
from .reads import Reads, reads_of
from .recursion import deep_recursion
from .types import Type
from .values import Optional, type_of

_UNCONVERTIBLE = {
    "string": "unsupported native conversion from string to 'bool'",
    "int": "unsupported type conversion from 'int' to bool",
    "uint": "unsupported type conversion from 'uint' to bool",
    "double": "type conversion error from Double to 'bool'",
    "bytes": "type conversion error from Bytes to 'bool'",
    "list": "type conversion error from list to 'bool'",
    "map": "type conversion error from map to 'bool'",
    "null_type": "type conversion error from 'null_type' to 'bool'",
    "type": "type conversion not supported for 'type'",
    "google.protobuf.Duration": "type conversion error from 'Duration' to 'bool'",
    "google.protobuf.Timestamp": "type conversion error from 'Timestamp' to 'bool'",
    "kubernetes.Quantity": "type conversion error from 'Quantity' to 'bool'",
    "kubernetes.Semver": "type conversion error from 'Semver' to 'bool'",
}


class Program:
    """One expression. Cheap to evaluate, safe to share; makes no use of anything outside."""

    def __init__(
        self,
        text: str,
        expression: Node,
        run: Run,
        parts: tuple[Part, ...],
        variables: tuple[str, ...],
        frame_size: int,
        deep: bool,
    ) -> None:
        self.text = text
        self.expression = expression
        self.result_type: Type = expression.type
        self.parts = parts
        self._run = run
        self._variables = variables
        self._locals: Frame = [None] * (frame_size - len(variables))
        self._deep = deep

    @cached_property
    def reads(self) -> Reads:
        """Which member paths of the variables the expression can look at (see ``reads_of``)."""
        return reads_of(self.expression)

    def evaluate(self, variables: Mapping[str, object]) -> object:
        """The CEL value of the expression; CelRuntimeError, in cel-go's words, when it has none."""
        frame = self._frame(variables)
        try:
            if not self._deep:
                return self._run(frame)
            with deep_recursion():
                return self._run(frame)
        except PanicError as panic:
            raise CelRuntimeError(f"internal error: {panic}") from None

    def matches(self, variables: Mapping[str, object]) -> bool:
        """The value as a bool, as a selector is used; CelRuntimeError when it is something else."""
        value = self.evaluate(variables)
        if value is True or value is False:
            return value
        return _to_bool(value, value)

    def explain(self, variables: Mapping[str, object]) -> tuple[PartResult, ...]:
        """The result of each of ``parts``, for display."""
        with deep_recursion():
            return explain_parts(self.parts, self._frame(variables))

    def _frame(self, variables: Mapping[str, object]) -> Frame:
        try:
            return [*[variables[name] for name in self._variables], *self._locals]
        except KeyError as error:
            raise CelRuntimeError(f"no such attribute(s): {error.args[0]}") from None

    def __repr__(self) -> str:
        return f"Program({self.text!r})"


def _to_bool(value: object, inner: object) -> bool:
    """ConvertToNative(bool) of cel-go, which looks into optionals, in the words of DRA's DeviceMatches."""
    if isinstance(inner, bool):
        return inner
    if isinstance(inner, Optional) and inner.present:
        return _to_bool(value, inner.value)
    name = type_of(value).name
    reason = "optional.none() dereference" if isinstance(inner, Optional) else _UNCONVERTIBLE[type_of(inner).name]
    raise CelRuntimeError(f"CEL result of type {name} could not be converted to bool: {reason}")
