"""Semantic versions as Kubernetes reads them: attributes of kind version, the CEL function ``semver``.

Owns the value type, its strict grammar and its order (``github.com/blang/semver/v4``), and the normalising
reading of ``semver(text, true)`` (``k8s.io/apiserver/pkg/cel/library/semverlib.go``). Knows nothing of CEL.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from .quoting import quoted
from .text import encoded

_DIGITS: Final = frozenset("0123456789")
_ALPHANUMERIC: Final = re.compile(r"[0-9A-Za-z-]*")
_UINT64_MAX: Final = 2**64 - 1

# Numeric identifiers sort below alphanumeric ones, by value; those by ASCII: (0, n, "") < (1, 0, text).
_Rank = tuple[int, int, str]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Semver:
    """A version of SemVer 2.0.0; equal, ordered and hashed by precedence, which ignores build metadata.

    The three numbers are unsigned 64-bit. ``prerelease`` and ``build`` are the identifiers between the dots.
    """

    major: int
    minor: int
    patch: int
    prerelease: tuple[str, ...] = ()
    build: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Semver:
        """Read ``text`` strictly: three numbers without leading zeros, no ``v``; ValueError otherwise."""
        if not text:
            raise ValueError("Version string empty")
        parts = text.split(".", 2)
        if len(parts) != 3:
            raise ValueError("No Major.Minor.Patch elements found")
        major, minor = _number("Major", parts[0]), _number("Minor", parts[1])
        rest, plus, build = parts[2].partition("+")
        patch, dash, prerelease = rest.partition("-")
        return cls(
            major,
            minor,
            _number("Patch", patch),
            tuple(_prerelease_identifier(part) for part in prerelease.split(".")) if dash else (),
            tuple(_build_identifier(part) for part in build.split(".")) if plus else (),
        )

    @classmethod
    def parse_normalized(cls, text: str) -> Semver:
        """Read ``text`` as ``semver(text, true)`` does: a ``v``, leading zeros and missing parts pass."""
        parts = [_without_leading_zeros(part) for part in text.removeprefix("v").split(".", 2)]
        if len(parts) < 3:
            if "+" in parts[-1] or "-" in parts[-1]:
                raise ValueError("short version cannot contain PreRelease/Build meta data")
            parts += ["0"] * (3 - len(parts))
        return cls.parse(".".join(parts))

    def compare(self, other: Semver) -> int:
        """-1, 0 or 1 as this precedes, equals or follows ``other``."""
        left, right = self._precedence(), other._precedence()
        return (left > right) - (left < right)

    def _precedence(self) -> tuple[int, int, int, bool, tuple[_Rank, ...]]:
        ranks = tuple(_rank(identifier) for identifier in self.prerelease)
        return (self.major, self.minor, self.patch, not ranks, ranks)

    def __eq__(self, other: object) -> bool:
        return self._precedence() == other._precedence() if isinstance(other, Semver) else NotImplemented

    def __lt__(self, other: Semver) -> bool:
        return self.compare(other) < 0 if isinstance(other, Semver) else NotImplemented

    def __le__(self, other: Semver) -> bool:
        return self.compare(other) <= 0 if isinstance(other, Semver) else NotImplemented

    def __gt__(self, other: Semver) -> bool:
        return self.compare(other) > 0 if isinstance(other, Semver) else NotImplemented

    def __ge__(self, other: Semver) -> bool:
        return self.compare(other) >= 0 if isinstance(other, Semver) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._precedence())

    def __str__(self) -> str:
        text = f"{self.major}.{self.minor}.{self.patch}"
        if self.prerelease:
            text += "-" + ".".join(self.prerelease)
        if self.build:
            text += "+" + ".".join(self.build)
        return text

    def __repr__(self) -> str:
        return f"Semver({str(self)!r})"


def _number(place: str, text: str) -> int:
    if not _DIGITS.issuperset(text):
        raise ValueError(f"Invalid character(s) found in {place.lower()} number {quoted(text)}")
    if len(text) > 1 and text[0] == "0":
        raise ValueError(f"{place} number must not contain leading zeroes {quoted(text)}")
    return _uint64(text)


def _uint64(text: str) -> int:
    """Digits without leading zeros as an unsigned 64-bit number; the words are those of Go's strconv."""
    if not text:
        raise ValueError('strconv.ParseUint: parsing "": invalid syntax')
    if len(text) > 20 or int(text) > _UINT64_MAX:
        raise ValueError(f"strconv.ParseUint: parsing {quoted(text)}: value out of range")
    return int(text)


def _prerelease_identifier(text: str) -> str:
    if not text:
        raise ValueError("Prerelease is empty")
    if _DIGITS.issuperset(text):
        if len(text) > 1 and text[0] == "0":
            raise ValueError(f"Numeric PreRelease version must not contain leading zeroes {quoted(text)}")
        _uint64(text)
    elif not _ALPHANUMERIC.fullmatch(text):
        raise ValueError(f"Invalid character(s) found in prerelease {quoted(text)}")
    return text


def _build_identifier(text: str) -> str:
    if not text:
        raise ValueError("Build meta data is empty")
    if not _ALPHANUMERIC.fullmatch(text):
        raise ValueError(f"Invalid character(s) found in build meta data {quoted(text)}")
    return text


def _rank(identifier: str) -> _Rank:
    if _DIGITS.issuperset(identifier):
        return (0, int(identifier), "")
    return (1, 0, identifier)


def _without_leading_zeros(part: str) -> str:
    if len(encoded(part)) <= 1:
        return part
    stripped = part.lstrip("0")
    return stripped if stripped[:1] in _DIGITS else "0" + stripped
