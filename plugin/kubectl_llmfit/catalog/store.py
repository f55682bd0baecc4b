"""What a source of models must answer, and the source that is a list in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from ..fit.model import Model


@dataclass(frozen=True, slots=True)
class Listing:
    """What search and suggestions know of an entry: its name, and what tells the usual from the odd."""

    name: str
    has_gguf: bool
    parameters: int | None

    @property
    def key(self) -> str:
        """The name in lower case, as lookups compare it."""
        return self.name.lower()

    @property
    def short(self) -> str:
        """The part of the key after the slash."""
        return short_of(self.key)


class Store(Protocol):
    """A source of models. Keys are names in lower case."""

    @property
    def name(self) -> str:
        """The data's name, without a version: ``llmfit``, or a file's."""
        ...

    def get(self, key: str) -> Model | None:
        """Return the entry of exactly this key."""
        ...

    def named(self, short: str) -> list[str]:
        """Return the names whose part after the slash is ``short`` (in lower case)."""
        ...

    def starting(self, prefix: str) -> list[str]:
        """Return the names whose key starts with ``prefix``."""
        ...

    def listings(self) -> Iterator[Listing]:
        """Go through everything."""
        ...

    def close(self) -> None:
        """Let go of what is open."""
        ...


def short_of(key: str) -> str:
    """Return the part after the (last) slash; a name without one is its own short name."""
    return key.rpartition("/")[2]


def slug_of(name: str) -> str:
    """Return what llmfit compares when it merges the user's models: the short name without ``-``, ``_``, ``.``."""
    return short_of(name.lower()).translate(_SLUG_DROPS)


_SLUG_DROPS = str.maketrans("", "", "-_.")


class MemoryStore:
    """Models read from a file; names are distinct in lower case."""

    def __init__(self, name: str, models: Iterable[Model]) -> None:
        self.name = name
        self._models = {model.name.lower(): model for model in models}

    def get(self, key: str) -> Model | None:
        """Return the entry of exactly this key."""
        return self._models.get(key)

    def named(self, short: str) -> list[str]:
        """Return the names whose part after the slash is ``short`` (in lower case)."""
        return [model.name for key, model in self._models.items() if short_of(key) == short]

    def starting(self, prefix: str) -> list[str]:
        """Return the names whose key starts with ``prefix``."""
        return [model.name for key, model in self._models.items() if key.startswith(prefix)]

    def listings(self) -> Iterator[Listing]:
        """Go through everything."""
        for model in self._models.values():
            yield Listing(model.name, bool(model.gguf_sources), model.parameters_raw)

    def close(self) -> None:
        """Nothing is open."""
