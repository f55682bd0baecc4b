"""The devices of a slice: everything but the name is a shape, and each distinct shape is one object.

Owns how a device's fields are read, in every served version, and ``Interner``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from ..cel.semver import Semver
from .nodes import read_node_selector, read_taint
from .raw import V1ALPHA3, Raw
from .values import (
    AttributeValue,
    Capacity,
    CapacityRange,
    CounterSet,
    DeviceShape,
    NodeTargeting,
    RequestPolicy,
    Scalar,
)

# Device of k8s.io/api/resource/v1 0.37. nodeAllocatableResources is left out on purpose: it belongs to a feature
# that is off by default, and makes a device take CPU and memory of the node too.
_KNOWN_FIELDS: Final = frozenset((
    "name", "attributes", "capacity", "consumesCounters", "nodeName", "nodeSelector", "allNodes", "taints",
    "bindsToNode", "bindingConditions", "bindingFailureConditions", "allowMultipleAllocations",
))  # fmt: skip
# Left out on purpose: compatibilityGroups, a feature that is off by default and hides the whole slice.
_KNOWN_CONSUMPTION_FIELDS: Final = frozenset(("counterSet", "counters"))
_KNOWN_CAPACITY_FIELDS: Final = frozenset(("value", "requestPolicy"))
# The API takes 64 bytes (DeviceAttributeMaxValueLength); a megabyte of digits would be minutes of arithmetic in CEL.
_LONGEST_TEXT: Final = 10_000
_KNOWN_POLICY_FIELDS: Final = frozenset(("default", "validValues", "validRange"))


class Interner:
    """Gives equal devices (but for their names) one shape.

    Looks up by the raw text first, which is cheap and finds nearly all; then by the same fields in any order.
    """

    __slots__ = ("_by_content", "_by_text")

    def __init__(self) -> None:
        self._by_text: dict[str, DeviceShape] = {}
        self._by_content: dict[str, DeviceShape] = {}

    def shape(self, device: Raw, version: str) -> DeviceShape:
        """The shape of a device as it stands in a slice of ``version``."""
        fields = {name: value for name, value in device.fields.items() if name != "name"}
        text = f"{version}{fields!r}"
        known = self._by_text.get(text)
        if known is None:
            shape = _read_shape(device, version)
            known = self._by_content.setdefault(version + _content(fields), shape)
            self._by_text[text] = known
        return known


def _content(value: object) -> str:
    """A text that is the same for equal JSON values, whatever the order of their fields.

    When a taint was added is no part of a shape: nothing but eviction reads it.
    """
    if isinstance(value, dict):
        pairs = (f"{key!r}:{_content(item)}" for key, item in value.items() if key != "timeAdded")
        return "{" + ",".join(sorted(pairs)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_content, value)) + "]"
    return repr(value)


def read_targeting(raw: Raw) -> NodeTargeting:
    """Which nodes reach a slice or a device; an empty or false field counts as missing (ptr.Deref in pools.go)."""
    selector = raw.child("nodeSelector")
    return NodeTargeting(
        node_name=raw.text("nodeName") or None,
        node_selector=None if selector is None else read_node_selector(selector),
        all_nodes=raw.boolean("allNodes"),
        per_device=raw.boolean("perDeviceNodeSelection"),
    )


def read_counter_set(raw: Raw, name_field: str) -> CounterSet:
    """Shared counters of a slice (``name``), or what a device consumes (``counterSet``)."""
    counters = raw.child("counters") or Raw(raw.label, raw.at("counters"), {})
    values = {name: counters.required_child(name).required_quantity("value") for name in counters.names()}
    return CounterSet(raw.required_text(name_field), values)


def _read_shape(device: Raw, version: str) -> DeviceShape:
    attributes, unreadable = _read_attributes(device.child("attributes"))
    targeting = read_targeting(device)
    consumptions = device.children("consumesCounters")
    capacity, unknown_capacity = _read_capacities(device.child("capacity"), version)
    return DeviceShape(
        attributes=attributes,
        capacity=capacity,
        targeting=None if targeting == NodeTargeting() else targeting,
        taints=tuple(read_taint(taint) for taint in device.children("taints")),
        allow_multiple_allocations=device.boolean("allowMultipleAllocations"),
        consumes_counters=tuple(read_counter_set(item, "counterSet") for item in consumptions),
        binds_to_node=device.boolean("bindsToNode"),
        binding_conditions=device.texts("bindingConditions"),
        binding_failure_conditions=device.texts("bindingFailureConditions"),
        unreadable=unreadable,
        unknown_fields=_below_device(
            device,
            *device.unknown(_KNOWN_FIELDS),
            *unknown_capacity,
            *(path for item in consumptions for path in item.unknown(_KNOWN_CONSUMPTION_FIELDS)),
        ),
    )


def _below_device(device: Raw, *paths: str) -> tuple[str, ...]:
    """Paths as seen from the device: a shape stands for many."""
    return tuple(path.removeprefix(device.path + ".") for path in paths)


def _read_attributes(raw: Raw | None) -> tuple[dict[str, AttributeValue], tuple[str, ...]]:
    """Attributes by their published names, and the names of those that could not be read."""
    values: dict[str, AttributeValue] = {}
    unreadable: list[str] = []
    if raw is None:
        return values, ()
    for name in raw.names():
        value = _read_attribute(raw.required_child(name))
        if value is None:
            unreadable.append(name)
        else:
            values[name] = value
    return values, tuple(unreadable)


def _read_attribute(raw: Raw) -> AttributeValue | None:
    """One attribute's value, lists first as getAttributeValue of dynamic-resource-allocation/cel has it.

    None for a kind that is not known and for no version. Raises ReadError for a value that the field cannot hold.
    """
    for name, read in _KINDS.items():
        if raw.has(f"{name}s"):
            return _read_list(raw, f"{name}s", read)
    for name, read in _KINDS.items():
        if raw.has(name):
            return read(raw, name)
    return None


def _read_list(raw: Raw, name: str, read: Callable[[Raw, str], Scalar | None]) -> tuple[Scalar, ...] | None:
    values = raw.items(name)
    items = tuple(item for step in values.fields if (item := read(values, step)) is not None)
    return items if len(items) == len(values.fields) else None


def _read_text(raw: Raw, name: str) -> str | None:
    text = raw.text(name)
    if text is not None and len(text) > _LONGEST_TEXT:
        raise raw.error(name, f"a text of {len(text)} characters, at most {_LONGEST_TEXT} are read")
    return text


def _read_version(raw: Raw, name: str) -> Semver | None:
    text = _read_text(raw, name)
    try:
        return None if text is None else Semver.parse(text)
    except ValueError:
        return None


_KINDS: Final[dict[str, Callable[[Raw, str], Scalar | None]]] = {
    "int": Raw.integer,
    "bool": Raw.boolean,
    "string": _read_text,
    "version": _read_version,
}


def _read_capacities(raw: Raw | None, version: str) -> tuple[dict[str, Capacity], Iterable[str]]:
    values: dict[str, Capacity] = {}
    unknown: list[str] = []
    if raw is None:
        return values, unknown
    for name in raw.names():
        if version == V1ALPHA3 and isinstance(raw.fields[name], str):
            values[name] = Capacity(raw.required_quantity(name))
            continue
        item = raw.required_child(name)
        policy = item.child("requestPolicy")
        values[name] = Capacity(item.required_quantity("value"), _read_policy(policy))
        unknown += item.unknown(_KNOWN_CAPACITY_FIELDS)
        unknown += policy.unknown(_KNOWN_POLICY_FIELDS) if policy else ()
    return values, unknown


def _read_policy(raw: Raw | None) -> RequestPolicy | None:
    if raw is None:
        return None
    limits = raw.child("validRange")
    return RequestPolicy(
        default=raw.quantity("default"),
        valid_values=raw.quantities("validValues"),
        valid_range=None
        if limits is None
        else CapacityRange(limits.required_quantity("min"), limits.quantity("max"), limits.quantity("step")),
    )
