"""Worlds about which slices a node sees: targeting, generations, complete and valid pools, order."""

from __future__ import annotations

from live.objects import (
    CLASS,
    DRIVER,
    ON_ALL,
    PER_DEVICE,
    SCOPE,
    claim,
    device,
    device_class,
    node,
    on_labelled,
    on_named,
    on_node,
    open_class,
    request,
    resource_slice,
)
from live.worlds import ERROR, NO_FIT, World, fits

GPU, SPARE = device("gpu-0"), device("gpu-1")
NIC_DRIVER = "nic.example.com"
ONE, TWO, EVERY = claim(request()), claim(request(count=2)), claim(request(every=True))
RACKS = [node("a", labels={"rack": "r1"}), node("b", labels={"rack": "r2"}), node("c", labels={"rack": "r3"})]

CASES: dict[str, World] = {
    "a node without slices": World(ONE, {"a": fits("gpu-0"), "b": NO_FIT}, [resource_slice("s", on_node("a"), GPU)]),
    "a slice without devices": World(ONE, {"a": NO_FIT}, [resource_slice("s", on_node("a"))]),
    "a slice of a node that does not exist": World(
        ONE, {"a": NO_FIT}, [resource_slice("s", on_node("gone"), GPU)], [node("a")]
    ),
    "slices of a pool are searched by name": World(
        ONE,
        {"a": fits("gpu-1")},
        [resource_slice("z", on_node("a"), GPU, of=2), resource_slice("b", on_node("a"), SPARE, of=2)],
    ),
    "pools are searched by name, whatever their slices are called": World(
        ONE,
        {"a": fits("first/gpu-1")},
        [
            resource_slice("b", on_node("a"), GPU, pool="second"),
            resource_slice("z", on_node("a"), SPARE, pool="first"),
        ],
    ),
    "drivers are searched by name before pools": World(
        claim(request(of_class="any")),
        {"a": fits("z/gpu-1")},
        [
            resource_slice("b", on_node("a"), GPU, pool="a", driver="z.example.com"),
            resource_slice("z", on_node("a"), SPARE, pool="z", driver="b.example.com"),
        ],
        classes=[open_class("any")],
    ),
    "two drivers on a node, the class chooses": World(
        claim(request(of_class="nics")),
        {"a": fits("nic-0")},
        [resource_slice("g", on_node("a"), GPU), resource_slice("n", on_node("a"), device("nic-0"), driver=NIC_DRIVER)],
        classes=[device_class("nics", f'device.driver == "{NIC_DRIVER}"')],
    ),
    "two drivers on a node, a request for each": World(
        claim(request("nic", of_class="nics"), request("gpu")),
        {"a": fits("nic-0", "gpu-0"), "b": NO_FIT},
        [
            resource_slice("g", on_node("a"), GPU),
            resource_slice("n", on_node("a"), device("nic-0"), driver=NIC_DRIVER),
            resource_slice("h", on_node("b"), GPU),
        ],
        classes=[device_class(), device_class("nics", f'device.driver == "{NIC_DRIVER}"')],
    ),
    "an old generation does not count": World(
        claim(request("gpu", f'{SCOPE}.zone == "east"')),
        {"a": NO_FIT},
        [
            resource_slice("old", on_node("a"), device("gpu-0", zone="east")),
            resource_slice("new", on_node("a"), device("gpu-0", zone="west"), generation=2),
        ],
    ),
    "of several generations the newest is taken": World(
        ONE,
        {"a": fits("gpu-2")},
        [
            resource_slice("s1", on_node("a"), GPU, generation=1),
            resource_slice("s3", on_node("a"), device("gpu-2"), generation=3),
            resource_slice("s2", on_node("a"), SPARE, generation=2),
        ],
    ),
    "an old generation cannot raise": World(
        claim(request("gpu", f'{SCOPE}.zone == "east"')),
        {"a": fits("gpu-0")},
        [
            resource_slice("old", on_node("a"), device("gpu-1")),
            resource_slice("new", on_node("a"), device("gpu-0", zone="east"), generation=2),
        ],
    ),
    "an incomplete pool is passed over": World(ONE, {"a": NO_FIT}, [resource_slice("s", on_node("a"), GPU, of=2)]),
    "an incomplete newest generation hides a complete old one": World(
        ONE,
        {"a": NO_FIT},
        [resource_slice("old", on_node("a"), GPU), resource_slice("new", on_node("a"), GPU, generation=2, of=2)],
    ),
    "more slices than the pool has are incomplete too": World(
        ONE, {"a": NO_FIT}, [resource_slice("s1", on_node("a"), GPU), resource_slice("s2", on_node("a"), SPARE)]
    ),
    "beside an incomplete pool another one fits": World(
        ONE,
        {"a": fits("whole/gpu-1")},
        [
            resource_slice("s1", on_node("a"), GPU, pool="half", of=2),
            resource_slice("s2", on_node("a"), SPARE, pool="whole"),
        ],
    ),
    "an incomplete pool is not evaluated": World(
        claim(request("gpu", f'{SCOPE}.zone == "east"')), {"a": NO_FIT}, [resource_slice("s", on_node("a"), GPU, of=2)]
    ),
    "All of an incomplete pool fails the pod": World(
        EVERY, {"a": ERROR}, [resource_slice("s", on_node("a"), GPU, of=2)]
    ),
    "All fails for another driver's incomplete pool": World(
        EVERY,
        {"a": ERROR, "b": fits("gpu-0")},
        [
            resource_slice("s", on_node("a"), GPU),
            resource_slice("n", on_node("a"), device("nic-0"), driver=NIC_DRIVER, of=2),
            resource_slice("t", on_node("b"), GPU),
        ],
    ),
    "a device name twice makes the pool invalid": World(
        ONE,
        {"a": NO_FIT},
        [resource_slice("s1", on_node("a"), GPU, of=2), resource_slice("s2", on_node("a"), GPU, of=2)],
    ),
    "beside an invalid pool another one fits": World(
        ONE,
        {"a": fits("whole/gpu-1")},
        [
            resource_slice("s1", on_node("a"), GPU, of=2),
            resource_slice("s2", on_node("a"), GPU, of=2),
            resource_slice("s3", on_node("a"), SPARE, pool="whole"),
        ],
    ),
    "All of an invalid pool fails the pod": World(
        EVERY,
        {"a": ERROR},
        [resource_slice("s1", on_node("a"), GPU, of=2), resource_slice("s2", on_node("a"), GPU, of=2)],
    ),
    "a device name in two pools is no duplicate": World(
        TWO,
        {"a": fits("p/gpu-0", "q/gpu-0")},
        [resource_slice("s1", on_node("a"), GPU, pool="p"), resource_slice("s2", on_node("a"), GPU, pool="q")],
    ),
    "a pool over two nodes is complete on both": World(
        TWO,
        {"a": fits("net/gpu-0", "net/gpu-1"), "b": NO_FIT},
        [
            resource_slice("s1", on_node("a"), GPU, SPARE, pool="net", of=2),
            resource_slice("s2", on_node("b"), device("gpu-2"), pool="net", of=2),
        ],
    ),
    "All of a pool over two nodes takes the node's own": World(
        EVERY,
        {"a": fits("net/gpu-0", "net/gpu-1"), "b": fits("net/gpu-2")},
        [
            resource_slice("s1", on_node("a"), GPU, SPARE, pool="net", of=2),
            resource_slice("s2", on_node("b"), device("gpu-2"), pool="net", of=2),
        ],
    ),
    "a newer generation on another node only outdates an unfinished pool": World(
        ONE,
        {"a": NO_FIT, "b": fits("net/gpu-0")},
        [
            resource_slice("s1", on_node("a"), GPU, pool="net", of=2),
            resource_slice("s2", on_node("b"), GPU, pool="net", generation=2),
        ],
    ),
    "and All passes such a pool over": World(
        EVERY,
        {"a": fits("gpu-0"), "b": fits("net/gpu-0")},
        [
            resource_slice("s0", on_node("a"), GPU),
            resource_slice("s1", on_node("a"), GPU, pool="net", of=2),
            resource_slice("s2", on_node("b"), GPU, pool="net", generation=2),
        ],
    ),
    "a finished pool does not see a newer generation elsewhere": World(
        ONE,
        {"a": fits("net/gpu-0"), "b": fits("net/gpu-1")},
        [
            resource_slice("s1", on_node("a"), GPU, pool="net"),
            resource_slice("s2", on_node("b"), SPARE, pool="net", generation=2),
        ],
    ),
    "a network pool for nodes with a label": World(
        ONE,
        {"a": fits("net/gpu-0"), "b": fits("net/gpu-0"), "c": NO_FIT},
        [resource_slice("s", on_labelled("rack", "r1", "r2"), GPU, pool="net")],
        RACKS,
    ),
    "a slice for nodes by name": World(
        ONE,
        {"a": NO_FIT, "b": fits("net/gpu-0")},
        [resource_slice("s", on_named("b"), GPU, pool="net")],
    ),
    "a slice for all nodes": World(
        ONE, {"a": fits("net/gpu-0"), "b": fits("net/gpu-0")}, [resource_slice("s", ON_ALL, GPU, pool="net")]
    ),
    "devices that choose their nodes themselves": World(
        ONE,
        {"a": fits("net/gpu-0"), "b": fits("net/gpu-1"), "c": fits("net/gpu-2")},
        [
            resource_slice(
                "s",
                PER_DEVICE,
                device("gpu-0", more=on_node("a")),
                device("gpu-1", more=on_labelled("rack", "r2")),
                device("gpu-2", more=ON_ALL),
                pool="net",
            )
        ],
        RACKS,
    ),
    "All takes the devices that chose the node": World(
        EVERY,
        {"a": fits("net/gpu-0", "net/gpu-2"), "b": fits("net/gpu-2")},
        [resource_slice("s", PER_DEVICE, device("gpu-0", more=on_node("a")), device("gpu-2", more=ON_ALL), pool="net")],
    ),
    "a device of another node can raise": World(
        claim(request("gpu", f'{SCOPE}.zone == "east"')),
        {"a": ERROR, "b": ERROR},
        [
            resource_slice(
                "s",
                PER_DEVICE,
                device("gpu-0", more=on_node("a")),
                device("gpu-1", more=on_node("b"), zone="east"),
                pool="net",
            )
        ],
    ),
    "a node's own pool and a network pool": World(
        TWO,
        {"a": fits("gpu-0", "net/gpu-0"), "b": NO_FIT},
        [resource_slice("s1", on_node("a"), GPU), resource_slice("s2", ON_ALL, GPU, pool="net")],
    ),
    "a driver in another namespace of names is another driver": World(
        ONE,
        {"a": NO_FIT},
        [resource_slice("s", on_node("a"), GPU, driver=f"sub.{DRIVER}")],
        classes=[device_class(CLASS)],
    ),
}
