"""One HTTP request to the API server: bytes out, bytes in, errors in kubectl's words.

Owns time limits, the size limit, redirects (refused) and the translation of urllib3's and ssl's exceptions.
Must not know any API object and must not try again: ``connection`` decides that. Connections, TLS and proxies are
the kubernetes client's (``rest_client``); its generated methods are not used: they drop unknown fields, read bodies
without a limit of size or time, and raise errors that no kubectl user knows.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

from ..errors import ClusterError
from ..escapes import spaced
from .credentials import Session
from .kubeconfig import Target
from .words import UnreachableError

# client-go's dialer gives up after 30 s (net.Dialer in rest and exec transports).
_CONNECT_SECONDS = 30.0
_LARGEST_BODY = 1 << 30
_CHUNK = 1 << 16
_SHORTEST_SECONDS = 0.001  # urllib3 takes no limit of nothing
_WARNING = re.compile(r'(\d{3}) \S+ "((?:[^"\\]|\\.)*)"')
_ESCAPED = re.compile(r"\\(.)")


@dataclass(frozen=True, slots=True)
class Call:
    """One request; ``params`` in the order they are sent, ``largest`` the bytes that its answer may have."""

    method: str
    path: str
    params: Mapping[str, str] = field(default_factory=dict)
    body: str | None = None
    content_type: str | None = None
    largest: int = _LARGEST_BODY


class TooLargeError(ClusterError):
    """An answer that is larger than it may be; the rest of it was not read."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The status, the headers (lower-case names), the whole, decoded body, and what the server warns of."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    warnings: tuple[str, ...] = ()


class Transport:
    """Sends requests to one server, as one user."""

    def __init__(
        self,
        target: Target,
        environ: Mapping[str, str] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._target = target
        self._session = Session(target, environ)
        self._clock = clock

    @property
    def server(self) -> str:
        """The server's host and port, for messages."""
        parts = urlsplit(self._target.cluster["server"])
        return parts.netloc.rpartition("@")[2] or self._target.cluster["server"]

    @property
    def _name(self) -> str:
        """The name that the server's certificate must have."""
        cluster = self._target.cluster
        return str(cluster.get("tls-server-name") or self._host)

    @property
    def _host(self) -> str:
        return urlsplit(self._target.cluster["server"]).hostname or ""

    def send(self, call: Call, timeout: float | None = None) -> Answer:
        """Send ``call``; with credentials that can be renewed, once more after a 401. Raises ClusterError.

        ``timeout`` (seconds) covers everything up to the end of the body.
        """
        deadline = None if timeout is None else self._clock() + timeout
        answer = self._send(call, deadline, refresh=False)
        if answer.status == 401 and self._session.can_refresh:
            answer = self._send(call, deadline, refresh=True)
        return answer

    def _send(self, call: Call, deadline: float | None, *, refresh: bool) -> Answer:
        import urllib3
        from kubernetes.client.exceptions import ApiException

        client = self._session.client(refresh=refresh)
        left = None if deadline is None else max(deadline - self._clock(), _SHORTEST_SECONDS)
        try:
            response = client.rest_client.request(
                call.method,
                self._url(call),
                headers=self._headers(client, call),
                body=call.body,
                _request_timeout=(min(_CONNECT_SECONDS, left or _CONNECT_SECONDS), left),
            ).response
            body = self._read(response, call.largest, deadline)
        except (urllib3.exceptions.HTTPError, ApiException, OSError) as error:
            raise self._unreachable(error) from error
        except (ValueError, UnicodeError) as error:  # a header or URL that HTTP cannot carry; may hold a token
            raise ClusterError("the kubeconfig's server, user or token cannot be sent in a request") from error
        headers = {str(name).lower(): str(value) for name, value in response.headers.items()}
        if 300 <= response.status < 400:
            raise UnreachableError(_redirected(self.server, response.status, headers.get("location", "")))
        body = body if response.status < 300 else self._session.without_secrets(body)
        return Answer(int(response.status), headers, body, _warnings(response.headers.getlist("warning")))

    def _url(self, call: Call) -> str:
        query = f"?{urlencode(call.params)}" if call.params else ""
        return f"{self._target.cluster['server']}{call.path}{query}"

    def _headers(self, client: Any, call: Call) -> Any:
        from urllib3 import HTTPHeaderDict
        from urllib3.util import SKIP_HEADER

        headers = HTTPHeaderDict(client.default_headers)
        headers["Accept"] = "application/json"
        headers["Accept-Encoding"] = SKIP_HEADER if self._target.cluster.get("disable-compression") else "gzip"
        if call.content_type:
            headers["Content-Type"] = call.content_type
        for name, value in self._session.headers():
            headers.add(name, value)
        return headers

    def _read(self, response: Any, largest: int, deadline: float | None) -> bytes:
        pieces: list[bytes] = []
        total = 0
        try:
            while piece := response.read1(_CHUNK):
                pieces.append(piece)
                total += len(piece)
                self._refuse_excess(total, largest, deadline)
        except BaseException:
            response.close()
            raise
        response.release_conn()
        return b"".join(pieces)

    def _refuse_excess(self, total: int, largest: int, deadline: float | None) -> None:
        if total > largest:
            raise TooLargeError(f"the answer of the server {self.server} is larger than {largest} bytes")
        if deadline is not None and self._clock() > deadline:
            raise UnreachableError(_timed_out("while reading body"))

    def _unreachable(self, error: Exception) -> ClusterError:
        """kubectl's words for what went wrong below HTTP."""
        import ssl

        from urllib3 import exceptions

        chain = _chain(error)
        text = spaced(str(error))
        if any(isinstance(link, exceptions.ProxyError) for link in chain):
            proxy = urlsplit(self._session.proxy or "")
            return UnreachableError(
                f"Unable to connect to the server: proxyconnect tcp: the proxy {proxy.hostname}:{proxy.port} failed"
            )
        if any(isinstance(link, ConnectionRefusedError) for link in chain):
            return UnreachableError(
                f"The connection to the server {self.server} was refused - did you specify the right host or port?"
            )
        if any(isinstance(link, exceptions.NameResolutionError) for link in chain):
            return UnreachableError(f"Unable to connect to the server: dial tcp: lookup {self._host}: no such host")
        if any(isinstance(link, ssl.SSLError | exceptions.SSLError) for link in chain) or "SSLError" in text:
            return UnreachableError(f"Unable to connect to the server: {_tls(text, self._name)}")
        if any(isinstance(link, exceptions.ConnectTimeoutError) for link in chain):
            return UnreachableError(f"Unable to connect to the server: dial tcp {self.server}: i/o timeout")
        if any(isinstance(link, exceptions.ReadTimeoutError | TimeoutError) for link in chain):
            return UnreachableError(_timed_out("while awaiting headers"))
        if any(isinstance(link, exceptions.DecodeError) for link in chain):
            return UnreachableError(f"the answer of the server {self.server} is not what its Content-Encoding says")
        if any(isinstance(link, exceptions.ProtocolError | ConnectionError) for link in chain):
            return UnreachableError("Unable to connect to the server: the connection broke: EOF", dropped=True)
        return UnreachableError(f"Unable to connect to the server: {_last_words(chain)}")


def _warnings(headers: list[str]) -> tuple[str, ...]:
    """The texts of Warning headers (RFC 7234, 5.5), of the one code that API servers use (NewWarningHeader)."""
    return tuple(
        _ESCAPED.sub(r"\1", text) for header in headers for code, text in _WARNING.findall(header) if code == "299"
    )


def _chain(error: BaseException) -> list[BaseException]:
    links: list[BaseException] = []
    link: BaseException | None = error
    while link is not None and link not in links:
        links.append(link)
        link = link.__cause__ or link.__context__
    return links


def _last_words(chain: list[BaseException]) -> str:
    for link in reversed(chain):
        if isinstance(link, OSError) and link.strerror:
            return spaced(link.strerror).lower()
    return type(chain[0]).__name__


def _timed_out(when: str) -> str:
    return (
        "Unable to connect to the server: net/http: request canceled "
        f"(Client.Timeout exceeded {when}): --request-timeout is over"
    )


def _redirected(server: str, status: int, location: str) -> str:
    where = urlsplit(location).netloc.rpartition("@")[2]
    return f"the server {server} redirects ({status}) to {where or 'another path'}: it is not a Kubernetes API server"


def _tls(text: str, name: str) -> str:
    """The Go wording of an ssl module message."""
    verify = "tls: failed to verify certificate: x509: "
    if "self-signed" in text or "self signed" in text or "unable to get" in text:
        return f"{verify}certificate signed by unknown authority"
    if "certificate has expired" in text or "not yet valid" in text:
        return f"{verify}certificate has expired or is not yet valid"
    if "mismatch" in text.lower() or "doesn't match" in text:
        return f"{verify}certificate is not valid for {name}"
    if "WRONG_VERSION_NUMBER" in text or "HTTP_REQUEST" in text or "record layer failure" in text.lower():
        return "http: server gave HTTP response to HTTPS client"
    if "PEM" in text or "NO_CERTIFICATE_OR_CRL" in text or "no start line" in text:
        return "tls: failed to find any PEM data in a certificate or key of the kubeconfig"
    if "KEY_VALUES_MISMATCH" in text:
        return "tls: private key does not match public key"
    return f"tls: {text.rpartition('SSLError')[2].strip(' :') or text}"
