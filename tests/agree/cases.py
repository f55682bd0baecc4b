"""The cases of one seed: expressions in text and tree, and the devices they are tried on.

Owns the mixture. The same seed gives the same cases as long as the table of functions stays the same.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from agree.devices import Device, random_device
from agree.expressions import Expressions
from agree.mutations import damaged
from agree.pieces import Piece
from agree.selector_forms import selector
from kubectl_llmfit.cel import BOOL, DYN

POOL_SIZE = 40
DEVICES_EACH = 4
_LONGEST = 1200  # characters


@dataclass(frozen=True, slots=True)
class Case:
    """One expression; ``tree`` is None where the text was damaged afterwards."""

    text: str
    tree: Piece | None
    devices: tuple[int, ...]  # places in the pool


def pool(seed: int) -> list[Device]:
    """The devices of a seed."""
    draw = random.Random(seed)
    return [random_device(draw) for _ in range(POOL_SIZE)]


def cases(seed: int, count: int) -> Iterator[Case]:
    """So many cases: two in five selectors as people write them, some on each function in turn, one in ten damaged."""
    draw = random.Random(seed)
    growing = {stored: Expressions(draw, stored) for stored in (False, True)}
    for _ in range(count):
        tree = _tree(growing[draw.random() < 0.3], draw)
        devices = tuple(draw.sample(range(POOL_SIZE), DEVICES_EACH))
        if draw.random() < 0.1:
            yield Case(damaged(str(tree), draw), None, devices)
        else:
            yield Case(str(tree), tree, devices)


def _tree(expressions: Expressions, draw: random.Random) -> Piece:
    while True:
        chance = draw.random()
        if chance < 0.4:
            tree = selector(expressions)
        elif chance < 0.55:
            tree = expressions.condition_with_next_function(draw.choice((0, 1, 1, 2)))
        else:
            tree = expressions.grow(DYN if draw.random() < 0.1 else BOOL, draw.choice((1, 2, 2, 3, 3, 4)))
        if len(str(tree)) <= _LONGEST:
            return tree
