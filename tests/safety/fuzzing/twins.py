"""Other snapshots with a known answer: the same objects written otherwise, and a cluster seen in part."""

from __future__ import annotations

import json
import random
from typing import Any

import yaml

Document = dict[str, Any]

_GROUP = "resource.k8s.io/"
_SELDOM_READ = {
    "Node": "nodes",
    "DeviceClass": "deviceclasses",
    "ResourceClaim": "resourceclaims",
    "DeviceTaintRule": "devicetaintrules",
}
_IGNORED = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "of-no-interest"}, "data": {"a": "b"}}
_CORDONED = {
    "apiVersion": "v1",
    "kind": "Node",
    "metadata": {"name": "of-no-interest"},
    "spec": {"unschedulable": True},
    "status": {"conditions": [{"type": "Ready", "status": "True"}]},
}


def rewritten(content: bytes) -> bytes | None:
    """The same objects in another order and with their keys in another, among others that matter to nobody.

    None of what is no list of objects, or holds what JSON cannot write.
    """
    whole, draw = _whole(content), random.Random(len(content))
    if whole is None:
        return None
    first, others = _split(whole["items"])
    mixed = [_reordered(_with_a_field(item), draw) for item in others]
    mixed += [_IGNORED, *([_CORDONED] if "Node" in map(_kind, others) and not _misses(first, "nodes") else [])]
    draw.shuffle(mixed)
    return _written({**whole, "items": [*(_reordered(item, draw) for item in first), *mixed]})


def blinded(content: bytes) -> bytes | None:
    """The same with one kind of object unread, without a trace of it; None as ``rewritten``."""
    whole, draw = _whole(content), random.Random(len(content))
    if whole is None:
        return None
    kind = draw.choice(list(_SELDOM_READ))
    first, others = _split(whole["items"])
    head = dict(first[0]) if first else {"apiVersion": "kubectl-llmfit/v1alpha1", "kind": "ClusterSnapshot"}
    head["unread"] = [*(head.get("unread") or []), {"resource": _SELDOM_READ[kind], "reason": "forbidden"}]
    return _written({**whole, "items": [head, *first[1:], *(item for item in others if _kind(item) != kind)]})


def _whole(content: bytes) -> Document | None:
    try:
        whole = json.loads(content)
    except ValueError:
        try:
            whole = yaml.safe_load(content)
        except (yaml.YAMLError, ValueError):
            return None
    return whole if isinstance(whole, dict) and isinstance(whole.get("items"), list) else None


def _written(whole: Document) -> bytes | None:
    try:
        return json.dumps(whole).encode("utf-8", "surrogatepass")
    except (TypeError, ValueError):  # what only YAML can write
        return None


def _split(items: list[Any]) -> tuple[list[Any], list[Any]]:
    """The head of the snapshot, and the objects."""
    return [item for item in items if _is_head(item)], [item for item in items if not _is_head(item)]


def _is_head(item: Any) -> bool:
    return isinstance(item, dict) and item.get("kind") == "ClusterSnapshot"


def _kind(item: Any) -> str | None:
    """The kind of an object of ours, else None: other groups have a Node, too."""
    if not isinstance(item, dict):
        return None
    kind, version = item.get("kind"), str(item.get("apiVersion"))
    ours = version == "v1" if kind == "Node" else version.startswith(_GROUP)
    return str(kind) if ours else None


def _misses(first: list[Any], resource: str) -> bool:
    unread = [each for head in first for each in head.get("unread") or []]
    return any(isinstance(each, dict) and each.get("resource") == resource for each in unread)


def _with_a_field(item: Any) -> Any:
    return {**item, "moodRing": {"colour": "blue"}} if isinstance(item, dict) and item.get("kind") != "List" else item


def _reordered(value: Any, draw: random.Random) -> Any:
    """With the keys of every map in another order; the order of a list may mean something."""
    if isinstance(value, dict):
        keys = list(value)
        draw.shuffle(keys)
        return {key: _reordered(value[key], draw) for key in keys}
    return [_reordered(each, draw) for each in value] if isinstance(value, list) else value
