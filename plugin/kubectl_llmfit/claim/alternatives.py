"""The ways to satisfy a claim's request: one for each class, or each band of memory of a class. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING

from ..drivers.asking import Floor, conditions, is_out_of_reach
from ..drivers.products import ProductTable
from ..drivers.profile import HealthMode, Profile
from ..errors import UsageError
from ..fit.units import binary_quantity
from .classes import DEFAULT, AskedClass
from .selectors import AND, OR, clauses

if TYPE_CHECKING:
    from ..fit.model import Need

MOST_ALTERNATIVES = 8  # k8s.io/api/resource/v1: FirstAvailableDeviceRequestMaxSize
MOST_BYTES = 10 << 10  # k8s.io/api/resource/v1: CELSelectorExpressionMaxLength
BAND_STEP = Fraction(7, 6)  # by so much wider bands, if there are too many
_MOST_LABEL = 63 - len("-9223372036854775807")


class Aspect(Enum):
    """What an operand of a selector tests."""

    PRODUCT = "product"
    MEMORY = "memory"
    HEALTH = "health"
    KIND = "kind"


@dataclass(frozen=True, slots=True)
class Wishes:
    """What is asked beside the need: the classes in order of preference, and how their devices are chosen.

    ``table`` None is the product table that comes with this program, and ``table_name`` what a user's own is called.
    ``health`` None is each driver's default. ``smallest_first``: bands of memory, the smallest first. ``share``:
    request the need's memory of a shareable device instead of the whole.
    """

    classes: tuple[AskedClass, ...] = (DEFAULT,)
    table: ProductTable | None = None
    table_name: str | None = None
    health: HealthMode | None = None
    smallest_first: bool = False
    share: bool = False


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way to satisfy the request: so many devices of a class that pass the selector.

    ``name`` is that of the sub-request. ``capacity`` is what is requested of a shareable device. ``told`` says what
    those operands of the selector test that do not show it themselves. ``reachable`` is False where no product has
    what is asked, so that no device can pass.
    """

    name: str
    asked: AskedClass
    floor: Floor
    expression: str
    told: Mapping[str, Aspect] = field(default_factory=dict)
    capacity: Mapping[str, str] = field(default_factory=dict)
    reachable: bool = True

    @property
    def profile(self) -> Profile:
        """The driver's."""
        return self.asked.profile

    @property
    def device_class(self) -> str:
        """The name of the class."""
        return self.asked.name


def make_alternatives(need: Need, wishes: Wishes, table: ProductTable) -> tuple[Alternative, ...]:
    """The alternatives for ``need``, in the order in which they are to be tried.

    Those that nothing in the product table can satisfy are left out where others are left. Raises UsageError for more
    than the API takes, and for what cannot be asked of a class.
    """
    each = [a for asked in wishes.classes for a in _of_class(asked, need, wishes, table)]
    found = [alternative for alternative in each if alternative.reachable] or each[:1]
    if wishes.smallest_first:
        found.sort(key=lambda alternative: alternative.floor.memory_bytes)
    if len(found) > MOST_ALTERNATIVES:
        names = ", ".join(alternative.name for alternative in found)
        raise UsageError(
            f"a claim takes at most {MOST_ALTERNATIVES} alternatives, these are {len(found)}: {names}",
            "name fewer classes with --device-class" + (", or leave out --smallest-first" * wishes.smallest_first),
        )
    return tuple(found)


def table_for(classes: Sequence[AskedClass]) -> ProductTable:
    """The built-in product table, or an empty one where no class needs it."""
    if all(asked.profile.bandwidth is not None for asked in classes):
        return ProductTable(())
    from ..drivers.products import builtin_table

    return builtin_table()


def _of_class(asked: AskedClass, need: Need, wishes: Wishes, table: ProductTable) -> Iterator[Alternative]:
    profile, entry = asked.profile, asked.entry
    floor = Floor(need.memory_bytes, need.bandwidth_gbs)
    capacity = _shared(asked, need) if wishes.share else {}
    label = _label(asked, wishes.classes)
    floors = _bands(asked, floor, table) if wishes.smallest_first else (floor,)
    for band in floors:
        text = need.memory if band.memory_bytes == floor.memory_bytes else None
        operands = clauses(profile, conditions(profile, entry, band, wishes.health, table), band, text)
        expression = AND.join(operands)
        size = len(expression.encode())
        if size > MOST_BYTES:
            raise UsageError(
                f"device class {asked.name}: the list of products makes a selector of {size} bytes; "
                f"the API takes {MOST_BYTES}"
            )
        yield Alternative(
            name=label if len(floors) == 1 else f"{label}-{binary_quantity(band.memory_bytes).lower()}",
            asked=asked,
            floor=band,
            expression=expression,
            told=_told(profile, operands),
            capacity=capacity,
            reachable=not is_out_of_reach(profile, entry, band, table),
        )


def _bands(asked: AskedClass, floor: Floor, table: ProductTable) -> tuple[Floor, ...]:
    """Bands of memory, as narrow as one class's may be in one claim."""
    from ..drivers.sizes import BAND_RATIO, bands

    ratio = BAND_RATIO
    while len(found := bands(asked.profile, asked.entry, floor, table, ratio)) > MOST_ALTERNATIVES:
        ratio *= BAND_STEP
    return found


def _shared(asked: AskedClass, need: Need) -> dict[str, str]:
    share = asked.profile.share
    if share is None:
        raise UsageError(f"--share: devices of class {asked.name} (driver {asked.profile.name}) cannot be shared")
    return {share.memory: need.memory, **dict(share.others)}


def _told(profile: Profile, operands: Sequence[str]) -> dict[str, Aspect]:
    """What the operands test that are more than one comparison; those that ask for a name show it."""
    attributes = f"device.attributes['{profile.name}']"
    identities = (
        () if profile.bandwidth is not None else tuple(f"{attributes}.{i.attribute}" for i in profile.identities)
    )
    found: dict[str, Aspect] = {}
    for text in operands:
        if text.startswith("(!("):
            found[text] = Aspect.KIND
        elif any(name in text for name in identities):
            found[text] = Aspect.PRODUCT
        elif OR in text:
            by_health = any(f"{attributes}.{each.name}" in text for each in profile.health.attributes)
            found[text] = Aspect.HEALTH if by_health else Aspect.MEMORY
    return found


def _label(asked: AskedClass, classes: Sequence[AskedClass]) -> str:
    """The sub-request's name: the class's, as a DNS label; the driver's too where the class stands for several."""
    several = sum(other.name == asked.name for other in classes) > 1
    text = f"{asked.name}-{asked.profile.name}" if several else asked.name
    label = re.sub("[^a-z0-9]+", "-", text)
    if len(label) <= _MOST_LABEL:
        return label
    from hashlib import sha256  # 5 ms to load, rarely needed

    return f"{label[: _MOST_LABEL - 7].rstrip('-')}-{sha256(text.encode()).hexdigest()[:6]}"
