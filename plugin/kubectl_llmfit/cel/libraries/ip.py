"""Kubernetes' IP library: ip('10.0.0.1') and what can be asked of it.

Owns the functions over IP (apiserver 0.37: pkg/cel/library/ip.go). Must not parse addresses: the value type does.
"""

from __future__ import annotations

from typing import Final

from ..address import Address, AddressError
from ..errors import CelRuntimeError
from ..functions import Function, Implementation, Overload
from ..types import BOOL, INT, IP, STRING, Type


def ip(text: str) -> Address:
    """``ip('10.0.0.1')``."""
    try:
        return Address.parse(text)
    except AddressError as error:
        raise CelRuntimeError(str(error)) from None


def is_ip(text: str) -> bool:
    """Whether ``ip(text)`` would succeed."""
    try:
        Address.parse(text)
    except AddressError:
        return False
    return True


def is_canonical(text: str) -> bool:
    """Whether an address is written as it is printed."""
    return str(ip(text)) == text


def _from_text(name: str, id_: str, result: Type, run: Implementation) -> Function:
    return Function(name, (Overload(id_, (STRING,), result, run=run),))


def _test(name: str, id_: str, run: Implementation) -> Function:
    return Function(name, (Overload(id_, (IP,), BOOL, member=True, run=run),))


FUNCTIONS: Final = (
    _from_text("ip", "string_to_ip", IP, ip),
    _from_text("isIP", "is_ip", BOOL, is_ip),
    _from_text("ip.isCanonical", "ip_is_canonical", BOOL, is_canonical),
    Function(
        "family", (Overload("ip_family", (IP,), INT, member=True, run=lambda address: 4 if address.is_v4 else 6),)
    ),
    _test("isUnspecified", "ip_is_unspecified", lambda address: address.is_unspecified),
    _test("isLoopback", "ip_is_loopback", lambda address: address.is_loopback),
    _test("isLinkLocalMulticast", "ip_is_link_local_multicast", lambda address: address.is_link_local_multicast),
    _test("isLinkLocalUnicast", "ip_is_link_local_unicast", lambda address: address.is_link_local_unicast),
    _test("isGlobalUnicast", "ip_is_global_unicast", lambda address: address.is_global_unicast),
    Function("string", (Overload("ip_to_string", (IP,), STRING, run=str),)),
)
