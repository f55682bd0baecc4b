"""Whole lists, page by page, as one consistent cut of a cluster.

Owns paging, ``resourceVersionMatch=Exact`` and what happens when a resourceVersion has expired. Must not know
what the objects mean: pages go to a ``Sink``. A list arrives whole or an error is raised.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..errors import ClusterError
from .connection import Connection
from .words import ServerError

PAGE_SIZE = 500
# Pages without items in a row; a server that goes on like this would never end.
_MOST_EMPTY_PAGES = 100

_NOT_CONSISTENT = (
    "the lists were read one after the other, because the server no longer had the older state: "
    "what changed meanwhile may be seen half"
)


@dataclass(frozen=True, slots=True)
class Source:
    """A list to read: the resource's plural, the kind of its items and its path."""

    resource: str
    kind: str
    path: str


class Sink(Protocol):
    """Takes pages as they arrive. ``start`` comes before a list's first page and drops what came of it before."""

    def start(self, source: Source) -> None:
        """Begin ``source`` from nothing."""

    def take(self, source: Source, items: list[dict[str, Any]]) -> None:
        """One page; every item has its apiVersion and kind."""


@dataclass(frozen=True, slots=True)
class Cut:
    """What was read when: the common resourceVersion (None: lists of several moments) and the refusals."""

    resource_version: str | None
    forbidden: tuple[tuple[Source, ServerError], ...] = ()
    assumed: tuple[str, ...] = ()


class _ExpiredError(Exception):
    """The state at the wanted resourceVersion is gone."""


def read_cut(connection: Connection, sources: Sequence[Source], sink: Sink) -> Cut:
    """Read all ``sources`` at one resourceVersion into ``sink``.

    When the server no longer has that state, once more at a fresh one, then each list by itself (``assumed``
    says so). A list this user may not read (403) is skipped and named in ``forbidden``. Raises ClusterError.
    """
    for _ in range(2):
        try:
            return _read_at_one_version(connection, sources, sink)
        except _ExpiredError:
            continue
    return _read_one_by_one(connection, sources, sink)


def _read_at_one_version(connection: Connection, sources: Sequence[Source], sink: Sink) -> Cut:
    version: str | None = None
    forbidden = []
    for source in sources:
        params = {} if version is None else {"resourceVersion": version, "resourceVersionMatch": "Exact"}
        sink.start(source)
        try:
            for page_version, items in _pages(connection, source, params):
                version = version or page_version or None
                _require_same(version or "unknown", page_version)
                sink.take(source, items)
        except ServerError as error:
            forbidden.append((source, _if_forbidden(error)))
            sink.start(source)  # refused at a later page: half a list is none
    return Cut(version, tuple(forbidden))


def _read_one_by_one(connection: Connection, sources: Sequence[Source], sink: Sink) -> Cut:
    forbidden = []
    for source in sources:
        try:
            _read_alone(connection, source, sink)
        except ServerError as error:
            forbidden.append((source, _if_forbidden(error)))
            sink.start(source)
    return Cut(None, tuple(forbidden), (_NOT_CONSISTENT,))


def _read_alone(connection: Connection, source: Source, sink: Sink) -> None:
    """One list by itself; when its pages expire under way, in one piece."""
    sink.start(source)
    try:
        for _, items in _pages(connection, source, {}):
            sink.take(source, items)
    except _ExpiredError:
        sink.start(source)
        try:
            for _, items in _pages(connection, source, {}, limit=None):
                sink.take(source, items)
        except _ExpiredError as error:
            raise ClusterError(f"the list of {source.resource} could not be read whole: it expired again") from error


def _require_same(wanted: str, version: str) -> None:
    """Pages of another moment are never mixed."""
    if version != wanted:
        raise _ExpiredError


def _if_forbidden(error: ServerError) -> ServerError:
    if error.code == 403:
        return error
    raise error


def _pages(
    connection: Connection, source: Source, params: dict[str, str], limit: int | None = PAGE_SIZE
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The pages of a list with the resourceVersion of each. Raises _ExpiredError, ServerError, ClusterError."""
    limited = {} if limit is None else {"limit": str(limit)}
    query = {**limited, **params}
    seen: set[str] = set()
    empty = 0
    first: str | None = None
    while True:
        page = _page(connection, source, query)
        metadata = page.get("metadata") or {}
        version = str(metadata.get("resourceVersion") or "")
        first = version if first is None else first
        _require_same(first, version)
        items = _items(page, source)
        yield version, items
        token = metadata.get("continue")
        if not token:
            return
        empty = 0 if items else empty + 1
        if not isinstance(token, str) or token in seen or empty > _MOST_EMPTY_PAGES:
            raise ClusterError(f"the server's pages of {source.resource} do not come to an end")
        seen.add(token)
        # With a token neither resourceVersion nor resourceVersionMatch may be given: it holds them.
        query = {**limited, "continue": token}


def _page(connection: Connection, source: Source, query: dict[str, str]) -> dict[str, Any]:
    try:
        page = connection.get(source.path, query)
    except ServerError as error:
        if error.code == 410 or error.reason in ("Expired", "Gone") or "ResourceVersionTooLarge" in error.causes:
            raise _ExpiredError from error
        raise
    if not isinstance(page, dict) or page.get("kind") != f"{source.kind}List":
        kind = page.get("kind") if isinstance(page, dict) else type(page).__name__
        raise _unexpected(source, f"{kind} instead of {source.kind}List")
    if not isinstance(page.get("metadata") or {}, dict):
        raise _unexpected(source, "a list whose metadata is no object")
    return page


def _items(page: dict[str, Any], source: Source) -> list[dict[str, Any]]:
    """The items, completed with the apiVersion and kind that lists leave out; ``null`` is none (as in Go)."""
    items = page.get("items")
    if items is None:
        return []
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise _unexpected(source, "a list whose items are no objects")
    head = {"apiVersion": page.get("apiVersion"), "kind": source.kind}
    return [{**head, **item} for item in items]


def _unexpected(source: Source, what: str) -> ClusterError:
    return ClusterError(f"Server returned an unexpected response for {source.resource}: {what}")
