"""The types of the language, as the checker and ``type()`` see them.

Owns the shape of types and their spelling in messages (cel-go: common/types/types.go, checker/format.go).
Must not know functions or values.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final


class Kind(Enum):
    """The general category of a type."""

    ANY = auto()
    BOOL = auto()
    BYTES = auto()
    DOUBLE = auto()
    DURATION = auto()
    DYN = auto()
    ERROR = auto()
    INT = auto()
    LIST = auto()
    MAP = auto()
    NULL = auto()
    OPAQUE = auto()
    STRING = auto()
    OBJECT = auto()
    TIMESTAMP = auto()
    TYPE = auto()
    PARAM = auto()
    UINT = auto()


_FORMAT_NAMES: Final = {
    Kind.ANY: "any",
    Kind.DURATION: "duration",
    Kind.ERROR: "!error!",
    Kind.NULL: "null",
    Kind.TIMESTAMP: "timestamp",
}


class Type:
    """A CEL type; equal when kind, name and parameters are.

    ``name`` is the run-time name (``google.protobuf.Timestamp``), ``parameters`` the element types, ``fields``
    those of an object; None when it has no fields that could be selected. ``nullable``: null may stand for a value.
    ``is_generic``: there are type parameters in it.
    ``str()`` is the spelling of checker messages (FormatCELType), ``declared()`` cel-go's other one.
    """

    __slots__ = ("_text", "fields", "is_generic", "kind", "name", "nullable", "parameters")

    def __init__(
        self,
        kind: Kind,
        name: str,
        parameters: tuple[Type, ...] = (),
        fields: Mapping[str, Type] | None = None,
    ) -> None:
        self.kind = kind
        self.name = name
        self.parameters = parameters
        self.fields = fields
        self.nullable = False
        self.is_generic: bool = kind is Kind.PARAM or any(parameter.is_generic for parameter in parameters)
        self._text: str | None = None

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            isinstance(other, Type)
            and self.kind is other.kind
            and self.name == other.name
            and self.parameters == other.parameters
        )

    def __hash__(self) -> int:
        return hash((self.kind, self.name, self.parameters))

    def __str__(self) -> str:
        if self._text is None:
            self._text = self._format()
        return self._text

    def __repr__(self) -> str:
        return f"<Type {self}>"

    def _format(self) -> str:
        if self.kind in _FORMAT_NAMES:
            return _FORMAT_NAMES[self.kind]
        if not self.parameters:
            return self._declared_name()
        return f"{self.name}({', '.join(str(parameter) for parameter in self.parameters)})"

    def _declared_name(self) -> str:
        return f"wrapper({self.name})" if self.nullable else self.name

    def declared(self) -> str:
        """The spelling of Type.String(), which shows run-time names: ``null_type``, ``<T>``."""
        if self.kind is Kind.PARAM:
            return f"<{self.name}>"
        if not self.parameters:
            return self._declared_name()
        return f"{self.name}({', '.join(parameter.declared() for parameter in self.parameters)})"

    @property
    def is_dyn(self) -> bool:
        """Whether the checker lets everything pass: dyn or any."""
        return self.kind is Kind.DYN or self.kind is Kind.ANY

    @property
    def is_dyn_or_error(self) -> bool:
        """Whether there is nothing (more) to complain about."""
        return self.is_dyn or self.kind is Kind.ERROR


ANY: Final = Type(Kind.ANY, "google.protobuf.Any")
BOOL: Final = Type(Kind.BOOL, "bool")
BYTES: Final = Type(Kind.BYTES, "bytes")
DOUBLE: Final = Type(Kind.DOUBLE, "double")
DURATION: Final = Type(Kind.DURATION, "google.protobuf.Duration")
DYN: Final = Type(Kind.DYN, "dyn")
ERROR: Final = Type(Kind.ERROR, "error")
INT: Final = Type(Kind.INT, "int")
NULL: Final = Type(Kind.NULL, "null_type")
STRING: Final = Type(Kind.STRING, "string")
TIMESTAMP: Final = Type(Kind.TIMESTAMP, "google.protobuf.Timestamp")
TYPE: Final = Type(Kind.TYPE, "type")
UINT: Final = Type(Kind.UINT, "uint")
QUANTITY: Final = Type(Kind.OBJECT, "kubernetes.Quantity")
SEMVER: Final = Type(Kind.OBJECT, "kubernetes.Semver")
URL: Final = Type(Kind.OBJECT, "kubernetes.URL")
NAMED_FORMAT: Final = Type(Kind.OBJECT, "kubernetes.NamedFormat")
IP: Final = Type(Kind.OPAQUE, "net.IP")
CIDR: Final = Type(Kind.OPAQUE, "net.CIDR")


class ListType(Type):
    """A list of ``element``."""

    __slots__ = ()

    def __init__(self, element: Type) -> None:
        super().__init__(Kind.LIST, "list", (element,))


class MapType(Type):
    """A map from ``key`` to ``value``."""

    __slots__ = ()

    def __init__(self, key: Type, value: Type) -> None:
        super().__init__(Kind.MAP, "map", (key, value))


class OptionalType(Type):
    """A value of type ``value`` that may be missing."""

    __slots__ = ()

    def __init__(self, value: Type) -> None:
        super().__init__(Kind.OPAQUE, "optional_type", (value,))


class TypeType(Type):
    """The type of the type ``of``."""

    __slots__ = ()

    def __init__(self, of: Type) -> None:
        super().__init__(Kind.TYPE, "type", (of,))


class TypeParam(Type):
    """A place for a type, filled in when a call is checked."""

    __slots__ = ()

    def __init__(self, name: str) -> None:
        super().__init__(Kind.PARAM, name)


class ObjectType(Type):
    """A type with named fields of known types, such as the variable ``device``."""

    __slots__ = ()

    def __init__(self, name: str, fields: Mapping[str, Type]) -> None:
        super().__init__(Kind.OBJECT, name, (), fields)


class WrapperType(Type):
    """A scalar type that null fits too: that of protobuf's wrapper messages. It equals the scalar type itself."""

    __slots__ = ()

    def __init__(self, scalar: Type) -> None:
        super().__init__(scalar.kind, scalar.name)
        self.nullable = True


# The two messages of protobuf that stay messages when they are made; the second is an entry of a Struct.
EMPTY: Final = ObjectType("google.protobuf.Empty", {})
ENTRY: Final = ObjectType("google.protobuf.Struct.FieldsEntry", {"key": STRING, "value": DYN})

# The types that an expression can name and use as values.
NAMED_TYPES: Final = {
    kind.name: kind
    for kind in (
        BOOL,
        BYTES,
        CIDR,
        DOUBLE,
        DURATION,
        EMPTY,
        ENTRY,
        INT,
        IP,
        ListType(DYN),
        MapType(DYN, DYN),
        NULL,
        OptionalType(DYN),
        STRING,
        TIMESTAMP,
        TYPE,
        UINT,
    )
}

# What literals of protobuf's other messages are (cel-go: common/types/types.go, checkedWellKnowns).
MESSAGE_TYPES: Final[Mapping[str, Type]] = {
    "google.protobuf.Any": ANY,
    "google.protobuf.BoolValue": WrapperType(BOOL),
    "google.protobuf.BytesValue": WrapperType(BYTES),
    "google.protobuf.DoubleValue": WrapperType(DOUBLE),
    "google.protobuf.Duration": DURATION,
    "google.protobuf.Empty": EMPTY,
    "google.protobuf.FloatValue": WrapperType(DOUBLE),
    "google.protobuf.Int32Value": WrapperType(INT),
    "google.protobuf.Int64Value": WrapperType(INT),
    "google.protobuf.ListValue": ListType(DYN),
    "google.protobuf.StringValue": WrapperType(STRING),
    "google.protobuf.Struct": MapType(STRING, DYN),
    "google.protobuf.Struct.FieldsEntry": ENTRY,
    "google.protobuf.Timestamp": TIMESTAMP,
    "google.protobuf.UInt32Value": WrapperType(UINT),
    "google.protobuf.UInt64Value": WrapperType(UINT),
    "google.protobuf.Value": DYN,
}

# Names that the checker knows and no program does: most messages, and two that Kubernetes declares
# (apiserver: pkg/cel/types.go).
DECLARED_NAMES: Final = {
    "duration": DURATION,
    "timestamp": TIMESTAMP,
    **{name: type_ for name, type_ in MESSAGE_TYPES.items() if name not in NAMED_TYPES},
}

# The numbers that an expression can name: protobuf's one enumeration.
NAMED_NUMBERS: Final = {"google.protobuf.NullValue.NULL_VALUE": 0}


def unwrap_optional(type_: Type) -> tuple[Type, bool]:
    """The type inside an optional, and whether it was one."""
    if type_.kind is Kind.OPAQUE and type_.name == "optional_type":
        return type_.parameters[0], True
    return type_, False
