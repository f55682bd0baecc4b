"""Whether the entries that were chosen can be used together (client-go 0.37: tools/clientcmd/validation.go).

Words are client-go's. Must not read a file or ask anybody: what files hold is found out when they are used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..errors import ClusterError
from ..escapes import as_json
from .proxies import SCHEMES

Entry = Mapping[str, Any]


def require_usable(cluster: Entry, cluster_name: str, user: Entry, user_name: str) -> None:
    """Raise ClusterError for the first thing that kubectl would refuse in the merged entries."""
    for problem in (*_cluster_problems(cluster, cluster_name), *_user_problems(user, user_name)):
        raise ClusterError(problem)


def _cluster_problems(cluster: Entry, name: str) -> Iterator[str]:
    proxy = cluster.get("proxy-url")
    scheme = str(proxy).partition("://")[0].lower()
    if proxy and scheme not in SCHEMES:
        shown = as_json(str(proxy).rpartition("@")[2])
        yield f"invalid 'proxy-url' {shown} for cluster \"{name}\": must be a URL with http, https, or socks5"
    yield from _twice(cluster, "certificate-authority", name)


def _user_problems(user: Entry, name: str) -> Iterator[str]:
    methods = [
        *(["token"] if user.get("token") else []),
        *(["basicAuth"] if user.get("username") or user.get("password") else []),
    ]
    certificate, key = (user.get(f"{field}-data") or user.get(field) for field in ("client-certificate", "client-key"))
    if certificate:
        yield from _twice(user, "client-certificate", name)
        yield from _twice(user, "client-key", name)
        if not key:
            method = "to use the clientCert authentication method"
            yield f"client-key-data or client-key must be specified for {name} {method}"
    elif key:
        yield f"client-certificate-data or client-certificate must be specified for {name}: there is only a client-key"
    if user.get("exec") and user.get("auth-provider"):
        yield f"authProvider cannot be provided in combination with an exec plugin for {name}"
    if len(methods) > 1:
        yield f"more than one authentication method found for {name}; found [{' '.join(methods)}], only one is allowed"
    if not all(isinstance(values, list | None) for values in (user.get("as-user-extra") or {}).values()):
        yield f"as-user-extra of {name} must have a list for each key"
    if (user.get("as-groups") or user.get("as-uid") or user.get("as-user-extra")) and not user.get("as"):
        yield f"requesting uid, groups or user-extra for {name} without impersonating a user"


def _twice(entry: Entry, field: str, name: str) -> Iterator[str]:
    if entry.get(field) and entry.get(f"{field}-data"):
        yield f"{field}-data and {field} are both specified for {name}: only one is allowed"
