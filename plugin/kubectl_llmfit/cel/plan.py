"""What the parts of the evaluator hand to one another.

Owns the shape of compiled code: a closure over a frame, and what is known of its value beforehand.
Must not know nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .errors import CelCompileError
from .values import MISSING

# One list per evaluation: the variables from outside first, then the variables of macros.
Frame = list[object]
Run = Callable[[Frame], object]


@dataclass(slots=True)
class Plan:
    """Code for one node. ``value`` is what it always yields, or MISSING.

    ``constant`` says that Kubernetes' planner, too, holds it as a constant; several of its compile errors
    and shortcuts depend on that (cel-go: interpreter.InterpretableConst).
    """

    run: Run
    value: object = MISSING
    constant: bool = False

    @property
    def known(self) -> bool:
        """Whether the value does not depend on the frame."""
        return self.value is not MISSING


def constant_plan(value: object, constant: bool = True) -> Plan:
    """Code that yields ``value``."""
    return Plan(lambda _: value, value, constant)


def program_error(reason: object) -> CelCompileError:
    """A compile error of what Kubernetes finds when it makes the program from the checked tree."""
    text = f"program instantiation failed: {reason}"
    return CelCompileError(text, text)
