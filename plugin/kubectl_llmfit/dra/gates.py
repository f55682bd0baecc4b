"""Feature gates of kube-scheduler: which exist in which version, their defaults, and what users set.

Source of the table: ``pkg/features/kube_features.go`` of Kubernetes 1.34.4, 1.35.4, 1.36.3 and 1.37.2. The gate of a
field of ``FeatureGates`` has the field's name: ``prioritized_list`` is DRAPrioritizedList.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from enum import Enum
from typing import Final

from ..errors import UsageError
from .gate_names import NAMES_WITHOUT_EFFECT

VERSIONS: Final = ("1.34", "1.35", "1.36", "1.37")
"""The minor versions of Kubernetes that have rules here, oldest first."""


class Stage(Enum):
    """How far a feature has come in one version: its stage, its default, and whether that can be changed."""

    ALPHA = ("alpha", False, False)
    BETA_OFF = ("beta", False, False)
    BETA = ("beta", True, False)
    GA = ("GA", True, False)
    LOCKED = ("GA", True, True)

    @property
    def label(self) -> str:
        """``alpha``, ``beta`` or ``GA``."""
        return self.value[0]

    @property
    def default(self) -> bool:
        """Whether the feature is on when nobody says anything."""
        return self.value[1]

    @property
    def locked(self) -> bool:
        """Whether the scheduler refuses to start with another value."""
        return self.value[2]


_Row = tuple[Stage | None, Stage | None, Stage | None, Stage | None]

_A, _OFF, _B, _GA, _L = Stage.ALPHA, Stage.BETA_OFF, Stage.BETA, Stage.GA, Stage.LOCKED
# Columns: VERSIONS. None: a scheduler of that version does not know the name and refuses to start.
_STAGES: Final[Mapping[str, _Row]] = {
    "DRAAdminAccess": (_B, _B, _L, _L),
    "DRAConsumableCapacity": (_A, _A, _B, _B),
    "DRADerivedAttributes": (None, None, None, _A),
    "DRADeviceBindingConditions": (_A, _A, _B, _B),
    "DRADeviceCompatibilityGroups": (None, None, None, _A),
    "DRADeviceTaintRules": (None, _A, _OFF, _GA),
    "DRADeviceTaints": (_A, _A, _B, _GA),
    "DRAExtendedResource": (_A, _A, _B, _L),
    # Its default is "on" only for --min-compatibility-version=1.37 or newer; without that flag it is 1.36.
    "DRAFractionalCapacityRange": (None, None, None, _OFF),
    "DRAListTypeAttributes": (None, None, _A, _A),
    "DRANodeAllocatableResources": (None, None, _A, _A),
    "DRAOptionalNodeOperations": (None, None, None, _A),
    "DRAPartitionableDevices": (_A, _A, _B, _B),
    "DRAPartitionableDevicesType": (None, None, None, _A),
    "DRAPrioritizedList": (_B, _B, _GA, _L),
    "DRAResourceClaimDeviceStatus": (_B, _B, _B, _L),
    "DRAResourceClaimGranularStatusAuthorization": (None, None, _B, _B),
    "DRAResourcePoolStatus": (None, None, _A, _A),
    "DRASchedulerFilterTimeout": (_B, _B, _B, _B),
    "DRAWorkloadResourceClaims": (None, None, _A, _OFF),
    "DynamicResourceAllocation": (_GA, _L, _L, _L),
}

# defaultKubernetesFeatureGateDependencies, new in 1.35: the scheduler does not start with the left on, the right off.
_NEEDS: Final[Mapping[str, tuple[str, ...]]] = {
    "DRADeviceBindingConditions": ("DRAResourceClaimDeviceStatus",),
    "DRADeviceCompatibilityGroups": ("DRAPartitionableDevices",),
    "DRADeviceTaintRules": ("DRADeviceTaints",),
    "DRAFractionalCapacityRange": ("DRAConsumableCapacity",),
    "DRAPartitionableDevicesType": ("DRAPartitionableDevices", "DRAResourcePoolStatus"),
    "DRAResourceClaimGranularStatusAuthorization": ("DRAResourceClaimDeviceStatus",),
}
_NO_DEPENDENCIES: Final = frozenset(("1.34",))
# Sets every gate of a stage that is not named itself (component-base/featuregate).
_WHOLE_STAGES: Final[Mapping[str, str]] = {"AllAlpha": "alpha", "AllBeta": "beta"}
_PREFIX: Final = "DRA"


@dataclass(frozen=True, slots=True)
class FeatureGates:
    """The gates that decide what a scheduler does with claims; those that decide nothing are not kept."""

    admin_access: bool
    consumable_capacity: bool
    derived_attributes: bool
    device_binding_conditions: bool
    device_compatibility_groups: bool
    device_taint_rules: bool
    device_taints: bool
    fractional_capacity_range: bool
    list_type_attributes: bool
    node_allocatable_resources: bool
    optional_node_operations: bool
    partitionable_devices: bool
    prioritized_list: bool
    resource_claim_device_status: bool
    scheduler_filter_timeout: bool

    @classmethod
    def of(cls, version: str, settings: Mapping[str, bool] | None = None) -> FeatureGates:
        """The gates of a scheduler of ``version`` (one of VERSIONS) with these settings.

        Raises UsageError, as that scheduler refuses to start, for an unknown name, another value of a locked gate,
        and a feature without one that it needs.
        """
        settings = settings or {}
        column = VERSIONS.index(version)
        for name, value in settings.items():
            _require_settable(name, value, version)
        values = dict(_effective(column, settings))
        if version not in _NO_DEPENDENCIES:
            _require_needed(values)
        if not values["DynamicResourceAllocation"]:
            raise UsageError("--feature-gates: without DynamicResourceAllocation no scheduler looks at claims")
        return cls(**{field.name: values[gate_name(field.name)] for field in fields(cls)})

    def named(self) -> dict[str, bool]:
        """The values under the names that users write."""
        return {gate_name(field.name): getattr(self, field.name) for field in fields(self)}

    @property
    def binding_and_status(self) -> bool:
        """Whether devices with binding conditions can be allocated (AllocatorFeatures: DeviceBindingAndStatus)."""
        return self.device_binding_conditions and self.resource_claim_device_status


def gate_name(field_name: str) -> str:
    """DRAPrioritizedList for ``prioritized_list``."""
    return _PREFIX + "".join(word.capitalize() for word in field_name.split("_"))


def without_effect(settings: Mapping[str, bool]) -> list[str]:
    """The names among ``settings`` that change nothing about claims."""
    known = {gate_name(field.name) for field in fields(FeatureGates)} | set(_WHOLE_STAGES)
    return [name for name in settings if name not in known and name != "DynamicResourceAllocation"]


def _require_settable(name: str, value: bool, version: str) -> None:
    if name in _WHOLE_STAGES or name in NAMES_WITHOUT_EFFECT:
        return
    if name not in _STAGES:
        close = get_close_matches(name, _names_and_stems(), n=1)
        hint = f": did you mean {_full_name(close[0])}?" if close else ""
        raise UsageError(f'--feature-gates: "{name}" is no feature gate of Kubernetes{hint}')
    stage = _STAGES[name][VERSIONS.index(version)]
    if stage is None:
        since = next(v for v, known in zip(VERSIONS, _STAGES[name], strict=True) if known)
        raise UsageError(f"--feature-gates: {name} is new in Kubernetes {since}: one of {version} does not know it")
    if stage.locked and value != stage.default:
        raise UsageError(
            f"--feature-gates: cannot set {name} to {str(value).lower()}: Kubernetes {version} locks it to "
            f"{str(stage.default).lower()}"
        )


def _effective(column: int, settings: Mapping[str, bool]) -> Iterator[tuple[str, bool]]:
    stages = {_WHOLE_STAGES[name]: value for name, value in settings.items() if name in _WHOLE_STAGES}
    for name, row in _STAGES.items():
        stage = row[column]
        if stage is None:
            yield name, False
        else:
            yield name, settings.get(name, stages.get(stage.label, stage.default))


def _require_needed(values: Mapping[str, bool]) -> None:
    for name, needed in _NEEDS.items():
        missing = [one for one in needed if not values[one]]
        if values[name] and missing:
            raise UsageError(
                f"--feature-gates: {name} is enabled, but depends on features that are disabled: {', '.join(missing)}"
            )


def _names_and_stems() -> list[str]:
    """All names, those of DRA gates without their prefix too, which people leave out."""
    return [*_STAGES, *(name.removeprefix(_PREFIX) for name in _STAGES), *_WHOLE_STAGES, *NAMES_WITHOUT_EFFECT]


def _full_name(name: str) -> str:
    return name if name in _STAGES or name in NAMES_WITHOUT_EFFECT or name in _WHOLE_STAGES else _PREFIX + name
