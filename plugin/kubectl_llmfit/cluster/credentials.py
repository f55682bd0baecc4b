"""From a target (cluster and user entries) to a client that is logged in, and logged in anew when it has to be.

Owns which of a user's credentials is used, as client-go chooses; token files, plugins and OIDC tokens are asked again
when what they gave has expired. The Python client's own reading of a kubeconfig is not used: it goes on anonymously
where a plugin fails, ignores impersonation and writes keys to files that stay. Never persists anything, never lets a
credential into a message.
"""

from __future__ import annotations

import base64
import os
import warnings
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from ..errors import ClusterError
from ..escapes import spaced
from ..files import read_bounded
from .exec_plugin import run_exec_plugin
from .kubeconfig import Target
from .oidc import OidcTokens
from .proxies import proxy_credentials, proxy_from_environment
from .tls import client_context

_REMOVED_PROVIDERS = {"gcp": "gke-gcloud-auth-plugin", "azure": "kubelogin"}
# What may stand in a header's name besides letters and digits (net/http: isTokenTable; % is escaped).
_IN_HEADER_NAMES = "!#$&'*+-.^_`|~"


class Session:
    """A client for one target whose credentials can be got anew."""

    def __init__(self, target: Target, environ: Mapping[str, str] | None = None) -> None:
        self._target = target
        self._environ = os.environ if environ is None else environ
        self._good_until: datetime | None = None
        self._client: Any = None
        self._oidc: OidcTokens | None = None
        self._authorization: str | None = None

    @property
    def can_refresh(self) -> bool:
        """Whether asking again after a refusal may give other credentials (a plugin, a token file)."""
        user = self._target.user
        return bool(user.get("tokenFile") or (user.get("exec") and not _has_own_credentials(user)))

    @property
    def proxy(self) -> str | None:
        """The URL of the proxy that requests take: the kubeconfig's, else the environment's."""
        cluster = self._target.cluster
        return cluster.get("proxy-url") or proxy_from_environment(cluster["server"], self._environ)

    def client(self, *, refresh: bool = False) -> Any:
        """The ``ApiClient``, with credentials that have not expired. Raises ClusterError."""
        expired = self._good_until is not None and self._good_until <= datetime.now(UTC)
        if self._client is None or refresh or expired:
            self._client = self._connect()
        return self._client

    def headers(self) -> list[tuple[str, str]]:
        """Who asks: Authorization, and on whose behalf. After ``client``."""
        own = [("Authorization", self._authorization)] if self._authorization else []
        return [(name, _as_bytes_are_sent(value)) for name, value in (*own, *impersonation(self._target.user))]

    def without_secrets(self, refusal: bytes) -> bytes:
        """A refusal, which may repeat what was sent, without the token or login."""
        secret = (self._authorization or "").partition(" ")[2]
        return refusal.replace(secret.encode("utf-8", "surrogateescape"), b"(hidden)") if secret else refusal

    def _connect(self) -> Any:
        import urllib3
        from kubernetes.client import ApiClient, Configuration

        cluster = self._target.cluster
        user = self._with_credentials()
        self._authorization = _authorization(user)
        configuration = Configuration(host=cluster["server"])
        configuration.retries = False
        configuration.verify_ssl = not cluster.get("insecure-skip-tls-verify")
        configuration.tls_server_name = cluster.get("tls-server-name") or None
        context = client_context(cluster, user) if cluster["server"].startswith("https://") else None
        self._choose_proxy(configuration, context)
        try:
            with warnings.catch_warnings():  # urllib3 warns of what the error says
                warnings.simplefilter("ignore")
                client = ApiClient(configuration)
        except ImportError as error:
            raise ClusterError(
                f"proxy-url {_without_secrets(configuration.proxy)}: SOCKS proxies need the package PySocks"
            ) from error
        except (urllib3.exceptions.HTTPError, ValueError) as error:  # the only address that is parsed here
            raise ClusterError(f"the proxy {_without_secrets(configuration.proxy)} is no URL of a proxy") from error
        if not configuration.verify_ssl:  # the user asked for it: kubectl says nothing either
            urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)
        client.user_agent = "kubectl-llmfit"
        if context is not None:
            client.rest_client.pool_manager.connection_pool_kw["ssl_context"] = context
        return client

    def _choose_proxy(self, configuration: Any, context: Any) -> None:
        """The client would look at the environment by rules of its own."""
        proxy = self.proxy
        if proxy and proxy.startswith("socks5://"):
            proxy = f"socks5h{proxy.removeprefix('socks5')}"  # Go lets the proxy resolve names
        configuration.proxy = proxy
        configuration.no_proxy = None
        configuration.proxy_ssl_context = context  # Go trusts the same authorities for both
        try:
            login = proxy_credentials(proxy) if proxy else None
        except ValueError as error:
            raise ClusterError(f"the proxy {_without_secrets(proxy)} is no URL of a proxy") from error
        configuration.proxy_headers = {"Proxy-Authorization": _basic(login)} if login else None

    def _with_credentials(self) -> dict[str, Any]:
        user = dict(self._target.user)
        self._good_until = None
        if user.get("tokenFile"):
            user["token"] = _token_of_file(str(user["tokenFile"]), user.get("token"))
        provider, plugin = user.get("auth-provider"), user.get("exec")
        if provider and not _has_header(user):
            user["token"] = self._provided_token(provider)
        if plugin and not _has_own_credentials(user):
            credential = run_exec_plugin(plugin, self._target.cluster, self._target.user_name)
            self._good_until = credential.expires_at
            if credential.token:
                user["token"] = credential.token
            if credential.certificate and credential.key:
                user["client-certificate-data"] = _base64(credential.certificate)
                user["client-key-data"] = _base64(credential.key)
        return user

    def _provided_token(self, provider: Mapping[str, Any]) -> str:
        name = str(provider.get("name") or "")
        if name in _REMOVED_PROVIDERS:
            raise ClusterError(
                f"The {name} auth plugin has been removed",
                f'use the "{_REMOVED_PROVIDERS[name]}" kubectl/client-go credential plugin instead',
            )
        if name != "oidc":
            raise ClusterError(f'no Auth Provider found for name "{spaced(name)}"')
        config = provider.get("config") or {}
        if not isinstance(config, dict):
            raise ClusterError("config of the auth-provider oidc must be a map")
        self._oidc = self._oidc or OidcTokens(config, self._environ)
        token, self._good_until = self._oidc.id_token(datetime.now(UTC))
        return token


def impersonation(user: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The headers that make the server act as somebody else (client-go: transport.NewImpersonatingRoundTripper)."""
    if not user.get("as"):
        return []
    headers = [("Impersonate-User", str(user["as"]))]
    if user.get("as-uid"):
        headers.append(("Impersonate-Uid", str(user["as-uid"])))
    headers += [("Impersonate-Group", str(group)) for group in user.get("as-groups") or []]
    for key, values in (user.get("as-user-extra") or {}).items():
        name = f"Impersonate-Extra-{quote(str(key), safe=_IN_HEADER_NAMES, errors='surrogateescape')}"
        headers += [(name, str(value)) for value in values or []]
    return headers


def _has_header(user: Mapping[str, Any]) -> bool:
    return bool(user.get("token") or user.get("username") or user.get("password"))


def _has_own_credentials(user: Mapping[str, Any]) -> bool:
    """Whether a plugin is not asked (client-go: exec.UpdateTransportConfig)."""
    return _has_header(user) or bool(user.get("client-certificate") or user.get("client-certificate-data"))


def _authorization(user: Mapping[str, Any]) -> str | None:
    if user.get("token"):
        return f"Bearer {user['token']}"
    if _has_header(user):
        return _basic(f"{user.get('username') or ''}:{user.get('password') or ''}")
    return None


def _basic(login: str) -> str:
    return f"Basic {_base64(login)}"


def _as_bytes_are_sent(value: str) -> str:
    """A header's text so that its UTF-8 bytes go out, as Go sends them; Python would send Latin-1."""
    return value.encode("utf-8", "surrogateescape").decode("latin-1")


def _token_of_file(path: str, otherwise: object) -> str:
    try:
        token = read_bounded(path).strip()
    except (OSError, ValueError) as error:
        if isinstance(otherwise, str) and otherwise:
            return otherwise
        raise ClusterError(f"unable to read tokenFile {path}: {getattr(error, 'strerror', 'not text')}") from error
    if not token:
        raise ClusterError(f"unable to read tokenFile {path}: the file is empty")
    return token


def _base64(text: str) -> str:
    return base64.b64encode(text.encode("utf-8", "surrogateescape")).decode("ascii")


def _without_secrets(url: object) -> str:
    return spaced(str(url).rpartition("@")[2])
