"""Calls whose arguments Kubernetes measures without looking what they are.

Owns the panics of cost trackers: an error, or a value of another type, in the measured argument ends the
evaluation, and no operator absorbs that (cel-go: ext/lists.go, trackListSelfCompare and trackListFlatten).
Must not know which functions are measured: their overloads say so.
"""

from __future__ import annotations

from .duration import Duration
from .errors import CelRuntimeError, PanicError
from .functions import Implementation
from .plan import Frame, Run
from .timestamp import Timestamp
from .values import UInt, go_type, is_list

# Go names the first method that is missing; these types can at least add.
_ADDERS = frozenset({str, int, UInt, float, bytes, Timestamp, Duration})


def measuring(implementation: Implementation, arguments: list[Run], measured: int, wanted: type) -> Run:
    """Code for a call whose argument ``measured`` must be ``wanted``: a list, or an int."""

    def _run(frame: Frame) -> object:
        failed: CelRuntimeError | None = None
        values: list[object] = []
        for argument in arguments:
            try:
                values.append(argument(frame))
            except CelRuntimeError as error:
                failed = failed or error
                values.append(error)
        take_for(wanted, values[measured])
        if failed is not None:
            raise failed
        return implementation(*values)

    return _run


def take_for(wanted: type, value: object) -> None:
    """PanicError when a value, or an error in its place, is not what the tracker takes it for."""
    if is_list(value) if wanted is list else type(value) is wanted:
        return
    found = "*types.Err" if isinstance(value, CelRuntimeError) else go_type(value)
    if wanted is int:
        raise PanicError(f"interface conversion: ref.Val is {found}, not types.Int")
    method = "Contains" if type(value) in _ADDERS else "Add"
    raise PanicError(f"interface conversion: {found} is not traits.Lister: missing method {method}")
