"""The cases of the CEL specification: how they are read, run by the engine, and judged.

Owns the way from protobuf's JSON to the engine's types and values and back. Must not know which cases may fail.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from kubectl_llmfit.cel import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    NULL,
    STRING,
    TIMESTAMP,
    UINT,
    CelCompileError,
    CelRuntimeError,
    Environment,
    ListType,
    MapType,
    Type,
    UInt,
)
from kubectl_llmfit.cel.duration import Duration
from kubectl_llmfit.cel.timestamp import Timestamp
from kubectl_llmfit.cel.types import MESSAGE_TYPES, Kind, WrapperType

_PRIMITIVES = {"BOOL": BOOL, "INT64": INT, "UINT64": UINT, "DOUBLE": DOUBLE, "STRING": STRING, "BYTES": BYTES}
_WELL_KNOWN = {"TIMESTAMP": TIMESTAMP, "DURATION": DURATION}
_ANY_PREFIX = "type.googleapis.com/"


class UnreachableError(Exception):
    """A case that speaks of what no selector can have; ``str()`` says of what."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """``kind`` is "value", "error", "compile error" or, of a case that is only checked, "checked".

    ``value`` is comparable: equal for equal CEL values of the same type. ``type`` is the checker's.
    """

    kind: str
    value: object = None
    type: str = ""
    words: str = ""


def name_of(case: Mapping[str, Any]) -> str:
    """file/section/name."""
    return f"{case['file']}/{case['section']}/{case['test']['name']}"


def by_engine(case: Mapping[str, Any]) -> Outcome:
    """What the engine makes of a case; UnreachableError when it has variables that no selector can have."""
    test = case["test"]
    environment = Environment(dict(map(_declaration, test.get("typeEnv", ()))), stored=True)
    try:
        program = environment.compile(test["expr"], expect_bool=False)
    except CelCompileError as error:
        return Outcome("compile error", words=str(error))
    type_ = str(program.result_type)
    if test.get("checkOnly"):
        return Outcome("checked", type=type_)
    variables = {name: _decoded(bound["value"]) for name, bound in test.get("bindings", {}).items()}
    try:
        return Outcome("value", _comparable(program.evaluate(variables)), type_)
    except CelRuntimeError as error:
        return Outcome("error", type=type_, words=str(error))


def by_kubernetes(case: Mapping[str, Any]) -> Outcome:
    """What Kubernetes makes of it."""
    answer = case["kubernetes"]
    if "compileError" in answer:
        return Outcome("compile error", words=answer["compileError"])
    if "error" in answer:
        return Outcome("error", type=answer.get("type", ""), words=answer["error"])
    if "value" not in answer:
        return Outcome("checked", type=answer["type"])
    return Outcome("value", _expected(answer["value"]), answer["type"])


def meets_specification(case: Mapping[str, Any], outcome: Outcome) -> bool:
    """Whether an outcome is the one that the case wants."""
    test = case["test"]
    if "evalError" in test:
        # where a constant is wrong, Kubernetes says so when it compiles
        return outcome.kind in ("error", "compile error")
    typed = test.get("typedResult", {})
    if "deducedType" in typed and outcome.type != str(_type(typed["deducedType"])):
        return False
    if outcome.kind == "checked":
        return True
    wanted = test.get("value") or typed.get("result") or {"boolValue": True}
    return outcome.kind == "value" and outcome.value == _expected(wanted)


def agree(ours: Outcome, theirs: Outcome) -> bool:
    """Whether two outcomes are the same; of an error its kind counts here, not its words."""
    return (ours.kind, ours.value, ours.type) == (theirs.kind, theirs.value, theirs.type)


# Types and values from protobuf's JSON


def _declaration(declaration: Mapping[str, Any]) -> tuple[str, Type]:
    if "ident" not in declaration:
        raise UnreachableError("a function of the case's own")
    if "." in declaration["name"]:
        raise UnreachableError("a variable with a qualified name")
    return declaration["name"], _type(declaration["ident"]["type"])


def _type(content: Mapping[str, Any]) -> Type:
    ((kind, inner),) = content.items()
    if kind == "primitive":
        return _PRIMITIVES[inner]
    if kind == "wrapper":
        return WrapperType(_PRIMITIVES[inner])
    if kind == "messageType":
        return MESSAGE_TYPES.get(inner) or Type(Kind.OBJECT, inner)
    if kind == "wellKnown" and inner in _WELL_KNOWN:
        return _WELL_KNOWN[inner]
    if kind == "null":
        return NULL
    if kind == "dyn":
        return DYN
    if kind == "listType":
        return ListType(_type(inner["elemType"]))
    if kind == "mapType":
        return MapType(_type(inner["keyType"]), _type(inner["valueType"]))
    raise UnreachableError("a type of the case's own")


def _decoded(content: Mapping[str, Any]) -> object:
    """The engine's value for a cel.expr.Value."""
    ((kind, inner),) = content.items()
    if kind == "int64Value":
        return int(inner)
    if kind == "uint64Value":
        return UInt(inner)
    if kind == "doubleValue":
        return float(inner)
    if kind == "bytesValue":
        return base64.b64decode(inner)
    if kind == "nullValue":
        return None
    if kind == "listValue":
        return [_decoded(value) for value in inner.get("values", ())]
    if kind == "mapValue":
        return {_decoded(entry["key"]): _decoded(entry["value"]) for entry in inner.get("entries", ())}
    if kind in ("boolValue", "stringValue"):
        return inner
    if kind == "objectValue":
        return _message(inner)
    raise UnreachableError("an enum")


def _message(content: Mapping[str, Any]) -> object:
    """The engine's value for a message of protobuf's own, from protobuf's JSON for an Any."""
    name = content["@type"].removeprefix(_ANY_PREFIX)
    read = _MESSAGES.get(name)
    if read is None:
        raise UnreachableError("a message of the case's own")
    return read(content["value"])


def _json(content: object) -> object:
    """A Value; a number of JSON is a double."""
    if isinstance(content, list):
        return [_json(element) for element in content]
    if isinstance(content, dict):
        return {key: _json(value) for key, value in content.items()}
    return float(content) if isinstance(content, int) and not isinstance(content, bool) else content


_MESSAGES: Mapping[str, Callable[[Any], object]] = {
    f"google.protobuf.{name}": read
    for name, read in {
        **dict.fromkeys(("Int32Value", "Int64Value"), int),
        **dict.fromkeys(("UInt32Value", "UInt64Value"), UInt),
        **dict.fromkeys(("FloatValue", "DoubleValue"), float),
        **dict.fromkeys(("BoolValue", "StringValue"), lambda content: content),
        **dict.fromkeys(("Struct", "Value", "ListValue"), _json),
        "BytesValue": base64.b64decode,
        "Duration": Duration.parse,
        "Timestamp": Timestamp.parse,
        "Any": _message,
    }.items()
}


def _expected(content: Mapping[str, Any]) -> object:
    """As ``_comparable`` for a cel.expr.Value."""
    ((kind, inner),) = content.items()
    if kind == "typeValue":
        return "type", inner
    if kind == "listValue":
        return "list", *map(_expected, inner.get("values", ()))
    if kind == "mapValue":
        return "map", frozenset((_expected(e["key"]), _expected(e["value"])) for e in inner.get("entries", ()))
    if kind == "objectValue":
        return inner["@type"].removeprefix(_ANY_PREFIX), _shortest(str(inner.get("value")))
    return _comparable(_decoded(content))


def _comparable(value: object) -> object:
    """A value as something that Python's == compares as a test must: 1, 1u, 1.0 and true apart, NaN equal to itself."""
    if isinstance(value, float):
        return "double", "NaN" if math.isnan(value) else value.hex()
    if isinstance(value, Type):
        return "type", value.name
    if isinstance(value, list | tuple):
        return "list", *map(_comparable, value)
    if isinstance(value, Mapping):
        return "map", frozenset((_comparable(key), _comparable(value[key])) for key in value)
    if value is None or isinstance(value, bool | int | str | bytes):
        return type(value).__name__, value
    return _as_text(value)


def _as_text(value: object) -> tuple[str, str]:
    """Timestamps, durations and other values of a type with a text, by the engine's own conversion."""
    describe, write = _describing()
    described = describe.evaluate({"value": value})
    assert isinstance(described, Type)
    return described.name, str(write.evaluate({"value": value}))


@cache
def _describing() -> tuple[Any, Any]:
    environment = Environment({"value": DYN})
    return environment.compile("type(value)", expect_bool=False), environment.compile(
        "string(value)", expect_bool=False
    )


def _shortest(text: str) -> str:
    """Protobuf writes a fraction of a second with 3, 6 or 9 digits, CEL with as few as it takes."""
    whole, point, fraction = text.partition(".")
    if not point:
        return text
    digits = fraction.rstrip("sZ")
    kept = digits.rstrip("0")
    return f"{whole}{'.' if kept else ''}{kept}{fraction[len(digits) :]}"
