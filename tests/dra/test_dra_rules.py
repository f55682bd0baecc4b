"""Which scheduler's rules hold: by version and gates; each case is what the sources of that version say."""

from __future__ import annotations

import pytest

from kubectl_llmfit.dra.gates import VERSIONS, FeatureGates, gate_name, without_effect
from kubectl_llmfit.dra.rules import (
    NEWEST,
    CounterScope,
    DistinctAttribute,
    Variant,
    minor_version,
    nearest_version,
    rules_for,
)
from kubectl_llmfit.errors import UsageError


@pytest.mark.parametrize(
    ("version", "minor"),
    [("v1.36.3-gke.1", "1.36"), ("1.36", "1.36"), ("v1.37.2", "1.37"), ("v1.34.0+k3s1", "1.34"), ("latest", None)],
)
def test_the_minor_version_is_read_from_what_servers_say(version: str, minor: str | None) -> None:
    assert minor_version(version) == minor


@pytest.mark.parametrize(
    ("version", "nearest"),
    [(None, "1.37"), ("v1.32.9", "1.34"), ("v1.35.1", "1.35"), ("v1.38.0", "1.37"), ("v2.1.0", "1.37"), ("x", "1.37")],
)
def test_a_version_without_rules_has_those_of_the_nearest(version: str | None, nearest: str) -> None:
    assert nearest_version(version) == nearest
    assert rules_for(version).version == nearest


@pytest.mark.parametrize(
    ("version", "gates", "variant"),
    [
        # DRAResourceClaimDeviceStatus is on in 1.34, and only the experimental allocator of 1.34 has it.
        ("1.34", {}, Variant.EXPERIMENTAL),
        ("1.34", {"DRAResourceClaimDeviceStatus": False}, Variant.INCUBATING),
        (
            "1.34",
            {"DRAResourceClaimDeviceStatus": False, "DRAAdminAccess": False, "DRAPrioritizedList": False},
            Variant.STABLE,
        ),
        # From 1.35 on it counts only together with DRADeviceBindingConditions.
        ("1.35", {}, Variant.INCUBATING),
        ("1.35", {"DRADeviceBindingConditions": True}, Variant.EXPERIMENTAL),
        ("1.35", {"DRAConsumableCapacity": True}, Variant.EXPERIMENTAL),
        ("1.35", {"DRAAdminAccess": False, "DRAPrioritizedList": False}, Variant.STABLE),
        ("1.36", {}, Variant.INCUBATING),
        ("1.36", {"DRAListTypeAttributes": True}, Variant.INCUBATING),
        ("1.36", {"DRAConsumableCapacity": False, "DRADeviceBindingConditions": False}, Variant.STABLE),
        ("1.37", {}, Variant.INCUBATING),
        ("1.37", {"DRAListTypeAttributes": True}, Variant.EXPERIMENTAL),
        ("1.37", {"DRAConsumableCapacity": False, "DRADeviceBindingConditions": False}, Variant.STABLE),
        ("1.37", {"DRAConsumableCapacity": False}, Variant.INCUBATING),
    ],
)
def test_the_gates_choose_the_allocator(version: str, gates: dict[str, bool], variant: Variant) -> None:
    assert rules_for(version, gates).variant is variant


def test_the_order_of_devices_is_fixed_from_1_36_on_but_for_the_stable_allocator() -> None:
    stable = {"DRAConsumableCapacity": False, "DRADeviceBindingConditions": False}
    assert [rules_for(version).order_is_fixed for version in VERSIONS] == [False, False, True, True]
    assert not rules_for("1.37", stable).order_is_fixed
    assert not rules_for("1.37", stable).tries_combinations


def test_incomplete_and_invalid_pools_are_passed_over_from_1_35_on() -> None:
    assert [rules_for(version).takes_from_incomplete_pools for version in VERSIONS] == [True, False, False, False]
    assert [rules_for(version).invalid_pool_fails for version in VERSIONS] == [True, False, False, False]
    assert [rules_for(version).counts_pools_over_cluster for version in VERSIONS] == [False, True, True, True]


def test_counter_slices_reach_every_node_in_1_35_and_1_36_only() -> None:
    assert [rules_for(version).counter_slices_reach_every_node for version in VERSIONS] == [False, True, True, False]
    stable = {"DRAConsumableCapacity": False, "DRADeviceBindingConditions": False}
    assert rules_for("1.37", stable).counter_slices_reach_every_node


def test_counters_are_accounted_by_slice_then_by_pool_name_then_by_pool() -> None:
    scopes = [CounterScope.SLICE, CounterScope.POOL_NAME, CounterScope.POOL, CounterScope.POOL]
    assert [rules_for(version).counters_of for version in VERSIONS] == scopes


def test_distinct_attribute_works_from_1_37_on() -> None:
    found = [rules_for(version).distinct_attribute for version in VERSIONS]
    assert found == [
        DistinctAttribute.NOTHING,
        DistinctAttribute.NOT_KNOWN,  # the incubating allocator of 1.35 does not have it
        DistinctAttribute.LAST_OF_REQUEST,
        DistinctAttribute.ALL_VALUES,
    ]


def test_list_attributes_are_read_by_1_37_always_and_by_1_36_with_the_gate() -> None:
    assert [rules_for(version).reads_list_attributes for version in VERSIONS] == [False, False, False, True]
    gate = {"DRAListTypeAttributes": True}
    assert rules_for("1.36", gate).reads_list_attributes
    assert not rules_for("1.36", gate).compares_lists  # its scheduler does not tell the allocator
    assert rules_for("1.37", gate).compares_lists
    assert not rules_for("1.37").compares_lists


def test_taint_rules_are_read_under_the_gate_of_their_version() -> None:
    assert [rules_for(version).applies_taint_rules for version in VERSIONS] == [False, False, False, True]
    assert rules_for("1.34", {"DRADeviceTaints": True}).applies_taint_rules
    both = {"DRADeviceTaints": True, "DRADeviceTaintRules": True}
    assert rules_for("1.35", both).applies_taint_rules
    assert rules_for("1.36", {"DRADeviceTaintRules": True}).applies_taint_rules


def test_capacity_is_shared_where_allocator_and_gate_say_so() -> None:
    assert [rules_for(version).shares_capacity for version in VERSIONS] == [False, False, True, True]
    assert rules_for("1.35", {"DRAConsumableCapacity": True}).shares_capacity
    assert not rules_for("1.37", {"DRAConsumableCapacity": False}).shares_capacity


def test_fractional_ranges_are_off_unless_asked_for() -> None:
    # kube-scheduler 1.37 --help: "BETA - default=false, or (…) default=true if --min-compatibility-version>=1.37".
    assert not rules_for("1.37").gates.fractional_capacity_range
    assert rules_for("1.37", {"DRAFractionalCapacityRange": True}).gates.fractional_capacity_range


def test_a_gate_that_the_version_locks_cannot_be_turned_off() -> None:
    with pytest.raises(UsageError, match=r"cannot set DRAPrioritizedList to false: Kubernetes 1\.37 locks it to true"):
        FeatureGates.of("1.37", {"DRAPrioritizedList": False})
    assert not FeatureGates.of("1.36", {"DRAPrioritizedList": False}).prioritized_list
    assert FeatureGates.of("1.37", {"DRAPrioritizedList": True}).prioritized_list


def test_a_gate_that_is_newer_than_the_version_is_refused() -> None:
    with pytest.raises(UsageError, match=r"DRAListTypeAttributes is new in Kubernetes 1\.36: one of 1\.35"):
        FeatureGates.of("1.35", {"DRAListTypeAttributes": True})


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("DRAPrioritisedList", "DRAPrioritizedList"),
        ("PrioritizedList", "DRAPrioritizedList"),
        ("DRADeviceTaint", "DRADeviceTaints"),
        ("SidecarContainer", "SidecarContainers"),
    ],
)
def test_an_unknown_gate_is_refused_with_the_nearest(name: str, meant: str) -> None:
    with pytest.raises(UsageError, match=rf'"{name}" is no feature gate of Kubernetes: did you mean {meant}\?'):
        FeatureGates.of(NEWEST, {name: True})


def test_a_gate_without_what_it_needs_is_refused_from_1_35_on() -> None:
    with pytest.raises(UsageError, match="DRADeviceTaintRules is enabled, but depends on features that are disabled"):
        FeatureGates.of("1.37", {"DRADeviceTaints": False})
    # 1.34 knows no dependencies.
    off = {"DRADeviceBindingConditions": True, "DRAResourceClaimDeviceStatus": False}
    assert FeatureGates.of("1.34", off).device_binding_conditions
    assert not FeatureGates.of("1.34", off).binding_and_status


def test_all_gates_of_a_stage_can_be_set_at_once_but_for_those_named() -> None:
    gates = FeatureGates.of("1.36", {"AllBeta": False, "DRADeviceTaints": True})
    assert gates.device_taints
    assert not gates.partitionable_devices
    assert gates.prioritized_list  # GA in 1.36
    assert FeatureGates.of("1.36", {"AllAlpha": True}).list_type_attributes


def test_without_dynamic_resource_allocation_there_is_nothing_to_check() -> None:
    with pytest.raises(UsageError, match="without DynamicResourceAllocation"):
        FeatureGates.of("1.34", {"DynamicResourceAllocation": False})


def test_gates_that_change_nothing_about_claims_are_accepted_and_named() -> None:
    settings = {"SidecarContainers": True, "DRAConsumableCapacity": False, "DRAResourcePoolStatus": True}
    assert FeatureGates.of("1.37", settings) == FeatureGates.of("1.37", {"DRAConsumableCapacity": False})
    assert without_effect(settings) == ["SidecarContainers", "DRAResourcePoolStatus"]


def test_gates_are_shown_under_the_names_that_users_write() -> None:
    assert gate_name("resource_claim_device_status") == "DRAResourceClaimDeviceStatus"
    shown = FeatureGates.of("1.36").named()
    assert shown["DRADeviceTaintRules"] is False
    assert shown["DRAConsumableCapacity"] is True
