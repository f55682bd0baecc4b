"""What a failed request or a refused answer is called: kubectl's own words, on one line.

Owns the texts of k8s.io/kubectl/pkg/cmd/util (checkErr, StandardErrorMessage) and of apimachinery's
NewGenericServerResponse. Must not raise network errors itself, and never puts a URL's user part, a header
or a body that the server did not mean for a reader into a message.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..errors import ClusterError
from ..escapes import spaced

# As much of an unstructured body as client-go keeps (rest.maxUnstructuredResponseTextBytes).
_LONGEST_BODY = 2048

# Reason and message of an answer without a Status (apimachinery 0.37: NewGenericServerResponse).
_GENERIC: Mapping[int, tuple[str, str]] = {
    400: ("BadRequest", "the server rejected our request for an unknown reason"),
    401: ("Unauthorized", "the server has asked for the client to provide credentials"),
    404: ("NotFound", "the server could not find the requested resource"),
    405: ("MethodNotAllowed", "the server does not allow this method on the requested resource"),
    409: ("Conflict", "the server reported a conflict"),
    422: ("Invalid", "the server rejected our request due to an error in our request"),
    429: (
        "TooManyRequests",
        "the server has received too many requests and has asked us to try again later",
    ),
    503: ("ServiceUnavailable", "the server is currently unable to handle the request"),
    504: (
        "Timeout",
        "the server was unable to return a response in the time allotted, but may still be processing the request",
    ),
}
# Codes whose server text is worth keeping (who may do what, which media types exist).
_GENERIC_WITH_TEXT: Mapping[int, str] = {403: "Forbidden", 406: "NotAcceptable", 415: "UnsupportedMediaType"}


class ServerError(ClusterError):
    """The API server answered with an error.

    ``code`` is the HTTP status, ``reason`` the Status' reason ("Forbidden", "Expired", …), ``status`` the
    Status object (empty when the body was none), ``detail`` its message without kubectl's beginning.
    """

    def __init__(self, code: int, reason: str, detail: str, status: Mapping[str, Any]) -> None:
        super().__init__(_as_kubectl(reason, detail, status))
        self.code = code
        self.reason = reason
        self.detail = spaced(detail)
        self.status = status

    @property
    def causes(self) -> tuple[str, ...]:
        """The reasons of the Status' causes, e.g. ``ResourceVersionTooLarge``."""
        return tuple(str(cause.get("reason")) for cause in _causes(self.status))


class UnreachableError(ClusterError):
    """No usable answer came; ``dropped`` when the connection broke and the same request may be tried again."""

    def __init__(self, message: str, *, dropped: bool = False, hint: str | None = None) -> None:
        super().__init__(spaced(message), hint)
        self.dropped = dropped


def server_error(code: int, body: bytes, request: str) -> ServerError:
    """The error of an answer with status ``code``; ``request`` says what was asked, as ``get nodes``."""
    status = _status_of(body)
    if status:
        reason = str(status.get("reason") or "")
        return ServerError(code, reason, str(status.get("message") or "unknown"), status)
    text = spaced(body[:_LONGEST_BODY].decode("utf-8", "replace")) or "unknown"
    reason, message = _generic(code, text)
    return ServerError(code, reason, f"{message} ({request})", {})


def _generic(code: int, text: str) -> tuple[str, str]:
    if code in _GENERIC:
        return _GENERIC[code]
    if code in _GENERIC_WITH_TEXT:
        return _GENERIC_WITH_TEXT[code], text
    if code >= 500:
        quoted = json.dumps(text, ensure_ascii=False)
        return "InternalError", f"an error on the server ({quoted}) has prevented the request from succeeding"
    return "Unknown", f"the server responded with the status code {code} but did not return more information"


def _status_of(body: bytes) -> Mapping[str, Any]:
    try:
        status = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return status if isinstance(status, dict) and status.get("kind") == "Status" else {}


def _causes(status: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    details = status.get("details")
    causes = details.get("causes") if isinstance(details, dict) else None
    return [cause for cause in causes if isinstance(cause, dict)] if isinstance(causes, list) else []


def _as_kubectl(reason: str, detail: str, status: Mapping[str, Any]) -> str:
    if reason == "Unauthorized":
        return spaced(f"You must be logged in to the server ({detail})")
    if reason == "Invalid" and status:
        return spaced(_invalid(detail, status))
    return spaced(f"Error from server ({reason}): {detail}" if reason else f"Error from server: {detail}")


def _invalid(detail: str, status: Mapping[str, Any]) -> str:
    details = status.get("details")
    if not isinstance(details, dict) or not (details.get("kind") or details.get("name")):
        return f"The request is invalid: {detail}"
    beginning = f'The {details.get("kind", "")} "{details.get("name", "")}" is invalid'
    causes = dict.fromkeys(f"{cause.get('field')}: {cause.get('message')}" for cause in _causes(status))
    return f"{beginning}: {', '.join(causes)}" if causes else beginning
