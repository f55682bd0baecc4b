"""Raw JSON objects read with care: every error names the object and the path of the field.

Owns ``Raw``, the cursor that all readers of this package use, and ``ReadError``. Knows field types and no
field names. As in the Kubernetes API, null stands for a missing field.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from ..cel.quantity import Quantity
from ..errors import UsageError
from ..escapes import as_json

GROUP: Final = "resource.k8s.io"
V1: Final = f"{GROUP}/v1"
V1BETA2: Final = f"{GROUP}/v1beta2"
V1BETA1: Final = f"{GROUP}/v1beta1"
V1ALPHA3: Final = f"{GROUP}/v1alpha3"
SERVED_VERSIONS: Final = (V1, V1BETA2, V1BETA1, V1ALPHA3)
# Requests lie flat and devices under "basic" in these (k8s.io/api/resource/v1beta1/types.go).
FLAT_VERSIONS: Final = frozenset((V1BETA1, V1ALPHA3))

_INT64: Final = range(-(2**63), 2**63)
# The API takes a megabyte of digits, whose arithmetic takes minutes; what a device has is told in 30.
_LONGEST_QUANTITY: Final = 10_000


class ReadError(UsageError):
    """An object that is not what the API says it is; the message names the object and the field."""


@dataclass(frozen=True, slots=True)
class Raw:
    """One JSON object at ``path`` of the object called ``label`` (``ResourceSlice "gpu-a"``)."""

    label: str
    path: str
    fields: Mapping[str, object]

    @classmethod
    def root(cls, value: object, kind: str) -> Raw:
        """The cursor at the top of an object of ``kind``; ReadError if ``value`` is no JSON object."""
        if not isinstance(value, Mapping):
            raise ReadError(f"{kind}: must be an object, got {as_json(value)}")
        metadata = value.get("metadata")
        name = metadata.get("name") if isinstance(metadata, Mapping) else None
        label = f"{kind} {json.dumps(name)}" if isinstance(name, str) and name else f"{kind} without a name"
        return cls(label, "", value)

    def at(self, name: str) -> str:
        """The path of a field of this object."""
        step = name if name.isprintable() else as_json(name)
        return f"{self.path}.{step}" if self.path else step

    def error(self, name: str, problem: str) -> ReadError:
        """An error about a field of this object (about itself when ``name`` is empty)."""
        where = self.at(name) if name else self.path
        return ReadError(f"{self.label}: {where}: {problem}" if where else f"{self.label}: {problem}")

    def required(self, name: str) -> ReadError:
        """The error for a missing field, in the API's words."""
        return self.error(name, "Required value")

    def has(self, name: str) -> bool:
        """Whether the field is there and not null."""
        return self.fields.get(name) is not None

    def text(self, name: str) -> str | None:
        """A string field."""
        value = self.fields.get(name)
        if value is None or isinstance(value, str):
            return value
        raise self._wrong_type(name, "a string", value)

    def required_text(self, name: str) -> str:
        """A string field that must be there and not empty."""
        value = self.text(name)
        if not value:
            raise self.required(name)
        return value

    def boolean(self, name: str) -> bool:
        """A boolean field, false when missing."""
        value = self.fields.get(name)
        if value is None or isinstance(value, bool):
            return bool(value)
        raise self._wrong_type(name, "a boolean", value)

    def integer(self, name: str) -> int | None:
        """An integer field; ReadError beyond int64."""
        value = self.fields.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            raise self._wrong_type(name, "an integer", value)
        if value not in _INT64:
            raise self.error(name, f"{value} is beyond a 64-bit integer")
        return value

    def timestamp(self, name: str) -> datetime | None:
        """A point in time, as metav1.Time writes it (RFC 3339)."""
        value = self.text(name)
        if value is None:
            return None
        try:
            found = datetime.fromisoformat(value)
        except ValueError:
            found = None
        if found is None or found.tzinfo is None:
            raise self._wrong_type(name, "a time such as 2026-01-31T12:00:00Z", value)
        return found

    def quantity(self, name: str) -> Quantity | None:
        """A quantity: a string, or a number as YAML allows (Quantity.UnmarshalJSON)."""
        value = self.fields.get(name)
        return None if value is None else self._to_quantity(name, value)

    def quantities(self, name: str) -> tuple[Quantity, ...]:
        """A list of quantities, empty when missing."""
        return tuple(self._to_quantity(f"{name}[{index}]", item) for index, item in enumerate(self._list(name)))

    def required_quantity(self, name: str) -> Quantity:
        """A quantity that must be there."""
        value = self.quantity(name)
        if value is None:
            raise self.required(name)
        return value

    def child(self, name: str) -> Raw | None:
        """An object field."""
        value = self.fields.get(name)
        return None if value is None else self._below(self.at(name), value)

    def required_child(self, name: str) -> Raw:
        """An object field that must be there."""
        value = self.child(name)
        if value is None:
            raise self.required(name)
        return value

    def children(self, name: str) -> tuple[Raw, ...]:
        """A list of objects, empty when missing."""
        return tuple(self._below(f"{self.at(name)}[{index}]", item) for index, item in enumerate(self._list(name)))

    def items(self, name: str) -> Raw:
        """A list's items as fields of their own: ``ints[0]``, ``ints[1]``; none when it is missing."""
        return Raw(self.label, self.path, {f"{name}[{index}]": item for index, item in enumerate(self._list(name))})

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of strings, empty when missing."""
        return tuple(self._text_item(name, index, item) for index, item in enumerate(self._list(name)))

    def text_map(self, name: str) -> dict[str, str]:
        """An object whose values are strings, such as labels; null counts as empty."""
        child = self.child(name)
        return {} if child is None else {key: child.text(key) or "" for key in child.names()}

    def quantity_map(self, name: str) -> dict[str, Quantity]:
        """An object whose values are quantities; null counts as zero (Quantity.UnmarshalJSON)."""
        child = self.child(name)
        return {} if child is None else {key: child.quantity(key) or _ZERO for key in child.names()}

    def names(self) -> tuple[str, ...]:
        """The names of all fields, sorted."""
        for name in self.fields:
            if not isinstance(name, str):
                raise self.error("", f"field names must be strings, got {as_json(name)}")
        return tuple(sorted(self.fields))

    def unknown(self, known: Iterable[str]) -> tuple[str, ...]:
        """The paths of the fields that are set and not among ``known``."""
        return tuple(self.at(name) for name in self.names() if name not in known and _is_set(self.fields[name]))

    def _below(self, path: str, value: object) -> Raw:
        if not isinstance(value, Mapping):
            raise ReadError(f"{self.label}: {path}: must be an object, got {as_json(value)}")
        return Raw(self.label, path, value)

    def _list(self, name: str) -> list[object]:
        value = self.fields.get(name)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self._wrong_type(name, "a list", value)
        return value

    def _to_quantity(self, name: str, value: object) -> Quantity:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise self._wrong_type(name, "a quantity", value)
        text = str(value).strip()
        if len(text) > _LONGEST_QUANTITY:
            raise self.error(name, f"a quantity of {len(text)} characters, at most {_LONGEST_QUANTITY} are read")
        try:
            return Quantity.parse(text)
        except ValueError as error:
            raise self.error(name, f"{as_json(value)}: {error}") from None

    def _text_item(self, name: str, index: int, item: object) -> str:
        if not isinstance(item, str):
            raise self._wrong_type(f"{name}[{index}]", "a string", item)
        return item

    def _wrong_type(self, name: str, wanted: str, value: object) -> ReadError:
        return self.error(name, f"must be {wanted}, got {as_json(value)}")


_ZERO: Final = Quantity.parse("0")


def _is_set(value: object) -> bool:
    """Whether a field says anything: null, an empty list and an empty object do not."""
    return value is not None and value not in ([], {})


def version_of(raw: Raw) -> str:
    """The version an object is read in: its own, or v1 where it says none.

    ReadError for a version of resource.k8s.io that is gone (the classic API) or not known yet.
    """
    version = raw.text("apiVersion") or V1
    if version in (f"{GROUP}/v1alpha1", f"{GROUP}/v1alpha2"):
        raise raw.error("", f"{version} is the classic API, which Kubernetes 1.31 removed: use {V1}")
    if version not in SERVED_VERSIONS:
        raise raw.error("apiVersion", f"{as_json(version)} is not known, must be one of: {', '.join(SERVED_VERSIONS)}")
    return version
