"""Cards that are partitioned or shared, in code, for tests of what the check says of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from check.check_worlds import DRIVER, allocated, ask, gpu, on
from kubectl_llmfit.api.values import (
    Allocation,
    Capacity,
    CapacityRange,
    Claim,
    ClaimSpec,
    Constraint,
    CounterSet,
    Device,
    DeviceRequest,
    DeviceResult,
    Request,
    RequestPolicy,
    ResourceSlice,
)
from kubectl_llmfit.cel.quantity import Quantity

ANY = "true"
SHARE_ID = "8d5b8e36-0000-4000-8000-000000000000"


def amounts(**of: str) -> dict[str, Quantity]:
    """Quantities by name."""
    return {name: Quantity.parse(text) for name, text in of.items()}


def partition(name: str, consumes: str, card: str = "card", **more: Any) -> Device:
    """A device that consumes so much of the memory counter of a card."""
    shape = gpu(name, consumes, **more).shape
    return Device(name, replace(shape, consumes_counters=(CounterSet(card, amounts(memory=consumes)),)))


def carded(node: str, *devices: Device, **cards: str) -> tuple[ResourceSlice, ResourceSlice]:
    """A pool of one node: a slice with the memory of each card, one with the devices."""
    counters = tuple(CounterSet(name, amounts(memory=memory)) for name, memory in cards.items())
    cards_slice = replace(on(node, of=2), name=f"{node}-cards", shared_counters=counters)
    return cards_slice, on(node, *devices, of=2)


def shareable(name: str, memory: str = "80Gi", policy: RequestPolicy | None = None, **more: Any) -> Device:
    """A device that many claims can have a share of."""
    shape = gpu(name, memory, **more).shape
    capacity = {"memory": Capacity(Quantity.parse(memory), policy)}
    return Device(name, replace(shape, capacity=capacity, allow_multiple_allocations=True))


def steps_of(step: str, least: str = "10Gi", most: str | None = None, default: str | None = None) -> RequestPolicy:
    """A policy that allows steps between two amounts."""
    limits = CapacityRange(
        Quantity.parse(least), Quantity.parse(most) if most is not None else None, Quantity.parse(step)
    )
    return RequestPolicy(Quantity.parse(default or least), valid_range=limits)


def share_of(node: str, device: str, name: str = "sharer", **taken: str) -> Claim:
    """Somebody's claim that has a share of a device."""
    claim = allocated(name, node, device)
    result = DeviceResult("model", DRIVER, node, device, share_id=SHARE_ID, consumed_capacity=amounts(**taken))
    return replace(claim, allocation=Allocation((result,)))


def first_available(name: str, *alternatives: DeviceRequest) -> Request:
    """A request with a choice."""
    return Request(name, alternatives, prioritized=True)


def exactly(request: DeviceRequest) -> Request:
    """A request without one."""
    return Request(request.name, (request,))


def asks(*requests: DeviceRequest | Request, constraints: Sequence[Constraint] = (), name: str = "model-fit") -> Claim:
    """A claim of requests of both kinds."""
    made = tuple(each if isinstance(each, Request) else exactly(each) for each in requests)
    return Claim(name, "default", ClaimSpec(made, tuple(constraints)))


def any_of(
    name: str = "model", *selectors: str, capacity: Mapping[str, str] | None = None, **more: Any
) -> DeviceRequest:
    """A request for any device of the class, or any that the selectors leave."""
    wanted = amounts(**dict(capacity or {}))
    return ask(name, *(selectors or (ANY,)), capacity=wanted, **more)


def same(attribute: str, *requests: str) -> Constraint:
    """All devices have the same value."""
    return Constraint(requests, match_attribute=attribute)


def different(attribute: str, *requests: str) -> Constraint:
    """All devices have another value."""
    return Constraint(requests, distinct_attribute=attribute)
