"""The parts of a list that is forbidden at the cluster scope: the same resource, namespace by namespace.

Owns which namespaces are tried: all of them where this user may list them and they are not too many, else the
current one. Must not read any claim.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

from ..api.names import dns_label_error
from ..errors import ClusterError
from .connection import Connection
from .discovery import collection_path
from .lists import Division, Source
from .words import ServerError

NAMESPACED = ("resourceclaims", "resourceclaimtemplates")
# Each is a request of its own; in larger clusters only the current namespace is tried.
_MOST_NAMESPACES = 500
_PATH = "/api/v1/namespaces"


class Namespaces:
    """The namespaces of one cluster as one user may see them; asked for at most once."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def divide(self, source: Source) -> Division:
        """The namespaces' shares of ``source``, the current namespace first. Raises ClusterError."""
        if source.resource not in NAMESPACED:
            return Division()
        version = source.api_version.rpartition("/")[2]
        own, listed = self._connection.namespace, self._listed
        parts = (
            replace(source, path=collection_path(source.resource, version, name), namespace=name)
            for name in dict.fromkeys((own, *(listed or ())))
        )
        return Division(tuple(parts), complete=listed is not None)

    @cached_property
    def _listed(self) -> tuple[str, ...] | None:
        """Every namespace; None where they may not be listed, or are too many to be tried."""
        try:
            page = self._connection.get(_PATH, {"limit": str(_MOST_NAMESPACES)})
        except ServerError as error:
            if error.code == 403:
                return None
            raise
        metadata = (page.get("metadata") or {}) if isinstance(page, dict) else None
        if not isinstance(metadata, dict):
            raise _unexpected()
        names = _names(page)
        return None if metadata.get("continue") or len(names) > _MOST_NAMESPACES else names


def _names(page: dict[str, Any]) -> tuple[str, ...]:
    items = page.get("items") or []
    names = tuple(_name(item) for item in items) if isinstance(items, list) else ("",)
    if page.get("kind") != "NamespaceList" or any(map(dns_label_error, names)):
        raise _unexpected()
    return names


def _name(item: Any) -> str:
    metadata = item.get("metadata") if isinstance(item, dict) else None
    return str(metadata.get("name")) if isinstance(metadata, dict) else ""


def _unexpected() -> ClusterError:
    return ClusterError("Server returned an unexpected response for namespaces")
