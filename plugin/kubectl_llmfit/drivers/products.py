"""The product table: what a product's label, its driver and its data sheet say of memory and bandwidth.

The built-in rows are ``accelerators.csv`` beside this file, each with its source; ``tablefile`` reads it and users' own
files. Sizes are MiB, bandwidths GB/s (10^9 bytes), both as exact fractions where a sheet gives decimals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from .profile import ASSUMED_SHARE, Identity, NameForm, Profile

if TYPE_CHECKING:
    from ..api.values import DeviceShape

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Partition:
    """A part that a card can be cut into: a MIG profile (``1g.10gb+me``), and what such a slice publishes if known."""

    name: str
    gigabytes: int
    published_mib: int | None = None


@dataclass(frozen=True, slots=True)
class Product:
    """One product.

    ``names`` are the texts by which drivers call it, ``pci_ids`` as ``10de:2330``. ``memory_mib`` is the size on the
    label; ``published_mib`` are totals that drivers publish, most common first (several where the ECC switch
    changes them), none where no figure is known; ``publishes_memory`` is False where the driver leaves memory out.
    ``memory_slices`` is how many equal shares of its memory and bandwidth a card can be cut into;
    ``partitions`` are parts with names. ``file`` and ``line`` say where the row stands.
    """

    vendor: str
    product: str
    names: tuple[str, ...]
    pci_ids: tuple[str, ...] = ()
    memory_mib: int | None = None
    published_mib: tuple[int, ...] = ()
    publishes_memory: bool = True
    bandwidth_gbs: int | Fraction | None = None
    memory_slices: int | None = None
    partitions: tuple[Partition, ...] = ()
    confidence: str = ""
    source: str = ""
    notes: str = ""
    file: str = ""
    line: int = 0

    def least_mib(self, share: Fraction = ASSUMED_SHARE) -> int | None:
        """The smallest total a driver publishes: the lowest one known, else ``share`` of the label."""
        if self.published_mib:
            return min(self.published_mib)
        return None if self.memory_mib is None else int(self.memory_mib * share)

    def most_mib(self) -> int | None:
        """The largest total a driver publishes."""
        return max(self.published_mib) if self.published_mib else self.memory_mib

    def reaches(self, bandwidth_gbs: int | None) -> bool:
        """Whether the whole product has the bandwidth; an unknown one has not."""
        return bandwidth_gbs is None or (self.bandwidth_gbs is not None and self.bandwidth_gbs >= bandwidth_gbs)


@dataclass(frozen=True, eq=False)
class ProductTable:
    """All products, built-in and the user's own. Two tables are never equal: look-ups are remembered by identity."""

    products: tuple[Product, ...]

    def of(self, profile: Profile) -> tuple[Product, ...]:
        """The products whose devices ``profile``'s driver publishes, in the table's order."""
        return _products_of(self, profile.vendor, profile.pci_vendor)

    def with_rows(self, rows: Iterable[Product]) -> ProductTable:
        """The table with ``rows`` in it: for a name that they give, only they count.

        A product that loses a name to a row loses its PCI ids to it too, since devices say both; a row that gives none
        takes them over. An id stays with every other product that has it: those that share one are told apart by
        memory, or count as the slowest.
        """
        added = tuple(rows)
        names = {(row.vendor, name) for row in added for name in row.names}
        taken = tuple(row if row.pci_ids else replace(row, pci_ids=self._pci_ids_of(row)) for row in added)
        return ProductTable((*taken, *_without(self.products, names)))

    def _pci_ids_of(self, row: Product) -> tuple[str, ...]:
        """Those of the products that have one of the row's names."""
        named = (p for p in self.products if p.vendor == row.vendor and not set(row.names).isdisjoint(p.names))
        return tuple(dict.fromkeys(pci_id for product in named for pci_id in product.pci_ids))


@lru_cache(maxsize=64)
def _products_of(table: ProductTable, vendor: str | None, pci_vendor: str | None) -> tuple[Product, ...]:
    return tuple(product for product in table.products if _covers(vendor, pci_vendor, product))


def covers(profile: Profile, product: Product) -> bool:
    """Whether the driver publishes devices of that product: by vendor, and by PCI vendor where both are known."""
    return _covers(profile.vendor, profile.pci_vendor, product)


def _covers(vendor: str | None, pci_vendor: str | None, product: Product) -> bool:
    vendors = {pci_id.partition(":")[0] for pci_id in product.pci_ids}
    return vendor == product.vendor and (pci_vendor is None or not vendors or pci_vendor in vendors)


def values_of(product: Product, identity: Identity) -> tuple[str, ...]:
    """What the identity attribute of this product's devices may hold (for ``PREFIX``: how it starts)."""
    if identity.form is NameForm.PCI_ID:
        return tuple(f"0x{pci_id.partition(':')[2]}" for pci_id in product.pci_ids)
    if identity.without_pci_id and product.pci_ids:
        return ()
    if identity.form is NameForm.PREFIX:
        return tuple(name.partition("*")[0] for name in product.names)
    if identity.form is NameForm.UNDERSCORES:
        return tuple(dict.fromkeys(name.replace(" ", "_") for name in product.names))
    return product.names


def find(profile: Profile, shape: DeviceShape, table: ProductTable) -> tuple[Product, ...]:
    """The products that a device may be, by the identity attribute that leaves the fewest; none where none is known."""
    found = [_of_value(profile, profile.published(shape, i.attribute), i, table) for i in profile.identities]
    return min(filter(None, found), key=len, default=())


def _of_value(profile: Profile, value: object, identity: Identity, table: ProductTable) -> tuple[Product, ...]:
    if not isinstance(value, str):
        return ()
    return tuple(p for p in table.of(profile) if _is_named(value, values_of(p, identity), identity.form))


@cache
def builtin_table() -> ProductTable:
    """The table that comes with this program."""
    from pathlib import Path

    from .tablefile import read_table

    path = Path(__file__).with_name("accelerators.csv")
    return ProductTable(read_table(path.read_text("utf-8"), path.name))


def _is_named(value: str, values: tuple[str, ...], form: NameForm) -> bool:
    return value.startswith(values) if form is NameForm.PREFIX else value in values


def _without(products: Iterable[Product], names: set[tuple[str, str]]) -> Iterator[Product]:
    for product in products:
        kept = tuple(name for name in product.names if (product.vendor, name) not in names)
        if kept:
            yield product if kept == product.names else replace(product, names=kept, pci_ids=())
