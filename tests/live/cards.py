"""A small cluster with the llmfit.ai driver, where a well-known model fits on one node of three."""

from __future__ import annotations

from live.objects import Object, claim, device, device_class, held, on_node, resource_slice
from live.worlds import IN_USE, NO_FIT, World, fits

LLMFIT = "llmfit.ai"
MODEL = "meta-llama/Llama-3.1-8B-Instruct"


def card(name: str, *, memory: str = "24564Mi", bandwidth: int = 1008, healthy: bool = True) -> Object:
    """A device as the llmfit.ai driver publishes it."""
    return device(name, memory=memory, kind="gpu", memoryBandwidthGBs=bandwidth, healthy=healthy)


def cards(where: str, *devices: Object) -> Object:
    """The llmfit.ai slice of a node."""
    return resource_slice(where, on_node(where), *devices, driver=LLMFIT)


WORLD = World(
    claim(),
    {"gpu-a": fits("gpu-1"), "gpu-b": IN_USE, "gpu-c": NO_FIT},
    [
        cards("gpu-a", card("gpu-0", healthy=False), card("gpu-1"), card("gpu-2")),
        cards("gpu-b", card("gpu-0")),
        cards("gpu-c", card("gpu-0", memory="2Gi"), card("gpu-1", bandwidth=64)),
    ],
    classes=[device_class(LLMFIT)],
    claims=[held("llama-70b", "gpu-0", pool="gpu-b", driver=LLMFIT)],
)
