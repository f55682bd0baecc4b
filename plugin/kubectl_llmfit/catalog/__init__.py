"""The model store: where the data comes from, which entry a name means, and what to doubt about it.

``open_catalog`` is the way in. Without a path it is the list that ships with this program, extended by the
user's own ``custom_models.json`` exactly as llmfit does it (``overlay``); with a path it is another
``llmfit list --json`` dump and nothing else. No arithmetic on models lives here.
"""

from __future__ import annotations

from collections.abc import Mapping

from .catalog import Catalog

__all__ = ["Catalog", "open_catalog"]


def open_catalog(path: str | None = None, environ: Mapping[str, str] | None = None) -> Catalog:
    """Open the catalogue.

    ``path`` names a file as ``llmfit list --json`` prints it; ``environ`` stands for the process's environment,
    which says where the user's own models are. Raises ``UsageError`` for a file that cannot be used and
    ``CannotTellError`` where the shipped list is missing. A broken overlay is only a warning, as in llmfit.
    """
    if path is not None:
        from .dump import read_dump

        return Catalog(read_dump(path))
    import os

    from .overlay import read_overlay
    from .packaged import open_packaged

    overlay, warnings = read_overlay(os.environ if environ is None else environ)
    return Catalog(open_packaged(), overlay, warnings)
