"""Reading what a check needs from a live cluster.

Owns which lists are read, and what a forbidden one means. Must not decide anything about devices.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from ..api.values import ClusterState, Unread
from ..errors import ClusterError, LlmfitError
from .connection import Connection
from .discovery import collection_path, newest, served_versions, server_version
from .gathering import KINDS, Gatherer
from .lists import Cut, Sink, Source, read_cut
from .rbac import missing_rule

_KIND_OF = {resource: kind for kind, resource in KINDS.items()}
# The order matters: the first list that may be read gives the resourceVersion of all.
CHECKED = ("nodes", "resourceslices", "deviceclasses", "resourceclaims", "devicetaintrules")

_NO_VERSION = "the server does not show its version to this user: the newest scheduler's rules are assumed"


@dataclass(frozen=True, slots=True)
class Reading:
    """What is known about a finished reading beside its objects."""

    served: Mapping[str, tuple[str, ...]]
    server_version: str | None
    resource_version: str | None
    observed_at: str
    unread: tuple[Unread, ...]
    assumed: tuple[str, ...]


def read_cluster(connection: Connection, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> ClusterState:
    """One consistent cut of the nodes, slices, classes, claims and taint rules.

    A list that is forbidden stands in ``unread`` with the missing rule; forbidden slices, or a list that could
    not be read whole, raise ClusterError. A resource that the server does not serve is empty, not unread.
    """
    gatherer = Gatherer()
    reading = read_into(connection, _Values(gatherer), CHECKED, now)
    return gatherer.state(
        unread=reading.unread,
        assumed=reading.assumed,
        context=connection.context,
        server_version=reading.server_version,
        served=reading.served,
        resource_version=reading.resource_version,
        observed_at=reading.observed_at,
    )


def read_into(
    connection: Connection,
    sink: Sink,
    resources: tuple[str, ...],
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> Reading:
    """Discover and read ``resources`` (plurals) into ``sink``; as ``read_cluster`` otherwise."""
    version = server_version(connection)
    served = served_versions(connection)
    observed_at = now().strftime("%Y-%m-%dT%H:%M:%SZ")
    cut = read_cut(connection, _sources(served, resources), sink)
    assumed = (*cut.assumed, *(() if version else (_NO_VERSION,)))
    return Reading(served, version, cut.resource_version, observed_at, _unread(cut), assumed)


def _sources(served: Mapping[str, tuple[str, ...]], resources: tuple[str, ...]) -> list[Source]:
    sources = []
    for resource in resources:
        version = newest(served, resource)
        if resource == "nodes" or version is not None:
            sources.append(Source(resource, _KIND_OF[resource], collection_path(resource, version)))
    return sources


def _unread(cut: Cut) -> tuple[Unread, ...]:
    unread = []
    for source, error in cut.forbidden:
        missing = missing_rule(source.resource)
        if source.resource == "resourceslices":
            raise ClusterError(error.message, missing) from error
        unread.append(Unread(source.resource, f"forbidden; {missing}"))
    return tuple(unread)


class _Values:
    """A sink that turns each page into values at once."""

    def __init__(self, gatherer: Gatherer) -> None:
        self._gatherer = gatherer

    def start(self, source: Source) -> None:
        """Begin ``source`` from nothing."""
        self._gatherer.forget(source.kind)

    def take(self, source: Source, items: list[dict[str, Any]]) -> None:
        """Read one page. Raises ClusterError for an object that has no meaning."""
        for item in items:
            try:
                self._gatherer.add(item)
            except LlmfitError as error:
                raise ClusterError(f"cannot read {source.resource}: {error.message}") from error
