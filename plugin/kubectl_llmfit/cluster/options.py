"""What the shared flags say about the connection, before any file is read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from ..errors import UsageError

_UNITS_SECONDS = {
    "ns": Fraction(1, 10**9),
    "us": Fraction(1, 10**6),
    "µs": Fraction(1, 10**6),
    "ms": Fraction(1, 1000),
    "s": Fraction(1),
    "m": Fraction(60),
    "h": Fraction(3600),
}
_LONGEST_SECONDS = 292 * 365 * 86400.0  # Go's longest duration; sockets take no longer one either
_DURATION = re.compile(r"[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|ms|s|m|h))+")
_PART = re.compile(r"(\d+\.?\d*|\.\d+)(ns|us|µs|ms|s|m|h)")


@dataclass(frozen=True, slots=True)
class ConnectionOptions:
    """kubectl's connection flags; ``None`` (or empty, or ``"0"``) means not given."""

    kubeconfig: str | None = None
    context: str | None = None
    cluster: str | None = None
    user: str | None = None
    server: str | None = None
    token: str | None = None
    as_user: str | None = None
    as_groups: tuple[str, ...] = ()
    as_uid: str | None = None
    as_user_extra: Mapping[str, list[str]] = field(default_factory=dict)
    namespace: str | None = None
    request_timeout: str = "0"
    certificate_authority: str | None = None
    client_certificate: str | None = None
    client_key: str | None = None
    insecure_skip_tls_verify: bool = False
    tls_server_name: str | None = None
    proxy_url: str | None = None
    disable_compression: bool = False
    username: str | None = None
    password: str | None = None


def parse_timeout(text: str) -> float | None:
    """``--request-timeout`` in seconds: a whole number of them, or a Go duration; 0, less and "" are no limit.

    Raises UsageError in kubectl's words (client-go: clientcmd.ParseTimeout).
    """
    if re.fullmatch(r"(\+?\d+)?", text, re.ASCII):
        return min(float(text or "0"), _LONGEST_SECONDS) or None
    if _DURATION.fullmatch(text):
        seconds = sum(Fraction(number) * _UNITS_SECONDS[unit] for number, unit in _PART.findall(text))
        return None if text.startswith("-") else min(float(seconds), _LONGEST_SECONDS) or None
    raise UsageError(
        f'invalid value "{text}" for --request-timeout: must be a single integer in seconds, '
        "or an integer followed by a corresponding time unit (e.g. 1s | 2m | 3h)"
    )


def parse_user_extra(given: Iterable[str]) -> dict[str, list[str]]:
    """``--as-user-extra key=value``, repeated, by key. Raises UsageError (cli-runtime: ConfigFlags)."""
    extra: dict[str, list[str]] = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not key or not equals:
            raise UsageError(f'invalid value "{text}" for --as-user-extra: must be KEY=VALUE')
        extra.setdefault(key, []).append(value)
    return extra
