"""URLs, taken apart as Go takes them apart.

Owns the value type and its parsing with Go's words for what is wrong (Go 1.26: net/url). Parts are kept as
bytes, since escapes need not be UTF-8. Must not know functions.
"""

from __future__ import annotations

import re
from typing import Final

from .address import AddressError, parse_address
from .quoting import quoted
from .text import decoded, encoded

_ALPHANUMERIC: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
_UNRESERVED: Final = _ALPHANUMERIC | frozenset(b"-_.~")
# What stands unescaped, by part (encoding_table.go).
_PATH: Final = _UNRESERVED | frozenset(b"$&+,/:;=@")
_FRAGMENT: Final = _UNRESERVED | frozenset(b"!$&()*+,/:;=?@")
_USER: Final = _UNRESERVED | frozenset(b"$&+,;=")
_HOST: Final = _UNRESERVED | frozenset(b"!\"$&'()*+,:;<=>[]")
_LEFT_ALONE: Final = frozenset(b"!$&'()*+,;=:@[]%")
_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_CONTROL: Final = re.compile("[\x00-\x1f\x7f]")
_PORT: Final = re.compile("(?::[0-9]*)?")
_USER_INFO: Final = re.compile(r"[A-Za-z0-9._:~!$&'()*+,;=%@-]*")
_BAD_ESCAPE: Final = re.compile(rb"%(?![0-9A-Fa-f]{2})")
_ESCAPE: Final = re.compile(rb"%([0-9A-Fa-f]{2})")
_MAX_PARAMETERS: Final = 10_000


class UrlError(ValueError):
    """A text that is no URL."""


class Url:
    """A URL. ``str()`` puts it together again; URLs are equal when that is."""

    __slots__ = (
        "_path",
        "_raw_path",
        "fragment",
        "has_query",
        "host",
        "omits_host",
        "opaque",
        "query",
        "scheme",
        "user",
    )

    def __init__(self) -> None:
        self.scheme = ""
        self.opaque = ""
        self.user: bytes | None = None
        self.host = b""
        self.omits_host = False
        self._path = b""
        self._raw_path = b""
        self.query = ""
        self.has_query = False
        self.fragment = b""

    @classmethod
    def parse(cls, text: str) -> Url:
        """An absolute URL or path; UrlError in Go's words otherwise (apiserver: urls.go, stringToUrl)."""
        check_request_uri(text)
        before, _, fragment = text.partition("#")
        try:
            url = _parse(before, via_request=False)
        except UrlError as error:
            raise UrlError(f"parse {quoted(before)}: {error}") from None
        try:
            raw = encoded(fragment)
            plain = _unescape(raw)
        except UrlError as error:
            raise UrlError(f"parse {quoted(text)}: {error}") from None
        url.fragment = _keep_escapes(raw, plain, _FRAGMENT)
        return url

    @property
    def escaped_path(self) -> str:
        """The path, escaped as it was written where that is valid."""
        if self._path == b"*":
            return "*"
        return _keep_escapes(self._raw_path, self._path, _PATH).decode()

    @property
    def hostname(self) -> str:
        """The host without its port and brackets."""
        return decoded(self._host_and_port()[0])

    @property
    def port(self) -> str:
        """The port; nothing when there is none."""
        return decoded(self._host_and_port()[1])

    @property
    def host_text(self) -> str:
        """The host with its port."""
        return decoded(self.host)

    def _host_and_port(self) -> tuple[bytes, bytes]:
        host, colon, port = self.host.rpartition(b":")
        if not colon or not re.fullmatch(b"[0-9]*", port):
            host, port = self.host, b""
        return (host[1:-1] if host.startswith(b"[") and host.endswith(b"]") else host), port

    def query_values(self) -> dict[str, list[str]]:
        """The parameters of the query; those that are written wrongly are left out."""
        values: dict[str, list[str]] = {}
        parts = self.query.split("&")
        for part in parts if len(parts) <= _MAX_PARAMETERS else ():
            key, _, value = part.partition("=")
            try:
                texts = [decoded(_unescape(encoded(piece.replace("+", " ")))) for piece in (key, value)]
            except UrlError:
                continue
            if part and ";" not in part:
                values.setdefault(texts[0], []).append(texts[1])
        return values

    def set_path(self, raw: bytes) -> None:
        """Set the path from its written form."""
        self._path = _unescape(raw)
        self._raw_path = raw

    def __str__(self) -> str:
        text = f"{self.scheme}:" if self.scheme else ""
        if self.opaque:
            text += self.opaque
        else:
            path = self.escaped_path
            if (self.scheme or self.host or self.user is not None) and not (
                self.omits_host and not self.host and self.user is None
            ):
                text += "//" if self.host or self._path or self.user is not None else ""
                text += f"{self.user.decode()}@" if self.user is not None else ""
                text += _escape(self.host, _HOST).decode()
            text += path
        text += f"?{self.query}" if self.has_query or self.query else ""
        return f"{text}#{self.fragment.decode()}" if self.fragment else text


def check_request_uri(text: str) -> None:
    """Nothing when the text is an absolute URL or path (ParseRequestURI); else UrlError."""
    try:
        _parse(text, via_request=True)
    except UrlError as error:
        raise UrlError(f"parse {quoted(text)}: {error}") from None


def _parse(text: str, via_request: bool) -> Url:
    if _CONTROL.search(text):
        raise UrlError("net/url: invalid control character in URL")
    if not text and via_request:
        raise UrlError("empty url")
    url = Url()
    if text == "*":
        url.set_path(b"*")
        return url
    if text.startswith(":"):
        raise UrlError("missing protocol scheme")
    match = _SCHEME.match(text)
    url.scheme = match[1].lower() if match else ""
    rest, question, url.query = text[match.end() if match else 0 :].partition("?")
    url.has_query = bool(question) and not url.query
    if not rest.startswith("/"):
        if url.scheme:
            url.opaque = rest
            return url
        if via_request:
            raise UrlError("invalid URI for request")
        if ":" in rest.partition("/")[0]:
            raise UrlError("first path segment in URL cannot contain colon")
    if rest.startswith("//") and (url.scheme or (not via_request and not rest.startswith("///"))):
        authority, slash, path = rest[2:].partition("/")
        url.user, url.host = _authority(url.scheme, authority)
        rest = slash + path
    elif url.scheme and rest.startswith("/"):
        url.omits_host = True
    url.set_path(encoded(rest))
    return url


def _authority(scheme: str, authority: str) -> tuple[bytes | None, bytes]:
    """The user part, escaped anew, and the host."""
    info, at, host_text = authority.rpartition("@")
    host = _host(scheme, host_text)
    if not at:
        return None, host
    if not _USER_INFO.fullmatch(info):
        raise UrlError("net/url: invalid userinfo")
    parts = [_escape(_unescape(encoded(part)), _USER) for part in info.split(":", 1)]
    return b":".join(parts), host


def _host(scheme: str, text: str) -> bytes:
    bracket = text.rfind("[")
    if bracket > 0:
        raise UrlError("invalid IP-literal")
    if bracket == 0:
        return _literal_host(text)
    first, last = text.find(":"), text.rfind(":")
    if first >= 0:
        # Several hosts with ports are let pass, but not for the web.
        _check_port(text[first if scheme in ("http", "https") else last :])
    return _unescape_host(encoded(text))


def _check_port(text: str) -> None:
    if not _PORT.fullmatch(text):
        raise UrlError(f"invalid port {quoted(text)} after host")


def _literal_host(text: str) -> bytes:
    """An IPv6 address in brackets, perhaps with a zone behind ``%25``, and a port."""
    end = text.rfind("]")
    if end < 0:
        raise UrlError("missing ']' in host")
    _check_port(text[end + 1 :])
    name, percent, zone = text[1:end].partition("%25")
    host = _unescape_host(encoded(name)) + (_unescape_zone(encoded(percent + zone)) if percent else b"")
    try:
        packed, _ = parse_address(decoded(host))
    except AddressError as error:
        raise UrlError(f"invalid host: {error}") from None
    if len(packed) == 4:
        raise UrlError("invalid IP-literal")
    return b"[" + host + b"]" + encoded(text[end + 1 :])


def _unescape(data: bytes) -> bytes:
    bad = _BAD_ESCAPE.search(data)
    if bad is not None:
        raise _bad_escape(data[bad.start() : bad.start() + 3])
    return _ESCAPE.sub(lambda match: bytes([int(match[1], 16)]), data)


def _bad_escape(data: bytes) -> UrlError:
    return UrlError(f"invalid URL escape {quoted(decoded(data))}")


def _unescape_host(data: bytes) -> bytes:
    """Only what is beyond ASCII may be escaped, and the percent sign."""
    _check_host(data, lambda value, escape: value >= 0x80 or escape == b"%25")
    return _unescape(data)


def _unescape_zone(data: bytes) -> bytes:
    """What may stand in a host may be escaped, and spaces."""
    _check_host(data, lambda value, escape: escape == b"%25" or value == 0x20 or value in _HOST)
    return _unescape(data)


def _check_host(data: bytes, may_escape: object) -> None:
    assert callable(may_escape)
    place = 0
    while place < len(data):
        byte = data[place]
        if byte == 0x25:
            escape = data[place : place + 3]
            if not _ESCAPE.fullmatch(escape) or not may_escape(int(escape[1:], 16), escape):
                raise _bad_escape(escape)
            place += 3
            continue
        if byte < 0x80 and byte not in _HOST:
            raise UrlError(f"invalid character {quoted(chr(byte))} in host name")
        place += 1


def _escape(data: bytes, allowed: frozenset[int]) -> bytes:
    return b"".join(bytes([byte]) if byte in allowed else b"%%%02X" % byte for byte in data)


def _keep_escapes(raw: bytes, plain: bytes, allowed: frozenset[int]) -> bytes:
    """The written form where every byte of it may stand so; else the plain one escaped."""
    return raw if all(byte in allowed or byte in _LEFT_ALONE for byte in raw) else _escape(plain, allowed)
