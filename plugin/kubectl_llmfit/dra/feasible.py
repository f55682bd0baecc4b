"""Whether demands can be met at all from supplies, some of which share a limit: a flow, not a search.

Knows only numbers. Used to leave out branches of the search that cannot succeed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Supply:
    """Devices of one kind: how many there are, how often they can be taken together, and whose limit they share."""

    devices: int
    takes: int
    group: int | None = None


@dataclass(frozen=True, slots=True)
class Demand:
    """``need`` different devices out of the supplies named in ``kinds``."""

    need: int
    kinds: frozenset[int]


_SOURCE, _SINK = 0, 1
Network = list[dict[int, int]]


def can_meet(demands: Sequence[Demand], supplies: Sequence[Supply], limits: Mapping[int, int] | None = None) -> bool:
    """Whether all demands can be met at once; ``limits`` says how much each group gives together."""
    network = _network(demands, supplies, limits or {})
    return all(_add_flow(network) for _ in range(sum(demand.need for demand in demands)))


def _network(demands: Sequence[Demand], supplies: Sequence[Supply], limits: Mapping[int, int]) -> Network:
    """Per node the capacity that is left towards others: source, sink, demands, supplies, groups."""
    groups = {group: 2 + len(demands) + len(supplies) + place for place, group in enumerate(limits)}
    network: Network = [{} for _ in range(2 + len(demands) + len(supplies) + len(groups))]
    for number, demand in enumerate(demands, start=2):
        network[_SOURCE][number] = demand.need
        for kind in demand.kinds:
            network[number][2 + len(demands) + kind] = supplies[kind].devices
    for number, supply in enumerate(supplies, start=2 + len(demands)):
        network[number][_SINK if supply.group is None else groups[supply.group]] = supply.takes
    for group, node in groups.items():
        network[node][_SINK] = limits[group]
    return network


def _add_flow(network: Network) -> bool:
    """One unit more from source to sink, moving others where that helps (an augmenting path)."""
    came_from = {_SOURCE: _SOURCE}
    queue = [_SOURCE]
    for node in queue:
        for other, left in network[node].items():
            if left and other not in came_from:
                came_from[other] = node
                queue.append(other)
        if _SINK in came_from:
            break
    else:
        return False
    node = _SINK
    while node != _SOURCE:
        before = came_from[node]
        network[before][node] -= 1
        network[node][before] = network[node].get(before, 0) + 1
        node = before
    return True
