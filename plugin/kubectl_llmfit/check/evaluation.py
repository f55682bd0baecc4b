"""One expression on published devices: what ``eval`` answers. Knows no claim and no verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..api.values import ClusterState, Device, NodeTargeting, ResourceSlice
from ..dra.environment import Selector, SelectorError, SelectorNotKnownError
from .asked import Part, PartKind
from .parts import describe_parts
from .shortfalls import shortfall
from .values import PartEntry, Result
from .words import one_line


@dataclass(frozen=True, slots=True)
class Published:
    """A device of the newest generation of its pool; ``node`` is ``<all>`` or ``<selector>`` where no name stands."""

    node: str
    slice: ResourceSlice
    device: Device


@dataclass(frozen=True, slots=True)
class Evaluated:
    """What the selectors give on one device.

    ``why`` says each part with its two sides, ``error`` the scheduler's words; ``parts`` are those of the last
    selector that was evaluated.
    """

    published: Published
    result: Result
    why: str
    error: str | None
    parts: tuple[tuple[Part, PartEntry], ...]


def published(state: ClusterState) -> Iterator[Published]:
    """Every device of the newest generation of each pool, slices as read and devices in list order."""
    newest: dict[tuple[str, str], int] = {}
    for slice_ in state.slices:
        pool = (slice_.driver, slice_.pool)
        newest[pool] = max(slice_.generation, newest.get(pool, slice_.generation))
    for slice_ in state.slices:
        if slice_.generation == newest[slice_.driver, slice_.pool]:
            for device in slice_.devices:
                yield Published(_node(device.shape.targeting or slice_.targeting), slice_, device)


def evaluate(class_selectors: Sequence[Selector], selector: Selector, one: Published) -> Evaluated:
    """The class's selectors, then ``selector``, on one device, up to the first that is not true (as the scheduler)."""
    last = selector
    result: Result = "true"
    error: str | None = None
    for last in (*class_selectors, selector):
        try:
            result = "true" if last.matches(one.slice.driver, one.device.shape) else "false"
        except (SelectorError, SelectorNotKnownError) as raised:
            result, error = "error", one_line(str(raised))
        if result != "true":
            break
    parts = _parts(last, one)
    words = [text for part, entry in parts if (text := _words(part, entry)) is not None]
    origin = "" if last is selector else "class: "
    return Evaluated(one, result, origin + (", ".join(words) or error or ""), error, parts)


def _parts(selector: Selector, one: Published) -> tuple[tuple[Part, PartEntry], ...]:
    if selector.program is None:
        return ()
    results = selector.explain(one.slice.driver, one.device.shape)
    entries = (PartEntry(r.result, r.observed, r.required, r.error) for r in results)
    return tuple(zip(describe_parts(selector.program), entries, strict=False))


def _words(part: Part, entry: PartEntry) -> str | None:
    """What a part says of a device: both sides of a comparison, a shortfall, an error; None where it is plainly so."""
    if entry.result != "true":
        return shortfall(part, entry)
    if part.kind is PartKind.FLAG:
        return part.about
    if part.operator == "==":
        return None  # both sides are the same
    if part.kind is PartKind.COMPARISON and entry.observed is not None and entry.required is not None:
        unit = f" {part.unit}" if part.unit else ""
        return f"{part.about} {entry.observed} {part.operator} {entry.required}{unit}"
    return None


def _node(targeting: NodeTargeting) -> str:
    if targeting.node_name:
        return targeting.node_name
    return "<all>" if targeting.all_nodes else "<selector>"
