"""What each driver publishes (``slices/*.yaml``), and what a claim for given floors must be given of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from kubectl_llmfit.claim.selectors import selector
from kubectl_llmfit.drivers.asking import Floor
from kubectl_llmfit.drivers.products import builtin_table
from kubectl_llmfit.drivers.profile import DriverClass, Profile
from kubectl_llmfit.drivers.registry import profile_of_class, profile_of_driver

Object = dict[str, Any]
SLICES = Path(__file__).with_name("slices")
LONG_AGO = "2026-01-01T00:00:00Z"
GIB = 1 << 30


@dataclass(frozen=True, slots=True)
class Question:
    """Floors asked of a class of a driver, and the nodes whose devices must be taken, each with its devices.

    ``also`` are devices that pass beside those taken: further parts of the same card.
    """

    driver: str
    device_class: str
    memory_gib: int
    bandwidth_gbs: int | None
    takes: Mapping[str, tuple[str, ...]]
    also: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """For the test's own name."""
        return f"{self.device_class}-{self.memory_gib}Gi-{self.bandwidth_gbs}"

    @property
    def profile(self) -> Profile:
        """The driver's profile."""
        found = profile_of_driver(self.driver)
        assert found is not None
        return found

    @property
    def entry(self) -> DriverClass | None:
        """The class, if the driver ships it."""
        found = profile_of_class(self.device_class)
        return found.find_class(self.device_class) if found is self.profile else None

    @property
    def selector(self) -> str:
        """The text that a claim has."""
        return selector(self.profile, self.entry, Floor(self.memory_gib * GIB, self.bandwidth_gbs), builtin_table())


def _first(driver: str, *nodes: str) -> dict[str, tuple[str, ...]]:
    """The first device of each node."""
    return {name: (contents(driver)["nodes"][name]["devices"][0]["name"],) for name in nodes}


@cache
def contents(driver: str) -> Object:
    """The file of a driver."""
    read: Object = yaml.safe_load((SLICES / f"{driver}.yaml").read_text(encoding="utf-8"))
    return read


def slices(driver: str) -> list[Object]:
    """The ResourceSlices of a driver: one for each node, and one before it for its counters where it has some."""
    return [each for node, spec in contents(driver)["nodes"].items() for each in _pool(driver, node, spec)]


def _pool(driver: str, node: str, spec: Object) -> list[Object]:
    devices = {"devices": [_dated(device) for device in spec["devices"]]}
    parts = [{"sharedCounters": spec["counters"]}, devices] if "counters" in spec else [devices]
    return [
        {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceSlice",
            "metadata": {"name": f"{node}-{driver}-{number}"},
            "spec": {
                "driver": driver,
                "nodeName": node,
                "pool": {"name": node, "generation": 1, "resourceSliceCount": len(parts)},
                **part,
            },
        }
        for number, part in enumerate(parts)
    ]


def _dated(device: Object) -> Object:
    """The device with what the API server adds to taints."""
    if "taints" not in device:
        return device
    return device | {"taints": [taint | {"timeAdded": LONG_AGO} for taint in device["taints"]]}


def device_classes(driver: str) -> list[Object]:
    """The classes as the driver ships them."""
    return [
        {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "DeviceClass",
            "metadata": {"name": name},
            "spec": {"selectors": [{"cel": {"expression": expression}}]},
        }
        for name, expression in contents(driver)["classes"].items()
    ]


def claim(question: Question, *, share: bool = False) -> Object:
    """The claim, in the API's own form; ``share`` requests the memory instead of a whole device."""
    exactly: Object = {
        "deviceClassName": question.device_class,
        "selectors": [{"cel": {"expression": question.selector}}],
    }
    if share:
        assert question.profile.share is not None
        amounts = {question.profile.share.memory: f"{question.memory_gib}Gi"} | dict(question.profile.share.others)
        exactly["capacity"] = {"requests": amounts}
    if question.profile.allocation_mode == "All":
        exactly["allocationMode"] = "All"
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": "asked", "namespace": "default"},
        "spec": {"devices": {"requests": [{"name": "model", "exactly": exactly}]}},
    }


NVIDIA, AMD, INTEL, GAUDI = "gpu.nvidia.com", "gpu.amd.com", "gpu.intel.com", "gaudi.intel.com"
TPU, NEURON, REBELLIONS, ASCEND = "tpu.google.com", "neuron.aws.com", "npu.rebellions.ai", "ascend.project-hami.io"
TENSTORRENT, HAMI, HYGON, EXAMPLE = (
    "tenstorrent.com",
    "hami-core-gpu.project-hami.io",
    "dra.hygon.com",
    "gpu.example.com",
)
ASCEND_CLASS = "npu-910b4.project-hami.io"
ANY_NVIDIA = "any.nvidia.example.com"
FAST = ("h100", "h100-unmonitored", "a100-80", "a100-40", "l40s", "dynamic", "consumable")
INSTINCT = ("mi300x", "mi325x", "mi250x-alpha", "partition-dpx", "made-up-memory")
SEVENTHS = tuple(f"gpu-0-mig-1g5gb-19-{start}" for start in range(7))
HALVES = ("gpu-0-mig-3g20gb-9-0", "gpu-0-mig-3g20gb-9-4")
CPX, DPX, QPX, SPX = ("gpu-0-cpx-nps4", "gpu-0-dpx-nps2", "gpu-0-qpx-nps1", "gpu-0-spx-nps1")

SHARING = (
    Question(NVIDIA, NVIDIA, 20, 585, _first(NVIDIA, "consumable")),
    Question(HAMI, HAMI, 20, 585, _first(HAMI, "a100")),
    Question(ASCEND, ASCEND_CLASS, 20, None, _first(ASCEND, "soft")),
    Question(HYGON, HYGON, 30, None, _first(HYGON, "k100")),
    Question(EXAMPLE, EXAMPLE, 60, None, _first(EXAMPLE, "consumable")),
)
"""Devices that several claims may share, each asked for a share."""

QUESTIONS = (
    Question("llmfit.ai", "llmfit.ai", 20, 585, _first("llmfit.ai", "passes")),
    # without a bandwidth: not the processor with its 128Gi
    Question("llmfit.ai", "llmfit.ai", 20, None, _first("llmfit.ai", "passes", "bandwidth-below", "unknown-product")),
    # 576 GB/s (RTX 5000 Ada) is just below; the H100's taint of effect None keeps nobody out
    Question(NVIDIA, NVIDIA, 20, 585, _first(NVIDIA, *FAST)),
    Question(NVIDIA, NVIDIA, 16, 300, _first(NVIDIA, *FAST, "l4")
             | _first(NVIDIA, "memory-below", "bandwidth-below")),
    # two cards of one name: 912 and 760 GB/s
    Question(NVIDIA, NVIDIA, 9, 800, _first(NVIDIA, *FAST, "rtx-3080-12")),
    # 119Gi = 0.93 x 128Gi, of the card that hides its memory (273 GB/s)
    Question(NVIDIA, NVIDIA, 119, 273, _first(NVIDIA, "gb10", "consumable")),
    Question(NVIDIA, NVIDIA, 120, 273, _first(NVIDIA, "consumable")),
    Question(NVIDIA, NVIDIA, 119, 274, _first(NVIDIA, "consumable")),
    # half an H100 has 3350 / 2 = 1675 GB/s, half a PRO 6000 1597 / 2 = 798
    Question(NVIDIA, "mig.nvidia.com", 20, 585, _first(NVIDIA, "h100-3g", "pro-6000-2g-minus-me")),
    # an eighth of an A100-40 has 1555 / 8 = 194 GB/s, of an H100 418; 1g.20gb is a quarter: 837; a quarter PRO 6000 399
    Question(NVIDIA, "mig.nvidia.com", 4, 194, _first(NVIDIA, "a100-40-1g", "h100-1g-me", "h100-1g-20", "h100-3g")
             | _first(NVIDIA, "pro-6000-1g-gfx", "pro-6000-2g-minus-me", "pro-6000-1g-me-all")
             | {"dynamic": SEVENTHS[:1]}, {"dynamic": SEVENTHS[1:] + HALVES}),
    Question(NVIDIA, "mig.nvidia.com", 4, 195, _first(NVIDIA, "h100-1g-me", "h100-1g-20", "h100-3g")
             | _first(NVIDIA, "pro-6000-1g-gfx", "pro-6000-2g-minus-me", "pro-6000-1g-me-all")
             | {"dynamic": HALVES[:1]}, {"dynamic": HALVES[1:]}),
    Question(NVIDIA, "mig.nvidia.com", 4, 419, _first(NVIDIA, "h100-1g-20", "h100-3g", "pro-6000-2g-minus-me")
             | {"dynamic": HALVES[:1]}, {"dynamic": HALVES[1:]}),
    Question(NVIDIA, ANY_NVIDIA, 20, 585, _first(NVIDIA, *FAST)
             | _first(NVIDIA, "h100-3g", "pro-6000-2g-minus-me")),
    # an MI250X device has 1638 GB/s, half an MI300X 2650, a quarter 1325, an eighth 662
    Question(AMD, AMD, 40, 1600, _first(AMD, *INSTINCT) | {"automatic": (DPX,)}, {"automatic": (SPX,)}),
    Question(AMD, AMD, 40, 1300, _first(AMD, *INSTINCT, "partition-qpx") | {"automatic": (DPX,)},
             {"automatic": (QPX, SPX)}),
    Question(AMD, AMD, 70, 1600, _first(AMD, "mi300x", "mi325x", "partition-dpx") | {"automatic": (DPX,)},
             {"automatic": (SPX,)}),
    Question(AMD, AMD, 20, 600, _first(AMD, *INSTINCT, "partition-qpx", "partition-cpx", "memory-below")
             | _first(AMD, "bandwidth-below") | {"automatic": (CPX,)}, {"automatic": (DPX, QPX, SPX)}),
    Question(AMD, "gpu.amd.com-spx", 20, 1300, _first(AMD, *INSTINCT, "partition-qpx") | {"automatic": (SPX,)}),
    # one PCI id, three cards: 20 GB have 800 GB/s, 16 GB have 576
    Question(AMD, AMD, 15, 700, _first(AMD, *INSTINCT, "partition-qpx")
             | _first(AMD, "memory-below", "bandwidth-below", "rx-7900-xt") | {"automatic": (DPX,)},
             {"automatic": (QPX, SPX)}),
    Question(INTEL, INTEL, 10, 450, _first(INTEL, "b60", "health-unknown", "b580-v09", "wrong-model")),
    # 0.93 x 96Gi = 89.28Gi and 2460 GB/s
    Question(GAUDI, GAUDI, 89, 2460, _first(GAUDI, "gaudi2", "gaudi3")),
    Question(GAUDI, GAUDI, 90, 2460, _first(GAUDI, "gaudi3")),
    Question(GAUDI, GAUDI, 89, 2461, _first(GAUDI, "gaudi3")),
    # 0.93 x 32Gi = 29.76Gi; all chips of the node
    Question(TPU, TPU, 29, 1500, {"v6e": ("accel0", "accel1"), "v5p-v01": ("accel0",)}),
    Question(TPU, TPU, 30, 1500, {"v5p-v01": ("accel0",)}),
    Question(NEURON, NEURON, 29, 820, _first(NEURON, "trn2", "trn1n")),
    Question(NEURON, NEURON, 30, 820, _first(NEURON, "trn2")),
    Question(REBELLIONS, REBELLIONS, 15, None, _first(REBELLIONS, "ca22")),
    Question(REBELLIONS, REBELLIONS, 15, 1, {}),
    Question(ASCEND, ASCEND_CLASS, 30, None, _first(ASCEND, "910b4", "950dt", "soft")),
    Question(ASCEND, ASCEND_CLASS, 30, 4000, _first(ASCEND, "950dt")),
    # 448 GB/s (p100) is just below
    Question(TENSTORRENT, TENSTORRENT, 20, 500, _first(TENSTORRENT, "n300", "p150")),
    Question(HAMI, HAMI, 20, 585, _first(HAMI, "a100")),
    Question(HYGON, HYGON, 60, None, _first(HYGON, "k100")),
    Question(EXAMPLE, EXAMPLE, 60, None, _first(EXAMPLE, "latest", "consumable")),
)  # fmt: skip
