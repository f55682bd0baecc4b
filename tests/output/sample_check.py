"""One check with every verdict but Unknown, for the golden files."""

from __future__ import annotations

from check.check_worlds import GPU_CLASS, LLMFIT_CLASS, allocated, claim, everywhere, gpu, gpus, on, wants, world
from kubectl_llmfit.api.values import Node, Taint
from kubectl_llmfit.check.check import check_nodes
from kubectl_llmfit.check.subject import Subject
from kubectl_llmfit.check.values import NodeCheck
from kubectl_llmfit.fit.model import Need, Term

GIB = 2**30


def sample(*, fails: bool = False) -> NodeCheck:
    """The check of a MODEL on six nodes; with ``fails`` the node whose device raises is no longer cordoned."""
    large = {1, 2, 3, 4}
    broken = Taint("example.com/broken", "yes", "NoSchedule")
    slices = (
        on("gpu-a", *(gpu(f"gpu-{n}", "24Gi" if n in large else "15Gi", serial=f"s{n}") for n in range(8))),
        on("gpu-b", *gpus(2), gpu("nic-0", None, kind="nic", bandwidth=None)),
        on("gpu-c", gpu("gpu-0", "15Gi"), *(gpu(f"gpu-{n}", "12Gi", bandwidth=170) for n in range(1, 8))),
        on("gpu-d", *gpus(2), of=2),
        on("gpu-e", gpu("gpu-0", healthy="yes")),
        on("gpu-f", gpu("gpu-0", taints=(broken,)), gpu("gpu-1", bandwidth=None)),
        everywhere("fabric", gpu("pooled-0", "15Gi")),
    )
    nodes = (
        *("gpu-a", "gpu-b", "gpu-c", "gpu-d"),
        Node("gpu-e", unschedulable=not fails),
        Node("gpu-f", taints=(Taint("nvidia.com/gpu", "", "NoSchedule"),)),
    )
    holders = (
        allocated("embedder", "gpu-a", "gpu-1", "gpu-2"),
        allocated("llama-70b", "gpu-b", "gpu-0"),
        allocated("qwen", "gpu-b", "gpu-1", namespace="team-b"),
    )
    state = world(*slices, nodes=nodes, classes=(GPU_CLASS, LLMFIT_CLASS), claims=holders, context="kind-gpus")
    need = Need(
        model="Qwen/Qwen3-30B-A3B",
        estimator="llmfit",
        memory_bytes=18 * GIB,
        bandwidth_gbs=300,
        quant="Q4_K_M",
        min_tps=20.0,
        efficiency_pct=55,
        catalog="llmfit",
        terms=(Term("weights", "17.7 GB"),),
    )
    return check_nodes(Subject((claim(wants()),), "model", need, None, "0.1.0"), state)
