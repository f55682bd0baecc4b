"""Which nodes are judged, and which of them are asked about (``-l``, ``--node``, ``--all-nodes``)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..api.values import ClusterState, Node
from ..errors import CannotTellError, UsageError
from .selector import EVERYTHING, LabelSelector


@dataclass(frozen=True, slots=True)
class Choice:
    """The nodes asked about: those of ``selector`` and ``names``; ``all_nodes`` also shows those without devices."""

    selector: LabelSelector = EVERYTHING
    names: tuple[str, ...] = ()
    all_nodes: bool = False

    def includes(self, node: Node) -> bool:
        """Whether ``node`` was asked about."""
        return (not self.names or node.name in self.names) and self.selector.matches(node.labels)


def judged_nodes(state: ClusterState) -> tuple[Node, ...]:
    """Every node of the cluster; where nodes could not be read, those that slices name (labels not known)."""
    if not state.is_unread("nodes"):
        return state.nodes
    names = {s.targeting.node_name for s in state.slices} | {
        device.shape.targeting.node_name
        for s in state.slices
        if s.targeting.per_device
        for device in s.devices
        if device.shape.targeting
    }
    return tuple(Node(name) for name in sorted(name for name in names if name))


def require_choice(choice: Choice, nodes: Iterable[Node], state: ClusterState) -> None:
    """Raise UsageError for a ``--node`` that does not exist, CannotTellError for ``-l`` where labels are not known."""
    unread = state.is_unread("nodes")
    if unread and choice.selector.requirements:
        raise CannotTellError("nodes could not be read: -l/--selector cannot choose among them")
    known = {node.name for node in nodes}
    for name in choice.names:
        if name not in known:
            raise UsageError(f'--node: nodes "{name}" not found')
