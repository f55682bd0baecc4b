"""What constraints remember of the devices that an attempt has taken.

Rules: kube-scheduler 1.37, ``structured/internal/incubating`` matchAttributeConstraint and
distinctAttributeConstraint.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence

from .problem import NO_VALUE, AttributeConstraint


class Memory(ABC):
    """What a constraint remembers of the devices, which have numbers for values.

    ``add`` and ``remove`` are each other's opposite, last in, first out, but for what ``LastOfRequest`` forgets.
    """

    def __init__(self, values: Sequence[int]) -> None:
        self._values = values
        self.count = 0

    @abstractmethod
    def allows(self, device: int) -> bool:
        """Whether the device may be taken beside the others."""

    @abstractmethod
    def holds(self, value: int) -> bool:
        """Whether the value is among what is remembered."""

    @abstractmethod
    def content(self) -> Hashable:
        """All that is remembered."""

    def add(self, device: int, request: int) -> None:  # noqa: ARG002 - what is added is for those that inherit
        """Remembers the device, taken for a request."""
        self.count += 1

    def remove(self, device: int, request: int) -> None:  # noqa: ARG002 - as in add
        """Forgets the device."""
        self.count -= 1


class MatchAttribute(Memory):
    """All devices have the value of the first one. A value that equals nothing can only be the first."""

    _value = NO_VALUE

    def allows(self, device: int) -> bool:
        """Source: matchAttributeConstraint.add."""
        value = self._values[device]
        return value != NO_VALUE and (not self.count or (value == self._value and value > NO_VALUE))

    def add(self, device: int, request: int) -> None:
        """The first device decides."""
        if not self.count:
            self._value = self._values[device]
        super().add(device, request)

    def content(self) -> Hashable:
        """The value, once there is a device."""
        return bool(self.count) and self._value

    def holds(self, value: int) -> bool:
        """Whether it is the value of all."""
        return bool(self.count) and value == self._value


class DistinctAttribute(Memory):
    """No two devices have the same value. One that equals nothing can only be the first: nor is it known to differ."""

    def __init__(self, values: Sequence[int]) -> None:
        super().__init__(values)
        self._seen: set[int] = set()

    def allows(self, device: int) -> bool:
        """Source: distinctAttributeConstraint.matchesAttribute."""
        value = self._values[device]
        if value < NO_VALUE:
            return not self._seen
        return value != NO_VALUE and value not in self._seen

    def add(self, device: int, request: int) -> None:
        """One value more."""
        self._seen.add(self._values[device])
        super().add(device, request)

    def remove(self, device: int, request: int) -> None:
        """One value less."""
        self._seen.remove(self._values[device])
        super().remove(device, request)

    def content(self) -> Hashable:
        """The values."""
        return frozenset(self._seen)

    def holds(self, value: int) -> bool:
        """Whether a device has it."""
        return value in self._seen


class LastOfRequest(Memory):
    """As 1.36 has it: of each request only the newest value is remembered, and none once a device was given back.

    What it remembers depends on all that was tried before.
    """

    def __init__(self, values: Sequence[int]) -> None:
        super().__init__(values)
        self._newest: dict[int, int] = {}

    def allows(self, device: int) -> bool:
        """The first device always passes."""
        value = self._values[device]
        if value == NO_VALUE:
            return False
        newest = self._newest.values()
        return not self.count or not newest or (value > NO_VALUE and value not in newest)

    def add(self, device: int, request: int) -> None:
        """Overwrites what the request had before."""
        self._newest[request] = self._values[device]
        super().add(device, request)

    def remove(self, device: int, request: int) -> None:
        """What the request had before does not come back."""
        self._newest.pop(request, None)
        super().remove(device, request)

    def content(self) -> Hashable:
        """The newest values by request."""
        return self.count, tuple(sorted(self._newest.items()))

    def holds(self, value: int) -> bool:
        """Whether it is the newest of a request."""
        return value in self._newest.values()


def memory_of(constraint: AttributeConstraint) -> Memory:
    """A memory without any devices."""
    if not constraint.distinct:
        return MatchAttribute(constraint.values)
    return LastOfRequest(constraint.values) if constraint.forgetful else DistinctAttribute(constraint.values)
