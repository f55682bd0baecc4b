"""From raw objects to a ``ClusterState``: one object becomes a value and is dropped.

Shared by live reading and snapshots. Must not know where the objects come from.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any

from ..api.read import Interner, read_object
from ..api.values import ClusterState

KINDS: Mapping[str, str] = {
    "Node": "nodes",
    "ResourceSlice": "resourceslices",
    "DeviceClass": "deviceclasses",
    "ResourceClaim": "resourceclaims",
    "ResourceClaimTemplate": "resourceclaimtemplates",
    "DeviceTaintRule": "devicetaintrules",
}


class Gatherer:
    """Collects the values of a state by kind, and of each kind by where it came from (``origin``)."""

    def __init__(self) -> None:
        self._intern = Interner()
        self._values: dict[str, dict[str, list[Any]]] = {kind: {} for kind in KINDS}

    def forget(self, kind: str, origin: str | None = None) -> None:
        """Drop what was collected of ``kind``, from one origin or from all."""
        if origin is None:
            self._values[kind] = {}
        else:
            self._values[kind].pop(origin, None)

    def add(self, raw: Mapping[str, Any], origin: str = "") -> None:
        """Read one object of a kind of ``KINDS``. Raises ReadError."""
        value = read_object(raw, self._intern)
        self._values[raw["kind"]].setdefault(origin, []).append(value)

    def state(self, **about: Any) -> ClusterState:
        """The state of what was collected; ``about`` are its other fields."""
        values = {kind: tuple(chain.from_iterable(found.values())) for kind, found in self._values.items()}
        return ClusterState(
            nodes=values["Node"],
            slices=values["ResourceSlice"],
            classes=values["DeviceClass"],
            claims=values["ResourceClaim"],
            templates=values["ResourceClaimTemplate"],
            taint_rules=values["DeviceTaintRule"],
            **about,
        )
