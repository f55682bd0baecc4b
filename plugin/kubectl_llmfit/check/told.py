"""What devices lack where the selector's text does not say it: bandwidths by the product table, health, kinds.

A list of products is all that a selector can hold. Which figure a product has, and that one is not in the table, is
said from the very table that the list was made from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..cel import Path
from ..cel.quantity import Quantity
from ..claim.alternatives import Alternative, Aspect
from ..drivers.products import MIB, Product, ProductTable, find
from ..drivers.profile import CapacityMemory, Profile
from ..drivers.reading import bandwidth_gbs, memory_bytes, product_name
from .asked import Part, PartKind
from .figures import side_by_side
from .values import PartEntry
from .words import UNREAD_MEMORY

if TYPE_CHECKING:
    from ..api.values import DeviceShape


@dataclass(frozen=True, slots=True)
class _Told:
    """One operand of one alternative's selector, and what it tests."""

    aspect: Aspect
    alternative: Alternative
    table: ProductTable


class Teller:
    """Tells of the selectors of ``alternatives``, which were made with ``table``; of no other selector."""

    def __init__(self, alternatives: Iterable[Alternative] = (), table: ProductTable | None = None) -> None:
        self._told = {
            (alternative.expression, _bare(text)): _Told(aspect, alternative, table or ProductTable(()))
            for alternative in alternatives
            for text, aspect in alternative.told.items()
        }
        self.paths = frozenset(path for told in self._told.values() for path in _paths(told.alternative.profile))

    def describe(self, selector: str, part: Part) -> Part:
        """The part with what it is about, where its own text does not show it."""
        told = self._told.get((selector, _bare(part.expression)))
        if told is None:
            return part
        if told.aspect is Aspect.PRODUCT and told.alternative.floor.bandwidth_gbs is not None:
            return replace(part, about="bandwidth", kind=PartKind.COMPARISON, operator=">=", unit="GB/s")
        if told.aspect in (Aspect.PRODUCT, Aspect.MEMORY):
            return replace(part, about="memory", kind=PartKind.COMPARISON, operator=">=")
        return replace(part, about=told.aspect.value)

    def explain(self, selector: str, part: Part, entry: PartEntry, shape: DeviceShape) -> PartEntry:
        """The part's result with both figures and what it lacks, where it is false."""
        told = self._told.get((selector, _bare(part.expression)))
        if told is None or entry.result != "false":
            return entry
        return _SAY[told.aspect](told, shape, entry)


def _product(told: _Told, shape: DeviceShape, entry: PartEntry) -> PartEntry:
    profile, floor = told.alternative.profile, told.alternative.floor
    products = find(profile, shape, told.table)
    name = product_name(profile, shape)
    if not products:
        attribute = profile.identities[-1].attribute
        unknown = f"{name} is not in the product table" if name else f"publishes no {attribute}"
        return replace(
            entry, observed=name, required=None, saying=f"{unknown}: add it with --accelerators" if name else unknown
        )
    published = memory_bytes(profile, shape)
    if published is None and profile.memory and all(product.publishes_memory for product in products):
        return replace(entry, observed=None, required=None, saying=_no_memory(profile, shape))
    if published is None and (least := _least(products, profile)) is not None and least < floor.memory_bytes:
        observed, required = _quantities(least, floor.memory_bytes)
        saying = f"{name}: memory {observed} < {required} by the product table"
        return replace(entry, observed=observed, required=required, saying=saying)
    if floor.bandwidth_gbs is not None and any(product.bandwidth_gbs is None for product in products):
        saying = f"the product table has no bandwidth of {name}: add it with --accelerators"
        return replace(entry, observed=name, required=None, saying=saying)
    has = bandwidth_gbs(profile, shape, told.table)
    if floor.bandwidth_gbs is not None and has is None and _is_part(profile, shape):
        saying = f"{name}: the product table has no memory_slices of it, and so no bandwidth of its parts"
        return replace(entry, observed=name, required=None, saying=f"{saying}: add them with --accelerators")
    if floor.bandwidth_gbs is not None and has is not None and has < floor.bandwidth_gbs:
        saying = f"{name}: bandwidth {has} < {floor.bandwidth_gbs} GB/s by the product table"
        return replace(entry, observed=str(has), required=str(floor.bandwidth_gbs), saying=saying)
    if published is not None and published < floor.memory_bytes:
        return _less_memory(told, published, entry)
    return entry


def _is_part(profile: Profile, shape: DeviceShape) -> bool:
    """Whether the device is a part of a card."""
    return profile.partitions is not None and profile.kind_of(shape) in profile.partitions.kinds


def _memory(told: _Told, shape: DeviceShape, entry: PartEntry) -> PartEntry:
    published = memory_bytes(told.alternative.profile, shape)
    if published is None:
        return replace(entry, saying=_no_memory(told.alternative.profile, shape))
    return _less_memory(told, published, entry)


def _no_memory(profile: Profile, shape: DeviceShape) -> str:
    names = {name for memory in profile.memory for name in (memory.name, f"{profile.name}/{memory.name}")}
    published = not names.isdisjoint(shape.capacity) or not names.isdisjoint(shape.attributes)
    return UNREAD_MEMORY if published else "publishes no memory"


def _less_memory(told: _Told, published: int, entry: PartEntry) -> PartEntry:
    floor = told.alternative.floor
    above = floor.below_bytes is not None and published >= floor.below_bytes
    observed, required = _quantities(
        published, floor.below_bytes if above and floor.below_bytes else floor.memory_bytes
    )
    saying = f"memory {observed} {'>=' if above else '<'} {required}"
    return replace(entry, observed=observed, required=required, saying=saying)


def _health(told: _Told, shape: DeviceShape, entry: PartEntry) -> PartEntry:
    profile = told.alternative.profile
    values = [value for each in profile.health.attributes if (value := profile.published(shape, each.name)) is not None]
    return replace(entry, saying="unhealthy" if values else "publishes nothing of its health")


def _kind(told: _Told, shape: DeviceShape, entry: PartEntry) -> PartEntry:
    profile = told.alternative.profile
    for attribute, values in profile.tests:
        value = profile.published(shape, attribute)
        if value is not None and value not in values:
            return replace(entry, observed=str(value), saying=f"{attribute} {value}, not {' or '.join(values)}")
    return entry


_SAY = {Aspect.PRODUCT: _product, Aspect.MEMORY: _memory, Aspect.HEALTH: _health, Aspect.KIND: _kind}


def _least(products: Iterable[Product], profile: Profile) -> int | None:
    """The least memory in bytes that one of ``products`` counts with; None where one has none."""
    least = [product.least_mib(profile.assumed_share) for product in products]
    known = [each for each in least if each is not None]
    return min(known) * MIB if len(known) == len(least) else None


def _quantities(observed: int, required: int) -> tuple[str, str]:
    return side_by_side(str(Quantity.from_bytes(observed)), str(Quantity.from_bytes(required)))


def _paths(profile: Profile) -> Iterator[Path]:
    """All that is looked at to tell of a device of the driver."""
    attributes = [each.attribute for each in profile.identities] + [each.name for each in profile.health.attributes]
    attributes += [attribute for attribute, _ in profile.tests]
    attributes += [] if profile.kind_attribute is None else [profile.kind_attribute]
    for way in profile.memory:
        yield ("device", "capacity" if isinstance(way, CapacityMemory) else "attributes", profile.name, way.name)
    for name in attributes:
        yield ("device", "attributes", profile.name, name)


def _bare(text: str) -> str:
    """An operand as a syntax tree gives it back: without the parentheses at its ends."""
    return text.strip("()")
