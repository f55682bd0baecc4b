"""What differs between two specs of claims or templates, after the API's defaults.

Answers "is what the cluster has what we would apply?" for specs that cannot be changed. Compares meaning, not
spelling: flat and nested requests, missing and defaulted fields, ``1Gi`` and ``1024Mi`` are the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Final

from ..cel.quantity import Quantity
from ..escapes import as_json, one_line
from .raw import Raw

_MISSING: Final = "not set"
# So much of what two texts share is shown on either side of where they differ.
_CONTEXT_CHARACTERS: Final = 24
_SHORT_CHARACTERS: Final = 60
_WORD: Final = re.compile(r"\w")

Json = object


def spec_differences(ours: Mapping[str, object], theirs: Mapping[str, object]) -> list[str]:
    """What differs between the specs of two claims, or of two templates, as ``path: theirs -> ours``.

    Both are raw, each of any served version; empty when they mean the same. ReadError as the readers.
    """
    left, right = (_meaning(Raw("claim", "spec", raw)) for raw in (theirs, ours))
    return list(_differences("spec", left, right))


def _meaning(spec: Raw) -> Json:
    """The spec in v1's shape with every default filled in and nothing empty."""
    inner = spec.child("spec")  # a template's
    if inner is None:
        return _pruned(_claim_spec(spec))
    return _pruned({**spec.fields, "spec": _claim_spec(inner)})


def _claim_spec(spec: Raw) -> Json:
    devices = spec.child("devices")
    if devices is None:
        return spec.fields
    requests = [_request(request) for request in devices.children("requests")]
    return {**spec.fields, "devices": {**devices.fields, "requests": requests}}


def _request(request: Raw) -> Json:
    alternatives = [_device_request(item) for item in request.children("firstAvailable")]
    exact = request.child("exactly")
    if exact is None and not alternatives:  # flat, as in the older versions
        wishes = _device_request(request)
        return {"name": wishes.pop("name", None), "exactly": wishes}
    own = {"name": request.text("name"), **{name: request.fields[name] for name in request.names()}}
    own["exactly"] = None if exact is None else _device_request(exact)
    return {**own, "firstAvailable": alternatives}


def _device_request(raw: Raw) -> dict[str, object]:
    """With the defaults of pkg/apis/resource/v1/defaults.go."""
    fields = {name: raw.fields[name] for name in raw.names()}
    mode = raw.text("allocationMode") or "ExactCount"
    fields["allocationMode"] = mode
    fields["count"] = raw.integer("count") or (1 if mode == "ExactCount" else None)
    fields["tolerations"] = [
        {**item.fields, "operator": item.text("operator") or "Equal"} for item in raw.children("tolerations")
    ]
    capacity = raw.child("capacity")
    if capacity is not None:
        fields["capacity"] = {**capacity.fields, "requests": capacity.quantity_map("requests")}
    return fields


def _pruned(value: Json) -> Json:
    """Without nulls and without empty strings, lists and objects: the API treats those as missing.

    The parameters of a configuration are its driver's, and stay as they are.
    """
    if isinstance(value, Mapping):
        items = {name: item if name == "parameters" else _pruned(item) for name, item in value.items()}
        return {name: item for name, item in items.items() if item is not None and item not in ("", [], {})}
    if isinstance(value, list):
        return [_pruned(item) for item in value]
    return value


def _differences(path: str, theirs: Json, ours: Json) -> Iterator[str]:
    if isinstance(theirs, Mapping) and isinstance(ours, Mapping):
        for name in (*theirs, *(name for name in ours if name not in theirs)):
            yield from _differences(f"{path}.{one_line(str(name))}", theirs.get(name), ours.get(name))
    elif isinstance(theirs, list) and isinstance(ours, list):
        for index in range(max(len(theirs), len(ours))):
            left = theirs[index] if index < len(theirs) else None
            right = ours[index] if index < len(ours) else None
            yield from _differences(f"{path}[{index}]", left, right)
    elif theirs != ours or isinstance(theirs, bool) != isinstance(ours, bool):
        yield f"{path}: {_change(theirs, ours)}"


def _change(theirs: Json, ours: Json) -> str:
    if isinstance(theirs, str) and isinstance(ours, str) and max(len(theirs), len(ours)) > _SHORT_CHARACTERS:
        theirs, ours = _narrowed(theirs, ours)
    left, right = _words(theirs), _words(ours)
    if left == right:  # only white space differs
        left, right = json.dumps(theirs), json.dumps(ours)
    return f"{left} -> {right}"


def _words(value: Json) -> str:
    """A value for a person, on one line and without anything a terminal would obey."""
    if value is None:
        return _MISSING
    if isinstance(value, Quantity):
        return str(value)
    text = " ".join(value.split()) if isinstance(value, str) else ""
    return text if text and text.isprintable() else as_json(value)


def _narrowed(first: str, second: str) -> tuple[str, str]:
    """Where two long texts differ, in whole words, with a little of what they share around it."""
    start = _common_prefix(first, second)
    end = _common_prefix(first[start:][::-1], second[start:][::-1])
    while start > 0 and _WORD.match(first[start - 1]):
        start -= 1
    while end > 0 and _WORD.match(first[len(first) - end]):
        end -= 1
    return _excerpt(first, start, end), _excerpt(second, start, end)


def _common_prefix(first: str, second: str) -> int:
    pairs = zip(first, second, strict=False)
    return next((index for index, (one, other) in enumerate(pairs) if one != other), min(len(first), len(second)))


def _excerpt(text: str, start: int, end: int) -> str:
    """``text`` from a little before ``start`` to a little after ``end`` characters from its end."""
    first = max(0, start - _CONTEXT_CHARACTERS)
    last = min(len(text), len(text) - end + _CONTEXT_CHARACTERS)
    return ("…" if first else "") + text[first:last] + ("…" if last < len(text) else "")
