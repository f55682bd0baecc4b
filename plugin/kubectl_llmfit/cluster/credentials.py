"""From a target (cluster and user entries) to the kubernetes client's ``Configuration``.

Owns where the Python client falls short of kubectl: plugin credentials, token files (stripped, preferred to the
token as client-go does), OIDC issuers always verified, impersonation headers, strict X.509 flags. The client
itself loads the rest. Never persists anything, never lets a credential into a message.
"""

from __future__ import annotations

import base64
import ipaddress
import os
import ssl
import warnings
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote, urlsplit

from ..errors import ClusterError
from ..escapes import spaced
from .exec_plugin import run_exec_plugin
from .kubeconfig import Target

# Debian, Fedora, openSUSE, OpenELEC, RHEL 7, Alpine (Go 1.26: crypto/x509/root_linux.go).
_AUTHORITIES_FILES = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/pki/tls/cacert.pem",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/ssl/cert.pem",
)
_REMOVED_PROVIDERS = {"gcp": "gke-gcloud-auth-plugin", "azure": "kubelogin"}


class Session:
    """A client for one target whose credentials can be got anew."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._expires_at: datetime | None = None
        self._client: Any = None

    @property
    def can_refresh(self) -> bool:
        """Whether asking again may give other credentials (a plugin, a token file)."""
        user = self._target.user
        return bool(user.get("tokenFile") or (user.get("exec") and not _is_identified(user)))

    def client(self, *, refresh: bool = False) -> Any:
        """The ``ApiClient``, with credentials that have not expired. Raises ClusterError."""
        expired = self._expires_at is not None and self._expires_at <= datetime.now(UTC)
        if self._client is None or refresh or expired:
            self._client = self._connect()
        return self._client

    def _connect(self) -> Any:
        import urllib3
        from kubernetes.client import ApiClient

        user = self._with_credentials()
        configuration = _configuration(self._target.cluster, user)
        try:
            with warnings.catch_warnings():  # urllib3 warns of what the error says
                warnings.simplefilter("ignore")
                client = ApiClient(configuration)
        except ImportError as error:
            raise ClusterError(
                f"proxy-url {_without_secrets(configuration.proxy)}: SOCKS proxies need the package PySocks"
            ) from error
        except urllib3.exceptions.HTTPError as error:  # the only address that is parsed here
            raise ClusterError(f"the proxy {_without_secrets(configuration.proxy)} is no URL of a proxy") from error
        if not configuration.verify_ssl:  # the user asked for it: kubectl says nothing either
            urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)
        client.user_agent = "kubectl-llmfit"
        if configuration.host.startswith("https://"):
            client.rest_client.pool_manager.connection_pool_kw["ssl_context"] = _ssl_context(configuration)
        return client

    def _with_credentials(self) -> dict[str, Any]:
        user = dict(self._target.user)
        self._expires_at = None
        if user.get("tokenFile"):
            user["token"] = _token_of_file(str(user.pop("tokenFile")), user.get("token"))
        provider = (user.get("auth-provider") or {}).get("name")
        if provider and not _is_identified(user):
            user["auth-provider"] = _auth_provider(str(provider), user["auth-provider"])
        elif "auth-provider" in user:
            del user["auth-provider"]
        plugin = user.pop("exec", None)
        if plugin and not _is_identified(user):
            credential = run_exec_plugin(plugin, self._target.cluster, self._target.user_name)
            self._expires_at = credential.expires_at
            if credential.token:
                user["token"] = credential.token
            if credential.certificate and credential.key:
                user["client-certificate-data"] = _base64(credential.certificate)
                user["client-key-data"] = _base64(credential.key)
        return user


def impersonation(user: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The headers that make the server act as somebody else (client-go: transport.NewImpersonatingRoundTripper)."""
    if not user.get("as"):
        return []
    headers = [("Impersonate-User", str(user["as"]))]
    if user.get("as-uid"):
        headers.append(("Impersonate-Uid", str(user["as-uid"])))
    headers += [("Impersonate-Group", str(group)) for group in user.get("as-groups") or []]
    for key, values in (user.get("as-user-extra") or {}).items():
        headers += [(f"Impersonate-Extra-{quote(str(key), safe='')}", str(value)) for value in values or []]
    return headers


def _is_identified(user: Mapping[str, Any]) -> bool:
    return bool(user.get("token") or (user.get("username") and user.get("password")))


def _token_of_file(path: str, otherwise: object) -> str:
    try:
        with open(path, encoding="utf-8") as stream:
            token = stream.read().strip()
    except (OSError, UnicodeDecodeError) as error:
        if isinstance(otherwise, str) and otherwise:
            return otherwise
        raise ClusterError(f"unable to read tokenFile {path}: {getattr(error, 'strerror', 'not text')}") from error
    if not token:
        raise ClusterError(f"unable to read tokenFile {path}: the file is empty")
    return token


def _auth_provider(name: str, provider: Mapping[str, Any]) -> dict[str, Any]:
    if name in _REMOVED_PROVIDERS:
        raise ClusterError(
            f"The {name} auth plugin has been removed",
            f'use the "{_REMOVED_PROVIDERS[name]}" kubectl/client-go credential plugin instead',
        )
    if name != "oidc":
        raise ClusterError(f'no Auth Provider found for name "{name}"')
    config = provider.get("config") or {}
    if not isinstance(config, dict):
        raise ClusterError("config of the auth-provider oidc must be a map")
    config = dict(config)
    if not (config.get("idp-certificate-authority") or config.get("idp-certificate-authority-data")):
        # Without one the client would read the issuer's token endpoint from an unverified server. A file that does
        # not exist fails only where the token has to be renewed.
        config["idp-certificate-authority"] = _authorities_file() or ssl.get_default_verify_paths().openssl_cafile
    return {"name": name, "config": config}


def _authorities_file() -> str | None:
    """The system's authorities in one file: OpenSSL's own or SSL_CERT_FILE, else where Go, and so kubectl, looks.

    OpenSSL knows one place, compiled in: a folder on Debian, and in a frozen program that of the machine it was
    built on.
    """
    return ssl.get_default_verify_paths().cafile or next(filter(os.path.isfile, _AUTHORITIES_FILES), None)


def _configuration(cluster: Mapping[str, Any], user: Mapping[str, Any]) -> Any:
    from kubernetes.client import Configuration
    from kubernetes.config import load_kube_config_from_dict

    _require_files(cluster, user)
    configuration = Configuration(host=cluster["server"], proxy=cluster.get("proxy-url") or None)
    document = {
        "clusters": [{"name": "cluster", "cluster": {key: value for key, value in cluster.items() if value}}],
        "users": [{"name": "user", "user": {key: value for key, value in user.items() if value}}],
        "contexts": [{"name": "context", "context": {"cluster": "cluster", "user": "user"}}],
        "current-context": "context",
    }
    try:
        load: Any = load_kube_config_from_dict  # has no annotations
        load(document, client_configuration=configuration, persist_config=False)
    except Exception as error:  # the client raises whatever its parts raise; its words may quote credentials
        raise ClusterError(f"the credentials of the kubeconfig cannot be used ({type(error).__name__})") from error
    if user.get("auth-provider") and not configuration.api_key:
        # The client passes over an id-token that is no JWT, and would ask anonymously.
        raise ClusterError("oidc: the id-token of the kubeconfig is not a valid JWT")
    configuration.retries = False
    if cluster.get("proxy-url"):
        configuration.no_proxy = None  # the kubeconfig beats the environment
    elif _is_loopback(cluster["server"]):
        configuration.proxy = None  # as Go's ProxyFromEnvironment
    return configuration


def _is_loopback(server: str) -> bool:
    host = urlsplit(server).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _require_files(cluster: Mapping[str, Any], user: Mapping[str, Any]) -> None:
    for entry, keys in ((cluster, ("certificate-authority",)), (user, ("client-certificate", "client-key"))):
        for key in keys:
            path = entry.get(key)
            if not path or entry.get(f"{key}-data"):
                continue
            try:
                with open(path, "rb"):
                    pass
            except OSError as error:
                raise ClusterError(f"unable to read {key} {path}: {error.strerror}") from error


def _ssl_context(configuration: Any) -> ssl.SSLContext:
    """As urllib3 makes it, but for VERIFY_X509_STRICT: kubectl takes authorities without a key identifier."""
    from urllib3.util.ssl_ import create_urllib3_context

    context: ssl.SSLContext = create_urllib3_context(
        cert_reqs=ssl.CERT_REQUIRED if configuration.verify_ssl else ssl.CERT_NONE
    )
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    if configuration.verify_ssl and not configuration.ssl_ca_cert:
        context.load_default_certs()
        authorities = _authorities_file()
        if authorities:
            context.load_verify_locations(authorities)
    return context


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode("ascii")


def _without_secrets(url: object) -> str:
    return spaced(str(url).rpartition("@")[2])
