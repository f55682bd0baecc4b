"""Problems for the search in a few letters, and the scheduler's search without any short cut."""

from __future__ import annotations

from collections.abc import Sequence

from kubectl_llmfit.dra.problem import AttributeConstraint, Devices, Problem, Request, SharedCounters, Status, Want

LETTERS = {".": Status.SKIP, "f": Status.FREE, "?": Status.DOUBT, "!": Status.ERROR, "o": Status.OPAQUE}
TAKE = 8  # a device that is taken costs as much as eight that are looked at


def wants(
    statuses: str,
    count: int = 1,
    *,
    claim: int = 0,
    admin: bool = False,
    under: Sequence[int] = (),
    amounts: Sequence[int] = (),
) -> Want:
    """A count of devices; ``under`` are its constraints, ``amounts`` what it takes of each device's one capacity."""
    taken = {device: (amount,) for device, amount in enumerate(amounts)}
    return Want(claim, count, admin, [LETTERS[letter] for letter in statuses], None, tuple(under), taken)


def wants_all(statuses: str, *listed: int, claim: int = 0, admin: bool = False, under: Sequence[int] = ()) -> Want:
    return Want(claim, 0, admin, [LETTERS[letter] for letter in statuses], listed, tuple(under))


def problem(
    *requests: Want | Sequence[Want],
    match: Sequence[Sequence[int]] = (),
    distinct: Sequence[Sequence[int]] = (),
    counters: SharedCounters | None = None,
    shares: Sequence[int] = (),
) -> Problem:
    """Requests, or lists of alternatives. Constraints of claim 0 are numbered ``match`` first, then ``distinct``.

    With ``shares``, all devices can be shared and have so much of one capacity.
    """
    made = tuple(Request((r,)) if isinstance(r, Want) else Request(tuple(r), prioritized=True) for r in requests)
    size = len(made[0].wants[0].statuses) if made else 0
    constraints = [AttributeConstraint(0, False, values) for values in match]
    constraints += [AttributeConstraint(0, True, values) for values in distinct]
    devices = Devices(
        size,
        shareable=frozenset(range(len(shares))),
        capacity={device: (left,) for device, left in enumerate(shares)},
        counters=counters or SharedCounters(),
    )
    return Problem(devices, made, tuple(constraints))


def cards(number: int, partitions: int, left: int, each: int = 1) -> SharedCounters:
    """One counter a card with ``left`` in it, of which each of the card's partitions consumes ``each``."""
    needs = {d: ((d // partitions, each),) for d in range(number * partitions)}
    return SharedCounters((left,) * number, needs)
