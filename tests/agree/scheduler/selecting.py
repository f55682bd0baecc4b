"""CEL selectors for worlds: most harmless, some that raise on devices which lack what they read."""

from __future__ import annotations

import random

from agree.scheduler.world import Object

DRIVERS = ("a.example.com", "b.example.com")
COMMON = "common.example.com"
_A = 'device.attributes["a.example.com"]'
_SAFE = (
    "true",
    'device.driver == "a.example.com"',
    'device.driver == "b.example.com"',
    f'"model" in {_A}',
    f'{_A}.?model.orValue("x") == "x"',
    f"{_A}.?index.orValue(0) < 2",
    f"{_A}.?index.orValue(1) != 1",
    'device.attributes["none.example.com"].?name.orValue(1) == 1',
    '"memory" in device.capacity["a.example.com"]',
    '!("memory" in device.capacity["a.example.com"]) '
    '|| device.capacity["a.example.com"].memory.compareTo(quantity("9")) > 0',
)
_SHARING = ("device.allowMultipleAllocations", "!device.allowMultipleAllocations")
_RAISING = (
    f'{_A}.model == "x"',
    f"{_A}.index < 2",
    f"{_A}.index == 0",
    f"{_A}.index != 0",
    f"{_A}.ok",
    'device.attributes["b.example.com"].ok',
    f'{_A}.version.isGreaterThan(semver("1.0.0"))',
    f'{_A}.version == "1.0.0"',
    'device.capacity["a.example.com"].memory.compareTo(quantity("9")) > 0',
    'device.attributes["none.example.com"].name == 1',
    'device.attributes["none.example.com"].name == 1 || true',
    f"{_A}.index / ({_A}.?index.orValue(0) - 1) == 0",
)


def selectors(draw: random.Random, count: int, *, tight: float, raising: float) -> list[Object]:
    """So many selectors: with probability ``raising`` one that may raise, else with ``tight`` one that may be false."""
    return [_cel(_expression(draw, tight, raising)) for _ in range(count)]


def _expression(draw: random.Random, tight: float, raising: float) -> str:
    if draw.random() < raising:
        return draw.choice(_RAISING)
    return draw.choice((*_SAFE, *_SHARING)) if draw.random() < tight else "true"


def _cel(expression: str) -> Object:
    return {"cel": {"expression": expression}}
