"""Lists of models in files: another ``llmfit list --json`` dump, and the reading that the overlay shares."""

from __future__ import annotations

import json
import os
from typing import Any

from ..errors import UsageError
from ..fit.model import Model
from .entries import EntryError, read_entry
from .store import MemoryStore

MAX_BYTES = 512 * 1024**2


class ListError(ValueError):
    """A file is no list of models; the message says why, without the file's name."""


def read_dump(path: str) -> MemoryStore:
    """Read the file that ``--catalog`` names.

    Raises ``UsageError``: one line that names the file and the first thing wrong with it.
    """
    name = os.path.basename(path)
    try:
        models = read_models(path, name)
        _check_list(models)
    except (OSError, ListError) as error:
        raise UsageError(f"--catalog {path}: {_words(error)}") from error
    return MemoryStore(name, models)


def read_models(path: str, source: str) -> list[Model]:
    """Return the models of a list in llmfit's own format; ``source`` is what the data is called.

    Raises ``OSError`` and ``ListError``.
    """
    with open(path, "rb") as stream:
        data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise ListError(f"is larger than {MAX_BYTES // 1024**2} MiB")
    if not data.strip():
        raise ListError("the file is empty")
    document = _parse(data)
    if not isinstance(document, list):
        raise ListError("is no list of models as `llmfit list --json` prints it")
    models = []
    for number, raw in enumerate(document, start=1):
        try:
            models.append(read_entry(raw, source))
        except EntryError as error:
            raise ListError(f"entry {number} of {len(document)}: {error}") from error
    return models


def _parse(data: bytes) -> Any:
    try:
        text = data.decode(json.detect_encoding(data))
        return json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_object)
    except UnicodeDecodeError as error:
        raise ListError("is not JSON but binary data") from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno} column {error.colno}"
        if not text[error.pos :].strip() or error.msg.startswith("Unterminated string"):
            raise ListError(f"is cut off at {where}") from error
        raise ListError(f"is not JSON: {error.msg[0].lower()}{error.msg[1:]} at {where}") from error
    except RecursionError as error:
        raise ListError("is not a list of models: nested too deeply") from error
    except ListError:
        raise
    except ValueError as error:  # a number of thousands of digits
        raise ListError(f"is not usable JSON: {error}") from error


def _refuse_constant(word: str) -> None:
    raise ListError(f"has {word} where JSON has only numbers")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ListError(f"has the key {json.dumps(twice)} twice in one object")
    return result


def _check_list(models: list[Model]) -> None:
    if not models:
        raise ListError("the list has no models")
    seen: dict[str, str] = {}
    for model in models:
        first = seen.setdefault(model.name.lower(), model.name)
        if first is not model.name:
            both = first if first == model.name else f"{first} and {model.name}"
            raise ListError(f"has a model twice: {both}")


def _words(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror[0].lower() + error.strerror[1:]
    return str(error)
