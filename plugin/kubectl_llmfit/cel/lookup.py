"""Reading from lists, maps and messages.

Owns indices, keys, fields and their errors (cel-go: interpreter/attributes.go, common/types/list.go, map.go).
Must not look into expressions.
"""

from __future__ import annotations

from collections.abc import Mapping

from .errors import CelRuntimeError, no_such_overload
from .message import Message
from .spelling import spell
from .values import INT64_MAX, INT64_MIN, MISSING, NUMBERS, UInt, map_find, type_of


def list_index(key: object) -> int:
    """A list index as an int; CelRuntimeError when the key is none (list.go: IndexOrError)."""
    kind = type(key)
    if kind is int:
        return key  # type: ignore[return-value]  # it is exactly an int
    if kind is UInt and isinstance(key, int) and key <= INT64_MAX:
        return int(key)
    if isinstance(key, float) and key.is_integer() and INT64_MIN < key < INT64_MAX:
        return int(key)
    if kind in NUMBERS:
        raise CelRuntimeError(f"unsupported index value {spell(key)} in list")
    raise CelRuntimeError(f"unsupported index type '{type_of(key).name}' in list")


def find(container: object, key: object) -> object:
    """What ``container`` has at ``key``, or MISSING (attributes.go: refQualify with a presence test)."""
    kind = type(container)
    if kind is dict:
        return container.get(key, MISSING) if type(key) is str else MISSING  # type: ignore[attr-defined]  # a dict
    if isinstance(container, Mapping):
        return map_find(container, key)
    if isinstance(container, list | tuple):
        index = list_index(key)
        return container[index] if 0 <= index < len(container) else MISSING
    if isinstance(container, Message):
        name = _field_name(container, key)
        return container.get(name) if container.has(name) else MISSING
    return MISSING


def _field_name(message: Message, key: object) -> str:
    if not isinstance(key, str):
        raise no_such_overload()
    if key not in (message.type.fields or ()):
        raise CelRuntimeError(f"no such field '{key}'")
    return key


def lookup(container: object, key: object) -> object:
    """What ``container`` has at ``key``; raises ``no such key`` or ``index out of bounds``."""
    value = find(container, key)
    if value is not MISSING:
        return value
    if isinstance(container, Message):
        return container.get(_field_name(container, key))
    what = "index out of bounds" if isinstance(container, list | tuple) else "no such key"
    raise CelRuntimeError(f"{what}: {spell(key)}")
