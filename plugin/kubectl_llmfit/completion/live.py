"""Names that only a kubeconfig or a cluster knows: within ``SECONDS``, or none.

A completion never waits, never asks for a password and never says a word: whatever goes wrong, there are no
candidates.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from threading import Thread
from typing import Any

SECONDS = 0.8  # with the program's own start, a second
LIMIT = 500  # names, one page
GROUP_VERSIONS = ("resource.k8s.io/v1", "resource.k8s.io/v1beta2", "resource.k8s.io/v1beta1")


@dataclass(frozen=True, slots=True)
class Resource:
    """A resource whose names are asked for; ``group_versions`` in the order they are tried."""

    plural: str
    group_versions: tuple[str, ...] = ("v1",)
    is_namespaced: bool = False

    def paths(self, namespace: str) -> Iterator[str]:
        """Where its list may be."""
        for version in self.group_versions:
            root = f"/apis/{version}" if "/" in version else f"/api/{version}"
            yield f"{root}/namespaces/{namespace}/{self.plural}" if self.is_namespaced else f"{root}/{self.plural}"


NAMESPACES = Resource("namespaces")
NODES = Resource("nodes")
DEVICE_CLASSES = Resource("deviceclasses", GROUP_VERSIONS)
OF_KIND: Mapping[str, Resource] = {
    "ResourceClaim": Resource("resourceclaims", GROUP_VERSIONS, is_namespaced=True),
    "ResourceClaimTemplate": Resource("resourceclaimtemplates", GROUP_VERSIONS, is_namespaced=True),
}


def names(resource: Resource, given: Mapping[str, list[str]]) -> list[str]:
    """The names of the objects of the cluster that the flags ``given`` choose; none of a snapshot's.

    Asked in a thread that is left behind when the time is over: nothing else ends the look-up of a name.
    """
    if given.get("snapshot"):
        return []
    found: list[str] = []

    def ask() -> None:
        with suppress(Exception):
            found.extend(_names(resource, given))

    thread = Thread(target=ask, daemon=True)
    thread.start()
    thread.join(SECONDS)
    return list(found)


def kubeconfig_names(section: str, given: Mapping[str, list[str]]) -> list[str]:
    """The names in a section of the kubeconfig: contexts, clusters or users."""
    from ..cluster.kubeconfig import load_kubeconfig
    from ..errors import LlmfitError

    paths = given.get("kubeconfig")
    try:
        return sorted(getattr(load_kubeconfig(paths[-1] if paths else None, os.environ), section))
    except LlmfitError:
        return []


def _names(resource: Resource, given: Mapping[str, list[str]]) -> list[str]:
    from ..cluster.connection import ConnectionOptions, RetryPolicy, connect
    from ..cluster.words import ServerError

    connection = connect(ConnectionOptions(**_options(given)), retry=RetryPolicy(attempts=1))
    for path in resource.paths(connection.namespace):
        try:
            return [item["metadata"]["name"] for item in connection.get(path, {"limit": str(LIMIT)})["items"]]
        except ServerError as error:
            if error.code != 404:
                raise
    return []


def _options(given: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The connection flags among those given; the dataclass of the flags says which these are."""
    from ..cli.options import ConnectionFlags

    flags = {field.name: field for field in fields(ConnectionFlags)}
    chosen: dict[str, Any] = {name: values[-1] for name, values in given.items() if name in flags}
    if "as_groups" in chosen:
        chosen["as_groups"] = tuple(given["as_groups"])
    if "insecure_skip_tls_verify" in chosen:
        chosen["insecure_skip_tls_verify"] = chosen["insecure_skip_tls_verify"] in ("", "true")
    return chosen
