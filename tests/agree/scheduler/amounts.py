"""Quantities of one unit, and the capacities, request policies and requests that are made of them.

Everything is counted in whole units of 1, 250m or 1Gi, so that steps meet and miss; what is written is the API's text.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from agree.scheduler.world import Object

_UNREPRESENTABLE = ("9223372036854775808", "1e30", "100n")


@dataclass(frozen=True, slots=True)
class Unit:
    """What a capacity is counted in."""

    name: str

    @property
    def is_fractional(self) -> bool:
        """Whether one of it is less than 1."""
        return self.name == "250m"

    def rounded_up(self, number: int) -> int:
        """So many whole 1s: by these the API server tells valid values apart."""
        return -(-number // 4) if self.is_fractional else number

    def text(self, number: int, draw: random.Random) -> str:
        """``number`` units, in one of the spellings of that amount."""
        if self.is_fractional:
            return f"{250 * number}m" if number % 4 or draw.random() < 0.5 else str(number // 4)
        if self.name == "1Gi":
            return f"{number}Gi" if draw.random() < 0.7 else f"{1024 * number}Mi"
        return str(number)


UNITS = tuple(map(Unit, ("1", "1", "250m", "1Gi")))


def plain_capacity(draw: random.Random, unit: Unit) -> Object:
    """Of a device that is taken as a whole."""
    return {"value": unit.text(draw.choice((8, 10, 12)), draw)}


def shared_capacity(draw: random.Random, unit: Unit) -> Object:
    """Of a device that several claims may share, with any request policy that the API accepts."""
    total = draw.choice((8, 10, 12))
    capacity: Object = {"value": unit.text(total, draw)}
    kind = draw.choice(("none", "default", "default", "values", "range", "range"))
    if kind != "none":
        capacity["requestPolicy"] = _policy(draw, unit, total, kind)
    return capacity


def _policy(draw: random.Random, unit: Unit, total: int, kind: str) -> Object:
    if kind == "default":  # alone it is not held to the value
        return {"default": unit.text(draw.choice((1, 4, total, total + 2)), draw)}
    if kind == "values":
        drawn = draw.sample(range(1, total + 1), draw.choice((1, 2, 3)))
        values = sorted({unit.rounded_up(each): each for each in drawn}.values())
        return {
            "default": unit.text(draw.choice(values), draw),
            "validValues": [unit.text(each, draw) for each in values],
        }
    return _range(draw, unit, total)


def _range(draw: random.Random, unit: Unit, total: int) -> Object:
    least, step = draw.choice((0, 1, 2, 4)), draw.choice((0, 1, 2, 3, 4))
    if step and least + step > total:
        step = 1
    most = total - (total - least) % (step or 1) - draw.choice((0, 0, step))
    most = max(most, least)
    limits = {"min": unit.text(least, draw)}
    if draw.random() < 0.6:
        limits["max"] = unit.text(most, draw)
    if step:
        limits["step"] = unit.text(step, draw)
    usual = least if draw.random() < 0.6 else draw.randrange(least, most + 1, step or 1)
    return {"default": unit.text(usual, draw), "validRange": limits}


def asked_amount(draw: random.Random, unit: Unit, tight: float) -> str:
    """What a request may ask of a capacity: on a step or beside it, too little or too much."""
    if draw.random() < 0.03:
        return draw.choice(_UNREPRESENTABLE)
    if draw.random() < 0.1:
        return draw.choice(("0", "1500m", "3", "2.1"))
    return unit.text(draw.choice((1, 2, 3, 4, 5, 6, 8, 10, 11, 13) if draw.random() < tight else (1, 2, 3)), draw)
