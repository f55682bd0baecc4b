"""Worlds about how many devices a claim asks for: counts, All, several requests, limits."""

from __future__ import annotations

from live.cases_selectors import ENOUGH_MEMORY, UNGUARDED, on_a, on_b
from live.objects import SCOPE, Object, claim, device, device_class, held, on_node, request, resource_slice, tainted
from live.worlds import ERROR, IN_USE, NO_FIT, World, fits

GPUS = [device(f"gpu-{index}") for index in range(4)]
MANY = [device(f"gpu-{index:02}") for index in range(33)]
MANY_NAMES = [each["name"] for each in MANY]
EVERY = claim(request(every=True))
FUNCTIONS, CLASSES = "vf.example.com", [device_class(), device_class("vf.example.com")]
SLOW, FAST = device("gpu-0", speed=1), device("gpu-1", speed=2)


def functions_and_a_held_gpu(count: int) -> World:
    """Eight network functions of ``count``, then a GPU: held on node a, free on node b.

    The scheduler tries all combinations of eight on node a.
    """
    functions = [device(f"vf-{index:02}", memory=None) for index in range(count)]
    eight = [each["name"] for each in functions[:8]]

    def on(name: str) -> list[Object]:
        return [
            resource_slice(f"{name}-gpus", on_node(name), GPUS[0]),
            resource_slice(f"{name}-functions", on_node(name), *functions, driver=FUNCTIONS),
        ]

    return World(
        claim(request("functions", of_class=FUNCTIONS, count=8), request("gpu")),
        {"a": IN_USE, "b": fits(*eight, "gpu-0")},
        [*on("a"), *on("b")],
        classes=CLASSES,
        claims=[held("other", "gpu-0", pool="a")],
    )


CASES: dict[str, World] = {
    "a count of three": World(
        claim(request(count=3)),
        {"a": fits("gpu-0", "gpu-1", "gpu-2"), "b": NO_FIT},
        [on_a(*GPUS), on_b(*GPUS[:2])],
    ),
    "a count of three where one is held": World(
        claim(request(count=3)),
        {"a": fits("gpu-0", "gpu-2", "gpu-3"), "b": IN_USE},
        [on_a(*GPUS), on_b(*GPUS[:3])],
        claims=[held("other", "gpu-1", pool="a"), held("another", "gpu-1", pool="b")],
    ),
    "a count of three where some do not match": World(
        claim(request("gpu", ENOUGH_MEMORY, count=3)),
        {"a": NO_FIT},
        [on_a(device("gpu-0"), device("gpu-1"), device("gpu-2", memory="8Gi"))],
    ),
    "a count that raises on a later device": World(
        claim(request("gpu", UNGUARDED, count=2)), {"a": ERROR}, [on_a(device("gpu-0", zone="east"), device("gpu-1"))]
    ),
    "All takes every device": World(
        EVERY, {"a": fits("gpu-0", "gpu-1"), "b": fits("gpu-0")}, [on_a(*GPUS[:2]), on_b(GPUS[0])]
    ),
    "All takes every device that matches": World(
        claim(request("gpu", ENOUGH_MEMORY, every=True)),
        {"a": fits("gpu-1", "gpu-2")},
        [on_a(device("gpu-0", memory="8Gi"), device("gpu-1"), device("gpu-2"))],
    ),
    "All with one device in use": World(EVERY, {"a": IN_USE}, [on_a(*GPUS)], claims=[held("other", "gpu-2", pool="a")]),
    "All with one device tainted": World(EVERY, {"a": NO_FIT}, [on_a(GPUS[0], device("gpu-1", more=tainted()))]),
    "All of nothing": World(
        claim(request("gpu", ENOUGH_MEMORY, every=True)), {"a": NO_FIT}, [on_a(device("gpu-0", memory="8Gi"))]
    ),
    "All looks at devices in use": World(
        claim(request("gpu", UNGUARDED, every=True)),
        {"a": ERROR},
        [on_a(device("gpu-0", zone="east"), device("gpu-1"))],
        claims=[held("other", "gpu-1", pool="a")],
    ),
    "All ignores a device in use that does not match": World(
        claim(request("gpu", ENOUGH_MEMORY, every=True)),
        {"a": fits("gpu-0")},
        [on_a(device("gpu-0"), device("gpu-1", memory="8Gi"))],
        claims=[held("other", "gpu-1", pool="a")],
    ),
    "All of thirty-two": World(EVERY, {"a": fits(*MANY_NAMES[:32])}, [on_a(*MANY[:32])]),
    "All of thirty-three fails the pod": World(EVERY, {"a": ERROR}, [on_a(*MANY)]),
    "a count above thirty-two fails the pod": World(
        claim(request(count=33)), {"a": ERROR, "b": ERROR}, [on_a(*MANY), on_b(GPUS[0])]
    ),
    "twenty and twelve are thirty-two": World(
        claim(request("many", count=20), request("more", count=12)), {"a": fits(*MANY_NAMES[:32])}, [on_a(*MANY)]
    ),
    "twenty and thirteen are too many": World(
        claim(request("many", count=20), request("more", count=13)), {"a": ERROR}, [on_a(*MANY)]
    ),
    "two requests want two devices": World(
        claim(request("one"), request("two")), {"a": fits("gpu-0", "gpu-1"), "b": NO_FIT}, [on_a(*GPUS), on_b(GPUS[0])]
    ),
    "two requests and one free device": World(
        claim(request("one"), request("two")),
        {"a": IN_USE},
        [on_a(*GPUS[:2])],
        claims=[held("other", "gpu-0", pool="a")],
    ),
    "a later request makes an earlier one give its device back": World(
        claim(request("any"), request("slow", f"{SCOPE}.speed == 1")),
        {"a": fits("gpu-1", "gpu-0")},
        [on_a(SLOW, FAST)],
    ),
    "two later requests do so": World(
        claim(
            request("any"),
            request("slow", f"{SCOPE}.speed <= 1"),
            request("slowest", f"{SCOPE}.speed == 0"),
        ),
        {"a": fits("gpu-2", "gpu-1", "gpu-0")},
        [on_a(device("gpu-0", speed=0), device("gpu-1", speed=1), device("gpu-2", speed=2))],
    ),
    "a count gives back as well": World(
        claim(request("two", count=2), request("slow", f"{SCOPE}.speed == 1")),
        {"a": fits("gpu-1", "gpu-2", "gpu-0")},
        [on_a(SLOW, FAST, device("gpu-2", speed=3))],
    ),
    "a fallback to another pool": World(
        claim(request("any"), request("slow", f"{SCOPE}.speed == 1")),
        {"a": fits("z/gpu-1", "gpu-0")},
        [on_a(SLOW), resource_slice("z", on_node("a"), FAST, pool="z")],
    ),
    "eight of twenty, then one that is held": functions_and_a_held_gpu(20),
    "All beside a request for the same device": World(
        claim(request("one"), request("all", every=True)), {"a": NO_FIT}, [on_a(*GPUS)]
    ),
    "All beside a request for another device": World(
        claim(request("fast", f"{SCOPE}.speed == 2"), request("all", f"{SCOPE}.speed == 1", every=True)),
        {"a": fits("gpu-1", "gpu-0")},
        [on_a(SLOW, FAST)],
    ),
    "no requests fit everywhere": World(claim(), {"a": fits(), "b": fits()}, [on_a(GPUS[0])]),
}
