"""Kubernetes' semver library: semver('1.2.3') and what can be asked of it.

Owns the functions over Semver (apiserver 0.37: pkg/cel/library/semverlib.go, version 1). Must not parse
versions itself: the value type does.
"""

from __future__ import annotations

from typing import Final

from ..errors import CelRuntimeError
from ..functions import Function, Implementation, Overload
from ..semver import Semver
from ..types import BOOL, INT, SEMVER, STRING, Type


def semver(text: str, normalize: bool = False) -> Semver:
    """``semver('1.2.3')``, ``semver('v1.2', true)``; the error is blang/semver's."""
    try:
        return Semver.parse_normalized(text) if normalize else Semver.parse(text)
    except ValueError as error:
        raise CelRuntimeError(str(error)) from None


def is_semver(text: str, normalize: bool = False) -> bool:
    """Whether ``semver(text, normalize)`` would succeed."""
    try:
        semver(text, normalize)
    except CelRuntimeError:
        return False
    return True


def _as_int64(number: int) -> int:
    """Go's conversion of uint64 to int64, which wraps around."""
    return number if number < 2**63 else number - 2**64


def _method(id_: str, result: Type, run: Implementation, *others: Type) -> Overload:
    return Overload(id_, (SEMVER, *others), result, member=True, run=run)


FUNCTIONS: Final = (
    Function(
        "semver",
        (
            Overload("string_to_semver", (STRING,), SEMVER, run=semver),
            Overload("string_bool_to_semver", (STRING, BOOL), SEMVER, run=semver),
        ),
    ),
    Function(
        "isSemver",
        (
            Overload("is_semver_string", (STRING,), BOOL, run=is_semver),
            Overload("is_semver_string_bool", (STRING, BOOL), BOOL, run=is_semver),
        ),
    ),
    Function(
        "isGreaterThan",
        (_method("semver_is_greater_than", BOOL, lambda left, right: left.compare(right) > 0, SEMVER),),
    ),
    Function(
        "isLessThan",
        (_method("semver_is_less_than", BOOL, lambda left, right: left.compare(right) < 0, SEMVER),),
    ),
    Function("compareTo", (_method("semver_compare_to", INT, Semver.compare, SEMVER),)),
    Function("major", (_method("semver_major", INT, lambda version: _as_int64(version.major)),)),
    Function("minor", (_method("semver_minor", INT, lambda version: _as_int64(version.minor)),)),
    Function("patch", (_method("semver_patch", INT, lambda version: _as_int64(version.patch)),)),
)
