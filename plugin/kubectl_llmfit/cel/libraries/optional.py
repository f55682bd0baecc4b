"""The optional library: optional.of(v), .orValue(d), a.?b, [?i].

Owns its functions and the signatures of its syntax (cel-go: cel/library.go, OptionalTypes). ``or`` and
``orValue`` evaluate their argument only when needed, so the evaluator knows them. Must not parse.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .. import operators as op
from ..duration import Duration
from ..errors import CelRuntimeError
from ..functions import Function, Overload
from ..message import Message
from ..spelling import spell
from ..timestamp import MIN_UNIX_S, Timestamp
from ..types import BOOL, DYN, INT, STRING, ListType, MapType, OptionalType, TypeParam
from ..types import Type as CelType
from ..values import NONE, Optional

# Go's zero time is the beginning of year 1.
_ZERO_TIMES: Final = (Duration(0), Timestamp(MIN_UNIX_S))
_K: Final = TypeParam("K")
_V: Final = TypeParam("V")
_OPTIONAL: Final = OptionalType(_V)
_LIST: Final = ListType(_V)
_MAP: Final = MapType(_K, _V)


def of_non_zero_value(value: object) -> Optional:
    """none for null, false, zero and whatever is empty; else optional.of(value)."""
    if value is None or (not value and isinstance(value, bool | int | float | str | bytes | list | tuple | Mapping)):
        return NONE
    is_zero = value.is_empty if isinstance(value, Message) else value in _ZERO_TIMES
    return NONE if is_zero else Optional(value)


def value_of(optional: Optional) -> object:
    """The value inside; an error when there is none."""
    if not optional.present:
        raise CelRuntimeError("optional.none() dereference")
    return optional.value


def _first(values: list[object]) -> Optional:
    return Optional(values[0]) if values else NONE


def _last(values: list[object]) -> Optional:
    return Optional(values[-1]) if values else NONE


def _unwrap(values: list[object]) -> list[object]:
    for value in values:
        if not isinstance(value, Optional):
            raise CelRuntimeError(f"value {spell(value)} is not optional")
    return [value.value for value in values if isinstance(value, Optional) and value.present]


def _member(id_: str, args: tuple[CelType, ...], result: CelType, run: object = None) -> Overload:
    return Overload(id_, args, result, member=True, run=run)  # type: ignore[arg-type]  # a callable or None


FUNCTIONS: Final = (
    Function("optional.of", (Overload("optional_of", (_V,), _OPTIONAL, run=Optional),)),
    Function(
        "optional.ofNonZeroValue",
        (Overload("optional_ofNonZeroValue", (_V,), _OPTIONAL, run=of_non_zero_value),),
    ),
    Function("optional.none", (Overload("optional_none", (), _OPTIONAL, run=lambda: NONE),)),
    Function("value", (_member("optional_value", (_OPTIONAL,), _V, value_of),)),
    Function("hasValue", (_member("optional_hasValue", (_OPTIONAL,), BOOL, lambda value: value.present),)),
    Function("or", (_member("optional_or_optional", (_OPTIONAL, _OPTIONAL), _OPTIONAL),)),
    Function("orValue", (_member("optional_orValue_value", (_OPTIONAL, _V), _V),)),
    Function(op.OPTIONAL_SELECT, (Overload("select_optional_field", (DYN, STRING), _OPTIONAL),)),
    Function(
        op.OPTIONAL_INDEX,
        (
            Overload("list_optindex_optional_int", (_LIST, INT), _OPTIONAL),
            Overload("optional_list_optindex_optional_int", (OptionalType(_LIST), INT), _OPTIONAL),
            Overload("map_optindex_optional_value", (_MAP, _K), _OPTIONAL),
            Overload("optional_map_optindex_optional_value", (OptionalType(_MAP), _K), _OPTIONAL),
        ),
    ),
    Function(
        op.INDEX,
        (
            Overload("optional_list_index_int", (OptionalType(_LIST), INT), _OPTIONAL),
            Overload("optional_map_index_value", (OptionalType(_MAP), _K), _OPTIONAL),
        ),
    ),
    Function("first", (_member("list_first", (_LIST,), _OPTIONAL, _first),)),
    Function("last", (_member("list_last", (_LIST,), _OPTIONAL, _last),)),
    Function("optional.unwrap", (Overload("optional_unwrap", (ListType(_OPTIONAL),), _LIST, run=_unwrap),)),
    Function("unwrapOpt", (_member("optional_unwrapOpt", (ListType(_OPTIONAL),), _LIST, _unwrap),)),
)
