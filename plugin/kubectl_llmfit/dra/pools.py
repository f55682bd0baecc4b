"""The pools that one node reaches: newest generation, complete or not, valid or not, in the scheduler's order.

Rules: kube-scheduler 1.37, ``structured/internal/incubating/pools_incubating.go`` (GatherPools, addSlice,
checkSlicesInPool, buildPool). Counter sets are validated here, because an invalid one makes its pool invalid;
how much of them is left is no business of this file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..api.values import Node, NodeTargeting, ResourceSlice
from .answer import DeviceID, Pool, PoolDevice
from .nodes import NodeSelectorError, anchors, depends_on_labels, node_facts, targeting_matches

PoolID = tuple[str, str]


class SliceIndex:
    """All slices of a cluster, found by node and by pool without trying each one."""

    def __init__(self, slices: Iterable[ResourceSlice]) -> None:
        self._shared: list[ResourceSlice] = []
        self._local: dict[str, list[ResourceSlice]] = {}
        self._by_pool: dict[PoolID, list[ResourceSlice]] = {}
        self._anchored: dict[tuple[str, str], list[int]] = {}
        self._unanchored: list[int] = []
        for slice_ in slices:
            self._by_pool.setdefault((slice_.driver, slice_.pool), []).append(slice_)
            if slice_.targeting.node_name:
                self._local.setdefault(slice_.targeting.node_name, []).append(slice_)
            else:
                self._add_shared(slice_)
        self.depends_on_labels = any(
            targeting.node_selector is not None and depends_on_labels(targeting.node_selector)
            for slice_ in self._shared
            for targeting in _targetings(slice_)
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

    def _add_shared(self, slice_: ResourceSlice) -> None:
        position = len(self._shared)
        self._shared.append(slice_)
        facts = [anchors(targeting) for targeting in _targetings(slice_)]
        if None in facts:
            self._unanchored.append(position)
            return
        for fact in frozenset().union(*(f for f in facts if f is not None)):
            self._anchored.setdefault(fact, []).append(position)


def gather_pools(node: Node, index: SliceIndex) -> tuple[Pool, ...]:
    """The pools of ``node`` in the order the scheduler tries them; those with binding conditions come last.

    An Outdated pool (its newer generation has no slice for this node) is there to be shown: for the scheduler it
    does not exist. Raises NodeSelectorError with the scheduler's words.
    """
    return build_pools(node, relevant_slices(node, index), index)


def relevant_slices(node: Node, index: SliceIndex) -> tuple[ResourceSlice, ...]:
    """The slices of any generation that target ``node``, its own first. Raises NodeSelectorError."""
    return tuple(s for s in (*index.local(node), *index.shared(node)) if _is_relevant(s, node))


def build_pools(node: Node, slices: Iterable[ResourceSlice], index: SliceIndex) -> tuple[Pool, ...]:
    """The pools made of the node's relevant slices; what ``gather_pools`` says of them holds here too.

    Without slices that select per device, the same slices make the same pools on every node.
    """
    newest: dict[PoolID, list[ResourceSlice]] = {}
    for slice_ in slices:
        _add_slice(newest, slice_)
    pools = [_build_pool(node, pool, newest_slices, index) for pool, newest_slices in newest.items()]
    return tuple(sorted(pools, key=lambda p: (p.has_binding_conditions, p.driver, p.pool)))


def _targetings(slice_: ResourceSlice) -> Iterator[NodeTargeting]:
    if not slice_.targeting.per_device:
        yield slice_.targeting
        return
    for device in slice_.devices:
        if device.shape.targeting is not None:
            yield device.shape.targeting


def _is_relevant(slice_: ResourceSlice, node: Node) -> bool:
    try:
        return any(targeting_matches(targeting, node) for targeting in _targetings(slice_))
    except NodeSelectorError as error:
        message = f"failed to perform node selection for slice {slice_.name}: failed to parse node selector: {error}"
        raise NodeSelectorError(message) from error


def _add_slice(newest: dict[PoolID, list[ResourceSlice]], slice_: ResourceSlice) -> None:
    """Keeps the newest generation of each pool only. Source: addSlice."""
    pool = (slice_.driver, slice_.pool)
    known = newest.get(pool)
    if known is None or slice_.generation > known[0].generation:
        newest[pool] = [slice_]
    elif slice_.generation == known[0].generation:
        known.append(slice_)


def _build_pool(node: Node, pool: PoolID, slices: list[ResourceSlice], index: SliceIndex) -> Pool:
    """Counts the node's own slices first, and only then those of the whole cluster. Source: GatherPools."""
    generation, expected = slices[0].generation, slices[0].slice_count
    elsewhere: list[ResourceSlice] = []
    if len(slices) != expected:
        newer = max(s.generation for s in index.of_pool(pool))
        if newer > generation:
            reason = f"pool {pool[1]}: generation {newer} replaces {generation} and has no slice for this node"
            return Pool(*pool, generation, len(slices), expected, "Outdated", reason, ())
        own = {slice_.name for slice_ in slices}
        elsewhere = [s for s in index.of_pool(pool) if s.generation == generation and s.name not in own]
    count = len(slices) + len(elsewhere)
    if count != expected:
        reason = f"pool {pool[1]} is being updated ({count} of {expected} slices)"
        return Pool(*pool, generation, count, expected, "Incomplete", reason, ())
    problem = _problem(slices, elsewhere)
    if problem is not None:
        reason = f"pool {pool[1]} is invalid: {problem}"
        return Pool(*pool, generation, count, expected, "Invalid", reason, ())
    devices = tuple(_devices(node, slices))
    conditions = any(device.shape.binding_conditions for device in devices)
    sets = tuple(counter_set for s in (*slices, *elsewhere) for counter_set in s.shared_counters)
    others = tuple(s for s in elsewhere if not s.shared_counters) if sets else ()
    return Pool(*pool, generation, count, expected, "Complete", None, devices, conditions, sets, others)


def _devices(node: Node, slices: Iterable[ResourceSlice]) -> Iterator[PoolDevice]:
    """Slices by name, devices as listed. Source: buildPool, sortSlicesByName."""
    for slice_ in sorted(slices, key=lambda s: s.name):
        if slice_.shared_counters:
            continue
        unknown = _unknown_fields(slice_)
        for device in slice_.devices:
            targeting = slice_.targeting
            if targeting.per_device:
                targeting = device.shape.targeting or NodeTargeting()
            reachable = targeting is slice_.targeting or targeting_matches(targeting, node)
            id_ = DeviceID(slice_.driver, slice_.pool, device.name)
            yield PoolDevice(id_, device.shape, reachable, unknown, targeting)


def _unknown_fields(slice_: ResourceSlice) -> str | None:
    if not slice_.unknown_fields:
        return None
    return f"is in slice {slice_.name}, whose field {slice_.unknown_fields[0]} is not known to this program"


def _problem(slices: Iterable[ResourceSlice], elsewhere: Iterable[ResourceSlice]) -> str | None:
    """What makes a complete pool invalid; the slices of other nodes count for counters, not for device names."""
    own_devices = [s for s in sorted(slices, key=lambda s: s.name) if not s.shared_counters]
    counter_slices = [s for s in (*slices, *elsewhere) if s.shared_counters]
    other_devices = [s for s in elsewhere if not s.shared_counters]
    return (
        _repeated("device", (device.name for s in own_devices for device in s.devices))
        or _repeated("counter set", (counter_set.name for s in counter_slices for counter_set in s.shared_counters))
        or _unknown_counter(counter_slices, (*own_devices, *other_devices))
    )


def _repeated(kind: str, names: Iterable[str]) -> str | None:
    """Source: validateDeviceNames and getAndValidateCounterSets."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return f"duplicate {kind} name {name}"
        seen.add(name)
    return None


def _unknown_counter(counter_slices: Iterable[ResourceSlice], slices: Iterable[ResourceSlice]) -> str | None:
    """Source: validateDeviceCounterConsumption."""
    known = {counter_set.name: counter_set.counters for s in counter_slices for counter_set in s.shared_counters}
    for slice_ in slices:
        for device in slice_.devices:
            for consumed in device.shape.consumes_counters:
                counters = known.get(consumed.name)
                if counters is None:
                    return f"counter set {consumed.name} not found"
                for name in consumed.counters:
                    if name not in counters:
                        return f"counter {name} not found in counter set {consumed.name}"
    return None
