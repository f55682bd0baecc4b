"""Which versions of the resource.k8s.io resources a server serves, and its own version.

Managed clusters enable other versions than the defaults, so every resource is looked up by itself. Must not
read any object.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..api.raw import GROUP
from ..errors import ClusterError
from .connection import Connection
from .words import ServerError

RESOURCES = ("resourceslices", "deviceclasses", "resourceclaims", "resourceclaimtemplates", "devicetaintrules")
# Newest first; older ones (classic DRA, up to 1.30) have another meaning, newer ones an unknown shape.
VERSIONS = ("v1", "v1beta2", "v1beta1", "v1alpha3")

_NEEDS = (
    "dynamic resource allocation needs Kubernetes 1.32 or newer, before 1.34 with the feature gate "
    "DynamicResourceAllocation and the API resource.k8s.io/v1beta1 enabled"
)


def served_versions(connection: Connection) -> dict[str, tuple[str, ...]]:
    """The versions of each resource of ``RESOURCES``, newest first; a resource not served has none.

    Raises ClusterError (exit 4) when the server has no usable resource.k8s.io API.
    """
    offered = _group_versions(connection)
    found: dict[str, list[str]] = {resource: [] for resource in RESOURCES}
    for version in (version for version in VERSIONS if version in offered):
        for resource in _resources(connection, version):
            if resource in found:
                found[resource].append(version)
    if not found["resourceslices"]:
        served = ", ".join(sorted(offered)) or "none"
        raise ClusterError(f"the server serves no resourceslices in {GROUP} (versions: {served})", _NEEDS)
    return {resource: tuple(versions) for resource, versions in found.items()}


def newest(served: Mapping[str, tuple[str, ...]], resource: str) -> str | None:
    """The newest served version of ``resource``, as ``v1``."""
    return next(iter(served.get(resource, ())), None)


def collection_path(resource: str, version: str | None, namespace: str | None = None) -> str:
    """The path of a resource's collection; ``version`` None stands for the core API's v1."""
    prefix = "/api/v1" if version is None else f"/apis/{GROUP}/{version}"
    return f"{prefix}/namespaces/{namespace}/{resource}" if namespace else f"{prefix}/{resource}"


def server_version(connection: Connection) -> str | None:
    """The server's gitVersion (``v1.37.2``), or None when this user may not see it."""
    try:
        version = connection.get("/version")
    except ServerError as error:
        if error.code in (403, 404):
            return None
        raise
    text = version.get("gitVersion") if isinstance(version, dict) else None
    return text if isinstance(text, str) else None


def _group_versions(connection: Connection) -> frozenset[str]:
    try:
        group = connection.get(f"/apis/{GROUP}")
    except ServerError as error:
        if error.code != 404:
            raise
        raise ClusterError(f"the server has no {GROUP} API", _NEEDS) from error
    return frozenset(str(item.get("version")) for item in _entries(group, "APIGroup", "versions"))


def _resources(connection: Connection, version: str) -> list[str]:
    try:
        listed = connection.get(f"/apis/{GROUP}/{version}")
    except ServerError as error:
        if error.code == 404:
            return []
        raise
    return [str(item.get("name")) for item in _entries(listed, "APIResourceList", "resources")]


def _entries(answer: Any, kind: str, key: str) -> list[Mapping[str, Any]]:
    entries = answer.get(key) if isinstance(answer, dict) and answer.get("kind") == kind else None
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ClusterError(f"Server returned an unexpected response: no {kind} where one was asked for")
    return entries
