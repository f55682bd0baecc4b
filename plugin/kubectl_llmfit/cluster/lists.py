"""Whole lists, page by page, as one consistent cut of a cluster.

Owns paging, ``resourceVersionMatch=Exact``, what happens when a resourceVersion has expired, and what is read in
place of a list that is forbidden. Must not know what the objects mean: pages go to a ``Sink``. A list arrives whole
or an error is raised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..errors import ClusterError
from ..escapes import spaced
from .connection import Connection
from .transport import TooLargeError
from .words import ServerError

PAGE_SIZE = 500
# A page of more bytes is asked for again with a quarter of the objects in it: parsed it takes some ten times as much.
LARGEST_PAGE = 16 << 20
_FEWER = 4
# Pages without items in a row; a server that goes on like this would never end.
_MOST_EMPTY_PAGES = 100

_NOT_CONSISTENT = (
    "the lists were read one after the other, because the server no longer had the older state: "
    "what changed meanwhile may be seen half"
)


@dataclass(frozen=True, slots=True)
class Source:
    """A list to read: the resource's plural, the version and kind of its items, its path and, if one, namespace."""

    resource: str
    api_version: str
    kind: str
    path: str
    namespace: str | None = None


@dataclass(frozen=True, slots=True)
class Division:
    """What may be read in place of a forbidden list: its parts, and whether these are all there are."""

    parts: tuple[Source, ...] = ()
    complete: bool = False


class Sink(Protocol):
    """Takes pages as they arrive."""

    def restart(self) -> None:
        """Drop everything: all lists begin anew."""

    def start(self, source: Source) -> None:
        """Begin ``source`` from nothing: comes before its first page, and drops what came of it before."""

    def take(self, source: Source, items: list[dict[str, Any]]) -> None:
        """One page; every item has its apiVersion and kind."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A list that this user may not read, and the namespaces of which it was read in its place."""

    source: Source
    error: ServerError
    namespaces: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cut:
    """What was read when: the common resourceVersion (None: lists of several moments) and the refusals."""

    resource_version: str | None
    refused: tuple[Refused, ...] = ()
    assumed: tuple[str, ...] = ()


Divide = Callable[[Source], Division]
_Read = Callable[[Source], None]


class _ExpiredError(Exception):
    """The state at the wanted resourceVersion is gone."""


def read_cut(connection: Connection, sources: Sequence[Source], sink: Sink, divide: Divide) -> Cut:
    """Read all ``sources`` at one resourceVersion into ``sink``.

    When the server no longer has that state, once more at a fresh one, then each list by itself (``assumed``
    says so). In place of a list that this user may not read (403) come the parts that ``divide`` names; unless they
    are complete and all could be read, the list is named in ``refused``. Raises ClusterError.
    """
    for _ in range(2):
        try:
            return _read_at_one_version(connection, sources, sink, divide)
        except _ExpiredError:
            continue
    sink.restart()
    refused = _read_each(sources, sink, divide, lambda source: _read_alone(connection, source, sink))
    return Cut(None, refused, (_NOT_CONSISTENT,))


def _read_at_one_version(connection: Connection, sources: Sequence[Source], sink: Sink, divide: Divide) -> Cut:
    version: str | None = None

    def read(source: Source) -> None:
        nonlocal version
        params = {} if version is None else {"resourceVersion": version, "resourceVersionMatch": "Exact"}
        for page_version, items in _pages(connection, source, params):
            version = version or page_version or None
            _require_same(version or "unknown", page_version)
            sink.take(source, items)

    sink.restart()
    refused = _read_each(sources, sink, divide, read)
    return Cut(version, refused)


def _read_each(sources: Sequence[Source], sink: Sink, divide: Divide, read: _Read) -> tuple[Refused, ...]:
    """Read every source, or its parts where it is forbidden; what remains refused."""
    refused = []
    for source in sources:
        error = _refusal(source, sink, read)
        if error is None:
            continue
        division = divide(source)
        seen = [part for part in division.parts if _refusal(part, sink, read) is None]
        if not (division.complete and len(seen) == len(division.parts)):
            refused.append(Refused(source, error, tuple(part.namespace or "" for part in seen)))
    return tuple(refused)


def _refusal(source: Source, sink: Sink, read: _Read) -> ServerError | None:
    """Read ``source``; the 403 that kept it from being read, if one did. Half a list is none."""
    sink.start(source)
    try:
        read(source)
    except ServerError as error:
        if error.code != 403:
            raise
        sink.start(source)
        return error
    return None


def _read_alone(connection: Connection, source: Source, sink: Sink) -> None:
    """One list by itself; when its pages expire under way, in one piece."""
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


def _pages(
    connection: Connection, source: Source, params: dict[str, str], limit: int | None = PAGE_SIZE
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The pages of a list with the resourceVersion of each. Raises _ExpiredError, ServerError, ClusterError."""
    query = dict(params)
    seen: set[str] = set()
    empty = 0
    first: str | None = None
    while True:
        try:
            page = _page(connection, source, query, limit)
        except TooLargeError:
            if limit is None or limit == 1:
                raise
            limit = max(1, limit // _FEWER)
            continue
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
        query = {"continue": token}


def _page(connection: Connection, source: Source, query: dict[str, str], limit: int | None) -> dict[str, Any]:
    try:
        if limit is None:
            page = connection.get(source.path, query)
        else:
            page = connection.get(source.path, {"limit": str(limit), **query}, LARGEST_PAGE)
    except ServerError as error:
        if error.code == 410 or error.reason in ("Expired", "Gone") or "ResourceVersionTooLarge" in error.causes:
            raise _ExpiredError from error
        raise
    if not isinstance(page, dict) or page.get("kind") != f"{source.kind}List":
        kind = page.get("kind") if isinstance(page, dict) else type(page).__name__
        raise _unexpected(source, f"{spaced(str(kind))} instead of {source.kind}List")
    if page.get("apiVersion") != source.api_version:
        raise _unexpected(source, f"a list of {spaced(str(page.get('apiVersion')))} instead of {source.api_version}")
    if not isinstance(page.get("metadata") or {}, dict):
        raise _unexpected(source, "a list whose metadata is no object")
    return page


def _items(page: dict[str, Any], source: Source) -> list[dict[str, Any]]:
    """The items, completed with the apiVersion and kind that lists leave out; ``null`` is none (as in Go)."""
    head = {"apiVersion": source.api_version, "kind": source.kind}
    items = page.get("items")
    if items is None:
        return []
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise _unexpected(source, "a list whose items are no objects")
    if any(item.get(key, wanted) != wanted for key, wanted in head.items() for item in items):
        raise _unexpected(source, f"a list with something else than a {source.kind} in it")
    return [{**head, **item} for item in items]


def _unexpected(source: Source, what: str) -> ClusterError:
    return ClusterError(f"Server returned an unexpected response for {source.resource}: {what}")
