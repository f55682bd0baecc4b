"""Whether the next requests could be met at all from where the search stands, most rules left out.

Never false where there is a solution: what is left out only makes it easier. Looks as far as the first request that
could end the search, so that no error is passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from .feasible import Demand, Supply, can_meet
from .problem import NO_VALUE, Problem, Request, Status, Want, can_end
from .state import MatchAttribute, State

Reaches = Callable[[Want, int], bool]


@dataclass(frozen=True, slots=True)
class _Needed:
    """``need`` devices of those listed; ``wants`` are the alternatives that could still have them."""

    need: int
    devices: frozenset[int]
    wants: tuple[Want, ...]


class Outlook:
    """What the requests that are still to come can count on."""

    def __init__(self, problem: Problem, state: State) -> None:
        self._problem = problem
        self._state = state
        self._safe_until = _safe_until(problem.requests)
        self._open_matches = [n for n, c in enumerate(problem.constraints) if not c.distinct]
        self._distinct = [n for n, c in enumerate(problem.constraints) if c.distinct]

    def is_hopeless(self, number: int, want: Want | None, need: int, start: int) -> bool:
        """Whether request ``number`` and those after it cannot be met together.

        ``want`` is the alternative being tried, None before one is chosen, that needs ``need`` devices from
        ``start`` on.
        """
        until = self._safe_until[number]
        if until == number:
            return False
        current = self._problem.requests[number]

        def needed(reaches: Reaches) -> list[_Needed] | None:
            wants = current.wants if want is None else (want,)
            found = [self._needed(wants, reaches, need if want else None, start)]
            found += [self._needed(self._problem.requests[n].wants, reaches) for n in range(number + 1, until)]
            return None if None in found else [each for each in found if each is not None]

        every = needed(_anything)
        if every is None or not self._can_share_counters(every):
            return True
        return any(not self._can_differ(number, every) for number in self._distinct) or any(
            self._is_open(number) and not self._can_match(number, needed) for number in self._open_matches
        )

    def _needed(
        self, wants: Sequence[Want], reaches: Reaches, need: int | None = None, start: int = 0
    ) -> _Needed | None:
        """What one request needs at least; None where none of its alternatives has enough devices."""
        least, devices = 0, set[int]()
        able: list[Want] = []
        for want in wants:
            usable = [d for d in _wished(want, start) if self._usable(want, d) and reaches(want, d)]
            wanted = need if need is not None else max(want.devices_wanted, 1)
            if len(usable) >= wanted:
                least = min(least, wanted) if able else wanted
                devices.update(usable)
                able.append(want)
        return _Needed(least, frozenset(devices), tuple(able)) if able else None

    def _usable(self, want: Want, device: int) -> bool:
        """Whether nothing that has happened so far keeps the device from the request. What is taken stays taken."""
        state = self._state
        return (
            want.statuses[device] is not Status.SKIP
            and not state.in_use(want, device)
            and not state.lacks_capacity(want, device)
            and (device in self._problem.devices.counters.guards or not state.lacks_counters(device))
            and not state.violates(want, device)
        )

    def _can_share_counters(self, needed: Sequence[_Needed]) -> bool:
        """Admin access is only counted, not matched, since it may take what others have."""
        exclusive = [each for each in needed if not any(want.admin_access for want in each.wants)]
        limits, group_of = self._counter_groups(frozenset().union(*(each.devices for each in exclusive)))
        return self._meets(exclusive, group_of, limits)

    def _counter_groups(self, devices: frozenset[int]) -> tuple[dict[int, int], dict[int, int]]:
        """Per counter how many of its devices there can be, and per device the tightest of its counters."""
        counters, state = self._problem.devices.counters, self._state
        users: dict[int, list[int]] = {}
        for device in devices:
            if state.pays_counters(device) and device not in counters.guards:
                for counter, amount in counters.needs[device]:
                    if amount > 0:
                        users.setdefault(counter, []).append(device)
        least = {c: min(a for d in found for n, a in counters.needs[d] if n == c) for c, found in users.items()}
        limits = {counter: state.left[counter] // least[counter] for counter in users}
        group_of: dict[int, int] = {}
        for counter in sorted(users, key=lambda c: limits[c] / len(users[c])):
            for device in users[counter]:
                if device not in self._problem.devices.shareable:
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
            if of_value is not None and self._can_share_counters(of_value):
                return True
        return needed(lambda want, _: number not in want.constraints) is not None

    def _meets(self, needed: Sequence[_Needed], group_of: dict[int, int], limits: dict[int, int]) -> bool:
        """A flow over kinds of devices that are alike in who needs them and in whose limit they share."""
        kinds: dict[tuple[tuple[int, ...], int | None], list[int]] = {}
        for device in frozenset().union(*(each.devices for each in needed)):
            who = tuple(n for n, each in enumerate(needed) if device in each.devices)
            kinds.setdefault((who, group_of.get(device)), []).append(device)
        supplies = [
            Supply(len(devices), sum(self._takes(device, needed) for device in devices), group)
            for (_, group), devices in kinds.items()
        ]
        demands = [
            Demand(each.need, frozenset(k for k, (who, _) in enumerate(kinds) if n in who))
            for n, each in enumerate(needed)
        ]
        return can_meet(demands, supplies, limits)

    def _takes(self, device: int, needed: Sequence[_Needed]) -> int:
        """How often the device can be taken: once, or as long as the smallest share has room."""
        if device not in self._problem.devices.shareable:
            return 1
        takes = len(needed)
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
