"""Which versions of the resource.k8s.io resources a server serves, and its own version.

Managed clusters enable other versions than the defaults, so every resource is looked up by itself. Must not
read any object.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from ..api.raw import GROUP
from ..errors import ClusterError, UsageError
from .connection import Connection
from .rbac import missing_discovery_rule
from .words import ServerError

RESOURCES = ("resourceslices", "deviceclasses", "resourceclaims", "resourceclaimtemplates", "devicetaintrules")
# Newest first; older ones (classic DRA, up to 1.30) have another meaning, newer ones an unknown shape.
VERSIONS = ("v1", "v1beta2", "v1beta1", "v1alpha3")

_NEEDS = (
    "dynamic resource allocation needs Kubernetes 1.32 or newer, before 1.34 with the feature gate "
    "DynamicResourceAllocation and the API resource.k8s.io/v1beta1 enabled"
)


@dataclass(frozen=True, slots=True)
class Discovery:
    """The versions of each resource of ``RESOURCES``, newest first; a resource not served has none.

    ``hidden`` are the versions that this user may not discover: a resource that has no version may be in them.
    """

    served: Mapping[str, tuple[str, ...]]
    hidden: tuple[str, ...] = ()

    def newest(self, resource: str) -> str | None:
        """The newest served version of ``resource``, as ``v1``."""
        return next(iter(self.served.get(resource, ())), None)

    def why_not_known(self, resource: str) -> str | None:
        """Why it is open whether ``resource`` is served, None where it is known."""
        if not self.hidden or self.newest(resource) is not None:
            return None
        return f"the discovery of {GROUP}/{self.hidden[0]} is forbidden; {missing_discovery_rule(GROUP)}"


def discover(connection: Connection) -> Discovery:
    """Ask which versions the server serves. Raises ClusterError where it has no usable resource.k8s.io API."""
    offered, refusal = _group_versions(connection)
    found: dict[str, list[str]] = {resource: [] for resource in RESOURCES}
    hidden = []
    for version in (version for version in VERSIONS if version in offered):
        try:
            resources = _resources(connection, version)
        except ServerError as error:
            if error.code != 403:
                raise
            refusal = refusal or error
            hidden.append(version)
            continue
        for resource in resources:
            if resource in found:
                found[resource].append(version)
    if not found["resourceslices"]:
        raise _no_slices(offered, refusal)
    return Discovery({resource: tuple(versions) for resource, versions in found.items()}, tuple(hidden))


def served_versions(connection: Connection) -> Mapping[str, tuple[str, ...]]:
    """The versions of each resource of ``RESOURCES``, as ``discover`` finds them."""
    return discover(connection).served


def _no_slices(offered: frozenset[str], refusal: ServerError | None) -> ClusterError:
    if refusal is not None:
        return ClusterError(refusal.message, missing_discovery_rule(GROUP))
    served = ", ".join(sorted(offered)) or "none"
    return ClusterError(f"the server serves no resourceslices in {GROUP} (versions: {served})", _NEEDS)


def collection_path(resource: str, version: str | None, namespace: str | None = None) -> str:
    """The path of a resource's collection; ``version`` None stands for the core API's v1."""
    prefix = "/api/v1" if version is None else f"/apis/{GROUP}/{version}"
    if not namespace:
        return f"{prefix}/{resource}"
    return f"{prefix}/namespaces/{path_segment('namespace', namespace)}/{resource}"


def path_segment(what: str, text: str) -> str:
    """A namespace or name as one segment of a path. Raises UsageError for what would be several, or another.

    Words: apimachinery 0.37, pkg/api/validation/path (IsValidPathSegmentName).
    """
    problems = [f"may not be '{text}'"] if text in (".", "..") else []
    problems += [f"may not contain '{character}'" for character in "/%" if character in text]
    if problems:
        raise UsageError(f'invalid {what} "{text}": [{" ".join(problems)}]')
    return quote(text, safe="", errors="surrogateescape")


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


def _group_versions(connection: Connection) -> tuple[frozenset[str], ServerError | None]:
    """The group's versions; where this user may not see them, all that there may be, and the refusal."""
    try:
        group = connection.get(f"/apis/{GROUP}")
    except ServerError as error:
        if error.code == 403:
            return frozenset(VERSIONS), error
        if error.code != 404:
            raise
        raise ClusterError(f"the server has no {GROUP} API", _NEEDS) from error
    return frozenset(str(item.get("version")) for item in _entries(group, "APIGroup", "versions")), None


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
