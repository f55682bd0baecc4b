"""The rules in which the schedulers of Kubernetes 1.34 to 1.37 differ, one field a rule. Part of ``rules``.

A rule that is the same in all four versions is no field: an ``All`` that matches nothing refuses; capacity names are
compared as written, without the driver's domain; at most 32 devices, with the same words when a claim asks for more.

Sources, under ``structured/internal`` of k8s.io/dynamic-resource-allocation unless named: 0.34.13, 0.35.10, 0.36.6 and
0.37.2; ``scheduler/framework/plugins/dynamicresources`` (the plugin) of Kubernetes 1.34.4, 1.35.4, 1.36.3 and 1.37.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from .gates import FeatureGates


class Variant(StrEnum):
    """Which of the three allocators runs (structured/allocator.go: availableAllocators)."""

    STABLE = "stable"
    INCUBATING = "incubating"
    EXPERIMENTAL = "experimental"


class CounterScope(StrEnum):
    """What shares one account of counters (allocator_*.go: availableCounters, consumedCounters)."""

    SLICE = "slice"
    POOL_NAME = "pool name"
    POOL = "pool"


class DistinctAttribute(StrEnum):
    """What distinctAttribute compares (allocator_*.go: Allocate; constraint.go: distinctAttributeConstraint).

    NOT_KNOWN: the constraint counts as empty, which fails the pod. NOTHING: addresses are compared, so only a second
    share of the same device is a duplicate. LAST_OF_REQUEST: only the newest value of each request is remembered, and
    none once that device was given back. ALL_VALUES: what the API says.
    """

    NOT_KNOWN = "not known"
    NOTHING = "nothing"
    LAST_OF_REQUEST = "last of request"
    ALL_VALUES = "all values"


class SharesAndCounters(StrEnum):
    """Whether a further share of a device pays its counters again (allocateDevice: skipCounterCheck).

    ALWAYS_PAY; FREE_WITH_CAPACITY: free where an earlier share has consumed capacity recorded; FREE: for any earlier
    share (deviceCapacityInUse).
    """

    ALWAYS_PAY = "always pay"
    FREE_WITH_CAPACITY = "free with capacity"
    FREE = "free"


@dataclass(frozen=True, slots=True)
class Rules:
    """How one scheduler decides. The defaults are those of the incubating allocator of 1.37, its usual one."""

    version: str
    """The minor version whose rules these are: ``1.37``."""

    gates: FeatureGates

    variant: Variant = Variant.INCUBATING

    counts_pools_over_cluster: bool = True
    """Where a node's own slices are not as many as the pool has, those of all nodes are counted, and the pool is left
    out when another node has a newer generation (pools_*.go: GatherPools, checkSlicesInPool; 1.35). Before, only the
    node's own slices count, and newer generations elsewhere go unnoticed."""

    takes_from_incomplete_pools: bool = False
    """ExactCount takes devices of a pool of which slices are missing (allocateOne; until 1.34)."""

    invalid_pool_fails: bool = False
    """An ExactCount request that reaches a pool with a device name twice fails the pod: ``pool P is invalid:
    duplicate device name D`` (allocateOne; until 1.34; an incomplete pool counts too). Later such a pool is passed over
    and named only when nothing else was found. ``All`` fails in every version."""

    validates_counters: bool = True
    """A pool is invalid, too, when a counter set stands twice, or a device consumes one that is not there
    (buildPool; 1.35, with partitionable devices on)."""

    order_is_fixed: bool = True
    """Pools by driver and name, slices by name (sortPoolsByID, sortSlicesByName; 1.36, not in the stable allocator).
    Before, pools come in any order (Go's maps) and slices as the informer lists them: which devices are taken, and
    whether a device that raises is reached before a fitting one, is open."""

    tries_combinations: bool = True
    """The next device of a request is searched after the previous one (allocateOne: startLocation; where
    ``order_is_fixed``). Before, all permutations are tried: one device that can be shared may serve a request twice,
    and a "no" takes far longer to prove."""

    pools_with_binding_conditions_last: bool = True
    """Pools with any device that has binding conditions come after all others (GatherPools)."""

    slices_with_binding_conditions_last: bool = False
    """Within a pool, slices with such a device come last (GatherPools of the experimental allocators until 1.35)."""

    every_taint_blocks: bool = False
    """A taint blocks whatever its effect is, None and unknown ones included (allTaintsTolerated; until 1.34)."""

    takes_refusals_back: bool = True
    """A device that is refused after its counters were reserved gives them back, with what the constraints remember
    of it (rollbackDevice; 1.36.3). Before, a device that is tainted or violates a constraint keeps its counters for the
    rest of the attempt, so that a later device may find too few; one that is short of capacity stays taken as well."""

    counters_of: CounterScope = CounterScope.POOL
    """1.34: the slice that publishes counters and devices. 1.35: pools of one name, whatever their drivers."""

    counter_slices_reach_every_node: bool = False
    """Slices with shared counters belong to every node, whatever they target (GatherPools: "Always include slices with
    SharedCounters"; 1.35, 1.36, the stable allocator of 1.37). The pool of another node may then be incomplete or
    invalid here: every ``All`` fails, and ``invalid resource pools were encountered`` shows on nodes without it."""

    counters_beside_devices: bool = False
    """A slice with shared counters has devices too (until 1.34). Later its devices, if any, are never taken
    (buildPool: counterSetSlices)."""

    hides_counter_slices: bool = True
    """With partitionable devices off, slices with shared counters are passed over like those that select per device,
    and make the pool incomplete (GatherPools; 1.35, not in its stable allocator)."""

    shares_consume_counters: bool = True
    """A device of which shares are allocated consumes its counters (checkAvailableCounters: IsDeviceAllocated; 1.36).
    Before, and in the stable allocator, only a device that is taken as a whole does."""

    shares_and_counters: SharesAndCounters = SharesAndCounters.FREE

    distinct_attribute: DistinctAttribute = DistinctAttribute.ALL_VALUES

    knows_capacity: bool = True
    """The allocator has consumable capacity: capacity requests are compared, shares taken, and an expression sees
    ``device.allowMultipleAllocations``. With the gate off a capacity request fails the pod (``has capacity requests,
    but the DRAConsumableCapacity feature is disabled``). Without it (stable; incubating until 1.35) capacity requests
    are ignored, every device is taken as a whole, and the variable is always false."""

    all_waits_for_full_devices: bool = True
    """``All`` counts a device that can be shared and has too little left, and is then refused
    (validateDeviceRequest; 1.37). Before, such a device is left out of "all"."""

    unrepresentable_capacity_fails: bool = True
    """A capacity request beyond int64 or the range's arithmetic, and a negative capacity, fail the pod
    (consumable_capacity.go: errCapacityRequestNotRepresentable, errNegativeCapacity; 1.37). Before, int64 wraps."""

    rechecks_another_device: bool = False
    """Capacity is checked a second time on the wrong device: the one whose place in the slice is the number of devices
    that the request has got so far (allocateDevice: CmpRequestOverCapacity with r.deviceIndex; 1.34)."""

    mixes_up_alternatives: bool = False
    """In a firstAvailable, matches found for the All of one alternative are remembered for the one before it, and
    after its first device an All goes on as the first alternative (Allocate, allocateOne; until 1.35)."""

    reads_list_attributes: bool = True
    """Attributes with a list are values in CEL (cel/compile.go: getAttributeValue; 1.37 whatever the gate). Before
    1.36, and in 1.36 with the gate off, a device with one fails every expression: ``unsupported attribute value``."""

    compares_lists: bool = False
    """Constraints compare lists: a common value is a match, none is distinct (experimental allocator of 1.37 with
    DRAListTypeAttributes on). Otherwise a device with a list is never a match for one before it."""

    cel_errors_name_device: bool = True
    """``selector #0 on device D/P/N: CEL runtime error: …`` with a hint after "no such key" (selectorsMatch,
    EnhanceRuntimeError; 1.37). Before, ``selector #0: CEL runtime error: …``."""

    hides_compatibility_groups: bool = True
    """With DRADeviceCompatibilityGroups off, slices with devices in compatibility groups are passed over, and make
    the pool incomplete (GatherPools; 1.37). Before, the field is not known and changes nothing."""

    rule_without_selector_selects_all: bool = False
    """A DeviceTaintRule without a deviceSelector taints every device, against its documentation
    (resourceslice/tracker: applyPatches; until 1.36)."""

    rules_select_by_class_and_cel: bool = False
    """DeviceTaintRules have deviceClassName and CEL selectors, and an expression that raises selects nothing
    (applyPatches; 1.33 and 1.34)."""

    timeout_fails_pod: bool = True
    """A search that takes over 10 s fails the pod (plugin, Filter; 1.36). Before, it refuses that node: ``timed out
    trying to allocate devices``. Without DRASchedulerFilterTimeout nothing stops a search."""

    @property
    def applies_taint_rules(self) -> bool:
        """Whether DeviceTaintRules are read: by DRADeviceTaints in 1.34, later by their own gate (scheduler.go)."""
        return self.gates.device_taints if self.version == "1.34" else self.gates.device_taint_rules

    @property
    def shares_capacity(self) -> bool:
        """Whether a device that allows several allocations is shared, and capacity requests are compared."""
        return self.knows_capacity and self.gates.consumable_capacity
