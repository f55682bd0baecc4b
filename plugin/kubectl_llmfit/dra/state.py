"""What one attempt has taken so far: devices, shares of capacity, counters, and what the constraints remember.

Rules: kube-scheduler 1.37, ``structured/internal/incubating`` allocateDevice and rollbackDevice. ``take`` and
``give_back`` are each other's opposite, last in, first out.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from .problem import NO_VALUE, AttributeConstraint, Problem, Want


class State:
    """The state of the search; starts with nothing taken."""

    def __init__(self, problem: Problem) -> None:
        devices = problem.devices
        self._devices = devices
        self._needs, self._guards = devices.counters.needs, devices.counters.guards
        self.left = list(devices.counters.left)
        self.capacity = dict(devices.capacity)
        self.shares = [0] * devices.count
        self.marks = [0] * devices.count
        self.memories: list[MatchAttribute | DistinctAttribute] = [
            DistinctAttribute(c) if c.distinct else MatchAttribute(c) for c in problem.constraints
        ]

    def snapshot(self) -> Hashable:
        """All of it, exactly."""
        memories = tuple([memory.content() for memory in self.memories])
        return (*self.marks, *self.shares, *self.left, *self.capacity.values(), *memories)

    def in_use(self, want: Want, device: int) -> bool:
        """Taken in this attempt: by any claim, or with admin access by the same claim. Shares do not count.

        Source: deviceInUse, allocatingDeviceForClaim.
        """
        mark = self.marks[device]
        return bool(mark >> want.claim & 1) if want.admin_access else bool(mark)

    def pays_counters(self, device: int) -> bool:
        """Whether taking the device consumes counters: a further share does not. Source: deviceCapacityInUse."""
        return device in self._needs and not (
            device in self._devices.shareable and (self.shares[device] or device in self._devices.shared)
        )

    def lacks_counters(self, device: int) -> bool:
        """Source: checkAvailableCounters."""
        if not self.pays_counters(device):
            return False
        left = self.left
        return any(left[counter] < amount for counter, amount in self._needs[device]) or any(
            left[counter] < 0 for counter in self._guards.get(device, ())
        )

    def violates(self, want: Want, device: int) -> bool:
        """Whether a constraint of the claim does not allow the device beside those it has seen."""
        return any(not self.memories[number].allows(device) for number in want.constraints)

    def lacks_capacity(self, want: Want, device: int) -> bool:
        """Source: CmpRequestOverCapacity."""
        amounts = want.amounts.get(device)
        return amounts is not None and any(map(int.__gt__, amounts, self.capacity[device]))

    def take(self, want: Want, device: int) -> None:
        """Records the device; that nothing speaks against it is the caller's business."""
        if self.pays_counters(device):
            for counter, amount in self._needs[device]:
                self.left[counter] -= amount
        for number in want.constraints:
            self.memories[number].add(device)
        if device not in self._devices.shareable:
            self.marks[device] |= 1 << want.claim
            return
        self.shares[device] += 1
        if device in want.amounts:
            self.capacity[device] = tuple(map(int.__sub__, self.capacity[device], want.amounts[device]))

    def give_back(self, want: Want, device: int) -> None:
        """Undoes the last ``take``."""
        if device not in self._devices.shareable:
            self.marks[device] &= ~(1 << want.claim)
        else:
            self.shares[device] -= 1
            if device in want.amounts:
                self.capacity[device] = tuple(map(int.__add__, self.capacity[device], want.amounts[device]))
        for number in want.constraints:
            self.memories[number].remove(device)
        if self.pays_counters(device):
            for counter, amount in self._needs[device]:
                self.left[counter] += amount


class MatchAttribute:
    """All devices have the value of the first one. Source: matchAttributeConstraint."""

    def __init__(self, constraint: AttributeConstraint) -> None:
        self._values: Sequence[int] = constraint.values
        self._value = NO_VALUE
        self.count = 0

    def allows(self, device: int) -> bool:
        """A value that equals nothing can only be the first."""
        value = self._values[device]
        return value != NO_VALUE and (not self.count or (value == self._value and value > NO_VALUE))

    def add(self, device: int) -> None:
        """Remembers the first device's value."""
        if not self.count:
            self._value = self._values[device]
        self.count += 1

    def remove(self, device: int) -> None:  # noqa: ARG002 - the other constraint needs it
        """Forgets one device."""
        self.count -= 1

    def content(self) -> Hashable:
        """What it remembers."""
        return bool(self.count) and self._value

    def holds(self, value: int) -> bool:
        """Whether the devices so far have this value."""
        return bool(self.count) and value == self._value


class DistinctAttribute:
    """No two devices have the same value. Source: distinctAttributeConstraint."""

    def __init__(self, constraint: AttributeConstraint) -> None:
        self._values: Sequence[int] = constraint.values
        self._seen: set[int] = set()

    @property
    def count(self) -> int:
        """How many devices there are."""
        return len(self._seen)

    def allows(self, device: int) -> bool:
        """A value that equals nothing can only be the first: it is not even known to differ."""
        value = self._values[device]
        if value < NO_VALUE:
            return not self._seen
        return value != NO_VALUE and value not in self._seen

    def add(self, device: int) -> None:
        """Remembers the device's value."""
        self._seen.add(self._values[device])

    def remove(self, device: int) -> None:
        """Forgets the device's value."""
        self._seen.remove(self._values[device])

    def content(self) -> Hashable:
        """What it remembers."""
        return frozenset(self._seen)

    def holds(self, value: int) -> bool:
        """Whether one of the devices so far has this value."""
        return value in self._seen
