"""Arithmetic: ``+ - * / %`` and the minus sign, for every type that has them.

Owns int64, uint64 and double arithmetic with its overflow errors, sums of lists, and the arithmetic of times
(cel-go: common/types/int.go, overflow.go, and their neighbours). Must not know signatures.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final

from . import operators as op
from .duration import Duration
from .errors import CelRuntimeError, no_such_overload
from .text import joined
from .timestamp import Timestamp, TimestampRangeError
from .values import INT64_MAX, INT64_MIN, NUMBERS, UINT64_MAX, ConcatenatedList, UInt


def _int(value: int) -> int:
    if INT64_MIN <= value <= INT64_MAX:
        return value
    raise CelRuntimeError("integer overflow")


def _uint(value: int) -> UInt:
    if 0 <= value <= UINT64_MAX:
        return UInt(value)
    raise CelRuntimeError("unsigned integer overflow")


def _truncated(left: int, right: int) -> int:
    """Division towards zero, as Go divides."""
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def _divide_whole(left: int, right: int) -> int:
    if right == 0:
        raise CelRuntimeError("division by zero")
    return _truncated(left, right)


def _modulo_whole(left: int, right: int) -> int:
    if right == 0:
        raise CelRuntimeError("modulus by zero")
    if left == INT64_MIN and right == -1:
        raise CelRuntimeError("integer overflow")
    return left - right * _truncated(left, right)


def _divide_double(left: float, right: float) -> float:
    """IEEE 754 division, which Python refuses for zero."""
    if right != 0:
        return left / right
    if left == 0 or math.isnan(left):
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1.0, right)


def _concatenate(left: object, right: object) -> object:
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        if not left or not right:
            return left or right
        return ConcatenatedList([*left, *right])
    raise no_such_overload()


_Whole = Callable[[int, int], int]
_Double = Callable[[float, float], float]


def _arithmetic(
    sign: str,
    whole: _Whole,
    double: _Double | None,
    others: Mapping[type, Callable[[object, object], object]] | None = None,
) -> Callable[[object, object], object]:
    """The operator ``sign`` for two values of the same type; other types as ``others`` says."""
    extra = dict(others or {})

    def _run(left: object, right: object) -> object:
        kind = type(left)
        if kind is not type(right) or kind not in NUMBERS:
            other = extra.get(kind)
            if other is not None:
                return other(left, right)
            raise _unsupported(sign, kind)
        if kind is int:
            return _int(whole(left, right))  # type: ignore[arg-type]  # both are exactly int
        if kind is UInt:
            return _uint(whole(int(left), int(right)))  # type: ignore[call-overload]  # both are UInt
        if double is None:
            raise _unsupported(sign, kind)
        return double(left, right)  # type: ignore[arg-type]  # both are float

    return _run


# Values with methods of their own: they are asked for an operator that their type does not have, and decline.
RECEIVERS: Final = frozenset({str, Timestamp, Duration})


def _unsupported(sign: str, kind: type) -> CelRuntimeError:
    """Numbers, strings and times have some operators; a value without any is answered with the operator's name."""
    if kind in NUMBERS and not (kind is float and sign == "_%_"):
        return no_such_overload()
    return no_such_overload() if kind in RECEIVERS else CelRuntimeError(f"no such overload: {sign}")


def _same_kind(kind: type, run: Callable[[object, object], object]) -> Callable[[object, object], object]:
    def _checked(left: object, right: object) -> object:
        if type(right) is not kind:
            raise no_such_overload()
        return run(left, right)

    return _checked


def _plus(left: object, right: object) -> object:
    return left + right  # type: ignore[operator]  # two bytes


def _append(left: object, right: object) -> object:
    return joined(left + right)  # type: ignore[operator]  # two strings


def _timely(run: Callable[[object, object], object]) -> Callable[[object, object], object]:
    """Arithmetic with times, whose overflows are errors."""

    def _checked(left: object, right: object) -> object:
        try:
            return run(left, right)
        except (OverflowError, TimestampRangeError) as error:
            raise CelRuntimeError(str(error)) from None

    return _checked


def _add_times(left: object, right: object) -> object:
    if isinstance(left, Timestamp):
        left, right = right, left
    if isinstance(left, Duration) and isinstance(right, Timestamp):
        return right.plus(left.nanoseconds)
    if isinstance(left, Duration) and isinstance(right, Duration):
        return Duration.checked(left.nanoseconds + right.nanoseconds)
    raise no_such_overload()


def _subtract_times(left: object, right: object) -> object:
    if isinstance(left, Timestamp):
        if isinstance(right, Timestamp):
            return left.since(right)
        if isinstance(right, Duration):
            return left.plus(Duration.checked(-right.nanoseconds).nanoseconds)
    if isinstance(left, Duration) and isinstance(right, Duration):
        return Duration.checked(left.nanoseconds - right.nanoseconds)
    raise no_such_overload()


def _negate_duration(value: Duration) -> object:
    try:
        return Duration.checked(-value.nanoseconds)
    except OverflowError as error:
        raise CelRuntimeError(str(error)) from None


_SUMS: Final[dict[type, Callable[[object, object], object]]] = {
    str: _same_kind(str, _append),
    bytes: _same_kind(bytes, _plus),
    list: _concatenate,
    tuple: _concatenate,
    ConcatenatedList: _concatenate,
    Timestamp: _timely(_add_times),
    Duration: _timely(_add_times),
}
_DIFFERENCES: Final = dict.fromkeys((Timestamp, Duration), _timely(_subtract_times))

add: Final = _arithmetic(op.ADD, lambda a, b: a + b, lambda a, b: a + b, _SUMS)
subtract: Final = _arithmetic("_-_", lambda a, b: a - b, lambda a, b: a - b, _DIFFERENCES)
multiply: Final = _arithmetic("_*_", lambda a, b: a * b, lambda a, b: a * b)
divide: Final = _arithmetic("_/_", _divide_whole, _divide_double)
modulo: Final = _arithmetic("_%_", _modulo_whole, None)


def negate(value: object) -> object:
    """``-value`` for int and double."""
    if type(value) is int:
        return _int(-value)
    if isinstance(value, float):
        return -value
    if isinstance(value, Duration):
        return _negate_duration(value)
    if isinstance(value, bool | str | Timestamp):
        raise no_such_overload()
    raise CelRuntimeError("no such overload: -_")
