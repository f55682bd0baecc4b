"""What devices of other drivers lack is said in figures, from the table that the claim was made with."""

from __future__ import annotations

from typing import Any

import pytest

from check.check_worlds import on
from kubectl_llmfit.api.read import read_claim
from kubectl_llmfit.api.values import Capacity, ClusterState, Device, DeviceClass, DeviceShape, Node
from kubectl_llmfit.cel.quantity import Quantity
from kubectl_llmfit.check.check import check_nodes
from kubectl_llmfit.check.subject import Subject
from kubectl_llmfit.check.values import NodeCheck
from kubectl_llmfit.claim.alternatives import Wishes
from kubectl_llmfit.claim.ask import make_ask
from kubectl_llmfit.claim.classes import shipped_class
from kubectl_llmfit.claim.documents import document
from kubectl_llmfit.fit.model import Need

GIB = 1 << 30


def device(memory: str | None, **attributes: Any) -> Device:
    """A device as its driver publishes it."""
    capacity = {} if memory is None else {"memory": Capacity(Quantity.parse(memory))}
    return Device("gpu-0", DeviceShape(attributes=attributes, capacity=capacity))


def checked(name: str, published: Device, gib: int = 20, bandwidth_gbs: int | None = 585) -> NodeCheck:
    """A need of so much, asked of a class, tried on one node with one device of its driver."""
    asked = shipped_class(name)
    assert asked is not None
    ask = make_ask(Need("some/model", "llmfit", gib * GIB, bandwidth_gbs), Wishes((asked,)))
    claim = read_claim(document(ask))
    state = ClusterState(
        nodes=(Node("a"),),
        slices=(on("a", published, driver=asked.profile.name),),
        classes=(DeviceClass(name, (f"device.driver == '{asked.profile.name}'",)),),
    )
    subject = Subject((claim,), "model", ask.need, alternatives=ask.alternatives, table=ask.wishes.table)
    return check_nodes(subject, state)


NVIDIA, INTEL = "gpu.nvidia.com", "gpu.intel.com"


@pytest.mark.parametrize(
    ("name", "published", "reason"),
    [
        (
            NVIDIA,
            device("23034Mi", type="gpu", productName="NVIDIA L4"),
            "NVIDIA L4: bandwidth 300 < 585 GB/s by the product table",
        ),
        (
            NVIDIA,
            device("288Gi", type="gpu", productName="NVIDIA R200"),
            "NVIDIA R200 is not in the product table: add it with --accelerators",
        ),
        (NVIDIA, device("15360Mi", type="gpu", productName="NVIDIA A30"), "memory 15Gi < 20Gi"),
        (NVIDIA, device("24Gi", type="gpu"), "publishes no productName"),
        (
            "mig.nvidia.com",
            device("9856Mi", type="mig", productName="NVIDIA H100 80GB HBM3"),
            "memory 9.62Gi < 20Gi (gpu-0)",
        ),
        (
            "mig.nvidia.com",
            device("23Gi", type="mig", productName="NVIDIA RTX PRO 5000 Blackwell"),
            "NVIDIA RTX PRO 5000 Blackwell: the product table has no memory_slices of it, and so no bandwidth of its "
            "parts: add them with --accelerators",
        ),
        ("gaudi.intel.com", device(None, model="Gaudi", healthy=True), None),
        ("gaudi.intel.com", device(None, model="Gaudi3", healthy=False), "unhealthy"),
        (
            "gaudi.intel.com",
            device(None, model="Gaudi9", healthy=True),
            "Gaudi9 is not in the product table: add it with --accelerators",
        ),
        (
            "npu.rebellions.ai",
            device("64Gi", type="npu", productName="RBLN-CA25"),
            "the product table has no bandwidth of RBLN-CA25: add it with --accelerators",
        ),
        # 128 GB that hide their memory (GB10) would do, so that memory stands in one operand with the product
        (NVIDIA, device(None, type="gpu", productName="NVIDIA H200"), "publishes no memory (gpu-0)"),
        (NVIDIA, device("0", type="gpu", productName="NVIDIA H200"), "publishes memory 0 (its size is not known)"),
        ("gpu.amd.com", device("0", type="amdgpu", deviceID="0x74a1"), "publishes memory 0 (its size is not known)"),
        (INTEL, device("48Gi", type="vf", driver="xe", pciId="0x0bd5", health="Healthy"), "type vf, not gpu"),
        (INTEL, device("48Gi", type="gpu", driver="xe", pciId="0x0bd5", health="Unhealthy"), "unhealthy"),
        (INTEL, device("48Gi", type="gpu", driver="xe", pciId="0x0bd5"), "publishes nothing of its health"),
        (INTEL, device("48Gi", type="gpu", driver="xe", pciId="0x0bd5", health="Healthy"), None),
    ],
)
def test_the_reason_has_the_figures(name: str, published: Device, reason: str | None) -> None:
    (node,) = checked(name, published).nodes
    if reason is None:
        assert node.verdict == "Fits", node.reason
    else:
        assert node.verdict == "NoFit"
        assert node.reason is not None
        assert node.reason.startswith(reason)


def test_a_slice_has_its_share_of_the_cards_bandwidth() -> None:
    # 1 of 8 memory slices: 3350 / 8 = 418.75 GB/s
    slice_ = device("9856Mi", type="mig", productName="NVIDIA H100 80GB HBM3")
    (node,) = checked("mig.nvidia.com", slice_, gib=8).nodes
    assert node.reason == "NVIDIA H100 80GB HBM3: bandwidth 418 < 585 GB/s by the product table (gpu-0)"


def test_a_size_that_nobody_publishes_is_told_as_the_tables() -> None:
    # Gaudi2: 96 GiB × 0.93 = 91422Mi = 89.28Gi
    (node,) = checked("gaudi.intel.com", device(None, model="Gaudi2", healthy=True), gib=92).nodes
    assert node.reason == "Gaudi2: memory 89.28Gi < 92Gi by the product table (gpu-0)"


def test_the_document_has_both_figures() -> None:
    (node,) = checked(NVIDIA, device("23034Mi", type="gpu", productName="NVIDIA L4")).nodes
    parts = [part for entry in node.devices[0].conditions for part in entry.parts if part.result == "false"]
    assert [(part.observed, part.required) for part in parts] == [("300", "585")]
