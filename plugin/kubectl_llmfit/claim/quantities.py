"""``--min-memory`` as Kubernetes reads a quantity."""

from __future__ import annotations

from ..errors import UsageError
from ..escapes import one_line


def parse_memory(text: str) -> tuple[int, str]:
    """Whole bytes (rounded up) and the canonical text of ``--min-memory``; UsageError for what is no quantity."""
    from ..cel.quantity import Quantity  # only where the flag is given

    try:
        quantity = Quantity.parse(text)
    except ValueError as error:
        raise UsageError(
            f'invalid value "{one_line(text)}" for --min-memory: must be a quantity such as 18Gi ({error})'
        ) from error
    return quantity.ceil(), str(quantity)
