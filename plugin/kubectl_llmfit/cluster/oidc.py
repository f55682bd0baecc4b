"""The auth provider ``oidc`` of a kubeconfig: its id-token, renewed by the refresh token when it has expired.

Rules and words: client-go 0.37, plugin/pkg/client/auth/oidc. kubectl writes renewed tokens into the kubeconfig; this
program never writes there, and keeps them for the run. The issuer's certificate is always verified. No token is
shown.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from ..errors import ClusterError
from ..escapes import spaced
from ..files import LARGEST_FILE
from .proxies import proxy_from_environment
from .tls import decoded, trust, trust_system

# client-go's expiryDelta: a token that ends sooner is no longer used.
_SPARE = timedelta(seconds=10)
_SECONDS = 30.0
_LARGEST_ANSWER = 1 << 20


class OidcTokens:
    """The tokens of one user for the length of a run."""

    def __init__(self, config: Mapping[str, Any], environ: Mapping[str, str]) -> None:
        self._config = {key: value for key, value in config.items() if isinstance(value, str)}
        self._environ = environ
        for required in ("idp-issuer-url", "client-id"):
            if not self._config.get(required):
                raise ClusterError(f"Must provide {required}")

    def id_token(self, now: datetime) -> tuple[str, datetime]:
        """An id-token and the moment from which it is no longer used. Raises ClusterError."""
        token = self._config.get("id-token")
        if token:
            until = _expiry(token) - _SPARE
            if now < until:
                return token, until
        self._refresh()
        token = self._config["id-token"]
        return token, _expiry(token) - _SPARE

    def _refresh(self) -> None:
        refresh_token = self._config.get("refresh-token")
        if not refresh_token:
            raise _failure("No valid id-token, and cannot refresh without refresh-token")
        issuer = self._config["idp-issuer-url"].removesuffix("/")
        found = self._ask(
            "GET", f"{issuer}/.well-known/openid-configuration", "oidc: failed to query metadata endpoint"
        )
        endpoint = found.get("token_endpoint")
        if not isinstance(endpoint, str) or not endpoint.startswith("https://"):
            raise _failure("oidc: discovery object doesn't contain a token_endpoint")
        answer = self._ask("POST", endpoint, "failed to refresh token", self._grant(refresh_token))
        if not isinstance(answer.get("id_token"), str):
            raise _failure("token response did not contain an id_token")
        self._config["id-token"] = answer["id_token"]
        if isinstance(answer.get("refresh_token"), str):
            self._config["refresh-token"] = answer["refresh_token"]

    def _grant(self, refresh_token: str) -> dict[str, str]:
        grant = {"grant_type": "refresh_token", "refresh_token": refresh_token, "client_id": self._config["client-id"]}
        secret = self._config.get("client-secret")
        return {**grant, "client_secret": secret} if secret else grant

    def _ask(self, method: str, url: str, failed: str, form: Mapping[str, str] | None = None) -> dict[str, Any]:
        import urllib3

        if not url.startswith("https://"):
            raise _failure(f"oidc: the issuer {spaced(url)} is not reached by https")
        headers = {"Content-Type": "application/x-www-form-urlencoded"} if form else {}
        try:
            with self._pool(url) as pool:
                response = pool.request(
                    method,
                    url,
                    body=urlencode(form) if form else None,
                    headers=headers,
                    timeout=_SECONDS,
                    retries=False,
                    redirect=False,
                    preload_content=False,
                )
                body = response.read(_LARGEST_ANSWER)
        except (urllib3.exceptions.HTTPError, OSError, ValueError) as error:
            raise _failure(f"{failed}: {type(error).__name__}") from error
        try:
            answer = json.loads(body)
        except (ValueError, RecursionError):
            answer = None
        if response.status != 200 or not isinstance(answer, dict):
            reason = answer.get("error") if isinstance(answer, dict) else None
            said = f": {spaced(str(reason))[:80]}" if reason else ""
            raise _failure(f"{failed}: status {response.status}{said}")
        return answer

    def _pool(self, url: str) -> Any:
        import urllib3
        from urllib3.util.ssl_ import create_urllib3_context

        context = create_urllib3_context()
        data = self._config.get("idp-certificate-authority-data")
        file = self._config.get("idp-certificate-authority")
        if data:
            trust(context, decoded(data, "idp-certificate-authority-data"))
        elif file:
            try:
                with open(file, "rb") as stream:
                    trust(context, stream.read(LARGEST_FILE))
            except OSError as error:
                raise ClusterError(f"unable to read idp-certificate-authority {file}: {error.strerror}") from error
        else:
            trust_system(context)
        proxy = proxy_from_environment(url, self._environ)
        return urllib3.ProxyManager(proxy, ssl_context=context) if proxy else urllib3.PoolManager(ssl_context=context)


def _expiry(token: str) -> datetime:
    """When a JWT ends; one that does not say so has ended (Go's zero time). Raises ClusterError."""
    parts = token.split(".")
    if len(parts) != 3:
        raise _failure("ID Token is not a valid JWT")
    try:
        claims = json.loads(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
        return datetime.fromtimestamp(int(claims.get("exp", 0)), UTC)
    except (ValueError, TypeError, AttributeError, OverflowError, OSError, RecursionError) as error:
        raise _failure("parsing claims of the id-token: it is not a valid JWT") from error


def _failure(message: str) -> ClusterError:
    return ClusterError(f"Unable to connect to the server: {message}")
