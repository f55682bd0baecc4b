"""Whether the next requests could be met at all from where the search stands, most rules left out.

Never hopeless where there is a solution: what is left out only makes it easier. Looks as far as the first request that
could end the search, so that no error is passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from .feasible import Demand, Supply, can_meet
from .memories import MatchAttribute
from .problem import NO_VALUE, Problem, Request, Status, Want, can_end
from .state import State

Reaches = Callable[[Want, int], bool]


@dataclass(frozen=True, slots=True)
class _Needed:
    """Some requests that are alike: each needs ``need`` of the devices listed, for one of the ``wants`` it has left."""

    times: int
    need: int
    devices: frozenset[int]
    wants: tuple[Want, ...]


class Outlook:
    """What the requests that are still to come can count on. ``looks`` counts the devices looked at."""

    def __init__(self, problem: Problem, state: State) -> None:
        self._problem = problem
        self._state = state
        self.looks = 0
        self._safe_until = _safe_until(problem.requests)
        self._alike = _numbered(map(_content_of_request, problem.requests))
        self._matches = [n for n, c in enumerate(problem.constraints) if not c.distinct]
        self._distinct = [n for n, c in enumerate(problem.constraints) if c.distinct]
        self._counter_kinds = _counter_kinds(problem)

    def is_hopeless(self, number: int, want: Want | None, need: int, start: int) -> bool:
        """Whether request ``number`` and those after it cannot be met together.

        ``want`` is the alternative being tried, None before one is chosen, that needs ``need`` devices from
        ``start`` on.
        """
        until = self._safe_until[number]
        if until == number:
            return False
        wants = self._problem.requests[number].wants if want is None else (want,)
        later: dict[int, int] = {}
        for request in range(number + 1, until):
            later[self._alike[request]] = later.get(self._alike[request], 0) + 1
        examples = {self._alike[request]: request for request in range(number + 1, until)}

        def needed(reaches: Reaches) -> list[_Needed] | None:
            found = [self._needed(1, wants, reaches, need if want else None, start)]
            for alike, times in later.items():
                if found[-1] is None:
                    return None
                found.append(self._needed(times, self._problem.requests[examples[alike]].wants, reaches))
            return None if found[-1] is None else [each for each in found if each is not None]

        every = needed(_anything)
        if every is None or not self._has_volume(every) or not self._can_share(every):
            return True
        return any(not self._can_differ(constraint, every) for constraint in self._distinct) or any(
            self._is_open(constraint) and not self._can_match(constraint, needed) for constraint in self._matches
        )

    def _needed(
        self, times: int, wants: Sequence[Want], reaches: Reaches, need: int | None = None, start: int = 0
    ) -> _Needed | None:
        """What requests need at least; None where none of their alternatives has enough devices."""
        least, devices = 0, set[int]()
        able: list[Want] = []
        for want in wants:
            self.looks += len(want.statuses)
            usable = [d for d in _wished(want, start) if self._usable(want, d) and reaches(want, d)]
            wanted = need if need is not None else max(want.devices_wanted, 1)
            if len(usable) >= wanted:
                least = min(least, wanted) if able else wanted
                devices.update(usable)
                able.append(want)
        return _Needed(times, least, frozenset(devices), tuple(able)) if able else None

    def _usable(self, want: Want, device: int) -> bool:
        """Whether nothing that has happened so far keeps the device from the request. What is taken stays taken."""
        state = self._state
        return (
            want.statuses[device] is not Status.SKIP
            and not state.in_use(want, device)
            and (device not in want.amounts or not state.lacks_capacity(want, device))
            and (device in self._problem.devices.counters.guards or not state.lacks_counters(device))
            and (not want.constraints or not state.violates(want, device))
        )

    def _has_volume(self, needed: Sequence[_Needed]) -> bool:
        """Whether counters of one kind hold, all together, what the requests take of them at the very least."""
        needs = self._problem.devices.counters.needs
        for counters in self._counter_kinds:
            left = sum(self._state.left[counter] for counter in counters)
            for each in needed:
                taken = (sum(a for c, a in needs[d] if c in counters) if self._pays(d) else 0 for d in each.devices)
                left -= each.times * each.need * min(taken, default=0)
            if left < 0:
                return False
        return True

    def _pays(self, device: int) -> bool:
        """Whether every request that takes the device is sure to pay its counters."""
        devices = self._problem.devices
        return device in devices.counters.needs and device not in devices.shareable

    def _can_share(self, needed: Sequence[_Needed]) -> bool:
        """Admin access is only counted, not matched, since it may take what others have."""
        exclusive = [each for each in needed if not any(want.admin_access for want in each.wants)]
        limits, group_of = self._counter_groups(frozenset().union(*(each.devices for each in exclusive)))
        return self._meets(exclusive, group_of, limits)

    def _counter_groups(self, devices: frozenset[int]) -> tuple[dict[int, int], dict[int, int]]:
        """Per counter how many of its devices there can be, and per device the tightest of its counters."""
        counters = self._problem.devices.counters
        users: dict[int, list[int]] = {}
        least: dict[int, int] = {}
        for device in devices:
            if self._pays(device) and device not in counters.guards:
                for counter, amount in counters.needs[device]:
                    if amount > 0:
                        users.setdefault(counter, []).append(device)
                        least[counter] = min(amount, least.get(counter, amount))
        limits = {counter: self._state.left[counter] // least[counter] for counter in users}
        group_of: dict[int, int] = {}
        for counter in sorted(users, key=lambda c: (limits[c] / len(users[c]), c)):
            for device in users[counter]:
                group_of.setdefault(device, counter)
        return limits, group_of

    def _can_differ(self, number: int, needed: Sequence[_Needed]) -> bool:
        """Whether there are enough values for the requests that a constraint wants to differ."""
        values = self._problem.constraints[number].values
        bound = [each for each in needed if all(number in want.constraints for want in each.wants)]
        group_of = {device: values[device] for each in bound for device in each.devices}
        return self._meets(bound, group_of, dict.fromkeys(group_of.values(), 1))

    def _is_open(self, number: int) -> bool:
        memory = self._state.memories[number]
        return isinstance(memory, MatchAttribute) and not memory.count

    def _can_match(self, number: int, needed: Callable[[Reaches], list[_Needed] | None]) -> bool:
        """Whether one of the values does for all requests that a constraint wants to be the same."""
        values = self._problem.constraints[number].values

        def with_value(value: int) -> Reaches:
            return lambda want, device: number not in want.constraints or values[device] == value

        for value in sorted(set(values) - {NO_VALUE}):
            of_value = needed(with_value(value))
            if of_value is not None and self._can_share(of_value):
                return True
        return needed(lambda want, _: number not in want.constraints) is not None

    def _meets(self, needed: Sequence[_Needed], group_of: dict[int, int], limits: dict[int, int]) -> bool:
        """A flow over kinds of devices that are alike in who needs them and in whose limit they share."""
        kinds: dict[tuple[int, int | None], list[int]] = {}
        who: dict[int, int] = {}
        for place, each in enumerate(needed):
            for device in each.devices:
                who[device] = who.get(device, 0) | 1 << place
        for device, mask in who.items():
            kinds.setdefault((mask, group_of.get(device)), []).append(device)
        requests = sum(each.times for each in needed)
        supplies = [
            Supply(len(devices) * requests, sum(self._takes(device, needed, requests) for device in devices), group)
            for (_, group), devices in kinds.items()
        ]
        demands = [
            Demand(each.times * each.need, frozenset(k for k, (mask, _) in enumerate(kinds) if mask >> place & 1))
            for place, each in enumerate(needed)
        ]
        return can_meet(demands, supplies, limits)

    def _takes(self, device: int, needed: Sequence[_Needed], most: int) -> int:
        """How often the device can be taken: once, or as long as the smallest share has room."""
        if device not in self._problem.devices.shareable:
            return 1
        takes = most
        shares = [want.amounts[device] for each in needed for want in each.wants if device in want.amounts]
        for left, *amounts in zip(self._state.capacity.get(device, ()), *shares, strict=True) if shares else ():
            if min(amounts) > 0:
                takes = min(takes, left // min(amounts))
        return takes


def _anything(_want: Want, _device: int) -> bool:
    return True


def _wished(want: Want, start: int) -> Iterator[int] | Sequence[int]:
    return range(start, len(want.statuses)) if want.all_devices is None else want.all_devices


def _safe_until(requests: Sequence[Request]) -> list[int]:
    """Per request the number of the next one, itself included, that could end the search."""
    until = [len(requests)] * (len(requests) + 1)
    for number in range(len(requests) - 1, -1, -1):
        until[number] = number if any(map(can_end, requests[number].wants)) else until[number + 1]
    return until


def _counter_kinds(problem: Problem) -> list[frozenset[int]]:
    """Counters of which the device that takes most takes the same amount: the slices of all cards, say.

    Which counters are added up is free to choose. Pools that give counters back are left out.
    """
    most: dict[int, int] = {}
    for device, needs in problem.devices.counters.needs.items():
        for counter, amount in needs:
            odd = device in problem.devices.counters.guards
            most[counter] = -1 if odd else max(amount, most.get(counter, amount))
    kinds: dict[int, set[int]] = {}
    for counter, amount in most.items():
        if amount > 0:
            kinds.setdefault(amount, set()).add(counter)
    return [frozenset(counters) for counters in kinds.values()]


def _content_of_request(request: Request) -> Hashable:
    return tuple(
        (
            want.claim if want.admin_access else None,
            want.count,
            tuple(want.statuses),
            want.all_devices,
            want.constraints,
            tuple(want.amounts.items()),
        )
        for want in request.wants
    )


def _numbered(contents: Iterable[Hashable]) -> list[int]:
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(content, len(numbers)) for content in contents]
