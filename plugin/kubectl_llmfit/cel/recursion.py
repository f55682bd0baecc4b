"""Room for deep and for long expressions.

Owns the interpreter's recursion limit while a deep tree is walked, and its collection of garbage while a long one is
made. The parser bounds how deep a tree can be
(250 of every grammar rule), far beyond Python's default limit; calls between Python functions use no C stack.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_ROOM: Final = 20_000
# Trees up to this height fit the default limit beside any ordinary caller.
SHALLOW: Final = 100


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Raise the recursion limit for a while."""
    before = sys.getrecursionlimit()
    if before >= _ROOM:
        yield
        return
    sys.setrecursionlimit(_ROOM)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


@contextmanager
def no_collection() -> Iterator[None]:
    """Look for no garbage for a while: where everything made is kept, looking takes as long as all the rest."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
