"""The pools that one node reaches: newest generation, complete or not, valid or not, in the scheduler's order.

Rules: kube-scheduler 1.37, ``structured/internal/incubating/pools_incubating.go`` (GatherPools, addSlice,
checkSlicesInPool, buildPool). Counter sets are validated here, because an invalid one makes its pool invalid;
how much of them is left is ``counters``'.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ..api.values import Node, NodeTargeting, ResourceSlice
from .answer import DeviceID, Pool, PoolDevice
from .nodes import NodeSelectorError, targeting_matches
from .rules import Rules
from .slice_index import PoolID, SliceIndex, targetings


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
    everywhere = index.reaching_every_node()
    for pool in newest:
        for slice_ in everywhere.get(pool, ()):
            _add_slice(newest, slice_)
    pools = [_build_pool(node, pool, newest_slices, index) for pool, newest_slices in newest.items()]
    pools += [pool for id_, pool in _foreign_pools(node, index) if id_ not in newest]
    last = index.rules.pools_with_binding_conditions_last
    return tuple(sorted(pools, key=lambda p: (last and p.has_binding_conditions, p.driver, p.pool)))


def _foreign_pools(node: Node, index: SliceIndex) -> Iterator[tuple[PoolID, Pool]]:
    """Pools of other nodes that are seen here because their counters are; only those that are not whole matter."""
    for pool, slices in index.reaching_every_node().items():
        newest: dict[PoolID, list[ResourceSlice]] = {}
        for slice_ in slices:
            _add_slice(newest, slice_)
        built = _build_pool(node, pool, newest[pool], index)
        if built.state in {"Incomplete", "Invalid"}:
            yield pool, built


def _is_relevant(slice_: ResourceSlice, node: Node) -> bool:
    try:
        return any(targeting_matches(targeting, node) for targeting in targetings(slice_))
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
    """The pool, and whether its slices agree on how many they are.

    The scheduler believes the one that comes first, of those in no order (GatherPools: slicesForPool[0]).
    """
    built = _counted_pool(node, pool, slices, index)
    counts = sorted({slice_.slice_count for slice_ in slices})
    if len(counts) == 1:
        return built
    said = " and ".join(map(str, counts))
    return replace(built, disputed=f"the slices of pool {pool[1]} disagree on how many they are: {said}")


def _counted_pool(node: Node, pool: PoolID, slices: list[ResourceSlice], index: SliceIndex) -> Pool:
    """Counts the node's own slices first, and only then those of the whole cluster. Source: GatherPools."""
    rules = index.rules
    generation, expected = slices[0].generation, slices[0].slice_count
    elsewhere: list[ResourceSlice] = []
    if len(slices) != expected and rules.counts_pools_over_cluster:
        newer = max(s.generation for s in index.of_pool(pool))
        if newer > generation:
            reason = f"pool {pool[1]}: generation {newer} replaces {generation} and has no slice for this node"
            return Pool(*pool, generation, len(slices), expected, "Outdated", reason, ())
        own = {slice_.name for slice_ in slices}
        elsewhere = [s for s in index.of_pool(pool) if s.generation == generation and s.name not in own]
    count = len(slices) + len(elsewhere)
    if count != expected:
        reason = f"pool {pool[1]} is being updated ({count} of {expected} slices)"
        built = Pool(*pool, generation, count, expected, "Incomplete", reason, ())
        return _with_devices(built, node, slices, rules) if rules.takes_from_incomplete_pools else built
    problem = _problem(slices, elsewhere, rules)
    if problem is not None:
        reason = f"pool {pool[1]} is invalid: {problem}"
        built = Pool(*pool, generation, count, expected, "Invalid", reason, ())
        return _with_devices(built, node, slices, rules) if rules.invalid_pool_fails else built
    sets = tuple(counter_set for s in (*slices, *elsewhere) for counter_set in s.shared_counters)
    others = tuple(s for s in elsewhere if not s.shared_counters) if sets else ()
    built = Pool(*pool, generation, count, expected, "Complete", None, (), counter_sets=sets, elsewhere=others)
    return _with_devices(built, node, slices, rules)


def _with_devices(pool: Pool, node: Node, slices: Sequence[ResourceSlice], rules: Rules) -> Pool:
    """The pool with what it offers the node; of an invalid one (1.34), each device stands for the pool's error."""
    devices = tuple(_devices(node, slices, rules))
    problem = _problem(slices, (), rules) if rules.invalid_pool_fails else None
    if problem is not None:
        error = f"pool {pool.pool} is invalid: {problem}"
        devices = tuple(replace(device, pool_error=error) for device in devices)
    conditions = any(device.shape.binding_conditions for device in devices)
    return replace(pool, devices=devices, has_binding_conditions=conditions)


def _devices(node: Node, slices: Iterable[ResourceSlice], rules: Rules) -> Iterator[PoolDevice]:
    """Slices by name, devices as listed. Source: buildPool, sortSlicesByName."""
    last = rules.slices_with_binding_conditions_last
    for slice_ in sorted(slices, key=lambda s: (last and _has_binding_conditions(s), s.name)):
        if slice_.shared_counters and _hides_devices(rules):
            continue
        unknown = _unknown_fields(slice_)
        for device in slice_.devices:
            targeting = slice_.targeting
            if targeting.per_device:
                targeting = device.shape.targeting or NodeTargeting()
            reachable = targeting is slice_.targeting or targeting_matches(targeting, node)
            id_ = DeviceID(slice_.driver, slice_.pool, device.name)
            yield PoolDevice(id_, device.shape, reachable, unknown, targeting, slice_name=slice_.name)


def _has_binding_conditions(slice_: ResourceSlice) -> bool:
    return any(device.shape.binding_conditions for device in slice_.devices)


def _hides_devices(rules: Rules) -> bool:
    """Whether a slice with shared counters offers no devices."""
    return rules.gates.partitionable_devices and not rules.counters_beside_devices


def _unknown_fields(slice_: ResourceSlice) -> str | None:
    if not slice_.unknown_fields:
        return None
    return f"is in slice {slice_.name}, whose field {slice_.unknown_fields[0]} is not known to this program"


def _problem(slices: Iterable[ResourceSlice], elsewhere: Iterable[ResourceSlice], rules: Rules) -> str | None:
    """What makes a complete pool invalid; the slices of other nodes count for counters, not for device names."""
    hides = _hides_devices(rules)
    own_devices = [s for s in sorted(slices, key=lambda s: s.name) if not (s.shared_counters and hides)]
    repeated = _repeated("device", (device.name for s in own_devices for device in s.devices))
    if repeated is not None or not (rules.validates_counters and rules.gates.partitionable_devices):
        return repeated
    counter_slices = [s for s in (*slices, *elsewhere) if s.shared_counters]
    other_devices = [s for s in elsewhere if not s.shared_counters]
    return _repeated(
        "counter set", (counter_set.name for s in counter_slices for counter_set in s.shared_counters)
    ) or _unknown_counter(counter_slices, (*own_devices, *other_devices))


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
