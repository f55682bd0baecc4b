"""A loopback HTTP proxy: tunnels CONNECT and remembers what it was asked."""

from __future__ import annotations

import contextlib
import select
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self


class FakeProxy:
    """The proxy; use as a context manager. ``asked`` are (host:port, Proxy-Authorization) of each CONNECT.

    ``reach`` sends every tunnel to one address, whatever name is asked for.
    """

    def __init__(self, reach: str) -> None:
        self.asked: list[tuple[str, str | None]] = []
        host, _, port = reach.rpartition(":")
        proxy, address = self, (host, int(port))

        class Handler(BaseHTTPRequestHandler):
            def do_CONNECT(self) -> None:
                proxy.asked.append((self.path, self.headers.get("Proxy-Authorization")))
                with socket.create_connection(address) as server:
                    self.send_response(200, "Connection established")
                    self.end_headers()
                    _tunnel(self.connection, server)
                self.close_connection = True

            def log_message(self, *_: object) -> None:
                """The test's own output is enough."""

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
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


def _tunnel(one: socket.socket, other: socket.socket) -> None:
    ends = {one: other, other: one}
    with contextlib.suppress(OSError):
        while True:
            for end in select.select(list(ends), [], [])[0]:
                data = end.recv(1 << 16)
                if not data:
                    return
                ends[end].sendall(data)
