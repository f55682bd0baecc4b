"""``--min-memory`` as Kubernetes reads a quantity."""

from __future__ import annotations

from ..errors import UsageError
from ..escapes import as_json
from ..fit.units import INT64_MAX


def parse_memory(text: str) -> tuple[int, str]:
    """Whole bytes (rounded up) and the canonical text of ``--min-memory``; UsageError for what is no quantity."""
    from ..cel.quantity import Quantity  # only where the flag is given

    invalid = f"invalid value {as_json(text)} for --min-memory"
    try:
        quantity = Quantity.parse(text)
    except ValueError as error:
        raise UsageError(f"{invalid}: must be a quantity such as 18Gi ({error})") from error
    # compared before anything is written out: 1e1000000 is a quantity too
    if not Quantity.from_int(0) <= quantity <= Quantity.from_int(INT64_MAX):
        raise UsageError(f"{invalid}: must be from 1Mi to {INT64_MAX} bytes")
    return quantity.ceil(), str(quantity)
