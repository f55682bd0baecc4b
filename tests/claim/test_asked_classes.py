"""Whose devices a class selects: by its name, or by what its selectors say."""

from __future__ import annotations

import pytest

from kubectl_llmfit.api.values import DeviceClass
from kubectl_llmfit.claim.classes import drivers_selected, shipped_class, usable_classes

NVIDIA = 'device.driver == "gpu.nvidia.com"'


@pytest.mark.parametrize(
    ("selectors", "drivers"),
    [
        ((NVIDIA,), ("gpu.nvidia.com",)),
        (("'gpu.amd.com' == device.driver",), ("gpu.amd.com",)),
        ((f'{NVIDIA} && device.attributes["gpu.nvidia.com"].type == "gpu"',), ("gpu.nvidia.com",)),
        (("true", NVIDIA), ("gpu.nvidia.com",)),
        (("device.driver in ['gpu.intel.com', 'gpu.nvidia.com']",), ("gpu.intel.com", "gpu.nvidia.com")),
        (("device.driver in ['a.com', 'b.com'] && device.driver != 'c.com'", "device.driver == 'b.com'"), ("b.com",)),
        ((f"({NVIDIA} && true) || device.driver == 'gpu.amd.com'",), ("gpu.nvidia.com", "gpu.amd.com")),
        ((f"{NVIDIA} || device.attributes['x.com'].big",), ()),  # a device of any driver may be big
        ((f"{NVIDIA} && device.driver == 'gpu.amd.com'",), ()),  # no device at all
        (("device.attributes['gpu.nvidia.com'].type == 'gpu'",), ("gpu.nvidia.com",)),
        (("has(device.capacity['gpu.amd.com'].memory)",), ("gpu.amd.com",)),
        (("'a' in device.attributes['gpu.amd.com'] || 'a' in device.attributes['gpu.nvidia.com']",), ()),
        (("device.attributes['resource.kubernetes.io'].pcieRoot == 'pci0000:00'",), ()),
        (("device.driver.startsWith('gpu.')",), ()),
        (("device.driver ==",), ()),
        ((), ()),
    ],
)
def test_the_driver_is_found_in_the_syntax_tree(selectors: tuple[str, ...], drivers: tuple[str, ...]) -> None:
    assert drivers_selected(selectors) == drivers


def usable(*classes: DeviceClass | str) -> list[tuple[str, str]]:
    made = [each if isinstance(each, DeviceClass) else DeviceClass(each) for each in classes]
    return [(asked.name, asked.profile.name) for asked in usable_classes(made)]


def test_usable_classes_come_in_the_registrys_order_of_drivers() -> None:
    assert usable("tpu.google.com", "gpu.amd.com", "mig.nvidia.com", "gpu.nvidia.com", "llmfit.ai") == [
        ("llmfit.ai", "llmfit.ai"),
        ("gpu.nvidia.com", "gpu.nvidia.com"),
        ("mig.nvidia.com", "gpu.nvidia.com"),
        ("gpu.amd.com", "gpu.amd.com"),
        ("tpu.google.com", "tpu.google.com"),
    ]


def test_a_class_of_every_kind_stands_for_those_of_one_kind() -> None:
    assert usable("gpu.llmfit.ai", "npu.llmfit.ai", "llmfit.ai") == [("llmfit.ai", "llmfit.ai")]
    assert usable("npu.llmfit.ai", "gpu.llmfit.ai") == [("gpu.llmfit.ai", "llmfit.ai"), ("npu.llmfit.ai", "llmfit.ai")]


def test_classes_without_accelerators_that_can_be_asked_are_left_out() -> None:
    unusable = ("cpu.llmfit.ai", "nic.llmfit.ai", "dra.cpu", "dra.memory", "gpu-vfio.intel.com", "npu.furiosa.ai")
    assert usable(*unusable, "compute-domain-daemon.nvidia.com", "vfio.gpu.nvidia.com") == []


def test_an_administrators_class_counts_where_the_driver_has_none_of_its_own() -> None:
    own = DeviceClass("big", (NVIDIA,))
    assert usable(own) == [("big", "gpu.nvidia.com")]
    assert usable(own, "gpu.nvidia.com") == [("gpu.nvidia.com", "gpu.nvidia.com")]
    assert usable(DeviceClass("other", ('device.driver == "nobody.example.com"',))) == []


def test_a_class_of_two_drivers_is_asked_in_the_names_of_each() -> None:
    both = DeviceClass("any", ("device.driver in ['gpu.amd.com', 'gpu.nvidia.com']",))
    assert usable(both) == [("any", "gpu.nvidia.com"), ("any", "gpu.amd.com")]


def test_classes_made_at_run_time_all_count() -> None:
    names = ("npu-910b4.project-hami.io", "npu-310p3.project-hami.io")
    assert usable(*names) == [(name, "ascend.project-hami.io") for name in sorted(names)]


def test_an_unknown_name_is_nobodys() -> None:
    assert shipped_class("big-gpus") is None
    found = shipped_class("npu-910b4.project-hami.io")
    assert found is not None
    assert found.profile.name == "ascend.project-hami.io"
