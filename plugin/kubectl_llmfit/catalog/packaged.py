"""The list that ships with the program: one read-only SQLite file beside this module.

``hatch_build.py`` at the root of the sources writes it and is the only other place that knows its tables. Opening
it and finding one model costs about a millisecond; nothing here reads the whole file but ``listings``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..errors import CannotTellError
from ..fit.model import Model
from .store import Listing

if TYPE_CHECKING:
    import sqlite3

FILE_NAME = "models.sqlite"
LAST_CHARACTER = "\U0010ffff"


def open_packaged(file_name: str = FILE_NAME) -> PackagedStore:
    """Open the shipped list.

    ``immutable`` spares SQLite every lock and side file: the installation may be read-only. Raises
    ``CannotTellError`` where the file is missing (a checkout before its first make) or is of another layout.
    """
    import sqlite3
    from pathlib import Path

    path = Path(__file__).with_name(file_name)
    if not path.is_file():
        raise CannotTellError("the model catalogue is missing from this installation", hint=_REMEDY)
    try:
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
        meta = dict(connection.execute("SELECT key, value FROM meta"))
        shapes = {number: json.loads(keys) for number, keys in connection.execute("SELECT id, keys FROM shapes")}
        return PackagedStore(connection, meta["catalog"], meta["version"], shapes)
    except (sqlite3.Error, KeyError, ValueError) as error:
        raise _damaged(error) from error


_REMEDY = "in a checkout, run make; else install kubectl-llmfit again"


def _damaged(error: Exception) -> CannotTellError:
    return CannotTellError(f"the model catalogue of this installation is damaged: {error}", hint=_REMEDY)


class PackagedStore:
    """The shipped models, each read when it is asked for."""

    def __init__(self, connection: sqlite3.Connection, name: str, version: str, shapes: dict[int, list[str]]) -> None:
        self.name = name
        self.version = version
        self._connection = connection
        self._shapes = shapes

    def get(self, key: str) -> Model | None:
        """Return the entry of exactly this key."""
        fields = self.entry(key)
        return None if fields is None else self._model(fields)

    def entry(self, key: str) -> dict[str, Any] | None:
        """Return an entry exactly as ``llmfit list --json`` printed it: the same fields, in the same order."""
        query = "SELECT shape, entry FROM models JOIN entries USING (id) WHERE key = ?"
        return next((self._fields(*row) for row in self._rows(query, key)), None)

    def named(self, short: str) -> list[str]:
        """Return the names whose part after the slash is ``short`` (in lower case)."""
        return [name for (name,) in self._rows("SELECT name FROM models WHERE short = ?", short)]

    def starting(self, prefix: str) -> list[str]:
        """Return the names whose key starts with ``prefix``."""
        query = "SELECT name FROM models WHERE key >= ? AND key < ?"
        return [name for (name,) in self._rows(query, prefix, prefix + LAST_CHARACTER)]

    def listings(self) -> Iterator[Listing]:
        """Go through everything, in the program's own order."""
        for name, gguf, parameters in self._rows("SELECT name, gguf, parameters FROM models ORDER BY id"):
            yield Listing(name, bool(gguf), parameters)

    def models(self) -> Iterator[Model]:
        """Go through every entry in full, in the program's own order."""
        for row in self._rows("SELECT shape, entry FROM entries ORDER BY id"):
            yield self._model(self._fields(*row))

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _rows(self, query: str, *parameters: str) -> Iterator[tuple[Any, ...]]:
        import sqlite3

        try:
            yield from self._connection.execute(query, parameters)
        except UnicodeEncodeError:  # half of a surrogate pair: no name has one
            return
        except sqlite3.Error as error:
            raise _damaged(error) from error

    def _fields(self, shape: int, entry: str) -> dict[str, Any]:
        return dict(zip(self._shapes[shape], json.loads(entry), strict=True))

    def _model(self, fields: dict[str, Any]) -> Model:
        from .entries import model_of

        return model_of(fields, self.name)
