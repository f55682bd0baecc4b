"""A compiled expression, ready to be evaluated.

Owns the public face of one expression. Must not compile.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

from .ast import Node
from .cost_meter import MeteredFrame
from .errors import CelRuntimeError, CostLimitError, PanicError
from .explain import Part, PartResult, explain_parts
from .guards import unguarded
from .native import misfit
from .plan import Frame, Run
from .reads import Path, Reads, reads_of
from .recursion import deep_recursion
from .types import Type
from .values import Optional, type_of


@dataclass(frozen=True, slots=True)
class Code:
    """What runs: the whole and its parts, over a frame of ``variables`` and so many ``locals``.

    ``deep``: needs more recursion than Python gives. ``is_metered``: counts what it costs.
    """

    run: Run
    parts: tuple[Part, ...]
    variables: tuple[str, ...]
    locals: int
    deep: bool
    is_metered: bool

    def frame(self, values: Mapping[str, object]) -> Frame:
        """A new frame; CelRuntimeError when a variable has no value."""
        try:
            slots = [*[values[name] for name in self.variables], *[None] * self.locals]
        except KeyError as error:
            raise CelRuntimeError(f"no such attribute(s): {error.args[0]}") from None
        return MeteredFrame(slots) if self.is_metered else slots

    def evaluate(self, frame: Frame) -> object:
        """The value; CelRuntimeError, also where Kubernetes panics or has had enough."""
        try:
            if not self.deep:
                return self.run(frame)
            with deep_recursion():
                return self.run(frame)
        except CostLimitError as limit:
            raise CelRuntimeError(str(limit)) from None
        except PanicError as panic:
            raise CelRuntimeError(f"internal error: {panic}") from None


def without_end(code: Code) -> Code:
    """Code for what would never end: it ends at once, as at the limit."""
    return replace(code, run=_end, parts=tuple(Part(part.text, _end) for part in code.parts))


def _end(_: Frame) -> object:
    raise CostLimitError


class Program:
    """One expression. Cheap to evaluate, safe to share; makes no use of anything outside.

    ``estimate`` tells ``max_cost``. ``plain`` code counts no cost and is
    None when an evaluation might exceed the limit; ``metered`` makes the code that counts.
    """

    def __init__(
        self,
        text: str,
        expression: Node,
        estimate: Callable[[], int],
        plain: Code | None,
        metered: Callable[[], Code],
    ) -> None:
        self.text = text
        self.expression = expression
        self.result_type: Type = expression.type
        self._estimate = estimate
        self._make_metered = metered
        self._code = plain or self.metered
        self.parts = self._code.parts

    @cached_property
    def max_cost(self) -> int:
        """What Kubernetes estimates that an evaluation costs at most."""
        with deep_recursion():
            return self._estimate()

    @cached_property
    def metered(self) -> Code:
        """The code that counts what it costs, whether evaluations need it or not; its values are the same."""
        with deep_recursion():
            return self._make_metered()

    @cached_property
    def reads(self) -> Reads:
        """Which member paths of the variables the expression can look at (see ``reads_of``)."""
        return reads_of(self.expression)

    @cached_property
    def unguarded(self) -> tuple[Path, ...]:
        """Which of ``reads`` may end an evaluation in an error when just that member is missing (see ``unguarded``)."""
        return unguarded(self.expression)

    def evaluate(self, variables: Mapping[str, object]) -> object:
        """The CEL value of the expression; CelRuntimeError, in cel-go's words, when it has none."""
        code = self._code
        return code.evaluate(code.frame(variables))

    def actual_cost(self, variables: Mapping[str, object]) -> int:
        """What Kubernetes counts for this evaluation, up to the limit and the step that exceeds it."""
        frame = self.metered.frame(variables)
        assert isinstance(frame, MeteredFrame)
        with suppress(CelRuntimeError):
            self.metered.evaluate(frame)
        return frame.cost

    def matches(self, variables: Mapping[str, object]) -> bool:
        """The value as a bool, as a selector is used; CelRuntimeError when it is something else."""
        value = self.evaluate(variables)
        if value is True or value is False:
            return value
        return _to_bool(value, value)

    def explain(self, variables: Mapping[str, object]) -> tuple[PartResult, ...]:
        """The result of each of ``parts``, for display."""
        with deep_recursion():
            return explain_parts(self.parts, self._code.frame(variables))

    def __repr__(self) -> str:
        return f"Program({self.text!r})"


def _to_bool(value: object, inner: object) -> bool:
    """ConvertToNative(bool) of cel-go, which looks into optionals, in the words of DRA's DeviceMatches."""
    if isinstance(inner, bool):
        return inner
    if isinstance(inner, Optional) and inner.present:
        return _to_bool(value, inner.value)
    reason = "optional.none() dereference" if isinstance(inner, Optional) else str(misfit(inner, "bool"))
    raise CelRuntimeError(f"CEL result of type {type_of(value).name} could not be converted to bool: {reason}")
