"""The attributes and capacities that a selector reads, by name, and those that a cluster's devices publish."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from ..api.values import ClusterState, DeviceShape
from ..cel import Path, Program, Semver
from ..dra.readings import domain_and_name

_KINDS = {"attributes": "an attribute", "capacity": "a capacity"}
_TYPES: tuple[tuple[type, str], ...] = ((bool, "a bool"), (int, "a number"), (str, "a text"), (Semver, "a version"))


@dataclass(frozen=True, slots=True, order=True)
class Name:
    """``device.<kind>[domain].name``; kind is ``attributes`` or ``capacity``."""

    kind: str
    domain: str
    name: str

    def __str__(self) -> str:
        return f"{self.domain}/{self.name}"

    @property
    def container(self) -> str:
        """The map it stands in, as CEL."""
        return f"device.{self.kind}[{self.domain!r}]"

    @property
    def read(self) -> str:
        """The CEL that reads it."""
        return f"{self.container}.{self.name}" if self.name.isidentifier() else f"{self.container}[{self.name!r}]"


def names_in(paths: Iterable[Path]) -> tuple[Name, ...]:
    """The names among the paths of an expression over ``device``, sorted; what stops at a domain has none."""
    return tuple(sorted({Name(*path[1:4]) for path in paths if len(path) > 3 and path[1] in _KINDS}))


def unguarded_names(program: Program) -> tuple[Name, ...]:
    """The names that a selector reads without asking for them.

    A domain needs no guard: reading one that a device does not have gives an empty map. What is below a name is not
    the device's to lack.
    """
    return names_in(path for path in program.unguarded if len(path) == 4)


class Published:
    """Every name that some device of a cluster publishes, whatever its pool's generation."""

    def __init__(self, state: ClusterState) -> None:
        shapes = {(slice_.driver, id(d.shape)): d.shape for slice_ in state.slices for d in slice_.devices}
        self._names = {name for (driver, _), shape in shapes.items() for name in _names_of(driver, shape)}
        self._domains = {name.domain for name in self._names}

    def correction(self, name: Name) -> str | None:
        """What to write where no device publishes ``name``, or that none does; None where some device does."""
        if name in self._names or not self._names:
            return None
        other = Name("capacity" if name.kind == "attributes" else "attributes", name.domain, name.name)
        if other in self._names:
            return f"{other} is {_KINDS[other.kind]}: read {other.read}"
        if name.domain not in self._domains:
            return self._other_domain(name)
        known = {each.name: each for each in sorted(self._names, reverse=True) if each.domain == name.domain}
        known |= {each.name: each for each in known.values() if each.kind == name.kind}
        near = known.get(_nearest(name.name, known) or "")
        if near is None:
            return f"no device publishes {name}"
        where = "" if near.kind == name.kind else f", {_KINDS[near.kind]}"
        return f"no device publishes {name}; the nearest is {near.name}{where}"

    def _other_domain(self, name: Name) -> str:
        said = f"no device publishes anything in domain {name.domain}"
        near = _nearest(name.domain, self._domains)
        if near is not None:
            return f"{said}; the nearest is {near}"
        # The domain was left out (device.attributes.healthy), or it is another driver's name.
        meant = min((each for each in self._names if each.name in (name.domain, name.name)), default=None)
        return said if meant is None else f"{said}; {meant.name} is published as {meant.read}"


def type_of_published(name: Name, driver: str, shape: DeviceShape) -> str | None:
    """What kind of value a device has as an attribute ("a version"); None where it has none, or a list."""
    value = shape.attributes.get(str(name))
    if value is None and name.domain == driver:
        value = shape.attributes.get(name.name)
    return next((words for kind, words in _TYPES if isinstance(value, kind)), None)


def _names_of(driver: str, shape: DeviceShape) -> Iterator[Name]:
    for kind, entries in (("attributes", shape.attributes), ("capacity", shape.capacity)):
        for entry in entries:
            yield Name(kind, *domain_and_name(entry, driver))


def _nearest(wanted: str, known: Iterable[str]) -> str | None:
    """The name that is most like ``wanted``, whatever its case."""
    by_lower = {each.lower(): each for each in sorted(known, reverse=True)}
    found = get_close_matches(wanted.lower(), sorted(by_lower), 1)
    return by_lower[found[0]] if found else None
