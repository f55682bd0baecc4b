"""Whether demands can be met at all, each kind of device being given away once: a flow, not a search.

Knows only numbers. Used to leave out branches of the search that cannot succeed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Demand:
    """``need`` devices out of the kinds named in ``kinds``."""

    need: int
    kinds: frozenset[int]


def can_meet(demands: Sequence[Demand], supply: Sequence[int]) -> bool:
    """Whether all demands can be met at once from ``supply[kind]`` devices of each kind."""
    given = [[0] * len(supply) for _ in demands]
    left = list(supply)
    return all(_add_one(demands, given, left, number) for number, d in enumerate(demands) for _ in range(d.need))


def _add_one(demands: Sequence[Demand], given: list[list[int]], left: list[int], number: int) -> bool:
    """Gives demand ``number`` one device more, moving others' devices where that helps (an augmenting path)."""
    came_from: dict[int, tuple[int, int | None]] = {}
    queue: list[tuple[int, int | None]] = [(number, None)]
    for demand, through in queue:
        for kind in demands[demand].kinds:
            if kind in came_from:
                continue
            came_from[kind] = (demand, through)
            if left[kind]:
                _move(given, left, came_from, kind)
                return True
            queue.extend((other, kind) for other, gifts in enumerate(given) if gifts[kind] and other != demand)
    return False


def _move(given: list[list[int]], left: list[int], came_from: dict[int, tuple[int, int | None]], last: int) -> None:
    left[last] -= 1
    kind: int | None = last
    while kind is not None:
        demand, through = came_from[kind]
        given[demand][kind] += 1
        if through is not None:
            given[demand][through] -= 1
        kind = through
