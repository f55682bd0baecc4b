"""The table of libraries: every function an expression may call.

Owns which libraries there are. One file per library; adding one is adding its FUNCTIONS here.
"""

from __future__ import annotations

from functools import cache

from ..functions import Function, merge
from . import operators, optional, quantity, semver, standard

_LIBRARIES = (
    operators.FUNCTIONS,
    standard.FUNCTIONS,
    optional.FUNCTIONS,
    quantity.FUNCTIONS,
    semver.FUNCTIONS,
)


@cache
def functions(stored: bool) -> dict[str, Function]:
    """All functions by name: those of stored expressions, or those that new expressions may use."""
    return merge((function for library in _LIBRARIES for function in library), stored)
