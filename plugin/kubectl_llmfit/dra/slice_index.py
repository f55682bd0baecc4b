"""All slices of a cluster, found by node and by pool.

Rules: kube-scheduler 1.37, ``structured/internal/incubating/pools_incubating.go`` GatherPools: which slices a node
looks at at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..api.values import Node, NodeTargeting, ResourceSlice
from .nodes import anchors, depends_on_labels, node_facts
from .rules import Rules, rules_for

PoolID = tuple[str, str]


class SliceIndex:
    """All slices of a cluster, found by node and by pool without trying each one; ``rules`` say which count."""

    def __init__(self, slices: Iterable[ResourceSlice], rules: Rules | None = None) -> None:
        self.rules = rules or rules_for(None)
        self._shared: list[ResourceSlice] = []
        self._local: dict[str, list[ResourceSlice]] = {}
        self._by_pool: dict[PoolID, list[ResourceSlice]] = {}
        self._counters: dict[PoolID, list[ResourceSlice]] = {}
        self._anchored: dict[tuple[str, str], list[int]] = {}
        self._unanchored: list[int] = []
        for slice_ in slices:
            pool = (slice_.driver, slice_.pool)
            self._by_pool.setdefault(pool, []).append(slice_)
            if self._is_hidden(slice_):
                continue
            if slice_.shared_counters and self.rules.counter_slices_reach_every_node:
                self._counters.setdefault(pool, []).append(slice_)
            elif slice_.targeting.node_name:
                self._local.setdefault(slice_.targeting.node_name, []).append(slice_)
            else:
                self._add_shared(slice_)
        self.depends_on_labels = any(
            targeting.node_selector is not None and depends_on_labels(targeting.node_selector)
            for slice_ in self._shared
            for targeting in targetings(slice_)
        )

    def local(self, node: Node) -> Sequence[ResourceSlice]:
        """The slices that name the node."""
        return self._local.get(node.name, ())

    def shared(self, node: Node) -> list[ResourceSlice]:
        """The slices without a node name that may target the node, in list order; the full test is the caller's."""
        found = set(self._unanchored)
        if self._anchored:
            for fact in node_facts(node):
                found.update(self._anchored.get(fact, ()))
        return [self._shared[position] for position in sorted(found)]

    def of_pool(self, pool: PoolID) -> Sequence[ResourceSlice]:
        """Every slice of a pool, whatever its generation and its nodes."""
        return self._by_pool.get(pool, ())

    def reaching_every_node(self) -> dict[PoolID, list[ResourceSlice]]:
        """Slices with shared counters that count for every node, whatever they target, by pool."""
        return self._counters

    def _is_hidden(self, slice_: ResourceSlice) -> bool:
        """Whether no node looks at the slice, although its pool counts it."""
        if self.rules.gates.partitionable_devices:
            return False
        return slice_.targeting.per_device or (bool(slice_.shared_counters) and self.rules.hides_counter_slices)

    def _add_shared(self, slice_: ResourceSlice) -> None:
        position = len(self._shared)
        self._shared.append(slice_)
        facts = [anchors(targeting) for targeting in targetings(slice_)]
        if None in facts:
            self._unanchored.append(position)
            return
        for fact in frozenset().union(*(f for f in facts if f is not None)):
            self._anchored.setdefault(fact, []).append(position)


def targetings(slice_: ResourceSlice) -> Iterator[NodeTargeting]:
    """The slice's own targeting, or that of each device."""
    if not slice_.targeting.per_device:
        yield slice_.targeting
        return
    for device in slice_.devices:
        if device.shape.targeting is not None:
            yield device.shape.targeting
