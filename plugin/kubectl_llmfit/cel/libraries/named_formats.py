"""Kubernetes' format library: format.dns1123Label().validate(name), format.named('uuid').

Owns its functions (apiserver 0.37: pkg/cel/library/format.go). Must not judge texts: the formats do.
"""

from __future__ import annotations

from typing import Final

from ..formats import FORMATS, NamedFormat
from ..functions import Function, Overload
from ..types import NAMED_FORMAT, STRING, ListType, OptionalType
from ..values import NONE, Optional


def validate(named: NamedFormat, text: str) -> Optional:
    """What is wrong with a text; none when nothing is."""
    faults = named.faults(text)
    return Optional(faults) if faults else NONE


def named_format(name: str) -> Optional:
    """The format of that name, if there is one."""
    found = FORMATS.get(name)
    return NONE if found is None else Optional(found)


def _constant(name: str, named: NamedFormat) -> Function:
    return Function(f"format.{name}", (Overload(f"format.{name}", (), NAMED_FORMAT, run=lambda: named),))


FUNCTIONS: Final = (
    Function(
        "validate",
        (
            Overload(
                "format-validate",
                (NAMED_FORMAT, STRING),
                OptionalType(ListType(STRING)),
                member=True,
                run=validate,
            ),
        ),
    ),
    Function("format.named", (Overload("format-named", (STRING,), OptionalType(NAMED_FORMAT), run=named_format),)),
    *(_constant(name, named) for name, named in FORMATS.items()),
)
