"""A small HTTPS client of one API server, for the tests: JSON in, JSON out, one connection kept open.

The standard library only, so that what the tests do to the cluster shares no code with what they test.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import ssl
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Object = dict[str, Any]
Headers = dict[str, str]
JSON = "application/json"
MERGE_PATCH = "application/merge-patch+json"


class RefusedError(Exception):
    """The API server answered with an error status; ``code`` is the HTTP status."""

    def __init__(self, method: str, path: str, code: int, body: bytes) -> None:
        self.code = code
        try:
            words = json.loads(body)["message"]
        except (ValueError, KeyError, TypeError):
            words = body.decode(errors="replace")
        super().__init__(f"{method} {path}: {code}: {words}")


class MissingError(RefusedError):
    """The API server has no such object."""


class Client:
    """Requests to one API server as one user."""

    def __init__(self, host: str, port: int, ca_file: Path, token: str) -> None:
        self._token = token
        context = ssl.create_default_context(cafile=str(ca_file))
        self._connection = http.client.HTTPSConnection(host, port, context=context, timeout=30)

    def get(self, path: str) -> Object:
        """Read one object or list."""
        return self._json("GET", path)

    def find(self, path: str) -> Object | None:
        """Read one object; None when it is not there."""
        try:
            return self.get(path)
        except MissingError:
            return None

    def create(self, collection: str, thing: Mapping[str, Any]) -> Object:
        """POST an object to its collection."""
        return self._json("POST", collection, thing)

    def replace(self, path: str, thing: Mapping[str, Any]) -> Object:
        """PUT an object, or its ``/status``."""
        return self._json("PUT", path, thing)

    def patch(self, path: str, change: Mapping[str, Any]) -> Object:
        """Apply a JSON merge patch."""
        return self._json("PATCH", path, change, MERGE_PATCH)

    def delete(self, path: str) -> None:
        """Delete at once; an object that is not there is no error."""
        with contextlib.suppress(MissingError):
            self._json("DELETE", path, {"kind": "DeleteOptions", "apiVersion": "v1", "gracePeriodSeconds": 0})

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _json(self, method: str, path: str, body: Mapping[str, Any] | None = None, kind: str = JSON) -> Object:
        headers = {
            "Authorization": f"Bearer {self._token}",
            "Accept": JSON,
            "Content-Type": kind,
        }
        text = None if body is None else json.dumps(body).encode()
        code, answer = self._send(method, path, text, headers)
        if code == 404:
            raise MissingError(method, path, code, answer)
        if code >= 400:
            raise RefusedError(method, path, code, answer)
        document: Object = json.loads(answer)
        return document

    def _send(self, method: str, path: str, text: bytes | None, headers: Headers) -> tuple[int, bytes]:
        try:
            return self._send_once(method, path, text, headers)
        except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
            self._connection.close()  # an idle connection that the server gave up; the next request opens one
            return self._send_once(method, path, text, headers)

    def _send_once(self, method: str, path: str, text: bytes | None, headers: Headers) -> tuple[int, bytes]:
        self._connection.request(method, path, text, headers)
        response = self._connection.getresponse()
        return response.status, response.read()
