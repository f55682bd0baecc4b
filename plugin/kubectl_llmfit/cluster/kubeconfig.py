"""The user's kubeconfig, merged and resolved as kubectl does it; plain values, no connection.

Owns client-go's loading rules (tools/clientcmd 0.37: ClientConfigLoadingRules.Load, DirectClientConfig,
inClusterClientConfig). The Python client (37.0: config/kube_config.py) merges otherwise: the last file's
current-context wins, an empty file is an error, impersonation is ignored, and no flag can choose a cluster, a user,
a server or a token; its in-cluster loader takes no flags either. So files are read here. Never writes a file.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from ..errors import ClusterError
from ..escapes import as_json
from ..files import read_bounded
from .options import ConnectionOptions
from .usable import require_usable
from .yaml_text import YamlError, load_all

SERVICE_ACCOUNT_FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount"
_NO_CONFIGURATION = "no configuration has been provided, try setting KUBERNETES_MASTER environment variable"

Entry = Mapping[str, Any]

# The fields that are read here or by the client, and their types.
_FIELDS: Mapping[str, type] = {
    **dict.fromkeys(("server", "certificate-authority", "tls-server-name", "proxy-url"), str),
    **dict.fromkeys(("token", "tokenFile", "client-certificate", "client-key", "username", "password"), str),
    **dict.fromkeys(("cluster", "user", "namespace", "as", "as-uid"), str),
    **dict.fromkeys(("exec", "auth-provider", "as-user-extra"), dict),
    "as-groups": list,
    **dict.fromkeys(("insecure-skip-tls-verify", "disable-compression"), bool),
    **dict.fromkeys(("certificate-authority-data", "client-certificate-data", "client-key-data"), str),
}


@dataclass(frozen=True, slots=True)
class Kubeconfig:
    """The merged files: entries by name, relative paths made absolute."""

    clusters: Mapping[str, Entry] = field(default_factory=dict)
    users: Mapping[str, Entry] = field(default_factory=dict)
    contexts: Mapping[str, Entry] = field(default_factory=dict)
    current_context: str | None = None
    files: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing at all is configured: then kubectl looks for a pod's service account."""
        return not (self.clusters or self.users or self.contexts or self.current_context)


@dataclass(frozen=True, slots=True)
class Target:
    """Which server, as whom: one cluster entry and one user entry with the flags laid over them.

    ``user`` is empty for a server without TLS: kubectl sends credentials over TLS only.
    """

    context: str | None
    namespace: str
    cluster: Entry
    user: Entry
    user_name: str = ""
    in_cluster: bool = False


def load_kubeconfig(path: str | None, environ: Mapping[str, str]) -> Kubeconfig:
    """Read ``path``, else the files of KUBECONFIG, else ~/.kube/config.

    The first file that has a name wins it, and the first that has a current-context. Missing files are
    skipped unless given by ``path``. Raises ClusterError.
    """
    if path:
        if not os.path.exists(path):
            raise ClusterError(f"stat {path}: no such file or directory")
        paths = [path]
    elif environ.get("KUBECONFIG"):
        paths = [part for part in dict.fromkeys(environ["KUBECONFIG"].split(os.pathsep)) if part]
    else:
        home = environ.get("HOME") or os.path.expanduser("~")
        paths = [os.path.join(home, ".kube", "config")]
    merged: dict[str, dict[str, Entry]] = {"clusters": {}, "users": {}, "contexts": {}}
    current: str | None = None
    for file in paths:
        document = _read(file)
        for section, entries in merged.items():
            for name, entry in _named(document, section, file).items():
                entries.setdefault(name, entry)
        current = current or document.get("current-context")
    return Kubeconfig(merged["clusters"], merged["users"], merged["contexts"], current, tuple(paths))


def _read(file: str) -> Entry:
    try:
        documents = load_all(read_bounded(file))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise _damaged(file, str(error.strerror)) from error
    except YamlError as error:
        raise _damaged(file, f"yaml: {error}") from error
    except ValueError as error:  # no text, or no file's name
        raise _damaged(file, str(error)) from error
    document = documents[0] if documents else {}
    if not isinstance(document, dict) or document.get("kind", "Config") != "Config":
        raise _damaged(file, "not a kubeconfig (kind Config)")
    if not isinstance(document.get("current-context"), str | None):
        raise _damaged(file, "current-context must be a string")
    return document


def _damaged(file: str, problem: str) -> ClusterError:
    return ClusterError(f'error loading config file "{file}": {problem}')


def _named(document: Entry, section: str, file: str) -> dict[str, Entry]:
    """One section of a file as entries by name; the entry's key is the section's singular."""
    key = section[:-1]
    found: dict[str, Entry] = {}
    listed = document.get(section) or []
    if not isinstance(listed, list):
        raise _damaged(file, f"{section} must be a list")
    for item in listed:
        name = item.get("name") if isinstance(item, dict) else None
        entry = (item.get(key) or {}) if isinstance(item, dict) else None
        if not isinstance(name, str) or not isinstance(entry, dict):
            raise _damaged(file, f"{section} must have a name and a {key} each")
        if name in found:
            raise _damaged(file, f'duplicate name "{name}" in list of {section}')
        for field_name, kind in _FIELDS.items():
            if not isinstance(entry.get(field_name), kind | None):
                raise _damaged(file, f'{field_name} of the {key} "{name}" has the wrong type')
        found[name] = _with_absolute_paths(entry, os.path.dirname(os.path.abspath(file)))
    return found


def _with_absolute_paths(entry: Entry, folder: str) -> Entry:
    resolved = dict(entry)
    for key in ("certificate-authority", "client-certificate", "client-key", "tokenFile"):
        if resolved.get(key):
            resolved[key] = os.path.normpath(os.path.join(folder, str(resolved[key])))
    plugin = resolved.get("exec")
    if isinstance(plugin, dict) and os.sep in str(plugin.get("command", "")):
        resolved["exec"] = {**plugin, "command": os.path.normpath(os.path.join(folder, str(plugin["command"])))}
    return resolved


def resolve(kubeconfig: Kubeconfig, options: ConnectionOptions, environ: Mapping[str, str]) -> Target:
    """The server and user that ``options`` choose from ``kubeconfig``. Raises ClusterError in kubectl's words."""
    chosen = (options.context, options.cluster, options.user)
    if kubeconfig.is_empty and not any(chosen) and _in_cluster_is_possible(environ):
        return _in_cluster(options, environ)
    name = options.context or kubeconfig.current_context
    context = kubeconfig.contexts.get(name or "")
    if name and context is None:
        raise ClusterError(f'context "{name}" does not exist')
    context = context or {}
    cluster_name = options.cluster or str(context.get("cluster") or "")
    user_name = options.user or str(context.get("user") or "")
    _require_entries(kubeconfig, options, name, cluster_name, user_name)
    cluster = _cluster(kubeconfig, options, cluster_name, environ)
    user = _user(kubeconfig, options, user_name)
    require_usable(cluster, cluster_name, user, user_name)
    namespace = options.namespace or str(context.get("namespace") or "") or "default"
    if not cluster["server"].startswith("https://"):
        user = {key: value for key, value in user.items() if key.startswith("as")}
    return Target(name, namespace, cluster, user, user_name)


def _require_entries(
    kubeconfig: Kubeconfig, options: ConnectionOptions, context: str | None, cluster: str, user: str
) -> None:
    """Refuse names without an entry: a flag's always, a context's unless another flag stands in for the entry."""
    lacks_cluster, lacks_user = cluster not in kubeconfig.clusters, user not in kubeconfig.users
    if lacks_cluster and options.cluster:
        raise ClusterError(f'cluster "{cluster}" does not exist')
    if lacks_cluster and cluster and not options.server:
        raise ClusterError(f'cluster "{cluster}" was not found for context "{context}"')
    if lacks_user and options.user:
        raise ClusterError(f'auth info "{user}" does not exist')
    if lacks_user and user and not options.token:
        raise ClusterError(f'user "{user}" was not found for context "{context}"')


def _cluster(
    kubeconfig: Kubeconfig, options: ConnectionOptions, cluster_name: str, environ: Mapping[str, str]
) -> Entry:
    cluster = dict(kubeconfig.clusters.get(cluster_name, {}))
    cluster["server"] = options.server or cluster.get("server") or environ.get("KUBERNETES_MASTER") or ""
    if not cluster["server"]:
        raise _no_server(kubeconfig, cluster_name)
    if options.server or options.tls_server_name:
        cluster["tls-server-name"] = options.tls_server_name
    given = {"proxy-url": options.proxy_url, "disable-compression": options.disable_compression}
    cluster |= {key: value for key, value in given.items() if value}
    if options.insecure_skip_tls_verify or options.certificate_authority:
        cluster.pop("certificate-authority-data", None)
        cluster["certificate-authority"] = options.certificate_authority
        cluster["insecure-skip-tls-verify"] = options.insecure_skip_tls_verify
    cluster["server"] = _with_scheme(cluster)
    return cluster


def _no_server(kubeconfig: Kubeconfig, cluster_name: str) -> ClusterError:
    if kubeconfig.is_empty:
        files = ", ".join(kubeconfig.files)
        return ClusterError(_NO_CONFIGURATION, f"no kubeconfig at {files}; --kubeconfig FILE names another")
    if cluster_name:
        return ClusterError(f'cluster "{cluster_name}" has no server defined')
    contexts = ", ".join(sorted(kubeconfig.contexts)[:10]) or "none"
    return ClusterError("no context chosen: current-context is not set", f"--context NAME chooses one of: {contexts}")


def _with_scheme(cluster: Entry) -> str:
    """A bare host means HTTP in kubectl, whatever is configured for TLS; no query belongs to a server."""
    server = str(cluster["server"])
    if "://" not in server:
        server = f"http://{server}"
    if not _is_http_url(server):
        shown = str(cluster["server"]).rpartition("@")[2]
        raise ClusterError(f"host must be a URL or a host:port pair: {as_json(shown)}")
    return urlsplit(server)._replace(query="", fragment="").geturl().rstrip("/")


def _is_http_url(text: str) -> bool:
    try:
        parts = urlsplit(text)
        parts.port  # noqa: B018 - raises for what is no port
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not any(map(str.isspace, text))


def _user(kubeconfig: Kubeconfig, options: ConnectionOptions, user_name: str) -> Entry:
    user = dict(kubeconfig.users.get(user_name, {}))
    if options.token:
        user = {key: value for key, value in user.items() if key not in ("tokenFile", "exec", "auth-provider")}
    given = {"token": options.token, "username": options.username, "password": options.password}
    user |= {key: value for key, value in given.items() if value}
    for key, path in (("client-certificate", options.client_certificate), ("client-key", options.client_key)):
        if path:
            user.pop(f"{key}-data", None)
            user[key] = path
    return _impersonating(user, options)


def _impersonating(user: Entry, options: ConnectionOptions) -> Entry:
    """Each flag replaces its own field and leaves the kubeconfig's others."""
    given = {
        "as": options.as_user,
        "as-uid": options.as_uid,
        "as-groups": list(options.as_groups),
        "as-user-extra": options.as_user_extra,
    }
    return {**user, **{key: value for key, value in given.items() if value}}


def _in_cluster_is_possible(environ: Mapping[str, str]) -> bool:
    return bool(
        environ.get("KUBERNETES_SERVICE_HOST")
        and environ.get("KUBERNETES_SERVICE_PORT")
        and os.path.isfile(os.path.join(SERVICE_ACCOUNT_FOLDER, "token"))
    )


def _in_cluster(options: ConnectionOptions, environ: Mapping[str, str]) -> Target:
    """A pod's service account; host, token and CA may be given by flags (client-go: inClusterClientConfig)."""
    host, port = environ["KUBERNETES_SERVICE_HOST"], environ["KUBERNETES_SERVICE_PORT"]
    server = options.server or f"https://{f'[{host}]' if ':' in host else host}:{port}"
    authority = options.certificate_authority or os.path.join(SERVICE_ACCOUNT_FOLDER, "ca.crt")
    credentials: dict[str, Any] = (
        {"token": options.token} if options.token else {"tokenFile": os.path.join(SERVICE_ACCOUNT_FOLDER, "token")}
    )
    namespace = options.namespace or environ.get("POD_NAMESPACE") or _service_account_namespace() or "default"
    user = _impersonating(credentials, options)
    require_usable({}, "", user, "the service account")
    return Target(None, namespace, {"server": server, "certificate-authority": authority}, user, in_cluster=True)


def _service_account_namespace() -> str:
    try:
        with open(os.path.join(SERVICE_ACCOUNT_FOLDER, "namespace"), encoding="utf-8") as stream:
            return stream.read().strip()
    except OSError:
        return ""
