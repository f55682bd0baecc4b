"""The errors of the CEL engine: what does not compile, and what fails when it is evaluated.

Owns the exceptions and their words (cel-go's). Must not know who shows them.
"""

from __future__ import annotations

from .text import characters


class CelError(Exception):
    """Anything that the CEL engine refuses."""


class CelCompileError(CelError):
    """An expression that does not compile.

    ``message`` is the first complaint alone, ``line`` and ``column`` its place, both counted from 1
    (0 when the complaint has no place). ``str()`` is what Kubernetes shows: every complaint as
    ``ERROR: <input>:1:5: message`` with the source line and a caret below it.
    """

    def __init__(self, text: str, message: str, line: int = 0, column: int = 0) -> None:
        super().__init__(text)
        self.message = message
        self.line = line
        self.column = column


class CelRuntimeError(CelError):
    """An evaluation that ended in an error; ``str()`` is cel-go's wording, ``no such key: x``, and always text."""

    def __init__(self, message: str) -> None:
        super().__init__(characters(message))


class NoTimeZonesError(CelError):
    """An evaluation that needs what this machine lacks, a time zone database: it says nothing of the expression.

    Kubernetes has one, and would give the value.
    """

    def __init__(self, zone: str) -> None:
        super().__init__(f"cannot tell the time in {zone}: this machine has no time zone database")


class PanicError(Exception):
    """What makes Go's runtime panic: no operator absorbs it, the whole evaluation ends in an internal error."""


class CostLimitError(PanicError):
    """Work that costs more than Kubernetes allows one evaluation, which ends it at once."""

    def __init__(self) -> None:
        super().__init__("operation cancelled: actual cost limit exceeded")


def no_such_overload() -> CelRuntimeError:
    """The error of an operation that its operands' types do not have (cel-go: NoSuchOverloadErr)."""
    return CelRuntimeError("no such overload")
