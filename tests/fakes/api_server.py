"""A loopback HTTPS server that answers like a kube-apiserver, or misbehaves.

Answers come from a table path -> object; a list is paged as the API pages it. ``fail`` puts faults before the
answers of a path, ``interfere`` before those of any request by its number. Bound to 127.0.0.1 on a free port; every
request is recorded.
"""

from __future__ import annotations

import gzip
import json
import ssl
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self
from urllib.parse import parse_qsl, urlsplit

FOLDER = Path(__file__).parent
CERTIFICATE = FOLDER / "server.crt"
KEY = FOLDER / "server.key"


@dataclass(frozen=True)
class Request:
    """What the server was asked."""

    method: str
    path: str
    query: dict[str, str]
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> list[str]:
        """All values of a header."""
        return [value for key, value in self.headers if key.lower() == name.lower()]


@dataclass(frozen=True)
class Reply:
    """One answer. ``keep`` cuts the body after so many bytes while Content-Length promises all of it (``chunked``:
    while no last chunk comes); ``drop`` closes the connection without a word; ``delay`` is seconds before each of
    ``pieces`` pieces of the body, ``wait`` before the status line."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})
    keep: int | None = None
    chunked: bool = False
    drop: bool = False
    wait: float = 0.0
    delay: float = 0.0
    pieces: int = 1


Answer = Reply | Callable[[Request], Any] | dict[str, Any]


def status(code: int, reason: str, message: str, **details: Any) -> dict[str, Any]:
    """A Status object as the API server writes it."""
    found = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure"}
    return {**found, "message": message, "reason": reason, "details": details, "code": code}


def failure(code: int, reason: str, message: str, headers: Mapping[str, str] | None = None, **details: Any) -> Reply:
    """A reply with a Status."""
    body = json.dumps(status(code, reason, message, **details)).encode()
    return Reply(code, body, {"Content-Type": "application/json", **(headers or {})})


def forbidden(resource: str, group: str = "resource.k8s.io", namespace: str | None = None) -> Reply:
    """403 on a list, in the API server's words."""
    where = f'in the namespace "{namespace}"' if namespace else "at the cluster scope"
    message = (
        f'{resource}{"." if group else ""}{group} is forbidden: User "jane" cannot list resource "{resource}" '
        f'in API group "{group}" {where}'
    )
    return failure(403, "Forbidden", message, group=group, kind=resource)


def expired() -> Reply:
    """410: the wanted resourceVersion is gone."""
    return failure(410, "Expired", "The provided resourceVersion is too old: 12 (current is 99)")


class FakeServer:
    """The server; use as a context manager."""

    def __init__(
        self,
        answers: Mapping[str, Answer],
        *,
        tls: bool = True,
        client_certificates: bool = False,
        certificate: Path = CERTIFICATE,
        resource_version: str = "100",
    ) -> None:
        self.answers: dict[str, Answer] = dict(answers)
        self.requests: list[Request] = []
        self.resource_version = resource_version
        self.largest_page: int | None = None  # items, whatever the limit that a request asks for
        self.interfere: Callable[[int, Request], Answer | None] = lambda _number, _request: None
        self._faults: dict[str, deque[Answer | None]] = defaultdict(deque)
        self._forever: dict[str, Answer] = {}
        self._lock = threading.Lock()
        server = self

        class Handler(_Handler):
            fake = server

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.tls = tls
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, KEY)
            if client_certificates:
                context.verify_mode = ssl.CERT_REQUIRED
                context.load_verify_locations(CERTIFICATE)
            self._http.socket = context.wrap_socket(self._http.socket, server_side=True, do_handshake_on_connect=False)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    @property
    def host(self) -> str:
        """Host and port."""
        return f"127.0.0.1:{self._http.server_address[1]}"

    @property
    def url(self) -> str:
        """The server's address."""
        return f"{'https' if self.tls else 'http'}://{self.host}"

    def fail(self, path: str, *faults: Answer | None) -> None:
        """The next requests to ``path`` get these, in order (None: the usual answer), later ones the usual."""
        self._faults[path].extend(faults)

    def always(self, path: str, fault: Answer) -> None:
        """Every request to ``path`` gets this."""
        self._forever[path] = fault

    def asked(self, path: str) -> list[Request]:
        """The requests to ``path``, in order."""
        return [request for request in self.requests if request.path == path]

    def answer(self, request: Request) -> Reply:
        """What to reply, by the tables."""
        with self._lock:
            self.requests.append(request)
            queue = self._faults[request.path]
            answer = queue.popleft() if queue else None
            answer = answer or self.interfere(len(self.requests), request)
        answer = answer or self._forever.get(request.path) or self.answers.get(request.path)
        if callable(answer):
            answer = answer(request)
        if isinstance(answer, Reply):
            return answer
        if answer is None:
            return failure(404, "NotFound", "the server could not find the requested resource")
        if str(answer.get("kind")).endswith("List") and "items" in answer and request.method == "GET":
            return self._page(answer, request)
        return Reply(200, json.dumps(answer).encode())

    def _page(self, whole: dict[str, Any], request: Request) -> Reply:
        wanted = request.query.get("resourceVersion")
        if request.query.get("continue") and wanted:
            return failure(400, "BadRequest", "specifying resource version is not allowed when using continue")
        if wanted not in (None, self.resource_version):
            return expired()
        items = whole["items"] or []
        start = int(request.query.get("continue", "from-0").removeprefix("from-"))
        asked = int(request.query.get("limit") or len(items) or 1)
        end = start + min(asked, self.largest_page or asked)
        metadata = {"resourceVersion": self.resource_version}
        if end < len(items):
            metadata |= {"continue": f"from-{end}", "remainingItemCount": str(len(items) - end)}
        page = {**whole, "metadata": metadata, "items": items[start:end] if whole["items"] else whole["items"]}
        return _compressed(json.dumps(page).encode(), request)


def _compressed(body: bytes, request: Request) -> Reply:
    if "gzip" not in ",".join(request.header("Accept-Encoding")):
        return Reply(200, body)
    return Reply(200, gzip.compress(body), {"Content-Type": "application/json", "Content-Encoding": "gzip"})


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body are two writes
    fake: FakeServer

    def do_GET(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        parts = urlsplit(self.path)
        request = Request(
            self.command,
            parts.path,
            dict(parse_qsl(parts.query, keep_blank_values=True)),
            list(self.headers.items()),
            self.rfile.read(length),
        )
        self._send(self.fake.answer(request))

    def do_PATCH(self) -> None:
        self.do_GET()

    def do_POST(self) -> None:
        self.do_GET()

    def _send(self, reply: Reply) -> None:
        time.sleep(reply.wait)
        if reply.drop:
            self.close_connection = True
            return
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        if reply.chunked:
            self.send_header("Transfer-Encoding", "chunked")
        else:
            self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        body = reply.body if reply.keep is None else reply.body[: reply.keep]
        size = max(1, -(-len(body) // reply.pieces))
        for start in range(0, len(body), size):
            time.sleep(reply.delay)
            piece = body[start : start + size]
            self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n" if reply.chunked else piece)
        if reply.keep is not None:
            self.close_connection = True
        elif reply.chunked:
            self.wfile.write(b"0\r\n\r\n")

    def handle(self) -> None:
        try:
            super().handle()
        except (ssl.SSLError, ConnectionError):
            self.close_connection = True  # the client went away, or did not trust us

    def log_message(self, *_: object) -> None:
        """The test's own output is enough."""
