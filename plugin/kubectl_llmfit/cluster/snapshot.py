"""Snapshots: a cluster's objects in one file, written from a live cluster and read in its place.

Owns the ``ClusterSnapshot`` head and what a plain ``kubectl get -o json`` leaves open. Must not connect by itself.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from typing import IO, Any, BinaryIO, TextIO

from ..api.raw import GROUP, Raw
from ..api.values import ClusterState, Unread
from ..errors import UsageError
from ..files import display_name
from .connection import Connection
from .documents import Document, load_documents, naming
from .gathering import KINDS, Gatherer
from .lists import Source
from .reading import CHECKED, Reading, read_into

HEAD_KIND = "ClusterSnapshot"
HEAD_VERSION = "kubectl-llmfit/v1alpha1"
_WRITTEN = (*CHECKED, "resourceclaimtemplates")
_HINT = "kubectl llmfit snapshot > FILE writes a complete one"


def write_snapshot(connection: Connection, out: TextIO) -> None:
    """Write what a check would read, unknown fields and all, as a v1 List.

    Pages wait in temporary files; nothing is written before everything was read. Raises ClusterError.
    """
    with _Spool() as spool:
        reading = read_into(connection, spool, _WRITTEN)
        out.write('{"apiVersion":"v1","kind":"List","items":[\n')
        out.write(_dump(_head(reading)))
        for line in spool.lines():
            out.write(",\n")
            out.write(line)
        out.write("\n]}\n")


def read_snapshot(path: str, stdin: BinaryIO | None = None) -> ClusterState:
    """The state that the file ``path`` (``-``: ``stdin``) holds.

    Without a ``ClusterSnapshot`` head, missing claims and taint rules count as none (``assumed`` says so),
    missing nodes and classes as unread; missing slices raise UsageError, as does anything unreadable.
    """
    name = display_name(path)
    head: Document | None = None
    gatherer = Gatherer()
    seen: dict[tuple[str, str, str], Document] = {}
    for document in load_documents(path, stdin):
        if document["kind"] == HEAD_KIND:
            if head is not None:
                raise UsageError(f"{name}: two snapshots in one file: check one at a time")
            head = _checked_head(document, name)
        elif _is_read(document):
            with naming(name):
                if _is_new(document, seen):
                    gatherer.add(document)
    kinds = {kind for kind, _, _ in seen}
    if head is None:
        return _headless(gatherer, kinds, name)
    return gatherer.state(
        unread=tuple(Unread(item["resource"], item["reason"]) for item in head.get("unread") or []),
        server_version=head.get("serverVersion"),
        served={resource: tuple(versions) for resource, versions in (head.get("served") or {}).items()},
        assumed=tuple(head.get("assumed") or ()),
        snapshot=name,
        resource_version=head.get("resourceVersion"),
        observed_at=head.get("observedAt"),
    )


def _head(reading: Reading) -> Document:
    return {
        "apiVersion": HEAD_VERSION,
        "kind": HEAD_KIND,
        "serverVersion": reading.server_version,
        "served": reading.served,
        "unread": [{"resource": unread.resource, "reason": unread.reason} for unread in reading.unread],
        "assumed": reading.assumed,
        "resourceVersion": reading.resource_version,
        "observedAt": reading.observed_at,
    }


def _checked_head(head: Document, name: str) -> Document:
    if head["apiVersion"] != HEAD_VERSION:
        raise UsageError(f"{name}: a snapshot of another version ({head['apiVersion']}), not {HEAD_VERSION}", _HINT)
    texts = [head.get(key) for key in ("serverVersion", "resourceVersion", "observedAt")]
    unread = head.get("unread") or []
    right = (
        all(text is None or isinstance(text, str) for text in texts)
        and _is_list_of(unread, dict)
        and all(isinstance(item.get(key), str) for item in unread for key in ("resource", "reason"))
        and isinstance(head.get("served") or {}, dict)
        and all(_is_list_of(versions, str) for versions in (head.get("served") or {}).values())
        and _is_list_of(head.get("assumed") or [], str)
    )
    if not right:
        raise UsageError(f"{name}: the {HEAD_KIND} at its head is damaged", _HINT)
    with naming(name):
        Raw(HEAD_KIND, "", head).timestamp("observedAt")
    if any(item["resource"] == "resourceslices" for item in unread):
        raise UsageError(f"{name}: its resourceslices were not read: nothing can be told from it", _HINT)
    return head


def _is_list_of(value: object, kind: type) -> bool:
    return isinstance(value, list) and all(isinstance(item, kind) for item in value)


def _is_read(document: Mapping[str, Any]) -> bool:
    """Whether it is one of our kinds in its own API group (other groups have a Node, too)."""
    if document["kind"] == "Node":
        return bool(document["apiVersion"] == "v1")
    return document["kind"] in KINDS and str(document["apiVersion"]).startswith(f"{GROUP}/")


def _is_new(document: Document, seen: dict[tuple[str, str, str], Document]) -> bool:
    """Whether the object was not there before; twice with different contents is no state of a cluster."""
    metadata = document.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    key = (document["kind"], str(metadata.get("namespace") or ""), str(metadata.get("name") or ""))
    before = seen.setdefault(key, document)
    if before is not document and before != document:
        called = "/".join(part for part in key[1:] if part)
        raise UsageError(f'{key[0]} "{called}" occurs twice with different contents')
    return before is document


def _headless(gatherer: Gatherer, kinds: set[str], name: str) -> ClusterState:
    if "ResourceSlice" not in kinds:
        raise UsageError(f"{name}: no ResourceSlices in it", _HINT)
    assumed = [
        f"{name} has no {kind}s: counted as none, so that {meaning}"
        for kind, meaning in (("ResourceClaim", "nothing is held"), ("DeviceTaintRule", "no rule taints a device"))
        if kind not in kinds
    ]
    assumed.append(f"{name} does not say its server's version: the newest scheduler's rules are assumed")
    unread = [
        Unread(KINDS[kind], f"{name} has no {plural}")
        for kind, plural in (("Node", "Nodes"), ("DeviceClass", "DeviceClasses"))
        if kind not in kinds
    ]
    return gatherer.state(unread=tuple(unread), assumed=tuple(assumed), snapshot=name)


class _Spool:
    """Raw objects, one a line, in a temporary file; a list that starts anew forgets its lines."""

    def __init__(self) -> None:
        self._file: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the spool
        self._starts: dict[str, int] = {}

    def __enter__(self) -> _Spool:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def restart(self) -> None:
        """Drop everything: all lists begin anew."""
        self._starts.clear()
        self._cut_off(0)

    def start(self, source: Source) -> None:
        """Begin ``source`` from nothing; lists come one after the other, so it is the last or new."""
        self._cut_off(self._starts.setdefault(source.path, self._file.tell()))

    def take(self, source: Source, items: list[Document]) -> None:  # noqa: ARG002 - a sink's signature
        """Keep one page."""
        self._file.writelines(f"{_dump(item)}\n".encode("ascii") for item in items)

    def lines(self) -> Iterator[str]:
        """Everything kept, list by list."""
        self._file.seek(0)
        for line in self._file:
            yield line.decode("ascii").rstrip("\n")

    def _cut_off(self, position: int) -> None:
        self._file.seek(position)
        self._file.truncate()


def _dump(document: Document) -> str:
    return json.dumps(document, separators=(",", ":"))
