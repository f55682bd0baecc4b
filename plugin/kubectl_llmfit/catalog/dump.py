"""Lists of models in files: another ``llmfit list --json`` dump, and the reading that the overlay shares."""

from __future__ import annotations

import os

from ..errors import UsageError
from ..escapes import one_line
from ..files import STDIN, display_name, read_json
from ..fit.model import Model
from .entries import EntryError, read_entry
from .store import MemoryStore


def read_dump(path: str) -> MemoryStore:
    """Read the file that ``--catalog`` names (``-``: standard input).

    Raises ``UsageError``: one line that names the file and the first thing wrong with it.
    """
    source = "stdin" if path == STDIN else one_line(os.path.basename(path))
    models = read_models(path, source)
    if not models:
        raise UsageError(f"{display_name(path)}: the list has no models")
    _refuse_twins(models, display_name(path))
    return MemoryStore(source, models)


def read_models(path: str, source: str) -> list[Model]:
    """Return the models of a list in llmfit's own format; ``source`` is what the data is called.

    Raises ``UsageError``.
    """
    name, document = display_name(path), read_json(path)
    if not isinstance(document, list):
        raise UsageError(f"{name}: no list of models as `llmfit list --json` prints it")
    models = []
    for number, raw in enumerate(document, start=1):
        try:
            models.append(read_entry(raw, source))
        except EntryError as error:
            raise UsageError(f"{name}: entry {number} of {len(document)}: {error}") from error
    return models


def _refuse_twins(models: list[Model], name: str) -> None:
    seen: dict[str, str] = {}
    for model in models:
        first = seen.setdefault(model.name.lower(), model.name)
        if first is not model.name:
            both = first if first == model.name else f"{first} and {model.name}"
            raise UsageError(f"{name}: a model twice: {both}")
