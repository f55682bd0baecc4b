"""One expression on published devices: what ``eval`` answers. Knows no claim and no verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..api.values import ClusterState, Device, NodeTargeting, ResourceSlice
from ..dra.environment import Selector, SelectorError, selector
from ..errors import CannotTellError, UsageError
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


def class_selectors(state: ClusterState, name: str) -> tuple[Selector, ...]:
    """The selectors of a device class. Raises UsageError where there is none, CannotTellError where none was read."""
    unread = next((unread for unread in state.unread if unread.resource == "deviceclasses"), None)
    if unread is not None:
        raise CannotTellError(f"deviceclasses could not be read: {unread.reason}")
    found = next((device_class for device_class in state.classes if device_class.name == name), None)
    if found is None:
        raise UsageError(f'deviceclasses.resource.k8s.io "{name}" not found')
    return tuple(selector(text, stored=True) for text in found.selectors)


def evaluate(classes: Sequence[Selector], own: Selector, one: Published) -> Evaluated:
    """The class's selectors, then one's ``own``, on one device, up to the first that is not true (as the scheduler)."""
    last = own
    result: Result = "true"
    error: str | None = None
    for last in (*classes, own):
        try:
            result = "true" if last.matches(one.slice.driver, one.device.shape) else "false"
        except SelectorError as raised:
            result, error = "error", one_line(str(raised))
        if result != "true":
            break
    parts = _parts(last, one)
    words = [text for part, entry in parts if (text := _words(part, entry)) is not None]
    origin = "" if last is own else "class: "
    return Evaluated(one, result, origin + (", ".join(words) or error or ""), error, parts)


def _parts(last: Selector, one: Published) -> tuple[tuple[Part, PartEntry], ...]:
    if last.program is None:
        return ()
    results = last.explain(one.slice.driver, one.device.shape)
    entries = (PartEntry(r.result, r.observed, r.required, r.error) for r in results)
    return tuple(zip(describe_parts(last.program), entries, strict=False))


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
