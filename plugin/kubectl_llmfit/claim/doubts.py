"""What a person should know of an ask before relying on it: sentences for stderr. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..drivers.asking import Floor, is_out_of_reach
from ..drivers.llmfit_ai import PROFILE as LLMFIT_AI
from .alternatives import Alternative, Wishes

if TYPE_CHECKING:
    from ..drivers.products import ProductTable
    from ..fit.model import Need
    from .classes import AskedClass

_NAMED = 3  # products that a sentence names


def doubts_about(
    need: Need, wishes: Wishes, alternatives: Sequence[Alternative], table: ProductTable
) -> tuple[str, ...]:
    """Each once, in the order of the classes; what holds for devices of several classes before them."""
    floor = Floor(need.memory_bytes, need.bandwidth_gbs)
    smallest = wishes.smallest_first
    by_size = _about_sizes(wishes.classes, floor, need, table)
    found = [text for asked in wishes.classes for text in _about(asked, floor, alternatives, table, smallest)]
    return tuple(dict.fromkeys([*by_size, *found]))


def _about_sizes(classes: Sequence[AskedClass], floor: Floor, need: Need, table: ProductTable) -> Iterator[str]:
    """Which devices of all classes the floor leaves out by a little: by its rounding, or although a label has it."""
    told = [asked for asked in classes if asked.profile is not LLMFIT_AI]
    if not told:
        return
    from ..drivers.sizes import label_warning, refused_by_rounding, rounding_warning, sizes

    reached = [asked for asked in told if not is_out_of_reach(asked.profile, asked.entry, floor, table)]
    known = [size for asked in reached for size in sizes(asked.profile, asked.entry, floor.bandwidth_gbs, table)]
    exact = floor.memory_bytes if need.exact_bytes is None else need.exact_bytes
    rounded = refused_by_rounding(floor, exact, known)
    warnings = (
        label_warning(floor, (size for size in known if size not in rounded)),
        rounding_warning(floor, exact, known),
    )
    yield from filter(None, warnings)


def _about(
    asked: AskedClass,
    floor: Floor,
    alternatives: Sequence[Alternative],
    table: ProductTable,
    smallest_first: bool,
) -> Iterator[str]:
    if smallest_first and asked.profile.bandwidth is not None:
        yield f"--smallest-first: the sizes of devices of {asked.profile.name} are not known, it makes no bands of them"
    if asked.profile is LLMFIT_AI:
        yield from _never_published(asked, floor)
        return
    if is_out_of_reach(asked.profile, asked.entry, floor, table):
        left = any(alternative.asked is asked for alternative in alternatives)
        yield f"{out_of_reach(asked, floor, table)}: {'no device can satisfy this claim' if left else 'it is left out'}"
        return
    if not asked.profile.memory:
        yield from _assumed(asked, floor, table)


def out_of_reach(asked: AskedClass, floor: Floor, table: ProductTable) -> str:
    """That no product of the class's driver has the floor, or that the table does not know, in words."""
    from ..cel.quantity import Quantity
    from ..drivers.products import MIB

    driver, products = asked.profile.name, table.of(asked.profile)
    if not products:
        return f"device class {asked.name}: no product of {driver} is in the product table"
    large = [p for p in products if (most := p.most_mib()) is None or most * MIB >= floor.memory_bytes]
    unknown = [product.product for product in large if product.bandwidth_gbs is None]
    if floor.bandwidth_gbs is not None and unknown and len(unknown) == len(large):
        names = ", ".join(unknown[:_NAMED]) + (f" and {len(unknown) - _NAMED} more" if len(unknown) > _NAMED else "")
        return f"device class {asked.name}: the product table has no bandwidth of {names}"
    memory = str(Quantity.from_bytes(floor.memory_bytes))
    bandwidth = "" if floor.bandwidth_gbs is None else f" and {floor.bandwidth_gbs} GB/s"
    return f"device class {asked.name}: no product of {driver} in the product table has {memory}{bandwidth}"


def _never_published(asked: AskedClass, floor: Floor) -> Iterator[str]:
    """What the devices of a class never publish, though its driver's others do."""
    if asked.entry is None:
        return
    published = [memory.name for memory in asked.profile.memory]
    wanted = [*published, *([] if floor.bandwidth_gbs is None else [asked.profile.bandwidth])]
    missing = [name for name in wanted if name in asked.entry.lacks]
    if missing:
        yield f"devices of class {asked.name} publish no {' and no '.join(missing)}: none can satisfy this claim"


def _assumed(asked: AskedClass, floor: Floor, table: ProductTable) -> Iterator[str]:
    """The products whose memory nobody publishes and that the claim takes on the table's word."""
    from ..drivers.asking import reaching
    from ..drivers.products import MIB

    share = asked.profile.assumed_share
    taken = [
        (product.names[0], least, product.memory_mib)
        for product in reaching(asked.profile, asked.entry, floor, table)
        if not product.published_mib
        if (least := product.least_mib(share)) is not None and least * MIB >= floor.memory_bytes
    ]
    if taken:
        names = ", ".join(f"{name} {least}Mi of {label}Mi" for name, least, label in taken[:_NAMED])
        more = f" and {len(taken) - _NAMED} more" if len(taken) > _NAMED else ""
        yield (
            f"{asked.profile.name} publishes no memory of these: each counts with {float(share):g} of the product "
            f"table's figure: {names}{more}"
        )
