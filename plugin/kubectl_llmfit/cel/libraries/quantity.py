"""Kubernetes' quantity library: quantity('5Gi') and what can be asked of it.

Owns the functions over Quantity (apiserver 0.37: pkg/cel/library/quantity.go). Must not parse quantities
itself: the value type does.
"""

from __future__ import annotations

from typing import Final

from ..errors import CelRuntimeError
from ..functions import Function, Implementation, Overload
from ..quantity import Format, Quantity
from ..types import BOOL, DOUBLE, INT, QUANTITY, STRING, Type
from ..values import SumQuantity


def quantity(text: str) -> Quantity:
    """``quantity('5Gi')``; the error is ParseQuantity's."""
    try:
        return Quantity.parse(text)
    except ValueError as error:
        raise CelRuntimeError(str(error)) from None


def is_quantity(text: str) -> bool:
    """Whether ``quantity(text)`` would succeed."""
    try:
        Quantity.parse(text)
    except ValueError:
        return False
    return True


def as_integer(value: Quantity) -> int:
    """The value as int64, when Kubernetes can say it exactly."""
    number = value.as_int64()
    if number is None:
        raise CelRuntimeError("cannot convert value to integer")
    return number


def _is_integer(value: Quantity) -> bool:
    return value.as_int64() is not None


def _pointer(value: Quantity) -> SumQuantity:
    return SumQuantity(value.mantissa, value.exponent, value.format, value.is_int64, value.text)


def _add(left: Quantity, right: Quantity) -> SumQuantity:
    return _pointer(left + right)


def _subtract(left: Quantity, right: Quantity) -> SumQuantity:
    return _pointer(left - right)


def _add_int(left: Quantity, right: int) -> SumQuantity:
    return _pointer(left + Quantity.from_int(right, Format.DECIMAL_EXPONENT))


def _subtract_int(left: Quantity, right: int) -> SumQuantity:
    return _pointer(left - Quantity.from_int(right, Format.DECIMAL_EXPONENT))


def _method(id_: str, result: Type, run: Implementation, *others: Type) -> Overload:
    return Overload(id_, (QUANTITY, *others), result, member=True, run=run)


FUNCTIONS: Final = (
    Function("quantity", (Overload("string_to_quantity", (STRING,), QUANTITY, run=quantity),)),
    Function("isQuantity", (Overload("is_quantity_string", (STRING,), BOOL, run=is_quantity),)),
    # A function, not a method: sign(q).
    Function("sign", (Overload("quantity_sign", (QUANTITY,), INT, run=lambda value: value.sign),)),
    Function(
        "isGreaterThan",
        (_method("quantity_is_greater_than", BOOL, lambda left, right: left.compare(right) > 0, QUANTITY),),
    ),
    Function(
        "isLessThan",
        (_method("quantity_is_less_than", BOOL, lambda left, right: left.compare(right) < 0, QUANTITY),),
    ),
    Function("compareTo", (_method("quantity_compare_to", INT, Quantity.compare, QUANTITY),)),
    Function("asApproximateFloat", (_method("quantity_get_float", DOUBLE, Quantity.as_approximate_float),)),
    Function("asInteger", (_method("quantity_get_int", INT, as_integer),)),
    Function("isInteger", (_method("quantity_is_integer", BOOL, _is_integer),)),
    Function(
        "add",
        (_method("quantity_add", QUANTITY, _add, QUANTITY), _method("quantity_add_int", QUANTITY, _add_int, INT)),
    ),
    Function(
        "sub",
        (
            _method("quantity_sub", QUANTITY, _subtract, QUANTITY),
            _method("quantity_sub_int", QUANTITY, _subtract_int, INT),
        ),
    ),
)
