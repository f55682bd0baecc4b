"""From a driver's profile and floors to the conditions that a device of that driver has to meet. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..errors import UsageError
from .conditions import (
    AnyOf,
    AttributeAtLeast,
    AttributeBelow,
    AttributeIn,
    AttributeIsTrue,
    AttributeStartsWith,
    CapacityAbsent,
    CapacityAtLeast,
    CapacityBelow,
    Condition,
)
from .products import MIB, Product, ProductTable, values_of
from .profile import (
    CapacityMemory,
    DriverClass,
    HealthMode,
    Identity,
    Memory,
    Mode,
    NameForm,
    Parts,
    Profile,
)
from .ranges import Bounds, bounds_of, bounds_of_part


@dataclass(frozen=True, slots=True)
class Floor:
    """What a device must have at least: memory in bytes, bandwidth in GB/s (None: any).

    ``below_bytes`` is a bound from above, for bands of memory; None where there is none.
    """

    memory_bytes: int
    bandwidth_gbs: int | None = None
    below_bytes: int | None = None


def conditions(
    profile: Profile, entry: DriverClass | None, floor: Floor, health: HealthMode | None, table: ProductTable
) -> tuple[Condition, ...]:
    """The conditions on devices of ``entry``, one of the profile's classes (None: another class of that driver).

    Where no product reaches the bandwidth, the list of products is empty and no device passes (``reaching`` tells).
    ``health`` None is the driver's default. Raises UsageError where the driver or class cannot be asked at all, and for
    a way to tell health that the driver has not.
    """
    check_expressible(profile, entry)
    return (
        *_kind_tests(profile, entry, floor),
        *_figures(profile, entry, floor, table),
        *_healthy(profile, health),
    )


def check_expressible(profile: Profile, entry: DriverClass | None) -> None:
    """Raises UsageError with the reason where no claim can be written for devices of this driver or class."""
    reason = profile.inexpressible or (entry.refusal if entry else None)
    if reason:
        name = entry.name if entry else f"of driver {profile.name}"
        raise UsageError(f"device class {name}: {reason}")


def parts_of(profile: Profile, entry: DriverClass | None) -> Parts:
    """Whether devices of this class are cards, slices or both; of another class of that driver: what it publishes."""
    if entry is None:
        return Parts.BOTH if profile.partitions else Parts.CARDS
    return entry.parts or profile.parts


def reaching(profile: Profile, entry: DriverClass | None, floor: Floor, table: ProductTable) -> tuple[Product, ...]:
    """The products of which some device can have both the memory and the bandwidth, by the table."""
    found = []
    for product in table.of(profile):
        most = product.most_mib() if profile.memory else product.least_mib(profile.assumed_share)
        bounds = bounds_of_part(product, floor.bandwidth_gbs, profile, parts_of(profile, entry))
        if bounds is not None and most is not None and most * MIB >= max(floor.memory_bytes, bounds.at_least or 0):
            found.append(product)
    return tuple(found)


def is_out_of_reach(profile: Profile, entry: DriverClass | None, floor: Floor, table: ProductTable) -> bool:
    """Whether the product table has to vouch for the floor and no product in it has what is asked."""
    vouched = profile.bandwidth is None and (floor.bandwidth_gbs is not None or not profile.memory)
    return vouched and not reaching(profile, entry, floor, table)


def _kind_tests(profile: Profile, entry: DriverClass | None, floor: Floor) -> Iterator[Condition]:
    """Of a driver that publishes bandwidth only accelerators have one: a floor for it makes the tests superfluous."""
    told_by_bandwidth = profile.bandwidth is not None and floor.bandwidth_gbs is not None
    if (entry is None or entry.kind is None) and not told_by_bandwidth:
        for attribute, values in profile.tests:
            yield AttributeIn(attribute, values, if_published=True)


def _figures(profile: Profile, entry: DriverClass | None, floor: Floor, table: ProductTable) -> tuple[Condition, ...]:
    memory, bandwidth = profile.memory, floor.bandwidth_gbs
    if profile.bandwidth is not None:
        return (
            *_memory(memory, floor),
            *(() if bandwidth is None else (AttributeAtLeast(profile.bandwidth, bandwidth),)),
        )
    parts = parts_of(profile, entry)
    products = [product for product in table.of(profile) if _may_be_listed(profile, product, floor)]
    if not memory:
        return (_named(profile, products, floor),)
    capacity = next((each.name for each in memory if isinstance(each, CapacityMemory)), "")
    published = (
        *_memory(memory, floor),
        *(() if bandwidth is None else (_fast_enough(profile, products, floor, parts, capacity),)),
    )
    unpublished = [product for product in products if not product.publishes_memory]
    if parts is Parts.BOTH and profile.partitions and profile.partitions.mode:
        return _by_mode(profile, profile.partitions.mode, published, products, floor)
    if parts is Parts.SLICES or not any(_has_both(profile, product, floor) for product in unpublished):
        return published
    return (AnyOf((published, (CapacityAbsent(capacity), _named(profile, unpublished, floor)))),)


def _by_mode(
    profile: Profile, mode: Mode, published: tuple[Condition, ...], products: list[Product], floor: Floor
) -> tuple[Condition, ...]:
    """``published`` for devices of one part; of those that are several, each part must have the floor."""
    alternatives = [(AttributeIn(mode.attribute, (mode.whole,), if_published=True), *published)]
    cut = [product for product in products if product.memory_slices]
    for value, count in mode.counts:
        bandwidth = None if floor.bandwidth_gbs is None else floor.bandwidth_gbs * count
        below = None if floor.below_bytes is None else floor.below_bytes * count
        of_all = Floor(floor.memory_bytes * count, bandwidth, below)
        if not any(
            product.reaches(bandwidth) and (product.most_mib() or 0) * MIB >= of_all.memory_bytes for product in cut
        ):
            continue
        named = () if bandwidth is None else (_fast_enough(profile, cut, of_all, Parts.CARDS, "memory"),)
        alternatives.append((AttributeIn(mode.attribute, (value,)), *_memory(profile.memory, of_all), *named))
    return (AnyOf(tuple(alternatives)),)


def _may_be_listed(profile: Profile, product: Product, floor: Floor) -> bool:
    """Not where the driver's own figure may be made up and the product is known to be too small."""
    most = product.most_mib()
    return not profile.invents_memory or most is None or most * MIB >= floor.memory_bytes


def _memory(memory: tuple[Memory, ...], floor: Floor) -> tuple[Condition, ...]:
    found = tuple(_memory_floor(each, floor) for each in memory)
    return found[0] if len(found) == 1 else (AnyOf(found),)


def _memory_floor(memory: Memory, floor: Floor) -> tuple[Condition, ...]:
    if isinstance(memory, CapacityMemory):
        below = () if floor.below_bytes is None else (CapacityBelow(memory.name, floor.below_bytes),)
        return (CapacityAtLeast(memory.name, floor.memory_bytes), *below)
    units = memory.unit_bytes
    at_least = AttributeAtLeast(memory.name, -(-floor.memory_bytes // units))
    if floor.below_bytes is None:
        return (at_least,)
    return at_least, AttributeBelow(memory.name, -(-floor.below_bytes // units))


def _has_both(profile: Profile, product: Product, floor: Floor) -> bool:
    """Whether the table vouches for memory and bandwidth of a product that does not publish its memory."""
    least = product.least_mib(profile.assumed_share)
    below = floor.below_bytes is None or (least is not None and least * MIB < floor.below_bytes)
    enough = least is not None and least * MIB >= floor.memory_bytes
    return enough and below and product.reaches(floor.bandwidth_gbs)


def _named(profile: Profile, products: list[Product], floor: Floor) -> Condition:
    """That the device is one of the products of which the table vouches for memory and bandwidth."""
    alternatives: list[tuple[Condition, ...]] = []
    for identity in profile.identities:
        bearers = _bearers(products, identity).items()
        values = [value for value, each in bearers if all(_has_both(profile, one, floor) for one in each)]
        if values:
            alternatives.append((_is_one_of(identity, values),))
    return _any_of(alternatives, profile)


def _fast_enough(profile: Profile, products: list[Product], floor: Floor, parts: Parts, capacity: str) -> Condition:
    """That the device is one of the products that have the bandwidth, told apart by memory where it takes that.

    Of a product that is cut into no shares the table knows, a part has a bandwidth that nobody knows: only the whole.
    """
    alternatives: list[tuple[Condition, ...]] = []
    for identity in profile.identities:
        groups: dict[tuple[Bounds, bool], list[str]] = {}
        for value, bearers in _bearers(products, identity).items():
            whole = parts is Parts.BOTH and not all(product.memory_slices for product in bearers)
            for bounds in bounds_of(bearers, floor.bandwidth_gbs, profile, Parts.CARDS if whole else parts):
                groups.setdefault((_beyond(bounds, floor), whole), []).append(value)
        alternatives.extend(
            (_is_one_of(identity, groups[bounds, whole]), *_within(bounds, capacity), *_whole(profile, whole))
            for bounds, whole in sorted(groups, key=lambda key: (key[0].at_least or 0, key[0].below or 0, key[1]))
        )
    return _any_of(alternatives, profile)


def _whole(profile: Profile, whole: bool) -> Iterator[Condition]:
    """That the device is no part of a card."""
    if whole and profile.kind_attribute and profile.partitions:
        kinds = sorted(profile.accelerator_kinds - profile.partitions.kinds)
        yield AttributeIn(profile.kind_attribute, tuple(kinds))


def _any_of(alternatives: list[tuple[Condition, ...]], profile: Profile) -> Condition:
    if not alternatives:
        return AttributeIn(profile.identities[0].attribute, ())
    if len(alternatives) == 1 and len(alternatives[0]) == 1:
        return alternatives[0][0]
    return AnyOf(tuple(alternatives))


def _bearers(products: Iterable[Product], identity: Identity) -> dict[str, list[Product]]:
    """The products that each value of the identity attribute may stand for."""
    found: dict[str, list[Product]] = {}
    for product in products:
        for value in values_of(product, identity):
            found.setdefault(value, []).append(product)
    return found


def _is_one_of(identity: Identity, values: list[str]) -> Condition:
    if identity.form is NameForm.PREFIX:
        return AttributeStartsWith(identity.attribute, tuple(values))
    return AttributeIn(identity.attribute, tuple(values))


def _within(bounds: Bounds, capacity: str) -> Iterator[Condition]:
    if bounds.at_least is not None:
        yield CapacityAtLeast(capacity, bounds.at_least)
    if bounds.below is not None:
        yield CapacityBelow(capacity, bounds.below)


def _beyond(bounds: Bounds, floor: Floor) -> Bounds:
    """The bounds without what the memory floor asks anyway."""
    implied = bounds.at_least is None or bounds.at_least <= floor.memory_bytes
    return Bounds(None if implied else bounds.at_least, bounds.below)


def _healthy(profile: Profile, health: HealthMode | None) -> tuple[Condition, ...]:
    mode = health or profile.health.default
    if mode not in profile.health.modes:
        known = ", ".join(each.value for each in profile.health.modes)
        raise UsageError(
            f"--require-health={mode.value}: devices of {profile.name} do not tell health in this way (try {known})"
        )
    if mode is not HealthMode.ATTRIBUTE:
        return ()
    found: tuple[tuple[Condition, ...], ...] = tuple(
        (AttributeIn(each.name, each.healthy) if each.healthy else AttributeIsTrue(each.name),)
        for each in profile.health.attributes
    )
    return found[0] if len(found) == 1 else (AnyOf(found),)
