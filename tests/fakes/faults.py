"""What a server, or something on the way to it, may answer instead of the answer: every kind of fault by name.

``PASSING`` are those that another attempt may get over; a program that gives up on one of the others is right, too.
"""

from __future__ import annotations

import gzip
import json
from typing import Any

from fakes.api_server import Answer, Reply, Request, expired, failure, forbidden

HTML = {"Content-Type": "text/html"}
NODE_LIST = {"kind": "NodeList", "apiVersion": "v1", "metadata": {"resourceVersion": "100"}}


def _json(document: Any) -> Reply:
    return Reply(200, json.dumps(document).encode())


def _other_item(request: Request) -> Reply:
    """A list of the right kind with something else in it."""
    resource = request.path.rpartition("/")[2]
    kinds = {
        "nodes": ("NodeList", "v1"),
        "resourceslices": ("ResourceSliceList", "resource.k8s.io/v1"),
        "deviceclasses": ("DeviceClassList", "resource.k8s.io/v1"),
        "resourceclaims": ("ResourceClaimList", "resource.k8s.io/v1"),
        "devicetaintrules": ("DeviceTaintRuleList", "resource.k8s.io/v1"),
    }
    kind, version = kinds.get(resource, ("NodeList", "v1"))
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x"}}
    return _json({"kind": kind, "apiVersion": version, "metadata": {"resourceVersion": "100"}, "items": [pod]})


PASSING: dict[str, Answer] = {
    "429": failure(429, "TooManyRequests", "too many requests, please try again later"),
    "429 with Retry-After": failure(429, "TooManyRequests", "later", {"Retry-After": "3"}),
    "500": failure(500, "InternalError", "etcdserver: request timed out"),
    "502 of a proxy": Reply(502, b"<html>Bad Gateway</html>", HTML),
    "503": failure(503, "ServiceUnavailable", "apiserver is shutting down"),
    "504": failure(504, "Timeout", "the request did not complete within the allotted time"),
    "dropped": Reply(drop=True),
    "truncated": Reply(200, json.dumps({**NODE_LIST, "items": [{}] * 20}).encode(), keep=60),
    "truncated in chunks": Reply(200, json.dumps({**NODE_LIST, "items": [{}] * 20}).encode(), keep=60, chunked=True),
    "JSON that stops": Reply(200, b'{"kind": "NodeList", "apiVersion": "v1", "items": [{"meta'),
}
LASTING: dict[str, Answer] = {
    "400": failure(400, "BadRequest", "continue key is not valid"),
    "401": failure(401, "Unauthorized", "Unauthorized"),
    "403": forbidden("things"),
    "403 of a proxy": Reply(403, b"<html>blocked</html>", HTML),
    "404": failure(404, "NotFound", "the server could not find the requested resource"),
    "405": failure(405, "MethodNotAllowed", "no"),
    "406": failure(406, "NotAcceptable", "no"),
    "410": expired(),
    "418": Reply(418, b"", {}),
    "429 for a day": failure(429, "TooManyRequests", "tomorrow", {"Retry-After": "86400"}),
    "login page": Reply(200, b"<html>sign in</html>", HTML),
    "empty body": Reply(200, b""),
    "null": Reply(200, b"null"),
    "a list": Reply(200, b"[]"),
    "a number": Reply(200, b"5"),
    "NaN": Reply(200, b'{"kind": NaN}'),
    "binary": Reply(200, b"\x00\xff\xfe\x80"),
    "not UTF-8": Reply(200, b'{"kind": "\xff"}'),
    "not gzip": Reply(200, b"{}", {"Content-Type": "application/json", "Content-Encoding": "gzip"}),
    "half a gzip": Reply(200, gzip.compress(b'{"kind": "NodeList"}' * 99)[:40], {"Content-Encoding": "gzip"}),
    "nested": Reply(200, b'{"a":' * 100_000),
    "another kind": _json({**NODE_LIST, "kind": "PodList", "items": []}),
    "another version": lambda request: _json(
        {"kind": f"{request.path.rpartition('/')[2]}List", "apiVersion": "example.com/v9", "items": []}
    ),
    "success": _json({"kind": "Status", "apiVersion": "v1", "status": "Success"}),
    "another kind of item": _other_item,
    "items of another type": _json({**NODE_LIST, "items": {"a": 1}}),
    "metadata of another type": _json({"kind": "NodeList", "apiVersion": "v1", "metadata": [], "items": []}),
    "redirect": Reply(302, b"", {"Location": "https://login.example/"}),
    "redirect without a place": Reply(307, b"", {}),
    "huge": Reply(200, b" " * (2 << 20), chunked=True),
}
EVERY: dict[str, Answer] = {**PASSING, **LASTING}
