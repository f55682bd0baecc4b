"""A NodeCheck becomes a plain document: camelCase keys, stable order, quantities as strings.

The keys and their order are those of the values' fields; nothing is computed here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, fields, is_dataclass
from enum import Enum
from typing import Any

from ..cel.quantity import Quantity
from .values import NodeCheck

API_VERSION = "kubectl-llmfit/v1alpha1"

_Keys = tuple[tuple[str, str, bool], ...]
_KEYS: dict[type[Any], _Keys] = {}  # of each kind of value: field, key, whether it is left out when None


def to_document(check: NodeCheck) -> dict[str, object]:
    """The document of a check: the same keys for every answer."""
    return {"apiVersion": API_VERSION, "kind": "NodeCheck", **_object(check)}


def _plain(value: object) -> object:
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, str):
        return value
    if isinstance(value, Quantity):
        return str(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(value[key]) for key in sorted(value)}
    if is_dataclass(value):
        return _object(value)
    raise TypeError(f"a document cannot hold {type(value).__name__}")


def _object(value: object) -> dict[str, object]:
    plain: dict[str, object] = {}
    for name, key, optional in _keys(type(value)):
        item = getattr(value, name)
        if item is None and optional:
            continue
        plain[key] = _plain(item)
    return plain


def _keys(kind: type[Any]) -> _Keys:
    known = _KEYS.get(kind)
    if known is None:
        shown = (f for f in fields(kind) if not f.metadata.get("hidden"))
        known = _KEYS[kind] = tuple((f.name, _key(f), bool(f.metadata.get("optional"))) for f in shown)
    return known


def _key(described: Field[Any]) -> str:
    named = described.metadata.get("key")
    if isinstance(named, str):
        return named
    head, *tail = described.name.split("_")
    return head + "".join(word.capitalize() for word in tail)
