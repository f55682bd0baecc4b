"""Reading what a check needs from a live cluster.

Owns which lists are read, and what a forbidden one means. Must not decide anything about devices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from ..api.raw import GROUP
from ..api.values import ClusterState, Unread
from ..errors import CannotTellError, ClusterError, LlmfitError
from .connection import Connection
from .discovery import Discovery, collection_path, discover, server_version
from .gathering import KINDS, Gatherer
from .lists import Cut, Refused, Sink, Source, read_cut
from .namespaces import Namespaces
from .rbac import missing_rule

_KIND_OF = {resource: kind for kind, resource in KINDS.items()}
# The order matters: the first list that may be read gives the resourceVersion of all.
CHECKED = ("nodes", "resourceslices", "deviceclasses", "resourceclaims", "devicetaintrules")

IN_PART = "in part: "  # begins the reason of a resource of which something was read
_MOST_NAMES = 5
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


def read_cluster(
    connection: Connection,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
    resources: tuple[str, ...] = CHECKED,
) -> ClusterState:
    """One consistent cut of the nodes, slices, classes, claims and taint rules, or of those in ``resources``.

    A list that is forbidden stands in ``unread`` with the missing rule (of claims, those of the namespaces that may
    be read are there); so does one with an object that is not as the API says, since such an object may change any
    verdict that its resource may change. Forbidden slices, or a list that could not be read whole, raise
    ClusterError, an unreadable slice CannotTellError. A resource that the server does not serve is empty, not unread.
    """
    values = _Values()
    reading = read_into(connection, values, resources, now)
    return values.state(
        unread=(*reading.unread, *values.unread()),
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
    discovery = discover(connection)
    observed_at = now().strftime("%Y-%m-%dT%H:%M:%SZ")
    cut = read_cut(connection, _sources(discovery, resources), sink, Namespaces(connection).divide)
    assumed = (*cut.assumed, *(() if version else (_NO_VERSION,)))
    unread = (*_refused(cut), *_hidden(discovery, resources))
    return Reading(discovery.served, version, cut.resource_version, observed_at, unread, assumed)


def _sources(discovery: Discovery, resources: tuple[str, ...]) -> list[Source]:
    sources = []
    for resource in resources:
        version = discovery.newest(resource)
        if resource == "nodes" or version is not None:
            api_version = "v1" if version is None else f"{GROUP}/{version}"
            sources.append(Source(resource, api_version, _KIND_OF[resource], collection_path(resource, version)))
    return sources


def _refused(cut: Cut) -> Iterator[Unread]:
    for refused in cut.refused:
        if refused.source.resource == "resourceslices":
            raise ClusterError(refused.error.message, missing_rule("resourceslices")) from refused.error
        yield Unread(refused.source.resource, _why(refused))


def _why(refused: Refused) -> str:
    missing = missing_rule(refused.source.resource)
    if not refused.namespaces:
        return f"forbidden; {missing}"
    names = ", ".join(refused.namespaces[:_MOST_NAMES])
    more = len(refused.namespaces) - _MOST_NAMES
    several = "s" if len(refused.namespaces) > 1 else ""
    return f"{IN_PART}forbidden outside namespace{several} {names}{f' and {more} more' if more > 0 else ''}; {missing}"


def _hidden(discovery: Discovery, resources: tuple[str, ...]) -> Iterator[Unread]:
    for resource in resources:
        reason = None if resource == "nodes" else discovery.why_not_known(resource)
        if reason is not None:
            yield Unread(resource, reason)


class _Values:
    """A sink that turns each page into values at once, and remembers what has no meaning."""

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Drop everything: all lists begin anew."""
        self._gatherer = Gatherer()
        self._problems: dict[str, dict[str, list[str]]] = {}

    def start(self, source: Source) -> None:
        """Begin ``source`` from nothing."""
        self._gatherer.forget(source.kind, source.path)
        self._problems.setdefault(source.resource, {})[source.path] = []

    def take(self, source: Source, items: list[dict[str, Any]]) -> None:
        """Read one page. Raises CannotTellError for a slice that has no meaning."""
        for item in items:
            try:
                self._gatherer.add(item, source.path)
            except LlmfitError as error:
                if source.resource == "resourceslices":
                    # it may belong to any pool of any node, and its devices come before or after any other
                    raise CannotTellError(f"cannot read resourceslices: {error.message}") from error
                self._problems[source.resource][source.path].append(error.message)

    def unread(self) -> Iterator[Unread]:
        """The resources with objects that could not be read."""
        for resource, by_path in self._problems.items():
            problems = [problem for found in by_path.values() for problem in found]
            if problems:
                more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
                yield Unread(resource, f"{IN_PART}{problems[0]}{more}")

    def state(self, **about: Any) -> ClusterState:
        """The state of what was read. Nodes are all there or none: an unread one may be any that a slice names."""
        if any(unread.resource == "nodes" for unread in self.unread()):
            self._gatherer.forget("Node")
        return self._gatherer.state(**about)
