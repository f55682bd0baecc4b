"""Why requests that each have devices cannot have them together: constraints, too few devices, counters, capacity."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..cel.quantity import Quantity
from ..dra.answer import ConstraintKind, Pool, RequestSteps, UnmetConstraint
from .figures import side_by_side
from .obstacles import Holders, Stage, Way, consumers
from .words import count, listed

_ZERO = Quantity.from_int(0)
_SIMPLE = frozenset({Stage.NO_MATCH, Stage.HELD})


@dataclass(frozen=True, slots=True)
class Wish:
    """One request on a node: its name for a person, and its alternatives."""

    claim: int
    label: str
    ways: tuple[Way, ...]

    @property
    def wanted(self) -> int:
        """How many devices it wants at least."""
        return min(way.wanted for way in self.ways)

    def usable(self, *, if_free: bool) -> frozenset[int]:
        """The numbers of the devices that do for any of its alternatives."""
        return frozenset(number for way in self.ways for number in way.usable(if_free=if_free))


def constraint_words(unmet: Sequence[UnmetConstraint], wishes: Sequence[Wish]) -> str | None:
    """What the constraints that stand in the way want, and what there is; None where none does alone."""
    if not unmet:
        return None
    first, *others = unmet
    if not others:
        return f"{_who(first, wishes)} {_devices(first)} {_alike(first)}, {_there(first)}"
    more = f" and {count(len(others) - 1, 'other constraint')}" if len(others) > 1 else ""
    both = f"{_alike(first)} and {_alike(others[0])}{more}"
    return f"{_who(first, wishes)} {_devices(first)} {both}: not to be had together"


def constraints_together(wishes: Sequence[Wish], steps: Iterable[RequestSteps]) -> str | None:
    """A request of whose devices its constraints allow too few beside each other."""
    allowed = {(each.claim, each.request, each.alternative): each.constraint for each in steps}
    for wish in wishes:
        most = [(way.wanted, allowed[way.steps.claim, way.steps.request, way.steps.alternative]) for way in wish.ways]
        if all(wanted > together for wanted, together in most):
            who = _want([wish.label]) if len(wishes) > 1 else "wants"
            wanted, together = max(most, key=lambda each: each[1])
            allow = f"the constraints allow {together or 'none'}{' of them together' if together else ' of them'}"
            return f"{who} {count(wanted, 'device')}, {allow}"
    return None


def too_few(wishes: Sequence[Wish], *, if_free: bool) -> str | None:
    """Some requests that want more devices than do for any of them; None where there are no such requests."""
    exclusive = [w for w in wishes if not any(way.request.admin_access for way in w.ways)]
    if len(exclusive) < len(wishes):
        return None  # what admin access takes is not free to others, but it takes what is held
    sets = [wish.usable(if_free=if_free) for wish in wishes]
    for whole in sorted({*sets, frozenset().union(*sets)}, key=len):
        members = [wish for wish, usable in zip(wishes, sets, strict=True) if usable <= whole]
        wanted = sum(wish.wanted for wish in members)
        if wanted > len(whole) and not _any_shareable(members, whole):
            who = "the requests want" if len(members) == len(wishes) else _want([wish.label for wish in members])
            verb = _verb(members, whole, if_free=if_free)
            return f"{who} {count(wanted, 'device')}, {len(whole) or 'none'} {verb}"
    return None


def counters_together(wishes: Sequence[Wish], pools: Iterable[Pool], holders: Holders, *, if_free: bool) -> str | None:
    """A counter of which the devices wanted need more than there is, whichever of them are taken."""
    needed: dict[_Counter, Quantity] = {}
    for wish in wishes:
        for counter, amount in _least_needed(wish, if_free=if_free):
            needed[counter] = needed.get(counter, _ZERO) + amount
    for pool in pools:
        for (set_name, name), left in _left(pool, holders, if_free=if_free).items():
            amount = needed.get((pool.driver, pool.pool, set_name, name), _ZERO)
            if amount > left:
                has, wants = side_by_side(str(left), str(amount))
                rest = "" if if_free else " left"
                devices = count(sum(wish.wanted for wish in wishes), "device")
                return f"{name} {has}{rest} < {wants} needed of counter set {set_name} for {devices}"
    return None


def capacity_together(wishes: Sequence[Wish], holders: Holders, *, if_free: bool) -> str | None:
    """A capacity of the only device there is, of which the requests together want more than there is."""
    numbers = frozenset[int]().union(*(wish.usable(if_free=if_free) for wish in wishes))
    if len(numbers) != 1 or any(len(wish.ways) > 1 for wish in wishes):
        return None
    (number,) = numbers
    device = wishes[0].ways[0].devices[number]
    taken = [holders.amounts(wish.ways[0].request, device) for wish in wishes]
    for name, capacity in device.shape.capacity.items():
        wanted = sum((amounts[name] for amounts in taken if name in amounts), _ZERO)
        left = capacity.value if if_free else capacity.value - holders.consumed(device.id, name)
        if wanted > left:
            has, wants = side_by_side(str(left), str(wanted))
            rest = "" if if_free else " left"
            return f"{name} {has}{rest} < {wants} wanted for {count(len(wishes), 'request')} ({device.id.device})"
    return None


def not_together(wishes: Sequence[Wish]) -> str:
    """What is true of requests that nothing better can be said of."""
    if len(wishes) > 1:
        return "each request has devices, but not all of them together"
    wanted = wishes[0].wanted
    return f"wants {count(wanted, 'device')}: there are enough, but no {wanted} of them can be had together"


_Counter = tuple[str, str, str, str]  # driver, pool, set and its own name


def _least_needed(wish: Wish, *, if_free: bool) -> Iterator[tuple[_Counter, Quantity]]:
    """What its devices need of each counter at least; nothing is said of a choice or of shares."""
    if len(wish.ways) > 1:
        return
    (way,) = wish.ways
    usable = way.usable(if_free=if_free)
    needs: dict[_Counter, list[Quantity]] = {}
    for number in usable:
        device = way.devices[number]
        for consumed in () if device.shape.allow_multiple_allocations else device.shape.consumes_counters:
            for name, amount in consumed.counters.items():
                needs.setdefault((device.id.driver, device.id.pool, consumed.name, name), []).append(amount)
    for counter, amounts in needs.items():
        without = len(usable) - len(amounts)
        yield counter, sum(sorted(amounts)[: max(wish.wanted - without, 0)], _ZERO)


def _left(pool: Pool, holders: Holders, *, if_free: bool) -> dict[tuple[str, str], Quantity]:
    """What is left of each counter of a pool, by set and name."""
    left = {(each.name, name): total for each in pool.counter_sets for name, total in each.counters.items()}
    if not if_free and left:
        for device, consumed in consumers(pool):
            if holders.has_paid(device):
                for name, amount in consumed.counters.items():
                    left[consumed.name, name] = left[consumed.name, name] - amount
    return left


def _any_shareable(wishes: Sequence[Wish], numbers: frozenset[int]) -> bool:
    devices = wishes[0].ways[0].devices
    return any(devices[number].shape.allow_multiple_allocations for number in numbers)


def _verb(wishes: Sequence[Wish], usable: frozenset[int], *, if_free: bool) -> str:
    """What can be said of the devices that do: that they match, or are free, where no other would otherwise."""
    others = {
        number
        for wish in wishes
        for way in wish.ways
        for number, obstacle in enumerate(way.obstacles)
        if obstacle is not None and obstacle.stage not in _SIMPLE and number not in usable
    }
    one, several = (
        ("is usable", "are usable") if others else ("matches", "match") if if_free else ("is free", "are free")
    )
    return several if len(usable) > 1 else one


def _who(unmet: UnmetConstraint, wishes: Sequence[Wish]) -> str:
    """``wants``, ``the requests want``, ``requests a, b want``."""
    of_claim = [wish for wish in wishes if wish.claim == unmet.claim]
    if len(of_claim) == 1 and len(wishes) == 1:
        return "wants"
    if not unmet.requests:
        return "the requests want" if len(wishes) == len(of_claim) else _want([wish.label for wish in of_claim])
    return _want(unmet.requests)


def _want(labels: Sequence[str]) -> str:
    several = len(labels) > 1
    return f"request{'s' * several} {listed(labels)} want{'s' * (not several)}"


def _devices(unmet: UnmetConstraint) -> str:
    return "devices" if unmet.wanted is None else count(unmet.wanted, "device")


def _alike(unmet: UnmetConstraint) -> str:
    """What the devices have to have in common, or apart."""
    if unmet.wanted == 1:
        return f"with {unmet.attribute}"  # a constraint does not take a device without its attribute
    of = "that differ in" if unmet.kind is ConstraintKind.DISTINCT else "with the same"
    return f"{of} {unmet.attribute}"


def _there(unmet: UnmetConstraint) -> str:
    """How close it is: the most that are alike, how many values there are, and all of them with their devices."""
    values = [f"{value}: {number}" for value, number in unmet.values]
    if not values:
        return f"which none has ({count(unmet.without_attribute, 'device')})"
    values += [f"without: {unmet.without_attribute}"] if unmet.without_attribute else []
    distinct = unmet.kind is ConstraintKind.DISTINCT
    return f"{_differ(unmet) if distinct else _same(unmet)} ({listed(values)})"


def _same(unmet: UnmetConstraint) -> str:
    most = max(number for _, number in unmet.values)
    if unmet.wanted is None or most >= unmet.wanted:
        return "no value does for all of them"
    return f"at most {most} {'has' if most == 1 else 'have'} the same value"


def _differ(unmet: UnmetConstraint) -> str:
    values = len(unmet.values)
    if unmet.wanted is None or values >= unmet.wanted:
        return "the values do not do for all of them"
    return f"there {'is' if values == 1 else 'are'} {count(values, 'value')}"
