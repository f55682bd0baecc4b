"""The user's own figures instead of the estimate's. The need remembers that they are."""

from __future__ import annotations

from dataclasses import replace

from ..errors import UsageError
from .model import Need
from .units import INT64_MAX, gib_from_bytes

LEAST_MEMORY = 1 << 20
"""Bytes; less than any model takes: ``18`` for 18Gi would fit every device."""


def with_min_memory(need: Need, memory_bytes: int, text: str) -> Need:
    """``need`` with ``--min-memory`` as its floor: whole bytes, and the quantity as the user wrote it.

    Raises UsageError unless it is from ``LEAST_MEMORY`` to int64's largest.
    """
    if not LEAST_MEMORY <= memory_bytes <= INT64_MAX:
        raise UsageError(
            f'invalid value "{text}" for --min-memory: that is {memory_bytes} bytes; '
            f"must be from {LEAST_MEMORY} to {INT64_MAX} bytes",
            "a quantity carries its unit: 18Gi" if memory_bytes < LEAST_MEMORY else None,
        )
    note = f"memory is --min-memory, not the estimate's {need.memory}"
    return replace(
        need,
        memory_bytes=memory_bytes,
        memory_text=text,
        exact_bytes=None,
        memory_is_given=True,
        gpu_memory_gb=None if need.gpu_memory_gb is None else float(gib_from_bytes(memory_bytes)),
        overrides=(*need.overrides, note),
    )


def with_min_bandwidth(need: Need, bandwidth_gbs: int) -> Need:
    """``need`` with ``--min-bandwidth`` in GB/s as its floor; UsageError unless it is from 1 to int64's largest."""
    if not 0 < bandwidth_gbs <= INT64_MAX:
        raise UsageError(
            f'invalid value "{bandwidth_gbs}" for --min-bandwidth: must be above 0, at most {INT64_MAX} GB/s'
        )
    instead = "" if need.bandwidth_gbs is None else f", not the estimate's {need.bandwidth_gbs} GB/s"
    note = f"bandwidth is --min-bandwidth{instead}"
    return replace(need, bandwidth_gbs=bandwidth_gbs, bandwidth_is_given=True, overrides=(*need.overrides, note))
