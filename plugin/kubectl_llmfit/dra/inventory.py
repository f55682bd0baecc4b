"""The cluster's devices, prepared once for any number of nodes and claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from ..api.values import ClusterState, DeviceClass
from .answer import Held
from .occupancy import Occupancy
from .rules import Rules, rules_for
from .slice_index import SliceIndex
from .taints import TaintRules


@dataclass(frozen=True, slots=True)
class Inventory:
    """What every node of the cluster is tried against.

    ``now`` is when the cluster was read, None where nobody knows. The ``…_unread`` fields say in a person's words why
    a resource could not be read, None where it was.
    """

    index: SliceIndex
    classes: Mapping[str, DeviceClass]
    occupancy: Occupancy
    taint_rules: TaintRules
    rules: Rules
    now: datetime | None = None
    claims_unread: str | None = None
    classes_unread: str | None = None
    nodes_unread: str | None = None

    @classmethod
    def prepare(cls, state: ClusterState, rules: Rules | None = None) -> Inventory:
        """Indexes slices, classes and what is held. ``state.slices`` must have been read.

        Without ``rules`` those of the newest scheduler hold.
        """
        rules = rules or rules_for(None)
        unread = {u.resource: f"{u.resource} could not be read ({u.reason})" for u in state.unread}
        return cls(
            index=SliceIndex(state.slices, rules),
            classes={device_class.name: device_class for device_class in state.classes},
            occupancy=Occupancy.of(state.claims, capacity=rules.shares_capacity),
            taint_rules=TaintRules(state.taint_rules, unread.get("devicetaintrules")),
            rules=rules,
            now=datetime.fromisoformat(state.observed_at) if state.observed_at else None,
            claims_unread=unread.get("resourceclaims"),
            classes_unread=unread.get("deviceclasses"),
            nodes_unread=unread.get("nodes"),
        )

    @property
    def held(self) -> Held:
        """Devices that are taken as a whole, and the claims that hold them."""
        return self.occupancy.held

    @property
    def shared(self) -> Held:
        """Devices of which shares are taken, and the claims that hold them."""
        return self.occupancy.shared
