"""The Common Expression Language as Kubernetes 1.37 has it: Environment, Program, types and values.

Owns the public names of the engine. Knows no devices, claims or clusters.
"""

from __future__ import annotations

from .cost_extent import Extent
from .environment import Environment
from .errors import CelCompileError, CelError, CelRuntimeError, NoTimeZonesError
from .explain import Part, PartResult
from .program import Program
from .quantity import Quantity
from .reads import Path, Reads
from .semver import Semver
from .types import (
    ANY,
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    NULL,
    QUANTITY,
    SEMVER,
    STRING,
    TIMESTAMP,
    UINT,
    ListType,
    MapType,
    ObjectType,
    OptionalType,
    Type,
)
from .values import NONE, DefaultMap, Optional, UInt

__all__ = [
    "ANY",
    "BOOL",
    "BYTES",
    "DOUBLE",
    "DURATION",
    "DYN",
    "INT",
    "NONE",
    "NULL",
    "QUANTITY",
    "SEMVER",
    "STRING",
    "TIMESTAMP",
    "UINT",
    "CelCompileError",
    "CelError",
    "CelRuntimeError",
    "DefaultMap",
    "Environment",
    "Extent",
    "ListType",
    "MapType",
    "NoTimeZonesError",
    "ObjectType",
    "Optional",
    "OptionalType",
    "Part",
    "PartResult",
    "Path",
    "Program",
    "Quantity",
    "Reads",
    "Semver",
    "Type",
    "UInt",
]
