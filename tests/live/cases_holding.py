"""Worlds about what stands in the way: held devices, taints, admin access, allocated claims, cordons."""

from __future__ import annotations

from live.cases_selectors import ENOUGH_MEMORY, UNGUARDED, on_a, on_b
from live.objects import (
    ADMIN_NAMESPACE,
    DRIVER,
    NAMESPACE,
    ON_ALL,
    claim,
    device,
    held,
    node,
    on_node,
    only_node,
    request,
    resource_slice,
    taint_rule,
    tainted,
)
from live.worlds import ERROR, IN_USE, NO_FIT, World, fits

GPU, SPARE = device("gpu-0"), device("gpu-1")
BROKEN = device("gpu-0", more=tainted())
ONE = claim(request())
KEY, VALUE = "example.com/broken", "yes"
MINE = held("mine", "gpu-0", pool="a", namespace=NAMESPACE, selector=only_node("a"))
ANYWHERE = held("mine", "gpu-0", pool="net", namespace=NAMESPACE)


def admin(count: int | None = None) -> dict[str, object]:
    """A claim for admin access, in the namespace that may have it."""
    return claim(request(admin=True, count=count), namespace=ADMIN_NAMESPACE)


def tolerating(**toleration: str) -> dict[str, object]:
    """A claim whose request tolerates a taint."""
    return claim(request(tolerations=[toleration]))


CASES: dict[str, World] = {
    "a held device is passed over": World(
        ONE, {"a": fits("gpu-1")}, [on_a(GPU, SPARE)], claims=[held("other", "gpu-0", pool="a")]
    ),
    "every device held": World(
        ONE,
        {"a": IN_USE, "b": fits("gpu-0")},
        [on_a(GPU, SPARE), on_b(GPU)],
        claims=[held("other", "gpu-0", pool="a"), held("another", "gpu-1", pool="a", namespace=NAMESPACE)],
    ),
    "the one that matches is held": World(
        claim(request("gpu", ENOUGH_MEMORY)),
        {"a": IN_USE},
        [on_a(GPU, device("gpu-1", memory="8Gi"))],
        claims=[held("other", "gpu-0", pool="a")],
    ),
    "held, and would not match either": World(
        claim(request("gpu", ENOUGH_MEMORY)),
        {"a": NO_FIT},
        [on_a(device("gpu-0", memory="8Gi"))],
        claims=[held("other", "gpu-0", pool="a")],
    ),
    "a claim that is being deleted still holds": World(
        ONE, {"a": IN_USE}, [on_a(GPU)], claims=[held("other", "gpu-0", pool="a", deleting=True)]
    ),
    "the same name in another pool is not held": World(
        ONE,
        {"a": fits("other/gpu-0")},
        [on_a(GPU), resource_slice("other", on_node("a"), GPU, pool="other")],
        claims=[held("other", "gpu-0", pool="a")],
    ),
    "the same name of another driver is not held": World(
        ONE, {"a": fits("gpu-0")}, [on_a(GPU)], claims=[held("other", "gpu-0", pool="a", driver="nic.example.com")]
    ),
    "a network device held once is held for all": World(
        ONE,
        {"a": IN_USE, "b": IN_USE},
        [resource_slice("s", ON_ALL, GPU, pool="net")],
        claims=[held("other", "gpu-0", pool="net")],
    ),
    "a held device that has vanished": World(
        ONE, {"a": fits("gpu-0")}, [on_a(GPU)], claims=[held("other", "gpu-7", pool="a")]
    ),
    "a device in use is not evaluated": World(
        # were it free, its missing attribute would fail the pod: no InUse
        claim(request("gpu", UNGUARDED)),
        {"a": NO_FIT, "b": fits("gpu-1")},
        [on_a(GPU), on_b(GPU, device("gpu-1", zone="east"))],
        claims=[held("other", "gpu-0", pool="a"), held("another", "gpu-0", pool="b")],
    ),
    "admin access does not hold": World(
        ONE, {"a": fits("gpu-0")}, [on_a(GPU)], claims=[held("watcher", "gpu-0", pool="a", admin=True)]
    ),
    "admin access takes a device in use": World(
        admin(), {"a": fits("gpu-0")}, [on_a(GPU)], claims=[held("other", "gpu-0", pool="a")]
    ),
    "admin access takes no device twice": World(
        admin(count=2), {"a": NO_FIT, "b": fits("gpu-0", "gpu-1")}, [on_a(GPU), on_b(GPU, SPARE)]
    ),
    "admin access to all devices, some in use": World(
        claim(request(admin=True, every=True), namespace=ADMIN_NAMESPACE),
        {"a": fits("gpu-0", "gpu-1")},
        [on_a(GPU, SPARE)],
        claims=[held("other", "gpu-1", pool="a")],
    ),
    "admin access does not tolerate taints": World(admin(), {"a": NO_FIT}, [on_a(BROKEN)]),
    "an allocated claim fits where it is": World(
        MINE, {"a": fits("gpu-0"), "b": NO_FIT}, [on_a(GPU), on_b(GPU)], claims=[MINE], stored=True
    ),
    "an allocated claim without its device, its class": World(
        MINE, {"a": fits("gpu-0"), "b": NO_FIT}, [on_b(GPU)], classes=[], claims=[MINE], stored=True
    ),
    "an allocated claim that any node can use": World(
        ANYWHERE,
        {"a": fits("net/gpu-0"), "b": fits("net/gpu-0")},
        [resource_slice("s", ON_ALL, GPU, pool="net")],
        claims=[ANYWHERE],
        stored=True,
    ),
    "an allocated claim on a cordoned node": World(
        MINE,
        {"a": fits("gpu-0"), "b": NO_FIT},
        [on_a(GPU), on_b(GPU)],
        [node("a", cordoned=True), node("b")],
        claims=[MINE],
        stored=True,
    ),
    "a claim in the cluster that is not allocated": World(
        ONE, {"a": fits("gpu-1")}, [on_a(GPU, SPARE)], claims=[ONE, held("other", "gpu-0", pool="a")], stored=True
    ),
    "a tainted device is passed over": World(
        ONE, {"a": fits("gpu-1"), "b": NO_FIT}, [on_a(BROKEN, SPARE), on_b(BROKEN)]
    ),
    "a tainted device is tolerated": World(
        tolerating(key=KEY, operator="Exists"), {"a": fits("gpu-0")}, [on_a(BROKEN, SPARE)]
    ),
    "a toleration without a key tolerates all": World(
        tolerating(operator="Exists"), {"a": fits("gpu-0")}, [on_a(BROKEN)]
    ),
    "a toleration by value": World(
        tolerating(key=KEY, operator="Equal", value=VALUE), {"a": fits("gpu-0")}, [on_a(BROKEN)]
    ),
    "a toleration of another value": World(tolerating(key=KEY, value="no"), {"a": NO_FIT}, [on_a(BROKEN)]),
    "a toleration of another effect": World(
        tolerating(key=KEY, operator="Exists", effect="NoExecute"), {"a": NO_FIT}, [on_a(BROKEN)]
    ),
    "a NoExecute taint stops as well": World(ONE, {"a": NO_FIT}, [on_a(device("gpu-0", more=tainted("NoExecute")))]),
    "a taint of no effect": World(ONE, {"a": fits("gpu-0")}, [on_a(device("gpu-0", more=tainted("None")))]),
    "a tainted device is evaluated first": World(
        claim(request("gpu", UNGUARDED)), {"a": ERROR}, [on_a(BROKEN, device("gpu-1", zone="east"))]
    ),
    "tainted and held": World(ONE, {"a": NO_FIT}, [on_a(BROKEN)], claims=[held("other", "gpu-0", pool="a")]),
    "a taint rule for a device that nobody has": World(
        ONE, {"a": fits("gpu-0")}, [on_a(GPU)], rules=[taint_rule("r", driver=DRIVER, pool="a", device="gpu-9")]
    ),
    "a node's taint is the pod's affair": World(
        ONE,
        {"a": fits("gpu-0")},
        [on_a(GPU)],
        [node("a", taints=[{"key": "gpu", "value": "only", "effect": "NoSchedule"}])],
    ),
    "a node that is not ready, without a taint": World(
        ONE, {"a": fits("gpu-0")}, [on_a(GPU)], [node("a", ready=False)]
    ),
    "only a cordoned node would fit": World(
        ONE, {"a": fits("gpu-0"), "b": NO_FIT}, [on_a(GPU)], [node("a", cordoned=True), node("b")]
    ),
}
