"""Every driver profile, and which one a driver, a class or an extended resource belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import (
    ascend_project_hami_io,
    compute_domain_nvidia_com,
    dra_cpu,
    dra_hygon_com,
    dra_memory,
    dra_net,
    efa_networking,
    gaudi_intel_com,
    gpu_amd_com,
    gpu_example_com,
    gpu_intel_com,
    gpu_nvidia_com,
    hami_core_gpu,
    llmfit_ai,
    neuron_aws_com,
    npu_furiosa_ai,
    npu_huawei_com,
    npu_rebellions_ai,
    spyre_ibm_com,
    tenstorrent_com,
    tpu_google_com,
)
from .profile import Profile

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..api.values import DeviceShape

PROFILES: tuple[Profile, ...] = (
    llmfit_ai.PROFILE,
    gpu_nvidia_com.PROFILE,
    compute_domain_nvidia_com.PROFILE,
    gpu_amd_com.PROFILE,
    gpu_intel_com.PROFILE,
    gaudi_intel_com.PROFILE,
    tpu_google_com.PROFILE,
    neuron_aws_com.PROFILE,
    npu_furiosa_ai.PROFILE,
    npu_rebellions_ai.PROFILE,
    ascend_project_hami_io.PROFILE,
    ascend_project_hami_io.OLDER_PROFILE,
    npu_huawei_com.PROFILE,
    tenstorrent_com.PROFILE,
    hami_core_gpu.PROFILE,
    dra_hygon_com.PROFILE,
    spyre_ibm_com.PROFILE,
    gpu_example_com.PROFILE,
    dra_cpu.PROFILE,
    dra_memory.PROFILE,
    dra_net.PROFILE,
    efa_networking.PROFILE,
)
"""In the order in which they are named to a person."""

_BY_DRIVER = {profile.name: profile for profile in PROFILES}


def profile_of_driver(driver: str) -> Profile | None:
    """The profile of the driver of that name."""
    return _BY_DRIVER.get(driver)


def profile_of_class(class_name: str) -> Profile | None:
    """The profile of the driver that ships the DeviceClass of that name."""
    return next((profile for profile in PROFILES if profile.find_class(class_name)), None)


def is_accelerator_resource(resource: str) -> bool:
    """Whether ``resource`` is an extended resource under which some device plugin offers accelerators."""
    return any(profile.offers(resource) for profile in PROFILES)


def is_counted(driver: str, shape: DeviceShape, class_names: Iterable[str]) -> bool:
    """Whether a device belongs to those that MATCH counts, for a claim that asks for ``class_names``.

    Accelerators; all devices of a driver without a profile; and where a class of the device's own driver
    selects one kind, the devices of that kind instead.
    """
    profile = profile_of_driver(driver)
    if profile is None:
        return True
    classes = [found for name in class_names if (found := profile.find_class(name))]
    if not any(entry.kind for entry in classes):
        return profile.is_accelerator(shape)
    kind = profile.kind_of(shape)
    return any(kind == entry.kind if entry.kind else profile.is_accelerator(shape) for entry in classes)
