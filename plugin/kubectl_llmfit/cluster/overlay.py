"""Objects laid over a state: those that a file adds or replaces, and nodes that do not exist yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..api.read import Interner, read_object
from ..api.values import ClusterState, Node, ResourceSlice
from ..errors import UsageError
from .documents import Document, naming
from .gathering import KINDS


def laid_over(state: ClusterState, documents: Sequence[Document], source: str) -> ClusterState:
    """``state`` with the objects of ``documents`` in it, each in place of the one of its kind, namespace and name.

    The nodes that they are about are ``assumed_nodes``. ``source`` names the documents in errors and in the sentence
    that says what was added; other kinds are ignored. Raises UsageError for an object that has no meaning, one that
    stands twice, and where there is none at all.
    """
    intern = Interner()
    found: dict[str, dict[tuple[str | None, str], Any]] = {kind: {} for kind in KINDS}
    for document in documents:
        kind = document["kind"]
        thing = _read(document, intern, source)
        if thing is None:
            continue
        key = _key(thing)
        if key in found[kind]:
            raise UsageError(f'{source}: {kind} "{thing.name}" occurs twice')
        found[kind][key] = thing
    if not any(found.values()):
        raise UsageError(f"{source}: none of {', '.join(KINDS)} in it")
    return replace(
        state,
        nodes=_merged(state.nodes, found["Node"]),
        slices=_merged(state.slices, found["ResourceSlice"]),
        classes=_merged(state.classes, found["DeviceClass"]),
        claims=_merged(state.claims, found["ResourceClaim"]),
        templates=_merged(state.templates, found["ResourceClaimTemplate"]),
        taint_rules=_merged(state.taint_rules, found["DeviceTaintRule"]),
        unread=tuple(u for u in state.unread if not _is_told(u.resource, u.reason, state, found)),
        assumed=(*state.assumed, f"{source}: {_counted(found)}"),
        assumed_nodes=state.assumed_nodes | _nodes(found["Node"].values(), found["ResourceSlice"].values()),
    )


def _read(document: Document, intern: Interner, source: str) -> Any:
    with naming(source):
        return read_object(document, intern)


def _key(thing: Any) -> tuple[str | None, str]:
    return getattr(thing, "namespace", None), thing.name


def _merged(there: Sequence[Any], added: Mapping[tuple[str | None, str], Any]) -> tuple[Any, ...]:
    """Everything that is there, replaced in its place, and then what is new."""
    kept = tuple(added.get(_key(thing), thing) for thing in there)
    known = {_key(thing) for thing in there}
    return (*kept, *(thing for key, thing in added.items() if key not in known))


def _nodes(nodes: Iterable[Node], slices: Iterable[ResourceSlice]) -> frozenset[str]:
    """The nodes that the objects are about."""
    targets = (slice_.targeting.node_name for slice_ in slices)
    return frozenset((*(node.name for node in nodes), *(name for name in targets if name)))


def _is_told(resource: str, reason: str, state: ClusterState, found: Mapping[str, Mapping[Any, Any]]) -> bool:
    """Whether a snapshot had no objects of the resource, and here they are."""
    kind = next((kind for kind, plural in KINDS.items() if plural == resource), None)
    return kind is not None and bool(found[kind]) and reason == f"{state.snapshot} has no {_plural(kind)}"


def _counted(found: Mapping[str, Mapping[Any, Any]]) -> str:
    counts = Counter({kind: len(things) for kind, things in found.items()})
    words = (f"{number} {kind if number == 1 else _plural(kind)}" for kind, number in counts.items() if number)
    return ", ".join(words)


def _plural(kind: str) -> str:
    return f"{kind}es" if kind.endswith("s") else f"{kind}s"
