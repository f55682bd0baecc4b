"""A connection to a cluster: JSON in, JSON out, with kubectl's flags, kubeconfig and words.

Owns which failures are tried again. Must not know any resource: ``reading`` and ``applying`` do.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from ..errors import ClusterError
from ..escapes import spaced
from .kubeconfig import load_kubeconfig, resolve
from .options import ConnectionOptions, parse_timeout
from .transport import Answer, Call, Transport
from .words import ServerError, UnreachableError, server_error

__all__ = ["Connection", "ConnectionOptions", "RetryPolicy", "connect"]

_RETRIED = (429, 500, 502, 503, 504)
# What writes ends within the time that an API server gives itself for a request (its --request-timeout).
_WRITE_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and how patiently a read is tried again; times in seconds.

    A server's Retry-After is followed up to ``longest``; a longer one ends the run at once, and so does a pause
    that would outlast the request's time limit.
    """

    attempts: int = 5
    first: float = 0.5
    longest: float = 30.0
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic

    def pause(self, attempt: int, answer: Answer | None, left: float | None) -> bool:
        """Wait before attempt number ``attempt`` + 1 (the first is 1); False when there should be none.

        ``left`` is what remains of the time limit, None without one.
        """
        if attempt >= self.attempts:
            return False
        seconds = self.first * 2 ** (attempt - 1)
        wanted = answer.headers.get("retry-after", "") if answer else ""
        if wanted.isascii() and wanted.isdecimal():
            seconds = float(wanted[:9])
        if seconds > self.longest or (left is not None and seconds >= left):
            return False
        self.sleep(seconds)
        return True


class Connection:
    """One cluster, as one user. ``context`` is None inside a pod or without a context.

    ``timeout`` (seconds) is for a request with all its attempts, as client-go's (rest.Request.request); without one
    a request that writes has a minute. ``warn`` gets what the server warns of, each text once.
    """

    def __init__(
        self,
        transport: Transport,
        *,
        context: str | None,
        namespace: str,
        timeout: float | None = None,
        retry: RetryPolicy | None = None,
        warn: Callable[[str], None] | None = None,
    ) -> None:
        self._transport = transport
        self._timeout = timeout
        self._warn = warn
        self._warned: set[str] = set()
        self._retry = retry or RetryPolicy()
        self.context = context
        self.namespace = namespace

    @property
    def server(self) -> str:
        """The server's host and port."""
        return self._transport.server

    def get(self, path: str, params: Mapping[str, str] | None = None, largest: int | None = None) -> Any:
        """The parsed answer to GET ``path``; 429, 5xx and broken connections are tried again.

        Raises ServerError for an answer that is an error, TooLargeError for one of more than ``largest`` bytes,
        ClusterError for none or an unreadable one.
        """
        call = Call("GET", path, params or {})
        return self._send(call if largest is None else replace(call, largest=largest))

    def request(
        self,
        method: str,
        path: str,
        params: Mapping[str, str] | None = None,
        body: str | None = None,
        content_type: str | None = None,
    ) -> Any:
        """The parsed answer to any request; of those that write, only one refused with 429 is sent again."""
        return self._send(Call(method, path, params or {}, body, content_type))

    def _send(self, call: Call) -> Any:
        limit = _WRITE_SECONDS if self._timeout is None and call.method != "GET" else self._timeout
        deadline = None if limit is None else self._retry.clock() + limit
        attempt = 0
        while True:
            attempt += 1
            answer: Answer | None = None
            try:
                answer = self._transport.send(call, self._left(deadline))
                self._pass_on(answer.warnings)
                if answer.status < 300:
                    return _parse(answer, self.server)
                error: ClusterError = _error_of(call, answer)
                again = _may_retry(call.method, answer)
            except UnreachableError as unreachable:
                error, again = unreachable, unreachable.dropped and call.method == "GET"
            if not again or not self._retry.pause(attempt, answer, self._left(deadline)):
                raise error

    def _pass_on(self, warnings: Sequence[str]) -> None:
        """Hand on each warning the first time it comes (client-go: NewWarningWriter, Deduplicate)."""
        for text in warnings:
            if self._warn is not None and text not in self._warned:
                self._warned.add(text)
                self._warn(text)

    def _left(self, deadline: float | None) -> float | None:
        return None if deadline is None else deadline - self._retry.clock()


def connect(
    options: ConnectionOptions,
    *,
    environ: Mapping[str, str] | None = None,
    retry: RetryPolicy | None = None,
    warn: Callable[[str], None] | None = None,
) -> Connection:
    """Choose server and user as kubectl does; nothing is sent yet. Raises UsageError or ClusterError."""
    environ = os.environ if environ is None else environ
    timeout = parse_timeout(options.request_timeout)
    target = resolve(load_kubeconfig(options.kubeconfig, environ), options, environ)
    transport = Transport(target, environ)
    return Connection(
        transport, context=target.context, namespace=target.namespace, timeout=timeout, retry=retry, warn=warn
    )


def _may_retry(method: str, answer: Answer) -> bool:
    if method == "GET":
        return answer.status in _RETRIED
    return answer.status == 429 and "retry-after" in answer.headers


def _error_of(call: Call, answer: Answer) -> ServerError:
    return server_error(answer.status, answer.body, f"{call.method.lower()} {call.path.rpartition('/')[2]}")


def _parse(answer: Answer, server: str) -> Any:
    try:
        return json.loads(answer.body, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        media = spaced(answer.headers.get("content-type", "no content type"))
        begun = answer.body.lstrip()[:1] in (b"{", b"[")
        if begun:
            message = f"the answer of the server {server} is not complete JSON ({len(answer.body)} bytes)"
        else:
            message = f"the server {server} did not answer with JSON ({media}): it may be a proxy or a login page"
        raise UnreachableError(message, dropped=begun) from error


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
