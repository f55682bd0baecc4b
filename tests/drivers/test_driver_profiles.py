from __future__ import annotations

import pytest

from kubectl_llmfit.api.names import dns_subdomain_error
from kubectl_llmfit.api.values import DeviceShape
from kubectl_llmfit.drivers.profile import Profile
from kubectl_llmfit.drivers.registry import (
    PROFILES,
    is_accelerator_resource,
    is_counted,
    profile_of_class,
    profile_of_driver,
)
from kubectl_llmfit.drivers.tablefile import VENDORS


def shape(**attributes: str) -> DeviceShape:
    return DeviceShape(attributes=attributes)


def test_drivers_and_classes_are_known_once() -> None:
    assert len({profile.name for profile in PROFILES}) == len(PROFILES) == 22
    classes = [entry.name for profile in PROFILES for entry in profile.classes]
    assert len(set(classes)) == len(classes)


@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
def test_a_driver_and_its_classes_lead_to_its_profile(profile: Profile) -> None:
    assert profile_of_driver(profile.name) is profile
    assert dns_subdomain_error(profile.name) is None
    for entry in profile.classes:
        assert dns_subdomain_error(entry.name.replace("*", "x")) is None
        assert profile_of_class(entry.name.replace("*", "x")) is profile


@pytest.mark.parametrize(
    ("class_name", "driver"),
    [
        ("gpu.llmfit.ai", "llmfit.ai"),
        ("mig.nvidia.com", "gpu.nvidia.com"),
        ("compute-domain-daemon.nvidia.com", "compute-domain.nvidia.com"),
        ("gpu.amd.com-spx", "gpu.amd.com"),
        ("npu-910b4-mem16.project-hami.io", "ascend.project-hami.io"),
        ("dra.hugepages-2m", "dra.memory"),
    ],
)
def test_a_class_belongs_to_the_driver_that_ships_it(class_name: str, driver: str) -> None:
    profile = profile_of_class(class_name)
    assert profile is not None
    assert profile.name == driver


def test_a_class_that_an_admin_made_belongs_to_none() -> None:
    assert profile_of_class("big-gpus") is None


@pytest.mark.parametrize(
    ("driver", "device", "classes", "counted"),
    [
        ("llmfit.ai", shape(kind="gpu"), ["llmfit.ai"], True),
        ("llmfit.ai", shape(kind="npu"), ["llmfit.ai"], True),
        ("llmfit.ai", shape(kind="cpu"), ["llmfit.ai"], False),
        ("llmfit.ai", shape(kind="cpu"), ["cpu.llmfit.ai"], True),
        ("llmfit.ai", shape(kind="gpu"), ["cpu.llmfit.ai"], False),
        ("llmfit.ai", shape(kind="npu"), ["gpu.llmfit.ai"], False),
        ("llmfit.ai", shape(kind="npu"), ["gpu.llmfit.ai", "npu.llmfit.ai"], True),
        ("llmfit.ai", shape(**{"llmfit.ai/kind": "nic"}), ["big-gpus"], False),
        ("llmfit.ai", shape(), ["llmfit.ai"], True),  # before it published a kind
        ("gpu.nvidia.com", shape(type="gpu"), ["llmfit.ai"], True),
        ("gpu.nvidia.com", shape(type="mig"), ["gpu.nvidia.com"], False),
        ("gpu.nvidia.com", shape(type="vfio"), ["vfio.gpu.nvidia.com"], True),
        ("gpu.nvidia.com", shape(type="vfio"), [], False),
        ("compute-domain.nvidia.com", shape(type="channel"), ["gpu.nvidia.com"], False),
        ("neuron.aws.com", shape(resourceType="neuron_node"), [], False),
        ("dra.cpu", shape(), [], False),
        ("gaudi.intel.com", shape(), [], True),
        ("gpus.example.org", shape(kind="cpu"), [], True),  # no profile: all its devices
    ],
)
def test_match_counts_accelerators_or_the_kind_that_the_class_selects(
    driver: str, device: DeviceShape, classes: list[str], counted: bool
) -> None:
    assert is_counted(driver, device, classes) is counted


@pytest.mark.parametrize(
    "resource",
    ["nvidia.com/gpu", "nvidia.com/mig-1g.10gb", "amd.com/gpu", "amd.com/cpx_nps4", "gpu.intel.com/i915",
     "gpu.intel.com/xe", "google.com/tpu", "aws.amazon.com/neuron", "habana.ai/gaudi", "huawei.com/Ascend910",
     "furiosa.ai/rngd", "rebellions.ai/npu", "tenstorrent.com/chip", "hygon.com/dcu", "ibm.com/spyre_pf"],
)  # fmt: skip
def test_a_device_plugins_resource_gives_an_accelerator_away(resource: str) -> None:
    assert is_accelerator_resource(resource)


@pytest.mark.parametrize(
    "resource", ["cpu", "hugepages-2Mi", "rdma/hca", "vpc.amazonaws.com/efa", "example.com/dongle"]
)
def test_other_resources_do_not(resource: str) -> None:
    assert not is_accelerator_resource(resource)


@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
def test_a_profile_can_be_asked_or_says_why_not(profile: Profile) -> None:
    if profile.inexpressible is not None:
        assert not any((profile.memory, profile.bandwidth, profile.identities, profile.specimen))
        return
    assert profile.bandwidth is not None or (profile.identities and profile.vendor in VENDORS)
    assert profile.limits
    assert all(limit.endswith(".") for limit in profile.limits)
    assert profile.health.default in profile.health.modes
    assert profile.accelerator
    for attribute, values in profile.tests:
        assert attribute
        assert values


def test_only_llmfit_ai_publishes_bandwidth() -> None:
    assert [profile.name for profile in PROFILES if profile.bandwidth] == ["llmfit.ai"]


def test_every_vendor_of_the_table_has_a_driver() -> None:
    drivers = {profile.vendor for profile in PROFILES}
    assert set(VENDORS) - drivers == {"FuriosaAI", "IBM"}  # their drivers cannot be asked
