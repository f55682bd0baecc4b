"""Kubernetes' CIDR library: cidr('10.0.0.0/8') and what can be asked of it.

Owns the functions over CIDR (apiserver 0.37: pkg/cel/library/cidr.go). Must not parse ranges: the value type does.
"""

from __future__ import annotations

from typing import Final

from ..address import Address, AddressError, AddressRange
from ..errors import CelRuntimeError, no_such_overload
from ..functions import Function, Implementation, Overload
from ..types import BOOL, CIDR, INT, IP, STRING, Type


def cidr(text: str) -> AddressRange:
    """``cidr('10.0.0.0/8')``."""
    try:
        return AddressRange.parse(text)
    except AddressError as error:
        words = "network address parse error during conversion from string"
        raise CelRuntimeError(f"{words}: {error}") from None


def is_cidr(text: str) -> bool:
    """Whether ``cidr(text)`` would succeed."""
    try:
        AddressRange.parse(text)
    except AddressError:
        return False
    return True


def _contains_ip_text(where: AddressRange, text: str) -> bool:
    """Kubernetes loses the reason when the text is no address."""
    try:
        address = Address.parse(text)
    except AddressError:
        raise no_such_overload() from None
    return where.contains(address)


def _contains_range_text(where: AddressRange, text: str) -> bool:
    return where.contains_range(cidr(text))


def _method(id_: str, result: Type, run: Implementation, *others: Type) -> Overload:
    return Overload(id_, (CIDR, *others), result, member=True, run=run)


FUNCTIONS: Final = (
    Function("cidr", (Overload("string_to_cidr", (STRING,), CIDR, run=cidr),)),
    Function("isCIDR", (Overload("is_cidr", (STRING,), BOOL, run=is_cidr),)),
    Function(
        "containsIP",
        (
            _method("cidr_contains_ip_string", BOOL, _contains_ip_text, STRING),
            _method("cidr_contains_ip_ip", BOOL, AddressRange.contains, IP),
        ),
    ),
    Function(
        "containsCIDR",
        (
            _method("cidr_contains_cidr_string", BOOL, _contains_range_text, STRING),
            _method("cidr_contains_cidr", BOOL, AddressRange.contains_range, CIDR),
        ),
    ),
    Function("ip", (_method("cidr_ip", IP, lambda where: where.address),)),
    Function("prefixLength", (_method("cidr_prefix_length", INT, lambda where: where.bits),)),
    Function("masked", (_method("cidr_masked", CIDR, lambda where: where.masked),)),
    Function("string", (Overload("cidr_to_string", (CIDR,), STRING, run=str),)),
)
