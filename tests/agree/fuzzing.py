"""Random texts against the engine: whatever it is given, it answers with a program or a clean compile error.

Owns the texts and what counts as a fault. Needs no Go.
"""

from __future__ import annotations

import random
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from agree.devices import random_device, shape_of
from agree.expressions import Expressions
from agree.mutations import damaged, noise, repeated
from agree.selector_forms import selector
from kubectl_llmfit.api.values import DeviceShape
from kubectl_llmfit.cel import BOOL
from kubectl_llmfit.dra.environment import Selector, SelectorError

HANGS_S = 10  # not how fast it must be: from here on somebody waits for nothing


class HangError(Exception):
    """An answer that does not come."""


@dataclass(slots=True)
class Findings:
    """``outcomes`` counts what texts gave, ``faults`` are the texts that gave something else, with it."""

    outcomes: Counter[str] = field(default_factory=Counter)
    faults: list[tuple[str, str]] = field(default_factory=list)


def texts(seed: int, count: int) -> Iterator[str]:
    """Half of them damaged selectors or expressions, the others noise, some of it the same over and over."""
    draw = random.Random(seed)
    expressions = Expressions(draw, stored=True)
    for number in range(count):
        if number % 2:
            tree = selector(expressions) if draw.random() < 0.7 else expressions.grow(BOOL, 3)
            yield damaged(str(tree), draw)
        else:
            yield repeated(draw) if draw.random() < 0.03 else noise(draw)


def fuzz(seed: int, count: int) -> Findings:
    """Compile each text as new or as stored, and evaluate what compiles."""
    draw = random.Random(seed)
    devices = [(device["driver"], shape_of(device)) for device in (random_device(draw) for _ in range(3))]
    findings = Findings()
    for text in texts(seed, count):
        try:
            with _alarm():
                compiled = Selector(text, stored=draw.random() < 0.5)
                findings.outcomes["compile" if compiled.program else "do not compile"] += 1
                for driver, shape in devices:
                    _evaluate(compiled, driver, shape)
        except Exception as error:  # whatever it is, it is what is looked for
            findings.faults.append((text, repr(error)))
    return findings


def _evaluate(compiled: Selector, driver: str, shape: DeviceShape) -> None:
    try:
        compiled.matches(driver, shape)
    except SelectorError as error:
        if not str(error).strip():
            raise ValueError("an error without words") from None


@contextmanager
def _alarm() -> Iterator[None]:
    def ring(*_: object) -> None:
        raise HangError(f"no answer for {HANGS_S} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(HANGS_S)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
