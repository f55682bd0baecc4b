"""A world: a small cluster as plain API objects (v1, as the API server stores them), and the claims of one pod.

Owns the shape. Worlds are drawn in ``worlds.py``; ``oracle.scheduler`` and ``ours.py`` answer them.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

Object = dict[str, Any]


@dataclass(frozen=True, slots=True)
class World:
    """``claims`` are those of the pod, in its order; ``held`` are allocated claims. Not to be written to.

    ``gates`` are feature gates of the scheduler that have not their default.
    """

    nodes: list[Object]
    slices: list[Object]
    classes: list[Object]
    claims: list[Object]
    held: list[Object]
    rules: list[Object] = field(default_factory=list)
    gates: dict[str, bool] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """A copy as a plain document, keyed by the names of the fields."""
        return copy.deepcopy({each.name: getattr(self, each.name) for each in fields(self)})

    def scenario(self) -> dict[str, Any]:
        """In the oracle's words."""
        document = self.document()
        return document | {"taintRules": document.pop("rules")}

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> World:
        """The world of a document."""
        return cls(**document)

    @property
    def size(self) -> int:
        """Characters of its JSON: what shrinking makes less of."""
        return len(json.dumps(self.document()))

    def yaml(self) -> str:
        """For a person, without what every object says."""
        import yaml

        said_everywhere = ("apiVersion", "kind")
        document = self.document()
        gates = document.pop("gates")
        shown = {
            kind: [{key: part for key, part in each.items() if key not in said_everywhere} for each in group]
            for kind, group in document.items()
            if group
        } | ({"gates": gates} if gates else {})
        # through JSON, for an object that is there twice is to be written twice
        return str(yaml.safe_dump(json.loads(json.dumps(shown)), sort_keys=False, width=120, default_flow_style=None))
