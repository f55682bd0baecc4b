"""Which proxy a request takes, as Go's ProxyFromEnvironment decides it (golang.org/x/net/http/httpproxy 0.61).

The Python client takes HTTP_PROXY for HTTPS servers too and knows other rules for NO_PROXY, so it is not asked. Must
not connect to anything.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from urllib.parse import unquote, urlsplit

SCHEMES = ("http", "https", "socks5", "socks5h")
_PORTS = {"http": 80, "https": 443}


def proxy_from_environment(server: str, environ: Mapping[str, str]) -> str | None:
    """The URL of the proxy for requests to ``server`` (an http or https URL), None for none."""
    parts = urlsplit(server)
    name = "HTTPS_PROXY" if parts.scheme == "https" else "HTTP_PROXY"
    proxy = environ.get(name) or environ.get(name.lower()) or ""
    host, port = (parts.hostname or "").rstrip("."), parts.port or _PORTS.get(parts.scheme, 0)
    exceptions = environ.get("NO_PROXY") or environ.get("no_proxy") or ""
    if not proxy or _is_local(host) or _is_excepted(host, port, exceptions):
        return None
    return proxy if proxy.partition("://")[0].lower() in SCHEMES and "://" in proxy else f"http://{proxy}"


def proxy_credentials(proxy: str) -> str | None:
    """``user:password`` of a proxy's URL, for Proxy-Authorization."""
    user, found, _ = urlsplit(proxy).netloc.rpartition("@")
    name, _, password = user.partition(":")
    return f"{unquote(name)}:{unquote(password)}" if found else None


def _is_local(host: str) -> bool:
    address = _address(host)
    return host == "localhost" or (address is not None and address.is_loopback)


def _is_excepted(host: str, port: int, exceptions: str) -> bool:
    return any(_matches(entry.strip().lower(), host, port) for entry in exceptions.split(","))


def _matches(entry: str, host: str, port: int) -> bool:
    """One entry of NO_PROXY: ``*``, an address or a range, a domain (with a leading dot or ``*.``: below it only)."""
    if not entry or entry == "*":
        return bool(entry)
    address = _address(host)
    network = _network(entry)
    if network is not None:
        return address is not None and address in network
    entry_host, entry_port = _split_port(entry)
    if entry_port is not None and entry_port != port:
        return False
    if _address(entry_host) is not None:
        return address == _address(entry_host)
    if not entry_host or address is not None:
        return False
    domain = entry_host.removeprefix("*")
    return host.endswith(domain) if domain.startswith(".") else host == domain or host.endswith(f".{domain}")


def _split_port(entry: str) -> tuple[str, int | None]:
    host, colon, port = entry.rpartition(":")
    if colon and port.isascii() and port.isdecimal() and (":" not in host or host.startswith("[")):
        return host.strip("[]"), int(port[:9])
    return entry.strip("[]"), None


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


def _network(entry: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network | None:
    try:
        return ipaddress.ip_network(entry, strict=False) if "/" in entry else None
    except ValueError:
        return None
