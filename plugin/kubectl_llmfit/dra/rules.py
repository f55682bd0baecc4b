"""Which rules hold: one row for each scheduler of Kubernetes 1.34 to 1.37, chosen by version and feature gates.

The gates choose one of three allocators (NewAllocator of structured/allocator.go takes the first of stable, incubating
and experimental that has all features), and each row says only what differs from the version after it.
Within 1.36 the rules of its newest release hold; 1.36.0 to 1.36.2 still lack ``takes_refusals_back``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from .gates import VERSIONS, FeatureGates
from .rule_values import CounterScope, DistinctAttribute, Rules, SharesAndCounters, Variant

__all__ = [
    "NEWEST",
    "CounterScope",
    "DistinctAttribute",
    "Rules",
    "SharesAndCounters",
    "Variant",
    "minor_version",
    "nearest_version",
    "rules_for",
]

NEWEST: Final = VERSIONS[-1]

_37 = Rules(NEWEST, FeatureGates.of(NEWEST))
_36 = replace(
    _37,
    version="1.36",
    counter_slices_reach_every_node=True,
    shares_and_counters=SharesAndCounters.FREE_WITH_CAPACITY,
    distinct_attribute=DistinctAttribute.LAST_OF_REQUEST,
    all_waits_for_full_devices=False,
    unrepresentable_capacity_fails=False,
    reads_list_attributes=False,
    cel_errors_name_device=False,
    hides_compatibility_groups=False,
    rule_without_selector_selects_all=True,
)
_35 = replace(
    _36,
    version="1.35",
    order_is_fixed=False,
    tries_combinations=False,
    slices_with_binding_conditions_last=True,
    takes_refusals_back=False,
    counters_of=CounterScope.POOL_NAME,
    shares_consume_counters=False,
    mixes_up_alternatives=True,
    timeout_fails_pod=False,
)
_34 = replace(
    _35,
    version="1.34",
    counts_pools_over_cluster=False,
    takes_from_incomplete_pools=True,
    invalid_pool_fails=True,
    validates_counters=False,
    every_taint_blocks=True,
    counters_of=CounterScope.SLICE,
    counter_slices_reach_every_node=False,
    counters_beside_devices=True,
    hides_counter_slices=False,
    shares_and_counters=SharesAndCounters.ALWAYS_PAY,
    distinct_attribute=DistinctAttribute.NOTHING,
    rechecks_another_device=True,
    rules_select_by_class_and_cel=True,
)


def _without_capacity(rules: Rules) -> Rules:
    """What an allocator that came before consumable capacity and binding conditions lacks."""
    return replace(
        rules,
        pools_with_binding_conditions_last=False,
        slices_with_binding_conditions_last=False,
        shares_consume_counters=False,
        distinct_attribute=DistinctAttribute.NOT_KNOWN,
        knows_capacity=False,
    )


def _unordered(rules: Rules) -> Rules:
    return replace(_without_capacity(rules), order_is_fixed=False, tries_combinations=False)


# By default experimental runs in 1.34 and incubating later; 1.36 has no feature that needs the experimental one.
_TABLE: Final[Mapping[tuple[str, Variant], Rules]] = {
    ("1.37", Variant.STABLE): replace(_unordered(_37), counter_slices_reach_every_node=True),
    ("1.37", Variant.INCUBATING): _37,
    ("1.37", Variant.EXPERIMENTAL): _37,
    ("1.36", Variant.STABLE): _unordered(_36),
    ("1.36", Variant.INCUBATING): _36,
    ("1.35", Variant.STABLE): replace(_without_capacity(_35), validates_counters=False, hides_counter_slices=False),
    ("1.35", Variant.INCUBATING): _without_capacity(_35),
    ("1.35", Variant.EXPERIMENTAL): _35,
    ("1.34", Variant.STABLE): _without_capacity(_34),
    ("1.34", Variant.INCUBATING): _without_capacity(_34),
    ("1.34", Variant.EXPERIMENTAL): _34,
}


def rules_for(version: str | None, gates: Mapping[str, bool] | None = None) -> Rules:
    """The rules of the scheduler of a server's ``version`` (``v1.36.3-gke.1``; None: the newest) with these gates.

    A version without rules has those of the nearest: compare ``Rules.version`` with it and say so. Raises UsageError
    for gates that the scheduler refuses (``FeatureGates.of``).
    """
    nearest = nearest_version(version)
    chosen = FeatureGates.of(nearest, gates)
    variant = _variant(nearest, chosen)
    row = _TABLE[nearest, variant]
    lists = row.reads_list_attributes or chosen.list_type_attributes
    compared = nearest == NEWEST and chosen.list_type_attributes
    return replace(row, gates=chosen, variant=variant, reads_list_attributes=lists, compares_lists=compared)


def minor_version(version: str) -> str | None:
    """``1.36`` of ``v1.36.3-gke.1``; None for what is no version of Kubernetes."""
    found = re.match(r"v?(\d+)\.(\d+)(?![0-9])", version)
    return f"{found[1]}.{found[2]}" if found else None


def nearest_version(version: str | None) -> str:
    """The version with rules that is nearest to ``version``; the newest for None or no version."""
    minor = minor_version(version) if version else None
    if minor is None or minor in VERSIONS:
        return minor or NEWEST
    return VERSIONS[0] if _ordinal(minor) < _ordinal(VERSIONS[0]) else NEWEST


def _ordinal(minor: str) -> tuple[int, ...]:
    return tuple(int(part) for part in minor.split("."))


def _variant(version: str, gates: FeatureGates) -> Variant:
    """The first allocator that supports all features that are on (SupportedFeatures, AllocatorFeatures)."""
    newer = gates.consumable_capacity or gates.binding_and_status or gates.fractional_capacity_range
    older = gates.admin_access or gates.prioritized_list or gates.partitionable_devices or gates.device_taints
    if version == "1.34":
        status = gates.device_binding_conditions or gates.resource_claim_device_status
        newest, middle = gates.consumable_capacity or status, older
    elif version == "1.35":
        newest, middle = newer, older
    else:
        newest, middle = version == NEWEST and _alpha(gates), newer
    if newest:
        return Variant.EXPERIMENTAL
    return Variant.INCUBATING if middle else Variant.STABLE


def _alpha(gates: FeatureGates) -> bool:
    """The features that only the experimental allocator of 1.37 has; 1.36 does not tell it of list attributes."""
    return (
        gates.list_type_attributes
        or gates.optional_node_operations
        or gates.derived_attributes
        or gates.device_compatibility_groups
    )
