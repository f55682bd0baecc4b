"""From raw objects to values: one reader per kind, and ``read_object``, which picks it by apiVersion and kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from .claims import read_claim, read_template
from .classes import read_class
from .devices import Interner
from .nodes import read_node
from .raw import GROUP, Raw, ReadError
from .slices import read_slice
from .taintrules import read_taint_rule
from .values import Claim, DeviceClass, Node, ResourceSlice, TaintRule

__all__ = [
    "Interner",
    "ReadError",
    "read_claim",
    "read_class",
    "read_node",
    "read_object",
    "read_slice",
    "read_taint_rule",
    "read_template",
]

Thing = Node | ResourceSlice | DeviceClass | Claim | TaintRule

_READERS: Final[dict[str, Callable[[object], Thing]]] = {
    "ResourceClaim": read_claim,
    "ResourceClaimTemplate": read_template,
    "DeviceClass": read_class,
    "DeviceTaintRule": read_taint_rule,
}


def read_object(raw: object, intern: Interner | None = None) -> Thing | None:
    """The value of an object that a check reads; None for an object of any other kind.

    Pass one ``intern`` for all slices of a cluster. ReadError for what is no object, for a kind of
    resource.k8s.io in a version that no Kubernetes serves any more, for one that is nested without end, and as the
    readers raise it.
    """
    if not isinstance(raw, Mapping):
        raise ReadError("must be a Kubernetes object with apiVersion and kind")
    try:
        return _read(raw, intern)
    except RecursionError:
        raise Raw.root(raw, str(raw.get("kind"))).error("", "nested too deeply") from None


def _read(raw: Mapping[str, object], intern: Interner | None) -> Thing | None:
    version, kind = raw.get("apiVersion"), raw.get("kind")
    if version == "v1" and kind == "Node":
        return read_node(raw)
    if not isinstance(version, str) or version.partition("/")[0] != GROUP:
        return None
    if kind == "ResourceSlice":
        return read_slice(raw, intern or Interner())
    reader = _READERS.get(kind) if isinstance(kind, str) else None
    return reader(raw) if reader else None
