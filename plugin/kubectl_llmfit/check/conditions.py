"""The selectors of the claims and their classes: named once, and what becomes of each on a device.

Selectors are compiled as the scheduler does, whoever handed the claim over.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, replace

from ..api.values import Claim, ClusterState, DeviceRequest, DeviceShape
from ..dra.environment import Selector, SelectorError, selector
from ..dra.readings import Reading, readings
from .asked import Condition, ConditionSource
from .names import unguarded_names
from .parts import describe_parts
from .told import Teller
from .values import ConditionEntry, PartEntry, Result


@dataclass(frozen=True, slots=True)
class _Compiled:
    condition: Condition
    selector: Selector


class Conditions:
    """Every distinct selector that one check evaluates, class selectors before those of requests."""

    def __init__(self, claims: Iterable[Claim], state: ClusterState, teller: Teller | None = None) -> None:
        self._teller = teller or Teller()
        self._classes = {device_class.name: device_class.selectors for device_class in state.classes}
        self._compiled: dict[tuple[ConditionSource, str], _Compiled] = {}
        requests = [a for claim in claims for request in claim.spec.requests for a in request.alternatives]
        self._chains = [tuple(self._chain(request)) for request in requests]
        programs = [compiled.selector.program for compiled in self._compiled.values()]
        read = (path for program in programs if program is not None for path in program.reads)
        self._paths = self._teller.paths.union(read)
        self._readings: dict[str, tuple[Reading, ...]] = {}
        self._explained: dict[Hashable, tuple[ConditionEntry, ...]] = {}
        self._known: dict[tuple[ConditionEntry, ...], tuple[ConditionEntry, ...]] = {}

    def of_request(self, request: DeviceRequest) -> tuple[Condition, ...]:
        """The conditions of one alternative, in the order the scheduler tries them."""
        return tuple(compiled.condition for compiled in self._chain(request))

    def all(self) -> dict[str, Condition]:
        """Every condition by its id."""
        return {compiled.condition.id: compiled.condition for compiled in self._compiled.values()}

    def on_device(self, driver: str, shape: DeviceShape) -> tuple[ConditionEntry, ...]:
        """What becomes of each condition on a device: a false class selector leaves the later ones ``skipped``.

        Equal answers are one object, so that devices can be grouped by identity.
        """
        key = self._key(driver, shape)
        found = self._explained.get(key)
        if found is None:
            entries = tuple(self._evaluate(driver, shape))
            found = self._explained[key] = self._known.setdefault(entries, entries)
        return found

    def _key(self, driver: str, shape: DeviceShape) -> Hashable:
        """What tells devices apart to the selectors: the driver, and the values that they can read."""
        known = self._readings.get(driver)
        if known is None:
            known = self._readings[driver] = readings(self._paths, driver)
        return driver, shape.unreadable, *(read(shape) for read in known)

    def _chain(self, request: DeviceRequest) -> Iterator[_Compiled]:
        for text in self._classes.get(request.device_class_name, ()):
            yield self._compile("class", text)
        for text in request.selectors:
            yield self._compile("request", text)

    def _compile(self, source: ConditionSource, text: str) -> _Compiled:
        known = self._compiled.get((source, text))
        if known is not None:
            return known
        number = 1 + sum(1 for other, _ in self._compiled if other == source)
        chosen = selector(text, stored=True)
        described = describe_parts(chosen.program) if chosen.program is not None else ()
        parts = tuple(self._teller.describe(text, part) for part in described)
        names = unguarded_names(chosen.program) if chosen.program is not None else ()
        compiled = _Compiled(Condition(f"{source}-{number}", source, text, parts, names), chosen)
        self._compiled[source, text] = compiled
        return compiled

    def _evaluate(self, driver: str, shape: DeviceShape) -> Iterator[ConditionEntry]:
        reached: dict[str, ConditionEntry] = {}
        for chain in self._chains:
            for compiled in chain:
                name = compiled.condition.id
                if name not in reached:
                    reached[name] = self._explained_entry(compiled, driver, shape)
                if reached[name].result != "true":
                    break
        for compiled in self._compiled.values():
            yield reached.get(compiled.condition.id) or _skipped(compiled.condition)

    def _explained_entry(self, compiled: _Compiled, driver: str, shape: DeviceShape) -> ConditionEntry:
        entry = _entry(compiled, driver, shape)
        condition = compiled.condition
        pairs = zip(condition.parts, entry.parts, strict=False)
        parts = tuple(self._teller.explain(condition.expression, part, each, shape) for part, each in pairs)
        return replace(entry, parts=parts or entry.parts)


def _entry(compiled: _Compiled, driver: str, shape: DeviceShape) -> ConditionEntry:
    """What becomes of one condition."""
    problem = None
    try:
        result: Result = "true" if compiled.selector.matches(driver, shape) else "false"
    except SelectorError as error:
        result, problem = "error", str(error)
    explained = compiled.selector.explain(driver, shape)
    parts = tuple(PartEntry(part.result, part.observed, part.required, part.error) for part in explained)
    if not parts:  # it does not compile, or an attribute cannot be read: no part has a result of its own
        parts = (PartEntry(result, None, None, problem), *_skipped(compiled.condition).parts[1:])
    return ConditionEntry(compiled.condition.id, result, parts)


def _skipped(condition: Condition) -> ConditionEntry:
    parts = tuple(PartEntry("skipped", None, None, None) for _ in condition.parts)
    return ConditionEntry(condition.id, "skipped", parts)
