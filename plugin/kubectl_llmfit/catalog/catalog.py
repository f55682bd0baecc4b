"""Which entry a name means, what else it may have meant, and which entries match a search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..errors import UnknownModelError
from ..fit.model import Model
from .store import Listing, MemoryStore, Store, slug_of

SUGGESTIONS = 5


class Catalog:
    """A list of models, perhaps extended by the user's own.

    The user's entries hide those of the list that llmfit would replace by them. ``warnings`` are lines for
    stderr: what was wrong with the user's own file.
    """

    def __init__(self, store: Store, overlay: MemoryStore | None = None, warnings: tuple[str, ...] = ()) -> None:
        self.warnings = warnings
        self._store = store
        self._overlay = overlay
        self._hidden = frozenset(slug_of(entry.name) for entry in overlay.listings()) if overlay else frozenset()

    @property
    def name(self) -> str:
        """The data's name, never a version: ``llmfit``, or the name of the file that was given."""
        return self._store.name

    def find(self, name: str) -> Model:
        """Return the entry that a name means.

        It is the entry of exactly this name, in any case, else the only one whose part after the slash it is.
        Part of a name never resolves. Raises ``UnknownModelError`` with the candidates or the nearest names.
        """
        key = name.strip().lower()
        model = self._get(key)
        if model:
            return model
        names = self._named(key) if key and "/" not in key else []
        if len(names) == 1:
            return self._require(names[0])
        raise self._ambiguous(name, names) if names else self._unknown(name)

    def search(self, query: str, limit: int | None = None) -> list[Model]:
        """Return the entries whose names contain every word of the query, the likeliest first."""
        from .ranking import matching

        return [self._require(name) for name in matching(query, self._listings())[:limit]]

    def names(self, prefix: str = "", limit: int | None = None) -> list[str]:
        """Return the names that start with ``prefix``, in any case, in alphabetical order."""
        key = prefix.lower()
        found = self._visible(self._store.starting(key))
        if self._overlay:
            found += self._overlay.starting(key)
        return sorted(found, key=str.lower)[:limit]

    def close(self) -> None:
        """Let go of the file; the models that were found stay good."""
        self._store.close()

    def _get(self, key: str) -> Model | None:
        if self._overlay:
            model = self._overlay.get(key)
            if model or slug_of(key) in self._hidden:
                return model
        return self._store.get(key)

    def _require(self, name: str) -> Model:
        model = self._get(name.lower())
        if model is None:
            raise AssertionError(f"{name} is listed but cannot be read")
        return model

    def _named(self, short: str) -> list[str]:
        names = self._visible(self._store.named(short))
        return names + self._overlay.named(short) if self._overlay else names

    def _listings(self) -> Iterator[Listing]:
        yield from (entry for entry in self._store.listings() if slug_of(entry.name) not in self._hidden)
        if self._overlay:
            yield from self._overlay.listings()

    def _visible(self, names: Iterable[str]) -> list[str]:
        if not self._hidden:
            return list(names)
        return [name for name in names if slug_of(name) not in self._hidden]

    def _ambiguous(self, name: str, names: list[str]) -> UnknownModelError:
        from .ranking import ranked

        wanted = frozenset(names)
        listed = ranked(name, [entry for entry in self._listings() if entry.name in wanted])
        return UnknownModelError(f"model {name!r} is ambiguous: {_enumerated(listed)}")

    def _unknown(self, name: str) -> UnknownModelError:
        from .ranking import nearest

        names = nearest(name, list(self._listings()), SUGGESTIONS) if name.strip() else []
        message = f"model {name!r} not found"
        if not names:
            return UnknownModelError(message, hint="`kubectl llmfit models QUERY` searches the catalogue")
        return UnknownModelError(f"{message}; nearest: {', '.join(names)}")


def _enumerated(names: list[str]) -> str:
    more = len(names) - SUGGESTIONS
    return ", ".join(names[:SUGGESTIONS]) + (f" and {more} more" if more > 0 else "")
