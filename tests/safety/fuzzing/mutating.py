"""Damage to a document and to its text: what a fault, a stranger or the next version of a driver might write."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import yaml

from safety.strings import HOSTILE

T = TypeVar("T")
Step = str | int
Path = tuple[Step, ...]

NUMBERS: tuple[Any, ...] = (0, -1, 1, 2**31, 2**63 - 1, 2**63, -(2**63) - 1, 10**40, 0.5, 1e308, -0.0, 32, 33, 128)
QUANTITIES = (
    *("0", "-1", "1", "80Gi", "81559Mi", "85520809984", "1e3", "1E", "5e-9", "0.1n", "1e1000000", "1E999999999", "+1"),
    *("9223372036854775807", "9223372036854775808", "1.5Gi", "1k", "1Ki ", "", "Gi", "--1", "0x10", "NaN", "１Ｇi"),
)
SHAPES: tuple[Any, ...] = (None, True, False, [], {}, [[]], [{}], {"": ""}, {"a": {"b": [None]}}, [None], ["x"])
WORDS = (
    *("All", "ExactCount", "NoSchedule", "NoExecute", "None", "Exists", "Equal", "true", "null", "~", "llmfit.ai"),
    *("gpu.nvidia.com", "v1", "resource.k8s.io/v1beta1", "resource.k8s.io/v1", "List", "Node", "ResourceSlice"),
    *("device.driver == 'llmfit.ai'", "true", "device.attributes['a'].b", "1 + ", "x" * 300, "has(device.x)"),
    *("2026-12-01T00:00:00Z", "1.2.3", "v1.2", "gpu-a", "9" * 30),
)
FIELDS = (
    *(
        "spec",
        "status",
        "metadata",
        "name",
        "namespace",
        "driver",
        "pool",
        "generation",
        "resourceSliceCount",
        "devices",
    ),
    *("basic", "attributes", "capacity", "value", "string", "int", "bool", "version", "strings", "taints", "effect"),
    *(
        "nodeName",
        "nodeSelector",
        "allNodes",
        "perDeviceNodeSelection",
        "sharedCounters",
        "consumesCounters",
        "counters",
    ),
    *("allowMultipleAllocations", "bindsToNode", "bindingConditions", "requests", "exactly", "firstAvailable"),
    *("selectors", "cel", "expression", "constraints", "matchAttribute", "distinctAttribute", "tolerations", "count"),
    *(
        "allocationMode",
        "adminAccess",
        "config",
        "allocation",
        "results",
        "shareID",
        "consumedCapacity",
        "deletionTimestamp",
    ),
    *("labels", "annotations", "unschedulable", "conditions", "items", "kind", "apiVersion", "moodRing"),
)


class Choice:
    """Draws numbers: hypothesis's, so that what it finds can be made smaller."""

    def __init__(self, draw: Callable[[int], int]) -> None:
        self._draw = draw

    def below(self, count: int) -> int:
        """A number of ``range(count)``, each as likely: hypothesis draws low ones from a range above 128."""
        if count <= 128:
            return self._draw(count) if count > 1 else 0
        return (self.below(1 + count // 128) * 128 + self._draw(128)) % count

    def of(self, options: Sequence[T]) -> T:
        return options[self.below(len(options))]

    def one_in(self, count: int) -> bool:
        return self.below(count) == count - 1


def value(choice: Choice) -> Any:
    """A value that does not belong where it will stand."""
    return copy.deepcopy(choice.of(choice.of((NUMBERS, QUANTITIES, SHAPES, WORDS, tuple(HOSTILE.values())))))


def damage(document: Any, choice: Choice) -> Any:
    """A copy with one thing changed."""
    damaged = copy.deepcopy(document)
    path = choice.of(list(_paths(damaged)))
    if not path:
        return value(choice)
    *above, last = path
    parent = damaged
    for step in above:
        parent = parent[step]
    choice.of(_CHANGES)(parent, last, damaged, choice)
    return damaged


def _paths(value_: Any, path: Path = ()) -> Iterator[Path]:
    yield path
    steps = value_.items() if isinstance(value_, dict) else enumerate(value_) if isinstance(value_, list) else ()
    for step, inner in steps:
        yield from _paths(inner, (*path, step))


def _remove(parent: Any, step: Step, _whole: Any, _choice: Choice) -> None:
    del parent[step]


def _replace(parent: Any, step: Step, _whole: Any, choice: Choice) -> None:
    parent[step] = value(choice)


def _vary(parent: Any, step: Step, whole: Any, choice: Choice) -> None:
    """Puts something of the same kind there, so that what is damaged can still be read."""
    old = parent[step]
    if isinstance(old, bool):
        parent[step] = not old
    elif isinstance(old, int):
        parent[step] = choice.of((0, 1, 2, 3, old + 1, max(old - 1, 0)))
    elif isinstance(old, str):
        parent[step] = choice.of([text for key, text in _texts(whole) if key == step] or [old])
    elif isinstance(old, list):
        parent[step] = choice.of((old[::-1], old[: len(old) // 2], old[1:]))
    else:
        del parent[step]


def _texts(value_: Any, key: Step = "") -> Iterator[tuple[Step, str]]:
    """All strings of a document, each with the key or index it stands at."""
    if isinstance(value_, str):
        yield key, value_
    steps = value_.items() if isinstance(value_, dict) else enumerate(value_) if isinstance(value_, list) else ()
    for step, inner in steps:
        yield from _texts(inner, step)


def _wrap(parent: Any, step: Step, _whole: Any, choice: Choice) -> None:
    parent[step] = choice.of(([parent[step]], {"value": parent[step]}, str(parent[step])))


def _add(parent: Any, step: Step, _whole: Any, choice: Choice) -> None:
    target = parent[step] if isinstance(parent[step], dict | list) else parent
    if isinstance(target, dict):
        target[choice.of(FIELDS)] = value(choice)
    else:
        target.append(value(choice))


def _repeat(parent: Any, step: Step, _whole: Any, choice: Choice) -> None:
    if isinstance(parent, list):
        parent.insert(choice.below(len(parent) + 1), copy.deepcopy(parent[int(step)]))
    else:
        parent[choice.of(FIELDS)] = copy.deepcopy(parent[step])


def _graft(parent: Any, step: Step, whole: Any, choice: Choice) -> None:
    """Puts another part of the document there."""
    part: Any = whole
    for other in choice.of(list(_paths(whole))):
        part = part[other]
    parent[step] = copy.deepcopy(part)


_CHANGES: tuple[Callable[[Any, Any, Any, Choice], None], ...] = (
    *(_vary, _vary, _vary, _vary, _remove, _remove),
    *(_replace, _wrap, _add, _repeat, _graft),
)


def written(document: Any, choice: Choice) -> bytes:
    """The document as YAML or JSON, now and then with its text damaged too."""
    if choice.one_in(3):
        text = yaml.safe_dump(document, allow_unicode=True, sort_keys=choice.one_in(2))
    else:
        text = json.dumps(document)
    data = text.encode("utf-8", "surrogatepass")
    return scratched(data, choice) if choice.one_in(6) else data


def scratched(data: bytes, choice: Choice) -> bytes:
    """The bytes with something cut off, doubled, changed or put in."""
    at = choice.below(len(data) + 1)
    return choice.of(
        (
            data[:at],
            data[at:],
            data[:at] + choice.of((b"\0", b"\xff", b"\t", b"&a ", b"*a", b"- ", b": ", b"{{", b"'", b"\n")) + data[at:],
            data[:at] + data[max(at - 40, 0) :],
            data[:at] + bytes([choice.below(256)]) + data[at + 1 :],
        )
    )
