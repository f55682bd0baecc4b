"""The table of libraries: every function an expression may call.

Owns which libraries there are. One file per library; adding one is adding its FUNCTIONS here.
"""

from __future__ import annotations

from functools import cache

from ..functions import Function, merge
from . import (
    authorizer,
    cidr,
    formatting,
    ip,
    kubernetes_lists,
    lists,
    named_formats,
    operators,
    optional,
    quantity,
    regex,
    semver,
    sets,
    standard,
    strings,
    timestamps,
    urls,
)

_LIBRARIES = (
    operators.FUNCTIONS,
    standard.FUNCTIONS,
    timestamps.FUNCTIONS,
    strings.FUNCTIONS,
    formatting.FUNCTIONS,
    lists.FUNCTIONS,
    sets.FUNCTIONS,
    kubernetes_lists.FUNCTIONS,
    regex.FUNCTIONS,
    urls.FUNCTIONS,
    ip.FUNCTIONS,
    cidr.FUNCTIONS,
    named_formats.FUNCTIONS,
    authorizer.FUNCTIONS,
    optional.FUNCTIONS,
    quantity.FUNCTIONS,
    semver.FUNCTIONS,
)


@cache
def functions(stored: bool) -> dict[str, Function]:
    """All functions by name: those of stored expressions, or those that new expressions may use."""
    return merge((function for library in _LIBRARIES for function in library), stored)
