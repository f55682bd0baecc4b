"""``kubectl llmfit devices``: what the drivers publish, a row a device."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

from ..console import Result, say
from ..escapes import one_line
from .cluster import Have
from .options import ConnectionFlags, SnapshotFlags, choice

if TYPE_CHECKING:
    from ..api.values import ClusterState
    from ..check.evaluation import Published

FORMATS = ("table", "wide", "json", "yaml", "name")
PRODUCT_ATTRIBUTES = ("productName", "model", "boardName", "tpuGen", "instanceType")  # as the known drivers call it


@dataclass(frozen=True, slots=True)
class DevicesFlags:
    """Flags of ``devices``."""

    selector: Annotated[
        str | None, Option("-l", "--selector", metavar="SELECTOR", help="Only devices of nodes with these labels")
    ] = None
    output: Annotated[str, Option("-o", "--output", metavar="FORMAT", help=f"One of {', '.join(FORMATS)}")] = "table"
    no_headers: Annotated[bool, Option("--no-headers", help="Print no headers")] = False


@dataclass(frozen=True, slots=True)
class Row:
    """One published device as a person sees it; None where the driver does not say."""

    node: str
    driver: str
    device: str
    product: str | None
    memory: str | None
    bandwidth: str | None
    health: str | None
    held_by: tuple[str, ...] | None  # None where claims could not be read
    pool: str
    taints: tuple[str, ...]


def devices(flags: DevicesFlags, source: SnapshotFlags, connection: ConnectionFlags) -> Result:
    """List the devices that the cluster's ResourceSlices publish."""
    from ..check.selector import parse_selector

    output = choice("--output", flags.output, FORMATS)
    chosen = parse_selector(flags.selector) if flags.selector is not None else None
    state = Have(source.snapshot, connection).state
    names = None if chosen is None else {node.name for node in state.nodes if chosen.matches(node.labels)}
    found = (row for row in _rows(state) if names is None or row.node in names)
    rows = sorted(found, key=lambda row: (row.node, row.driver, row.pool))
    if output in ("json", "yaml"):
        from ..output.document import to_text

        document: dict[str, Any] = {
            "apiVersion": "kubectl-llmfit/v1alpha1",
            "kind": "DeviceList",
            "items": [_item(row) for row in rows],
        }
        return Result(to_text(document, output))
    if output == "name":
        return Result("".join(f"{one_line(f'{row.driver}/{row.pool}/{row.device}')}\n" for row in rows))
    if not rows:
        say("No devices found: no ResourceSlice publishes any")
        return Result()
    return Result(_table(rows, wide=output == "wide", no_headers=flags.no_headers))


def _rows(state: "ClusterState") -> "Iterator[Row]":
    """Every device of the newest generation of each pool."""
    from ..check.evaluation import published
    from ..dra.answer import DeviceID
    from ..dra.occupancy import held_devices, shared_devices

    held, shared = held_devices(state.claims), shared_devices(state.claims)
    for one in published(state):
        key = DeviceID(one.slice.driver, one.slice.pool, one.device.name)
        holders = (*held.get(key, ()), *shared.get(key, ()))
        yield _row(one, None if state.is_unread("resourceclaims") else holders)


def _row(one: "Published", held_by: tuple[str, ...] | None) -> Row:
    """The device in its driver's names; bandwidth, where the driver publishes none, by the product table."""
    from ..cel.quantity import Quantity
    from ..check.words import taint_text
    from ..drivers import reading
    from ..drivers.products import builtin_table
    from ..drivers.registry import profile_of_driver

    slice_, device = one.slice, one.device
    profile, shape = profile_of_driver(slice_.driver), device.shape
    memory = bandwidth = health = product = None
    if profile is not None:
        memory = reading.memory_bytes(profile, shape)
        bandwidth = reading.bandwidth_gbs(profile, shape, builtin_table())
        health = reading.health(profile, shape)
        product = reading.product_name(profile, shape)
    published = _published(shape.capacity, slice_.driver, "memory") if profile is None else None
    products = (_published(shape.attributes, slice_.driver, name) for name in PRODUCT_ATTRIBUTES)
    return Row(
        node=one.node,
        driver=slice_.driver,
        device=device.name,
        product=product or next((str(product) for product in products if product), None),
        memory=str(Quantity.from_bytes(memory)) if memory else str(published.value) if published else None,
        bandwidth=f"{bandwidth}GB/s" if bandwidth is not None else None,
        health=None if health is None else "healthy" if health else "unhealthy",
        held_by=held_by,
        pool=slice_.pool,
        taints=tuple(taint_text(taint) for taint in shape.taints),
    )


def _published(values: "Mapping[str, Any]", driver: str, name: str) -> Any:
    """The value under its bare or its qualified name."""
    return values.get(name, values.get(f"{driver}/{name}"))


def _item(row: Row) -> dict[str, Any]:
    names = {"held_by": "heldBy"}
    return {names.get(name, name): getattr(row, name) for name in Row.__slots__}


def _table(rows: list[Row], *, wide: bool, no_headers: bool) -> str:
    from ..output.table import UNKNOWN, render_table

    headers = ["NODE", "DRIVER", "DEVICE", "PRODUCT", "MEMORY", "BANDWIDTH", "HEALTH", "HELD-BY"]
    cells = [
        [row.node, row.driver, row.device, row.product, row.memory, row.bandwidth, row.health]
        + [UNKNOWN if row.held_by is None else ",".join(row.held_by)]
        + ([row.pool, ",".join(row.taints)] if wide else [])
        for row in rows
    ]
    return render_table(headers + (["POOL", "TAINTS"] if wide else []), cells, no_headers)
