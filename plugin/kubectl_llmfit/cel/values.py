"""The values of the language, as Python objects.

Owns which Python object stands for which CEL type (cel-go: common/types): int is CEL int, float double; str,
bytes, bool, None, list or tuple, and Mapping are what they look like; the classes of this package stand for
themselves. Must not compute with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from . import types as t
from .address import Address, AddressRange
from .duration import Duration
from .errors import PanicError
from .formats import NamedFormat
from .message import Message
from .quantity import Quantity
from .semver import Semver
from .timestamp import Timestamp
from .types import Kind, Type
from .url import Url

MISSING: Final = object()
INT64_MAX: Final = 2**63 - 1
INT64_MIN: Final = -(2**63)
UINT64_MAX: Final = 2**64 - 1


class UInt(int):
    """An unsigned 64-bit number."""

    __slots__ = ()


class SumQuantity(Quantity):
    """What add() and sub() return: Kubernetes hands out a pointer, which nothing but itself equals.

    ``quantity('2') == quantity('1').add(1)`` is "no such overload", the other way round it is true
    (apiserver: pkg/cel/quantity.go Equal, library/quantity.go quantityAdd).
    """

    __slots__ = ()


class ConcatenatedList(list[object]):
    """A list made with ``+``, which alone reports an error of its elements' equality (concatList)."""

    __slots__ = ()


class Optional:
    """A value that may be missing: optional.of(v), optional.none()."""

    __slots__ = ("value",)

    def __init__(self, value: object = MISSING) -> None:
        self.value = value

    @property
    def present(self) -> bool:
        """Whether there is a value."""
        return self.value is not MISSING


NONE: Final = Optional()


class DefaultMap(Mapping[object, object]):
    """A map whose index of an unknown key yields ``default`` although ``in`` says false.

    Kubernetes builds ``device.attributes`` and ``device.capacity`` so
    (dynamic-resource-allocation/cel/compile.go: mapper.Find).
    """

    __slots__ = ("_default", "_mapping", "find")

    def __init__(self, mapping: Mapping[str, object], default: object) -> None:
        self._mapping = dict(mapping)
        self._default = default
        get: Callable[..., object] = self._mapping.get
        self.find: Callable[[object], object] = lambda key: get(key, default) if type(key) is str else default

    def __getitem__(self, key: object) -> object:
        return self.find(key)

    def __contains__(self, key: object) -> bool:
        return type(key) is str and key in self._mapping

    def __iter__(self) -> Iterator[object]:
        return iter(self._mapping)

    def __len__(self) -> int:
        return len(self._mapping)


class MapValue(Mapping[object, object]):
    """A map written in an expression or made by a macro; keys keep their CEL types apart."""

    __slots__ = ("_entries",)

    def __init__(self) -> None:
        self._entries: dict[object, tuple[object, object]] = {}

    def put(self, key: object, value: object) -> None:
        """Set a key; PanicError for what Go cannot hash."""
        self._entries[storage_key(key)] = (key, value)

    def drop(self, key: object) -> None:
        """Forget a key, if it is there; PanicError for what Go cannot hash, in words of its own where all is empty."""
        if not self._entries and type(key) in _UNHASHABLE:
            raise PanicError(f"hash of unhashable type: {go_type(key)}")
        self._entries.pop(storage_key(key), None)

    def find(self, key: object) -> object:
        """The value of a key, numbers of any type being equal by value; MISSING."""
        if not self._entries:
            return MISSING
        entry = self._entries.get(storage_key(key))
        if entry is None and type(key) in NUMBERS:
            entry = next(filter(None, (self._entries.get(other) for other in _equal_numbers(key))), None)
        return MISSING if entry is None else entry[1]

    def __getitem__(self, key: object) -> object:
        value = self.find(key)
        if value is MISSING:
            raise KeyError(key)
        return value

    def __contains__(self, key: object) -> bool:
        return self.find(key) is not MISSING

    def __iter__(self) -> Iterator[object]:
        return (key for key, _ in self._entries.values())

    def __len__(self) -> int:
        return len(self._entries)


NUMBERS: Final = frozenset({int, UInt, float})
_UNHASHABLE: Final = frozenset({bytes, Semver, NamedFormat})
_BY_VALUE: Final = frozenset({int, UInt, float, bool, str, type(None), Duration, Address, AddressRange})


def storage_key(key: object) -> object:
    """A key for a Python dict that is equal exactly when Go's map keys are."""
    kind = type(key)
    if kind is str:
        return key
    if key != key:  # noqa: PLR0124 -- NaN, which is no key's equal
        return (kind, object())
    if kind in _UNHASHABLE:
        raise PanicError(f"runtime error: hash of unhashable type {go_type(key)}")
    if isinstance(key, Type):
        return (Type, key.name)
    if isinstance(key, Timestamp):
        # Go compares the zone, too, by its address; it has one address for each zone of whole hours.
        shared = key.offset_s % 3600 == 0 and -12 <= key.offset_s // 3600 <= 14
        return (kind, key, key.is_utc, key.offset_s if shared else id(key))
    return (kind, key) if kind in _BY_VALUE else (kind, id(key))


def _equal_numbers(key: object) -> Iterator[object]:
    """Storage keys of the other numeric types with the same value."""
    if isinstance(key, float):
        if not key.is_integer():
            return
        whole = int(key)
        if INT64_MIN < whole <= INT64_MAX:
            yield (int, whole)
        if 0 <= whole <= UINT64_MAX:
            yield (UInt, whole)
    elif isinstance(key, int):
        yield (UInt, key) if type(key) is int else (int, key)


_TYPES: Final[dict[type, Type]] = {
    bool: t.BOOL,
    int: t.INT,
    UInt: t.UINT,
    float: t.DOUBLE,
    str: t.STRING,
    bytes: t.BYTES,
    type(None): t.NULL,
    list: t.ListType(t.DYN),
    tuple: t.ListType(t.DYN),
    ConcatenatedList: t.ListType(t.DYN),
    dict: t.MapType(t.DYN, t.DYN),
    MapValue: t.MapType(t.DYN, t.DYN),
    DefaultMap: t.MapType(t.DYN, t.DYN),
    Quantity: t.QUANTITY,
    SumQuantity: t.QUANTITY,
    Semver: t.SEMVER,
    Timestamp: t.TIMESTAMP,
    Duration: t.DURATION,
    Address: t.IP,
    AddressRange: t.CIDR,
    Url: t.URL,
    NamedFormat: t.NAMED_FORMAT,
    Optional: t.OptionalType(t.DYN),
}
_GO_TYPES: Final[dict[type, str]] = {
    bool: "types.Bool",
    int: "types.Int",
    UInt: "types.Uint",
    float: "types.Double",
    str: "types.String",
    bytes: "types.Bytes",
    type(None): "types.Null",
    list: "*types.baseList",
    tuple: "*types.baseList",
    ConcatenatedList: "*types.concatList",
    dict: "*types.baseMap",
    MapValue: "*types.baseMap",
    DefaultMap: "cel.mapper",
    Quantity: "cel.Quantity",
    SumQuantity: "*cel.Quantity",
    Semver: "cel.Semver",
    Timestamp: "types.Timestamp",
    Duration: "types.Duration",
    Address: "cel.IP",
    AddressRange: "cel.CIDR",
    Url: "cel.URL",
    NamedFormat: "cel.Format",
    Optional: "*types.Optional",
    Message: "*types.protoObj",
}


def type_of(value: object) -> Type:
    """The run-time type of a value, type parameters erased."""
    known = _TYPES.get(type(value))
    if known is not None:
        return known
    if isinstance(value, Type):
        return t.TYPE
    if isinstance(value, Message):
        return value.type
    if isinstance(value, Mapping):
        return _TYPES[dict]
    if isinstance(value, list | tuple):
        return _TYPES[list]
    raise TypeError(f"no CEL value: {type(value).__name__}")


def classes_of(declared: Type) -> frozenset[type]:
    """The Python classes of all values that fit a simple type; empty when the class alone cannot tell."""
    if declared.kind in (Kind.LIST, Kind.MAP):
        return frozenset()
    return frozenset(kind for kind, type_ in _TYPES.items() if type_.name == declared.name)


def go_type(value: object) -> str:
    """The name cel-go's messages give a value's type (``%T``)."""
    return _GO_TYPES.get(type(value)) or ("*types.Type" if isinstance(value, Type) else "*types.baseMap")


def is_list(value: object) -> bool:
    """Whether a value is a CEL list."""
    return isinstance(value, list | tuple)


def map_find(mapping: object, key: object) -> object:
    """The value of a key in any map, or MISSING (traits.Mapper.Find)."""
    if isinstance(mapping, DefaultMap | MapValue):
        return mapping.find(key)
    if type(key) is str and isinstance(mapping, Mapping):
        return mapping.get(key, MISSING)
    return MISSING


def contains_key(mapping: object, key: object) -> bool:
    """Whether ``key in mapping``; a DefaultMap answers for the keys it really has."""
    if isinstance(mapping, DefaultMap):
        return key in mapping
    return map_find(mapping, key) is not MISSING


def matches_type(declared: Type, value: object) -> bool:
    """Whether a value fits a declared type at run time (types.go: IsAssignableRuntimeType)."""
    kind = declared.kind
    if kind is Kind.DYN or kind is Kind.ANY or kind is Kind.PARAM:
        return True
    if type_of(value).name != declared.name:
        return False
    if kind is Kind.LIST and isinstance(value, list | tuple):
        return not value or matches_type(declared.parameters[0], value[0])
    if kind is Kind.MAP and isinstance(value, Mapping):
        for key in value:
            return matches_type(declared.parameters[0], key) and matches_type(
                declared.parameters[1], map_find(value, key)
            )
    return True
