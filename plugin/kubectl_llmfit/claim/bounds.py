"""What a user's own template may take of the machine: processor time and memory, by the kernel's own means."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import NoReturn

CPU_SECONDS = 10
"""Of processor time, not of the clock: ours take a hundredth of one."""
MORE_MEMORY_BYTES = 1 << 30


class TooMuchError(Exception):
    """What ran within ``bounded`` took more than it may; in words."""


class _TimeIsUpError(BaseException):
    """No Exception: jinja2 catches those while it folds constants."""


@contextmanager
def bounded() -> Iterator[None]:
    """End what takes more than ``CPU_SECONDS`` or ``MORE_MEMORY_BYTES`` more memory than there is in use.

    Raises TooMuchError. Time is bounded in the main thread of POSIX systems, memory on Linux; elsewhere Ctrl-C ends it.
    """
    with ExitStack() as stack:
        stack.enter_context(_bounded_time())
        stack.enter_context(_bounded_memory())
        try:
            yield
        except _TimeIsUpError:
            raise TooMuchError(f"takes more than {CPU_SECONDS} s") from None
        except MemoryError:
            raise TooMuchError(f"takes more than {MORE_MEMORY_BYTES >> 20} MiB of memory") from None


@contextmanager
def _bounded_time() -> Iterator[None]:
    import signal
    from threading import current_thread, main_thread

    if not hasattr(signal, "setitimer") or current_thread() is not main_thread():
        yield
        return

    def end(_signal: int, _frame: FrameType | None) -> NoReturn:
        raise _TimeIsUpError

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@contextmanager
def _bounded_memory() -> Iterator[None]:
    in_use = _address_space()
    if in_use is None:
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = in_use + MORE_MEMORY_BYTES
    lower = wanted if soft == resource.RLIM_INFINITY else min(wanted, soft)
    resource.setrlimit(resource.RLIMIT_AS, (lower, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _address_space() -> int | None:
    """Bytes of this process's address space; None where Linux does not say."""
    try:
        with open("/proc/self/statm", "rb") as stream:
            return int(stream.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return None
