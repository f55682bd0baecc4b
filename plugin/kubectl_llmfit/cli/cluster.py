"""The have of a command: the live cluster that the flags name, or the snapshot in its place."""

from collections.abc import Callable
from dataclasses import fields
from functools import cached_property
from typing import TYPE_CHECKING

from ..console import progress, say, warn
from .options import ConnectionFlags

if TYPE_CHECKING:
    from ..api.values import Claim, ClaimKind, ClusterState
    from ..cluster.connection import Connection


def connect(flags: ConnectionFlags) -> "Connection":
    """The connection that kubectl would make of the same flags. Raises UsageError and ClusterError."""
    from ..cluster.connection import ConnectionOptions, connect
    from ..cluster.options import parse_user_extra

    values = {field.name: getattr(flags, field.name) for field in fields(flags)}
    values["as_groups"] = tuple(flags.as_groups or ())
    values["as_user_extra"] = parse_user_extra(flags.as_user_extra or ())
    return connect(ConnectionOptions(**values), warn=lambda text: say(f"Warning: {text}"))  # kubectl's own word


class Have:
    """The cluster that the flags name, or the snapshot in its place; read as late as possible, and once.

    ``extend`` adds to what was read.
    """

    def __init__(
        self,
        snapshot: str | None,
        flags: ConnectionFlags,
        extend: "Callable[[ClusterState], ClusterState] | None" = None,
    ) -> None:
        self._snapshot = snapshot
        self._flags = flags
        self._extend = extend

    @property
    def namespace(self) -> str | None:
        """The namespace of claims: the flag's, else the context's; None where a snapshot leaves it open."""
        return self._flags.namespace if self._snapshot is not None else self._connection.namespace

    @cached_property
    def state(self) -> "ClusterState":
        """What a check reads, with what was not read and what had to be assumed said on stderr."""
        from ..cluster.snapshot import read_snapshot

        state = read_live(self._connection) if self._snapshot is None else read_snapshot(self._snapshot)
        state = self._extend(state) if self._extend else state
        tell(state)
        return state

    def claim(self, kind: "ClaimKind", name: str) -> "Claim":
        """A stored claim or template. Raises UsageError when there is none."""
        from ..cluster.lookup import find_claim, get_claim

        if self._snapshot is not None:
            return find_claim(self.state, kind, name, self._flags.namespace)
        return get_claim(self._connection, kind, name, self._connection.namespace)

    @cached_property
    def _connection(self) -> "Connection":
        return connect(self._flags)


def read_live(connection: "Connection") -> "ClusterState":
    """The state of the cluster. Raises ClusterError."""
    from ..cluster.reading import read_cluster

    with progress(f"reading the cluster at {connection.server}"):
        return read_cluster(connection)


def read_classes(flags: ConnectionFlags) -> "ClusterState":
    """The device classes of the cluster, and nothing else. Raises UsageError and ClusterError."""
    from ..cluster.reading import read_cluster

    connection = connect(flags)
    with progress(f"reading the device classes at {connection.server}"):
        return read_cluster(connection, resources=("deviceclasses",))


def tell(state: "ClusterState") -> None:
    """Say on stderr what was not read and what had to be assumed."""
    from ..cluster.reading import IN_PART

    for unread in state.unread:
        read = "not all" if unread.reason.startswith(IN_PART) else "not"
        warn(f"{unread.resource} were {read} read: {unread.reason.removeprefix(IN_PART)}")
    for sentence in state.assumed:
        say(f"assumed: {sentence}")
