"""The cluster's devices, prepared once for any number of nodes and claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..api.values import ClusterState, DeviceClass
from .answer import Held
from .matching import TaintRules
from .occupancy import held_devices, shared_devices
from .pools import SliceIndex
from .rules import Rules, rules_for


@dataclass(frozen=True, slots=True)
class Inventory:
    """What every node of the cluster is tried against.

    ``held`` are the devices taken as a whole, ``shared`` those of which shares are taken. The ``…_unread`` fields
    say in a person's words why a resource could not be read, None where it was.
    """

    index: SliceIndex
    classes: Mapping[str, DeviceClass]
    held: Held
    shared: Held
    taint_rules: TaintRules
    rules: Rules
    claims_unread: str | None = None
    classes_unread: str | None = None
    nodes_unread: str | None = None

    @classmethod
    def prepare(cls, state: ClusterState, rules: Rules | None = None) -> Inventory:
        """Indexes slices, classes and what is held. ``state.slices`` must have been read.

        Without ``rules`` those of the newest scheduler hold.
        """
        unread = {u.resource: f"{u.resource} could not be read ({u.reason})" for u in state.unread}
        return cls(
            index=SliceIndex(state.slices),
            classes={device_class.name: device_class for device_class in state.classes},
            held=held_devices(state.claims),
            shared=shared_devices(state.claims),
            taint_rules=TaintRules(state.taint_rules, unread.get("devicetaintrules")),
            rules=rules or rules_for(None),
            claims_unread=unread.get("resourceclaims"),
            classes_unread=unread.get("deviceclasses"),
            nodes_unread=unread.get("nodes"),
        )
