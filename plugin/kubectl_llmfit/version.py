"""Which version this is, and of which llmfit it carries the arithmetic and the catalogue."""

from __future__ import annotations

from . import __version__

REFERENCE_VERSION = "1.1.17"


def text() -> str:
    """One line for a person."""
    return f"kubectl-llmfit {__version__} (reference: llmfit {REFERENCE_VERSION})\n"
