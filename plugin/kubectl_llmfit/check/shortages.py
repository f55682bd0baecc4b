"""What devices are short of beside their selectors, in a person's words: counters, capacity, and by how much.

What a shortage means for the verdict is in ``obstacles``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..api.values import Capacity, DeviceRequest, DeviceShape, RequestPolicy
from ..cel.quantity import Quantity
from ..dra.answer import CapacityShortage, CounterShortage
from .figures import gap, side_by_side
from .obstacles import Obstacle, Stage, Way
from .words import count, listed

_CLAUSES_MAX = 2
_NO_FIGURES = 1.0  # the gap of what is missing altogether, as in ``figures.gap``


class Words(NamedTuple):
    """A shortage as a sentence: what and how much, and what should be known of the figures (None: nothing)."""

    text: str
    note: str | None = None

    def __str__(self) -> str:
        """Both, the note in brackets."""
        return f"{self.text} ({self.note})" if self.note else self.text


@dataclass(frozen=True, slots=True)
class _Miss:
    device: str
    kind: tuple[Stage, str]
    words: Words
    gap: float


def nearest_shortage(way: Way, numbers: Sequence[int], clauses: int = _CLAUSES_MAX) -> str:
    """What the closest of some devices is short of, then that of the others, each with how many are."""
    misses = sorted((_miss(way, number) for number in numbers), key=lambda miss: miss.gap)
    said: list[str] = []
    while misses and len(said) < clauses:
        alike = [miss for miss in misses if miss.kind == misses[0].kind]
        said.append(_clause(alike))
        misses = [miss for miss in misses if miss.kind != misses[0].kind]
    return "; ".join([*said, count(len(misses), "other device")] if misses else said)


def smallest_gap(way: Way, numbers: Sequence[int]) -> float:
    """By how much the closest of some devices misses; 1 for what has no figures."""
    return min((_gap(way.obstacles[number]) for number in numbers), default=_NO_FIGURES)


def shortage_words(obstacle: Obstacle, request: DeviceRequest, shape: DeviceShape) -> Words | None:
    """What one device is short of; None where it is not short of counters or capacity."""
    used = obstacle.is_occupied
    if obstacle.counters is not None:
        return Words(_counters(obstacle.counters, used=used))
    return _capacity(obstacle.capacity, request, shape, used=used) if obstacle.capacity is not None else None


def _miss(way: Way, number: int) -> _Miss:
    obstacle, device = way.obstacles[number], way.devices[number]
    words = shortage_words(obstacle, way.request, device.shape) if obstacle is not None else None
    if obstacle is None or words is None:
        raise ValueError(f"device {device.id} is not short of anything")
    counters, capacity = obstacle.counters, obstacle.capacity
    name = counters.counter if counters is not None else capacity.capacity if capacity is not None else ""
    return _Miss(device.id.device, (obstacle.stage, name), words, _gap(obstacle))


def _gap(obstacle: Obstacle | None) -> float:
    short = (obstacle.counters or obstacle.capacity) if obstacle is not None else None
    if short is None or short.left is None or short.needed is None:
        return _NO_FIGURES
    return gap(str(short.left), str(short.needed))


def _clause(alike: Sequence[_Miss]) -> str:
    """``whole is free, but memory …``, ``memory … (sh0)``: the closest, and how many there are."""
    first, several = alike[0], len(alike) > 1
    closest = [f"closest {first.device}"] if several and first.gap < _NO_FIGURES else []
    if first.kind[0] is Stage.COUNTERS_USED:
        subject = f"{count(len(alike), 'device')} are" if several else f"{first.device} is"
        return f"{subject} free, but {first.words.text}" + (f" ({closest[0]})" if closest else "")
    which = [count(len(alike), "device"), *closest] if several else [first.device]
    return f"{first.words.text} ({'; '.join(filter(None, [*which, first.words.note]))})"


def _counters(short: CounterShortage, *, used: bool) -> str:
    left, needed = side_by_side(str(short.left), str(short.needed))
    if not short.needed.sign:
        return f"counter set {short.counter_set} is overdrawn ({short.counter} {left} left)"
    return f"{short.counter} {left}{' left' if used else ''} < {needed} needed of counter set {short.counter_set}"


def _capacity(short: CapacityShortage, request: DeviceRequest, shape: DeviceShape, *, used: bool) -> Words:
    capacity = shape.capacity.get(short.capacity)
    if capacity is None or short.needed is None:
        there = f"it publishes {listed(list(shape.capacity))}" if shape.capacity else None
        return Words(f"publishes no capacity {short.capacity}", there)
    policy, wanted = capacity.request_policy, _as_published(short.needed, capacity)
    origin = _origin(short.needed, request.capacity.get(short.capacity), policy)
    if short.left is None:
        allowed = _allowed(policy)
        return Words(
            f"{short.capacity} {wanted} is not allowed by its policy", "; ".join(filter(None, [origin, allowed]))
        )
    left, wanted = side_by_side(_as_published(short.left, capacity), wanted)
    return Words(f"{short.capacity} {left}{' left' if used else ''} < {wanted} wanted", origin)


def _as_published(amount: Quantity, capacity: Capacity) -> str:
    """An amount with the suffixes that the capacity is published in."""
    try:
        whole = amount.value.denominator == 1
    except OverflowError:  # 1e1000000 is never written out
        return str(amount)
    return str(Quantity.from_int(amount.ceil(), capacity.value.format)) if whole else str(amount)


def _origin(needed: Quantity, requested: Quantity | None, policy: RequestPolicy | None) -> str | None:
    """Why a request comes to an amount that it does not name."""
    if requested is None:
        default = policy is not None and policy.default is not None
        return "the default of its policy" if default else "all of it, as the request names no amount"
    return f"{requested} rounded up by its policy" if requested != needed else None


def _allowed(policy: RequestPolicy | None) -> str | None:
    """What a policy allows, as ``10Gi to 80Gi in steps of 5Gi``."""
    if policy is None:
        return None
    limits = policy.valid_range
    if limits is None:
        return f"allowed: {', '.join(map(str, policy.valid_values))}" if policy.valid_values else None
    most = f" to {limits.max}" if limits.max is not None else " or more"
    return f"allowed: {limits.min}{most}" + (f" in steps of {limits.step}" if limits.step is not None else "")
