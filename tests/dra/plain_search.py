"""The scheduler's own search (allocateOne), as it is written there, with a counter of its steps."""

from __future__ import annotations

from dra.search_problems import TAKE
from kubectl_llmfit.dra.problem import NO_VALUE, Problem, Status, Taken, Want


class StoppedError(Exception):
    """The search came to a device that ends it."""


class ExceededError(Exception):
    """The claim's results have no room (errAllocationResultMaxSizeExceeded)."""


class PlainSearch:
    """``path`` is the solution, ``stopped_at`` what ended the search."""

    def __init__(self, problem: Problem, results_max: int) -> None:
        self.path: list[Taken] = []
        self.steps = 0
        self.stopped_at: Taken | None = None
        self._problem, self._max = problem, results_max
        try:
            self.found = self._request(0)
        except StoppedError:
            self.found = False

    def _request(self, number: int) -> bool:
        requests = self._problem.requests
        if number == len(requests):
            return True
        if number and requests[number - 1].claim != requests[number].claim:
            try:
                return self._alternatives(number)
            except ExceededError:
                return False
        return self._alternatives(number)

    def _alternatives(self, number: int) -> bool:
        request = self._problem.requests[number]
        if not request.prioritized:
            return self._device(number, 0, 0, 0)
        exceeded = 0
        for chosen in range(len(request.wants)):
            try:
                if self._device(number, chosen, 0, 0):
                    return True
            except ExceededError:
                exceeded += 1
        if exceeded == len(request.wants):
            raise ExceededError
        return False

    def _device(self, number: int, chosen: int, index: int, start: int) -> bool:
        want = self._problem.requests[number].wants[chosen]
        if want.all_devices is not None and not want.all_devices:
            return False
        if index >= want.devices_wanted:
            return self._request(number + 1)
        if want.devices_wanted - index > self._max - sum(self._claim(taken) == want.claim for taken in self.path):
            raise ExceededError
        if want.all_devices is not None:
            return self._take(number, chosen, index, want.all_devices[index], 0, must=True)
        for device in range(start, len(want.statuses)):
            self.steps += 1
            if self._take(number, chosen, index, device, device + 1, must=False):
                return True
        return False

    def _take(self, number: int, chosen: int, index: int, device: int, start: int, *, must: bool) -> bool:
        want = self._problem.requests[number].wants[chosen]
        taken = Taken(number, chosen, device)
        status = want.statuses[device]
        if must and status is Status.OPAQUE:
            self.stopped_at = taken
            raise StoppedError
        if status is Status.SKIP or self._in_use(want, device):
            return False
        if status in {Status.ERROR, Status.OPAQUE}:
            self.stopped_at = taken
            raise StoppedError
        if not must and not self._has_capacity(want, device):
            return False
        if not self._has_counters(device):
            return False
        if not all(self._allows(constraint, device) for constraint in want.constraints):
            if must:
                self.stopped_at = taken
                raise StoppedError
            return False
        if not self._has_capacity(want, device):
            return False
        self.steps += TAKE
        self.path.append(taken)
        try:
            found = self._device(number, chosen, index + 1, start)
        except ExceededError:
            self.path.pop()
            raise
        if not found:
            self.path.pop()
        return found

    def _want(self, taken: Taken) -> Want:
        return self._problem.requests[taken.request].wants[taken.want]

    def _claim(self, taken: Taken) -> int:
        return self._want(taken).claim

    def _in_use(self, want: Want, device: int) -> bool:
        if device in self._problem.devices.shareable:
            return False
        claims = {self._claim(taken) for taken in self.path if taken.device == device}
        return want.claim in claims if want.admin_access else bool(claims)

    def _has_capacity(self, want: Want, device: int) -> bool:
        if device not in want.amounts:
            return True
        shares = [self._want(t).amounts[device] for t in self.path if t.device == device]
        used = [sum(amounts) for amounts in zip(*shares, want.amounts[device], strict=True)]
        if device not in self._problem.devices.shareable:
            used = list(want.amounts[device])
        return all(u <= left for u, left in zip(used, self._problem.devices.capacity[device], strict=True))

    def _has_counters(self, device: int) -> bool:
        """A device of which there are shares already pays no more."""
        devices, counters = self._problem.devices, self._problem.devices.counters
        used = {taken.device for taken in self.path}
        if device not in counters.needs or (
            device in devices.shareable and (device in used or device in devices.shared)
        ):
            return True
        left = list(counters.left)
        payers = [t.device for t in self.path if t.device not in devices.shareable]
        payers += [d for d in used & devices.shareable if d not in devices.shared]
        for payer in (*payers, device):
            for counter, amount in counters.needs.get(payer, ()):
                left[counter] -= amount
        own = [counter for counter, _ in counters.needs[device]]
        return all(left[counter] >= 0 for counter in (*own, *counters.guards.get(device, ())))

    def _allows(self, number: int, device: int) -> bool:
        constraint = self._problem.constraints[number]
        value = constraint.values[device]
        seen = [constraint.values[t.device] for t in self.path if number in self._want(t).constraints]
        if value == NO_VALUE:
            return False
        if not seen:
            return True
        if value < NO_VALUE:  # equals nothing, and nobody knows that it differs
            return False
        return value not in seen if constraint.distinct else value == seen[0]
