"""What to write instead where a selector raises, or names what no device publishes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ..api.values import ClusterState, DeviceShape
from .asked import Part, PartKind
from .evaluation import Evaluated
from .names import Name, Published, type_of_published
from .values import PartEntry
from .words import on_one_line, shorten

MOST_HINTS = 3

_NO_SUCH_KEY = re.compile(r"no such key: ([^\s.]+)")
_NO_OVERLOAD = "no such overload"
_INSTEAD = {"a version": "with semver('1.0.0')", "a number": "with a number", "a text": "with a text in quotes"}
_ORDERING = frozenset({"<", "<=", ">", ">="})


def evaluation_hints(found: Sequence[Evaluated], state: ClusterState) -> tuple[str, ...]:
    """Hints for what ``eval`` found, the most telling first: for errors, and for names where nothing matches."""
    published = Published(state)
    hints: dict[str, None] = {}
    if not any(one.result == "true" for one in found):
        hints |= dict.fromkeys(corrections((part for one in found for part, _ in one.parts), published))
    for one in found:
        if one.result == "error":
            hints |= dict.fromkeys(_of_errors(one, published))
    return tuple(hints)[:MOST_HINTS]


def corrections(parts: Iterable[Part], published: Published) -> tuple[str, ...]:
    """What to write for each name that no device publishes; what a part wants not to be there needs no device."""
    wanted: dict[Name, None] = {}
    for part in parts:
        if not (part.kind is PartKind.PRESENCE and part.operator == "!"):
            wanted |= dict.fromkeys(part.reads)
    texts = (published.correction(name) for name in wanted)
    return tuple(dict.fromkeys(text for text in texts if text is not None))


def missing_key(part: Part, entry: PartEntry) -> Name | None:
    """The name that a part read of a device that does not publish it."""
    key = _NO_SUCH_KEY.search(entry.error or "")
    return next((name for name in part.reads if key is not None and name.name == key.group(1)), None)


def overload_hint(part: Part, entry: PartEntry, driver: str, shape: DeviceShape) -> str | None:
    """For a comparison of values of two types: what the device's is, and what to compare it with."""
    if _NO_OVERLOAD not in (entry.error or "") or part.kind is not PartKind.COMPARISON or len(part.reads) != 1:
        return None
    (name,) = part.reads
    type_ = type_of_published(name, driver, shape)
    if type_ == "a version" and part.operator in _ORDERING:
        return f"{name} is a version: write {name.read}.compareTo(semver('1.0.0')) {part.operator} 0"
    return f"{name} is {type_}: compare it {_INSTEAD[type_]}" if type_ in _INSTEAD else None


def _of_errors(one: Evaluated, published: Published) -> Iterator[str]:
    for part, entry in one.parts:
        if entry.result == "error":
            name = missing_key(part, entry)
            if name is None:
                hint = overload_hint(part, entry, one.published.slice.driver, one.published.device.shape)
            else:
                hint = published.correction(name) or _guard(part, name)
            if hint is not None:
                yield hint


def _guard(part: Part, name: Name) -> str | None:
    guarded = part.guarded.get(name.name)
    if guarded is None:
        return f"not every device publishes {name}: ask for it first, {name.name!r} in {name.container} && …"
    return f"not every device publishes {name}: write {on_one_line(guarded)} instead of {shorten(part.expression)}"
