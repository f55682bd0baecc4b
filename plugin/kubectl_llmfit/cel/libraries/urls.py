"""Kubernetes' URL library: url('https://…') and what can be asked of it.

Owns the functions over URL (apiserver 0.37: pkg/cel/library/urls.go). Must not parse URLs: the value type does.
"""

from __future__ import annotations

from typing import Final

from ..errors import CelRuntimeError
from ..functions import Function, Implementation, Overload
from ..types import BOOL, STRING, URL, ListType, MapType, Type
from ..url import Url, UrlError, check_request_uri


def url(text: str) -> Url:
    """``url('https://example.com/a?b')``: absolute URLs and paths only."""
    try:
        return Url.parse(text)
    except UrlError as error:
        raise CelRuntimeError(f"URL parse error during conversion from string: {error}") from None


def is_url(text: str) -> bool:
    """Whether the text is an absolute URL or path."""
    try:
        check_request_uri(text)
    except UrlError:
        return False
    return True


def _part(name: str, id_: str, run: Implementation, result: Type = STRING) -> Function:
    return Function(name, (Overload(id_, (URL,), result, member=True, run=run),))


FUNCTIONS: Final = (
    Function("url", (Overload("string_to_url", (STRING,), URL, run=url),)),
    Function("isURL", (Overload("is_url_string", (STRING,), BOOL, run=is_url),)),
    _part("getScheme", "url_get_scheme", lambda value: value.scheme),
    _part("getHost", "url_get_host", lambda value: value.host_text),
    _part("getHostname", "url_get_hostname", lambda value: value.hostname),
    _part("getPort", "url_get_port", lambda value: value.port),
    _part("getEscapedPath", "url_get_escaped_path", lambda value: value.escaped_path),
    _part("getQuery", "url_get_query", Url.query_values, MapType(STRING, ListType(STRING))),
)
