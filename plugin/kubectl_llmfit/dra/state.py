"""What one attempt has taken so far: devices, shares of capacity, counters, and what the constraints remember.

Rules: kube-scheduler 1.37, ``structured/internal/incubating`` allocateDevice and rollbackDevice. ``take`` and
``give_back`` are each other's opposite, last in, first out.
"""

from __future__ import annotations

from collections.abc import Hashable

from .memories import memory_of
from .problem import Problem, Want


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
        self.results = {request.claim: 0 for request in problem.requests}
        self.memories = [memory_of(constraint) for constraint in problem.constraints]

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

    def refuses(self, want: Want, device: int) -> bool:
        """The same right before ``take``, with what constraints forget of a device that a later one does not allow."""
        added: list[int] = []
        for number in want.constraints:
            if not self.memories[number].allows(device):
                break
            self.memories[number].add(device, want.request)
            added.append(number)
        for number in reversed(added):
            self.memories[number].remove(device, want.request)
        return len(added) < len(want.constraints)

    def lacks_capacity(self, want: Want, device: int) -> bool:
        """Source: CmpRequestOverCapacity."""
        amounts = want.amounts.get(device)
        return amounts is not None and any(map(int.__gt__, amounts, self.capacity[device]))

    def take(self, want: Want, device: int) -> None:
        """Records the device; that nothing speaks against it is the caller's business."""
        self.results[want.claim] += 1
        if self.pays_counters(device):
            for counter, amount in self._needs[device]:
                self.left[counter] -= amount
        for number in want.constraints:
            self.memories[number].add(device, want.request)
        if device not in self._devices.shareable:
            self.marks[device] |= 1 << want.claim
            return
        self.shares[device] += 1
        if device in want.amounts:
            self.capacity[device] = tuple(map(int.__sub__, self.capacity[device], want.amounts[device]))

    def give_back(self, want: Want, device: int) -> None:
        """Undoes the last ``take``."""
        self.results[want.claim] -= 1
        if device not in self._devices.shareable:
            self.marks[device] &= ~(1 << want.claim)
        else:
            self.shares[device] -= 1
            if device in want.amounts:
                self.capacity[device] = tuple(map(int.__add__, self.capacity[device], want.amounts[device]))
        for number in want.constraints:
            self.memories[number].remove(device, want.request)
        if self.pays_counters(device):
            for counter, amount in self._needs[device]:
                self.left[counter] += amount
