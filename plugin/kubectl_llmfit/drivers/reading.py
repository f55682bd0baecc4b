"""What a published device says of itself, in its driver's names, and what the product table adds. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..cel.quantity import Quantity
from .products import Product, ProductTable, find
from .profile import CapacityMemory, Memory, Parts, Profile
from .ranges import bounds_of

if TYPE_CHECKING:
    from ..api.values import DeviceShape


def product_name(profile: Profile, shape: DeviceShape) -> str | None:
    """What the device says it is, by the last of the profile's identity attributes that it has: a name before an id."""
    values = (profile.published(shape, identity.attribute) for identity in reversed(profile.identities))
    return next((value for value in values if isinstance(value, str) and value), None)


def memory_bytes(profile: Profile, shape: DeviceShape) -> int | None:
    """The memory that the device publishes, in bytes; None where it says none, or 0, which means not known.

    Of a device that stands for several parts of a card it is one part's.
    """
    found = next((found for way in profile.memory if (found := _published_memory(profile, shape, way))), None)
    return None if found is None else found // _parts_in(profile, shape)


def bandwidth_gbs(profile: Profile, shape: DeviceShape, table: ProductTable) -> int | None:
    """The device's bandwidth in whole GB/s: what it publishes, else the highest floor that it would pass by the table.

    None where neither knows, and for a function that shares a card. A slice counts with its share of its card's.
    """
    if profile.bandwidth is not None:
        published = profile.published(shape, profile.bandwidth)
        return published if isinstance(published, int) and not isinstance(published, bool) else None
    if _is_left_out(profile, shape):
        return None
    products = find(profile, shape, table)
    memory = memory_bytes(profile, shape)
    count = _parts_in(profile, shape)
    if count > 1:
        known = [product.bandwidth_gbs for product in products if product.bandwidth_gbs is not None]
        return int(min(known) / count) if known and len(known) == len(products) else None
    parts = Parts.BOTH if profile.partitions and memory else Parts.CARDS
    if profile.partitions and profile.kind_of(shape) in profile.partitions.kinds:
        parts = Parts.SLICES
    for floor in _possible_bandwidths(products, parts):
        if any(bounds.hold(memory or 0) for bounds in bounds_of(list(products), floor, profile, parts)):
            return floor
    return None


def health(profile: Profile, shape: DeviceShape) -> bool | None:
    """Whether the device says it is healthy; None where it says nothing. Taints say it otherwise."""
    for attribute in profile.health.attributes:
        value = profile.published(shape, attribute.name)
        if isinstance(value, bool):
            return value
        if isinstance(value, str):
            return True if value == attribute.healthy[0] else None if value in attribute.healthy else False
    return None


def _is_left_out(profile: Profile, shape: DeviceShape) -> bool:
    """Whether the device is of a kind that no class of the driver can be asked for: an SR-IOV function."""
    kind = profile.kind_of(shape)
    asked = {value for attribute, values in profile.tests if attribute == profile.kind_attribute for value in values}
    asked |= {entry.kind for entry in profile.classes if entry.kind}
    return kind is not None and bool(asked) and kind not in asked


def _parts_in(profile: Profile, shape: DeviceShape) -> int:
    """How many parts of a card the device stands for."""
    mode = profile.partitions.mode if profile.partitions else None
    value = None if mode is None else profile.published(shape, mode.attribute)
    return 1 if mode is None else dict(mode.counts).get(value, 1) if isinstance(value, str) else 1


def _published_memory(profile: Profile, shape: DeviceShape, way: Memory) -> int | None:
    if isinstance(way, CapacityMemory):
        capacity = shape.capacity.get(way.name, shape.capacity.get(f"{profile.name}/{way.name}"))
        return None if capacity is None else _whole(capacity.value)
    value = profile.published(shape, way.name)
    return value * way.unit_bytes if isinstance(value, int) and not isinstance(value, bool) else None


def _whole(amount: Quantity) -> int | None:
    """The amount in whole units; None for one that no device has (1e1000000), which is never written out."""
    try:
        return int(amount.value)
    except OverflowError:
        return None


def _possible_bandwidths(products: tuple[Product, ...], parts: Parts) -> list[int]:
    """The bandwidths that devices of these products may have, the highest first, rounded down."""
    found: set[int] = set()
    for product in products:
        if product.bandwidth_gbs is None:
            continue
        shares = 1
        while parts is not Parts.CARDS and product.memory_slices and shares <= product.memory_slices:
            found.add(int(product.bandwidth_gbs * shares / product.memory_slices))
            shares *= 2
        found.add(int(product.bandwidth_gbs))
    return sorted(found, reverse=True)
