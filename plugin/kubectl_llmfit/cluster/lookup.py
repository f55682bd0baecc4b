"""One claim or template by name, in a cluster or in a state."""

from __future__ import annotations

from typing import Any

from ..api.raw import GROUP
from ..api.read import read_claim, read_template
from ..api.values import Claim, ClaimKind, ClusterState
from ..errors import ClusterError, LlmfitError, UsageError
from .connection import Connection
from .discovery import collection_path, discover, path_segment
from .rbac import missing_rule
from .words import ServerError

RESOURCE_OF: dict[ClaimKind, str] = {
    "ResourceClaim": "resourceclaims",
    "ResourceClaimTemplate": "resourceclaimtemplates",
}


def get_claim(connection: Connection, kind: ClaimKind, name: str, namespace: str) -> Claim:
    """Read one claim or template. Raises UsageError when it does not exist, else ClusterError."""
    resource = RESOURCE_OF[kind]
    discovery = discover(connection)
    version = discovery.newest(resource)
    if version is None:
        hidden = discovery.why_not_known(resource)
        raise ClusterError(f"the server serves no {resource} in {GROUP}" if hidden is None else hidden)
    raw = get_object(connection, resource, version, name, namespace)
    if raw is None:
        raise UsageError(f'{resource}.{GROUP} "{name}" not found')
    try:
        return read_claim(raw) if kind == "ResourceClaim" else read_template(raw)
    except LlmfitError as error:
        raise ClusterError(f"cannot read {resource}: {error.message}") from error


def get_object(connection: Connection, resource: str, version: str, name: str, namespace: str) -> dict[str, Any] | None:
    """The raw object, or None when there is none (or no such namespace). Raises ClusterError."""
    try:
        raw = connection.get(f"{collection_path(resource, version, namespace)}/{path_segment('resource name', name)}")
    except ServerError as error:
        if error.code == 404:
            return None
        if error.code == 403:
            raise ClusterError(error.message, missing_rule(resource, "get", namespaced=True)) from error
        raise
    if not isinstance(raw, dict) or f"{str(raw.get('kind')).lower()}s" != resource:
        raise ClusterError(f"Server returned an unexpected response for {resource} {name}")
    return raw


def find_claim(state: ClusterState, kind: ClaimKind, name: str, namespace: str | None) -> Claim:
    """The claim or template of a state; without a namespace the only one of that name. Raises UsageError."""
    candidates = state.claims if kind == "ResourceClaim" else state.templates
    found = [one for one in candidates if one.name == name and namespace in (None, one.namespace)]
    if not found:
        raise UsageError(f'{RESOURCE_OF[kind]}.{GROUP} "{name}" not found in {state.snapshot}')
    if len(found) > 1:
        namespaces = ", ".join(sorted(one.namespace or "" for one in found))
        raise UsageError(f'{RESOURCE_OF[kind]} "{name}" is in several namespaces: choose one with -n: {namespaces}')
    return found[0]
