"""How much memory the devices of a class publish, by the product table, against what their labels say. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from .asking import Floor, parts_of
from .products import MIB, Product, ProductTable
from .profile import DriverClass, Parts, Profile
from .ranges import bounds_of_part

LEAST_OF_SLICE = Fraction(9, 10)
"""Of its share of the card's memory a MIG slice publishes at least this much. Seen: 0.916 (B200 1g.23gb) to 0.99."""

BAND_RATIO = Fraction(3, 2)
_NAMED = 3  # products that a warning names


@dataclass(frozen=True, slots=True)
class Size:
    """A size that devices publish: whose, how much, what the label says, and whether it was seen or is assumed."""

    name: str
    published_mib: int
    label_mib: int
    known: bool


def sizes(
    profile: Profile, entry: DriverClass | None, bandwidth_gbs: int | None, table: ProductTable
) -> tuple[Size, ...]:
    """The least that each product, and each of its named slices, publishes, of those that reach the bandwidth."""
    parts = parts_of(profile, entry)
    found: list[Size] = []
    for product in table.of(profile):
        if parts is not Parts.SLICES and product.reaches(bandwidth_gbs):
            found.extend(_card(profile, product))
        if parts is not Parts.CARDS:
            bounds = bounds_of_part(product, bandwidth_gbs, profile, Parts.SLICES)
            at_least = None if bounds is None else (bounds.at_least or 0)
            found.extend(s for s in _slices(product) if at_least is not None and s.published_mib * MIB >= at_least)
    return tuple(found)


def label_warning(floor: Floor, known_sizes: Iterable[Size]) -> str | None:
    """That the memory floor lies above what some of ``known_sizes`` publish and not above their labels: both numbers.

    None where there is no such gap. Sizes that were seen are named before those that are assumed.
    """
    floor_mib = Fraction(floor.memory_bytes, MIB)
    gaps = dict.fromkeys(size for size in known_sizes if size.published_mib < floor_mib <= size.label_mib)
    if not gaps:
        return None
    seen = sorted(gaps, key=lambda size: not size.known)
    names = [
        f"{size.name} {'publishes' if size.known else 'is taken to have'} {size.published_mib}Mi of "
        f"{_gib(size.label_mib)}"
        for size in seen[:_NAMED]
    ]
    more = f", and {len(seen) - _NAMED} more" if len(seen) > _NAMED else ""
    return f"a memory floor of {_amount(floor.memory_bytes)} leaves out cards with that label: {', '.join(names)}{more}"


def refused_by_rounding(floor: Floor, exact_bytes: int, known_sizes: Iterable[Size]) -> tuple[Size, ...]:
    """The sizes that have the need (``exact_bytes``) and not the floor that it was rounded up to.

    Only sizes that were seen count: an assumed one would make a warning a guess.
    """
    return tuple(
        dict.fromkeys(
            size for size in known_sizes if size.known and exact_bytes <= size.published_mib * MIB < floor.memory_bytes
        )
    )


def rounding_warning(floor: Floor, exact_bytes: int, known_sizes: Iterable[Size]) -> str | None:
    """That rounding the need up to the floor alone refuses devices; None where it refuses none known."""
    gaps = refused_by_rounding(floor, exact_bytes, known_sizes)
    if not gaps:
        return None
    names = ", ".join(f"{size.name} ({size.published_mib}Mi)" for size in gaps[:_NAMED])
    more = f" and {len(gaps) - _NAMED} more" if len(gaps) > _NAMED else ""
    exact = f"{-(-exact_bytes // MIB)}Mi"
    return (
        f"only the rounding of {exact} up to {_amount(floor.memory_bytes)} refuses {names}{more}: "
        f"--min-memory {exact} admits them"
    )


def bands(
    profile: Profile, entry: DriverClass | None, floor: Floor, table: ProductTable, ratio: Fraction = BAND_RATIO
) -> tuple[Floor, ...]:
    """The floor cut into bands of memory, the smallest first, each with devices by the table; the last has no top.

    A band ends below the first size that is at least ``ratio`` times its own smallest.
    """
    published = {size.published_mib * MIB for size in sizes(profile, entry, floor.bandwidth_gbs, table)}
    starts: list[int] = []
    for size in sorted(size for size in published if size >= floor.memory_bytes):
        if not starts or size >= starts[-1] * ratio:
            starts.append(size)
    edges = [floor.memory_bytes, *starts[1:]]
    tops: list[int | None] = [*edges[1:], None]
    return tuple(Floor(edge, floor.bandwidth_gbs, top) for edge, top in zip(edges, tops, strict=True))


def _card(profile: Profile, product: Product) -> Iterator[Size]:
    least = product.least_mib(profile.assumed_share)
    if least is not None and product.memory_mib is not None:
        yield Size(product.names[0], least, product.memory_mib, known=bool(product.published_mib))


def _slices(product: Product) -> Iterator[Size]:
    for _, alike in groupby(product.partitions, key=lambda partition: partition.gigabytes):
        partition = next(alike)
        least = partition.published_mib
        if least is None:
            share = share_of(product, partition.gigabytes)
            least = None if share is None else int(share * LEAST_OF_SLICE)
        if least is not None:
            name = f"{partition.name} of {product.names[0]}"
            yield Size(name, least, partition.gigabytes * 1024, known=partition.published_mib is not None)


def share_of(product: Product, gigabytes: int) -> int | None:
    """The MiB of the memory slices that a MIG profile of so many gigabytes takes: 1, 2, 4 or 8 shares of the card.

    Not by the g number: ``1g.20gb`` of an 80 GB card has 2 of 8 shares, ``3g.40gb`` has 4.
    """
    total = product.least_mib()
    if product.memory_slices is None or total is None:
        return None
    shares = [total * (1 << power) // product.memory_slices for power in range(product.memory_slices.bit_length())]
    return min(shares, key=lambda share: abs(share - gigabytes * 1024))


def _gib(mib: int) -> str:
    return f"{mib // 1024}Gi" if mib % 1024 == 0 else f"{mib}Mi"


def _amount(amount_bytes: int) -> str:
    from ..cel.quantity import Quantity

    return str(Quantity.from_bytes(amount_bytes))
