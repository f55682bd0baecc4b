"""The llmfit.ai driver (sympozium-ai/llmfit-dra 0.3.3: internal/publisher/publisher.go, deploy/deviceclass.yaml)."""

from __future__ import annotations

from .profile import CapacityMemory, DriverClass, Health, HealthAttribute, HealthMode, Profile

PROFILE = Profile(
    name="llmfit.ai",
    classes=(
        DriverClass("llmfit.ai"),
        DriverClass("gpu.llmfit.ai", kind="gpu"),
        DriverClass("npu.llmfit.ai", kind="npu"),
        DriverClass("cpu.llmfit.ai", kind="cpu", lacks=("memoryBandwidthGBs",)),
        DriverClass("nic.llmfit.ai", kind="nic", lacks=("memory", "memoryBandwidthGBs")),
    ),
    accelerator=True,
    kind_attribute="kind",
    accelerator_kinds=frozenset({"gpu", "npu"}),
    tests=(("kind", ("gpu", "npu")),),
    memory=(CapacityMemory("memory"),),
    bandwidth="memoryBandwidthGBs",
    health=Health(
        default=HealthMode.ATTRIBUTE,
        means="the device says healthy: true",
        attributes=(HealthAttribute("healthy"),),
        taints=True,
    ),
    limits=(
        "A card whose memory or bandwidth the driver does not know publishes none and is left out.",
        "Taints are published only with the chart's publishTaints.",
    ),
)
