"""Which driver's devices a DeviceClass means: by its name, or by what its selectors say. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..drivers.llmfit_ai import PROFILE as LLMFIT_AI
from ..drivers.profile import DriverClass, Profile

if TYPE_CHECKING:
    from ..api.values import DeviceClass
    from ..cel.ast import Node

DEFAULT_CLASS = "llmfit.ai"


@dataclass(frozen=True, slots=True)
class AskedClass:
    """A DeviceClass to ask for and the driver whose devices are meant; ``entry`` None: not one that it ships."""

    name: str
    profile: Profile
    entry: DriverClass | None = None


DEFAULT = AskedClass(DEFAULT_CLASS, LLMFIT_AI, LLMFIT_AI.find_class(DEFAULT_CLASS))


def shipped_class(name: str) -> AskedClass | None:
    """The class of that name that a known driver ships."""
    profile: Profile | None = LLMFIT_AI
    if LLMFIT_AI.find_class(name) is None:
        from ..drivers.registry import profile_of_class  # twenty modules, not needed for the driver's own classes

        profile = profile_of_class(name)
    return None if profile is None else AskedClass(name, profile, profile.find_class(name))


def classes_of_driver(name: str, drivers: Iterable[str]) -> tuple[AskedClass, ...]:
    """The class ``name``, which no driver ships, once for each of ``drivers`` that has a profile."""
    from ..drivers.registry import profile_of_driver

    profiles = (profile_of_driver(driver) for driver in drivers)
    return tuple(AskedClass(name, profile) for profile in profiles if profile is not None)


def usable_classes(classes: Iterable[DeviceClass]) -> tuple[AskedClass, ...]:
    """Those of a cluster's classes that select accelerators of a known driver, in the registry's order of drivers.

    Of a driver whose own classes are there only these count: others select some of the same devices. So does, where
    one class selects devices of every kind, that class alone.
    """
    from ..drivers.registry import PROFILES

    found = [asked for each in sorted(classes, key=lambda each: each.name) for asked in _meanings(each)]
    return tuple(asked for profile in PROFILES for asked in _widest([a for a in found if a.profile is profile]))


def _meanings(device_class: DeviceClass) -> tuple[AskedClass, ...]:
    shipped = shipped_class(device_class.name)
    found = (shipped,) if shipped else classes_of_driver(device_class.name, drivers_selected(device_class.selectors))
    return tuple(asked for asked in found if _selects_accelerators(asked))


def _selects_accelerators(asked: AskedClass) -> bool:
    profile, entry = asked.profile, asked.entry
    if not profile.accelerator or profile.inexpressible or (entry is not None and entry.refusal):
        return False
    return entry is None or entry.kind is None or entry.kind in profile.accelerator_kinds


def _widest(found: Sequence[AskedClass]) -> Iterator[AskedClass]:
    own = [asked for asked in found if asked.entry is not None]
    whole = [asked for asked in own if asked.entry and asked.entry.kind is None and asked.entry.parts is None]
    if whole and "*" not in (whole[0].entry.name if whole[0].entry else ""):
        yield whole[0]
        return
    order = {entry.name: place for place, entry in enumerate(found[0].profile.classes)} if found else {}
    yield from sorted(own or found, key=lambda asked: (order.get(asked.name, 0), asked.name))


def drivers_selected(selectors: Iterable[str]) -> tuple[str, ...]:
    """The drivers of the devices that pass all ``selectors`` (CEL), as far as their syntax trees say it.

    ``device.driver == "x"``, either way round, and ``device.driver in ["x", "y"]``, under ``&&`` and ``||``. Where no
    such test stands, the one known driver whose attributes or capacities are read.
    """
    from ..cel.parser import parse
    from ..cel.source import Source

    trees = [tree for text in selectors if (tree := parse(Source(text))) is not None]
    tested = [drivers for tree in trees if (drivers := _drivers(tree)) is not None]
    if tested:
        first, *others = tested
        return tuple(driver for driver in first if all(driver in other for other in others))
    return _domains(trees)


def _drivers(node: Node) -> tuple[str, ...] | None:
    """The drivers whose devices may make ``node`` true; None for any."""
    from ..cel import operators
    from ..cel.ast import Call, ListLiteral, Literal

    if not isinstance(node, Call):
        return None
    if node.function in (operators.LOGICAL_AND, operators.LOGICAL_OR):
        sides = [_drivers(argument) for argument in node.args]
        named = [side for side in sides if side is not None]
        if node.function == operators.LOGICAL_OR:
            return (
                tuple(dict.fromkeys(driver for side in named for driver in side)) if len(named) == len(sides) else None
            )
        return tuple(d for d in named[0] if all(d in side for side in named)) if named else None
    if node.function == operators.BINARY["=="]:
        left, right = node.args
        literal = right if _is_driver(left) else left if _is_driver(right) else None
        return (str(literal.value),) if isinstance(literal, Literal) else None
    if node.function == operators.IN and _is_driver(node.args[0]) and isinstance(node.args[1], ListLiteral):
        elements = node.args[1].elements
        literals = [str(each.value) for each in elements if isinstance(each, Literal)]
        return tuple(literals) if len(literals) == len(elements) else None
    return None


def _is_driver(node: Node) -> bool:
    from ..cel.ast import Ident, Select

    return isinstance(node, Select) and node.field == "driver" and isinstance(node.operand, Ident)


def _domains(trees: Iterable[Node]) -> tuple[str, ...]:
    """The one known driver in whose domain attributes or capacities are read."""
    from ..cel import operators
    from ..cel.ast import Call, Ident, Literal, Select, walk
    from ..drivers.registry import profile_of_driver

    found: set[str] = set()
    for node in (node for tree in trees for node in walk(tree)):
        if isinstance(node, Call) and node.function == operators.INDEX:
            container, key = node.args
            of_device = isinstance(container, Select) and isinstance(container.operand, Ident)
            if of_device and isinstance(key, Literal) and profile_of_driver(str(key.value)) is not None:
                found.add(str(key.value))
    return tuple(found) if len(found) == 1 else ()
