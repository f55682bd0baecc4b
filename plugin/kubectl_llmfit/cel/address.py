"""IP addresses and CIDR ranges, parsed as strictly as Kubernetes does.

Owns both value types, their parsing with Go's words for what is wrong, and their text (Go: net/netip; apiserver
0.37: pkg/cel/library/ip.go and cidr.go). Must not know functions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from .quoting import quoted

_HEX_GROUP: Final = re.compile("[0-9a-fA-F]*")
_V4_BYTES: Final = 4
_V6_BYTES: Final = 16


class AddressError(ValueError):
    """A text that is no address, or none that Kubernetes takes."""


@dataclass(frozen=True, slots=True)
class Address:
    """An address of 4 or 16 bytes."""

    packed: bytes

    @classmethod
    def parse(cls, text: str) -> Address:
        """``10.0.0.1``, ``fd00::1``; AddressError, also for zones and for IPv4 within IPv6."""
        try:
            packed, zone = parse_address(text)
        except AddressError as error:
            raise AddressError(
                f"IP Address {quoted(text)} parse error during conversion from string: {error}"
            ) from None
        if zone:
            raise AddressError(f"IP address {quoted(text)} with zone value is not allowed")
        return cls(_unmapped(packed, text))

    @property
    def is_v4(self) -> bool:
        """Whether it is an IPv4 address."""
        return len(self.packed) == _V4_BYTES

    @property
    def is_unspecified(self) -> bool:
        """0.0.0.0 and ``::``."""
        return not any(self.packed)

    @property
    def is_loopback(self) -> bool:
        """127.0.0.0/8 and ``::1``."""
        return self.packed[0] == 127 if self.is_v4 else self.packed == bytes(15) + b"\x01"

    @property
    def is_multicast(self) -> bool:
        """224.0.0.0/4 and ff00::/8."""
        return self.packed[0] & 0xF0 == 0xE0 if self.is_v4 else self.packed[0] == 0xFF

    @property
    def is_link_local_multicast(self) -> bool:
        """224.0.0.0/24 and ff02::/16, whatever the flags."""
        if self.is_v4:
            return self.packed[:3] == b"\xe0\x00\x00"
        return self.packed[0] == 0xFF and self.packed[1] & 0x0F == 0x02

    @property
    def is_link_local_unicast(self) -> bool:
        """169.254.0.0/16 and fe80::/10."""
        if self.is_v4:
            return self.packed[:2] == b"\xa9\xfe"
        return self.packed[0] == 0xFE and self.packed[1] & 0xC0 == 0x80

    @property
    def is_global_unicast(self) -> bool:
        """Any address of one host, private ones included."""
        return not (
            self.is_unspecified
            or self.is_loopback
            or self.is_multicast
            or self.is_link_local_unicast
            or self.packed == b"\xff\xff\xff\xff"
        )

    def __str__(self) -> str:
        if self.is_v4:
            return ".".join(map(str, self.packed))
        groups = [int.from_bytes(self.packed[place : place + 2]) for place in range(0, _V6_BYTES, 2)]
        start, length = _longest_zeros(groups)
        if length < 2:
            return ":".join(f"{group:x}" for group in groups)
        before, after = groups[:start], groups[start + length :]
        return f"{':'.join(f'{group:x}' for group in before)}::{':'.join(f'{group:x}' for group in after)}"


@dataclass(frozen=True, slots=True)
class AddressRange:
    """An address and how many of its bits count; the others are kept as written."""

    address: Address
    bits: int

    @classmethod
    def parse(cls, text: str) -> AddressRange:
        """``10.0.0.0/8``; AddressError, also for zones and for IPv4 within IPv6."""
        address, slash, bits_text = text.rpartition("/")
        if not slash:
            raise _no_prefix(text, "no '/'")
        try:
            packed, zone = parse_address(address)
        except AddressError as error:
            raise _no_prefix(text, str(error)) from None
        if zone:
            raise _no_prefix(text, "IPv6 zones cannot be present in a prefix")
        if not re.fullmatch("0|[1-9][0-9]*", bits_text) or len(bits_text) > 19 or int(bits_text) >= 2**63:
            raise _no_prefix(text, f"bad bits after slash: {quoted(bits_text)}")
        if int(bits_text) > len(packed) * 8:
            raise _no_prefix(text, "prefix length out of range")
        return cls(Address(_unmapped(packed, text)), int(bits_text))

    @property
    def masked(self) -> AddressRange:
        """The same range, the bits that do not count being 0."""
        return AddressRange(_masked(self.address, self.bits), self.bits)

    def contains(self, address: Address) -> bool:
        """Whether an address of the same family is in the range."""
        return len(address.packed) == len(self.address.packed) and _masked(address, self.bits) == self.masked.address

    def contains_range(self, other: AddressRange) -> bool:
        """Whether all of another range is in this one."""
        return self.bits <= other.bits and self.contains(other.address)

    def __str__(self) -> str:
        return f"{self.address}/{self.bits}"


def _no_prefix(text: str, reason: str) -> AddressError:
    words = "network address parse error during conversion from string"
    return AddressError(f"{words}: netip.ParsePrefix({quoted(text)}): {reason}")


def _unmapped(packed: bytes, text: str) -> bytes:
    if len(packed) == _V6_BYTES and packed.startswith(bytes(10) + b"\xff\xff"):
        raise AddressError(f"IPv4-mapped IPv6 address {quoted(text)} is not allowed")
    return packed


def _masked(address: Address, bits: int) -> Address:
    size = len(address.packed)
    dropped = size * 8 - bits
    return Address((int.from_bytes(address.packed) >> dropped << dropped).to_bytes(size))


def _longest_zeros(groups: list[int]) -> tuple[int, int]:
    """Where the longest run of zeros begins, the first of equals, and its length."""
    best = (0, 0)
    for start in range(len(groups)):
        end = start
        while end < len(groups) and groups[end] == 0:
            end += 1
        if end - start > best[1]:
            best = (start, end - start)
    return best


def parse_address(text: str) -> tuple[bytes, str]:
    """The bytes and the zone of an address; AddressError in the words of Go's ParseAddr."""
    sign = next((character for character in text if character in ".:%"), None)
    if sign == ".":
        return _parse_v4(text, text), ""
    if sign == ":":
        return _parse_v6(text)
    raise _bad(text, "unable to parse IP" if sign is None else "missing IPv6 address")


def _bad(text: str, message: str, at: str = "") -> AddressError:
    place = f" (at {quoted(at)})" if at else ""
    return AddressError(f"ParseAddr({quoted(text)}): {message}{place}")


def _parse_v4(text: str, part: str) -> bytes:
    """The four bytes of ``part``, which stands in ``text``."""
    fields: list[int] = []
    value = digits = 0
    for place, character in enumerate(part):
        if "0" <= character <= "9":
            if digits == 1 and value == 0:
                raise _bad(text, "IPv4 field has octet with leading zero")
            value, digits = value * 10 + int(character), digits + 1
            if value > 255:
                raise _bad(text, "IPv4 field has value >255")
        elif character != ".":
            raise _bad(text, "unexpected character", part[place:])
        elif place in (0, len(part) - 1) or part[place - 1] == ".":
            raise _bad(text, "IPv4 field must have at least one digit", part[place:])
        elif len(fields) == 3:
            raise _bad(text, "IPv4 address too long")
        else:
            fields.append(value)
            value = digits = 0
    if len(fields) < 3:
        raise _bad(text, "IPv4 address too short")
    return bytes([*fields, value])


def _parse_v6(text: str) -> tuple[bytes, str]:
    rest, percent, zone = text.partition("%")
    if percent and not zone:
        raise _bad(text, "zone must be a non-empty string")
    packed = bytearray()
    ellipsis = -1
    if rest.startswith("::"):
        ellipsis, rest = 0, rest[2:]
        if not rest:
            return bytes(_V6_BYTES), zone
    while len(packed) < _V6_BYTES:
        group, rest = _group(text, rest)
        if rest.startswith("."):
            packed += _embedded_v4(text, group + rest, len(packed), ellipsis)
            rest = ""
            break
        packed += int(group, 16).to_bytes(2)
        if not rest:
            break
        rest = _after_colon(text, rest)
        if rest.startswith(":"):
            if ellipsis >= 0:
                raise _bad(text, "multiple :: in address", rest)
            ellipsis, rest = len(packed), rest[1:]
            if not rest:
                break
    if rest:
        raise _bad(text, "trailing garbage after address", rest)
    return _expanded(text, bytes(packed), ellipsis), zone


def _group(text: str, rest: str) -> tuple[str, str]:
    """The hexadecimal digits ahead, and what follows them."""
    match = _HEX_GROUP.match(rest)
    digits = match[0] if match else ""
    if len(digits) > 4:
        raise _bad(text, "each group must have 4 or less digits", rest)
    if not digits:
        raise _bad(text, "each colon-separated field must have at least one digit", rest)
    return digits, rest[len(digits) :]


def _after_colon(text: str, rest: str) -> str:
    if rest[0] != ":":
        raise _bad(text, "unexpected character, want colon", rest)
    if len(rest) == 1:
        raise _bad(text, "colon must be followed by more characters", rest)
    return rest[1:]


def _embedded_v4(text: str, part: str, place: int, ellipsis: int) -> bytes:
    if ellipsis < 0 and place != 12:
        raise _bad(text, "embedded IPv4 address must replace the final 2 fields of the address", part)
    if place + _V4_BYTES > _V6_BYTES:
        raise _bad(text, "too many hex fields to fit an embedded IPv4 at the end of the address", part)
    return _parse_v4(text, part)


def _expanded(text: str, packed: bytes, ellipsis: int) -> bytes:
    if len(packed) < _V6_BYTES:
        if ellipsis < 0:
            raise _bad(text, "address string too short")
        return packed[:ellipsis] + bytes(_V6_BYTES - len(packed)) + packed[ellipsis:]
    if ellipsis >= 0:
        raise _bad(text, "the :: must expand to at least one field of zeros")
    return packed
