"""In which range of published memory a device of a product has a bandwidth. Pure.

Two kinds of device need that: slices of cards, and products that share a name.
"""

from __future__ import annotations

from typing import NamedTuple

from .products import MIB, Product
from .profile import Parts, Profile


class Bounds(NamedTuple):
    """The published memory, in bytes, that a device of one name must have for its bandwidth to suffice."""

    at_least: int | None = None
    below: int | None = None

    def hold(self, memory_bytes: int) -> bool:
        """Whether a device with so much published memory is in the range."""
        return (self.at_least or 0) <= memory_bytes and (self.below is None or memory_bytes < self.below)


def bounds_of(bearers: list[Product], bandwidth_gbs: int | None, profile: Profile, parts: Parts) -> set[Bounds]:
    """The ranges of memory in which a device of one name has the bandwidth: none where it cannot be known.

    Products that share a name are told apart by their memory; where their sizes overlap, the lower bandwidth counts.
    """
    each = [(product, bounds_of_part(product, bandwidth_gbs, profile, parts)) for product in bearers]
    enough = [(product, bounds) for product, bounds in each if bounds is not None]
    if len(enough) == len(each):
        return {max((bounds for _, bounds in enough), key=lambda bounds: bounds.at_least or 0)}
    slower = [product for product, bounds in each if bounds is None]
    if parts is not Parts.CARDS and any(product.memory_slices for product in bearers):
        return set()
    return {found for product, _ in enough if (found := _apart(product, slower, profile)) is not None}


def _apart(product: Product, slower: list[Product], profile: Profile) -> Bounds | None:
    """The range of memory that only ``product`` has and none of ``slower``; None where there is none."""
    least, most = product.least_mib(profile.assumed_share), product.most_mib()
    at_least, below = 0, None
    for other in slower:
        other_least, other_most = other.least_mib(profile.assumed_share), other.most_mib()
        if least is None or most is None or other_least is None or other_most is None:
            return None
        if other_most < least:
            at_least = max(at_least, (other_most + least) // 2)
        elif most < other_least:
            below = min(below or other_least, (most + other_least) // 2)
        else:
            return None
    return Bounds(at_least * MIB or None, None if below is None else below * MIB)


def bounds_of_part(product: Product, bandwidth_gbs: int | None, profile: Profile, parts: Parts) -> Bounds | None:
    """From which published memory on a device of that product has the bandwidth; None where none has.

    A slice has its card's bandwidth times its memory slices over all slices (NVIDIA MIG user guide), and so many slices
    as its memory says: cards are cut into 1, 2, 4 or 8 shares. The bound lies half way between the largest
    size of one share less and the smallest of enough shares.
    """
    if not product.reaches(bandwidth_gbs) or (parts is Parts.SLICES and not product.memory_slices):
        return None
    least, nominal = product.least_mib(profile.assumed_share), product.memory_mib
    if parts is Parts.CARDS or not product.memory_slices or bandwidth_gbs is None or product.bandwidth_gbs is None:
        return Bounds()
    if least is None or nominal is None:
        return None
    slices, needed = product.memory_slices, 1
    while product.bandwidth_gbs * needed < bandwidth_gbs * slices:
        needed *= 2
    if needed == 1:
        return Bounds()
    return Bounds((needed // 2 * nominal + needed * least) // (2 * slices) * MIB)
