"""Time zones: how far local time is ahead of UTC at a moment.

Owns offsets such as ``-08:00`` and names such as ``America/New_York`` (cel-go: common/stdlib/standard.go,
inTimeZone; Go: time.LoadLocation). The names are the machine's, read when first used;
one without a database cannot tell. Must not know values.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from .errors import NoTimeZonesError
from .quoting import quoted

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

_WHOLE_NUMBER: Final = re.compile(r"[+-]?[0-9]+")
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
# The calendar repeats after 400 years, and with it a zone's last rule; datetime has no room for local times beyond
# years 1 to 9999.
_CALENDAR_CYCLE_S: Final = 146_097 * 86_400
_FIRST_SAFE_S: Final = -62_135_596_800 + 366 * 86_400
_LAST_SAFE_S: Final = 253_402_300_799 - 366 * 86_400


def offset_seconds(zone: str, unix_seconds: int) -> int:
    """Seconds to add to UTC in ``zone`` at a moment.

    ValueError, in Go's words, for what is no zone; NoTimeZonesError for a name where the machine knows none at all.
    """
    hours, colon, minutes = zone.partition(":")
    if colon:
        hour, minute = _number(hours), _number(minutes)
        return 60 * (hour * 60 - minute if zone.startswith("-") else hour * 60 + minute)
    # Go's "Local" is the zone of the machine, which for Kubernetes' components is UTC.
    if zone in ("", "UTC", "Local"):
        return 0
    return _named_offset(zone, unix_seconds)


def _number(text: str) -> int:
    """Go's Atoi."""
    if not _WHOLE_NUMBER.fullmatch(text):
        raise ValueError(f"strconv.Atoi: parsing {quoted(text)}: invalid syntax")
    digits = text.lstrip("+-").lstrip("0") or "0"
    number = int(digits) if len(digits) <= 19 else 2**64
    number = -number if text.startswith("-") else number
    if not -(2**63) <= number < 2**63:
        raise ValueError(f"strconv.Atoi: parsing {quoted(text)}: value out of range")
    return number


def _named_offset(name: str, unix_seconds: int) -> int:
    zone = _load(name)
    if not _FIRST_SAFE_S <= unix_seconds <= _LAST_SAFE_S:
        start = _FIRST_SAFE_S if unix_seconds < _FIRST_SAFE_S else _LAST_SAFE_S - _CALENDAR_CYCLE_S
        unix_seconds = start + (unix_seconds - start) % _CALENDAR_CYCLE_S
    local = (_EPOCH + timedelta(seconds=unix_seconds)).astimezone(zone)
    offset = local.utcoffset()
    assert offset is not None
    return round(offset.total_seconds())


def _has_database() -> bool:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        ZoneInfo("Etc/UTC")
    except ZoneInfoNotFoundError:
        return False
    return True


@lru_cache(maxsize=64)
def _load(name: str) -> ZoneInfo:
    from zoneinfo import TZPATH, ZoneInfo, ZoneInfoNotFoundError

    if name[0] in "/\\" or ".." in name:
        raise ValueError("time: invalid location name")
    if any((Path(folder) / name).is_dir() for folder in TZPATH):
        raise ValueError("is a directory")
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, OSError):
        if not _has_database():
            raise NoTimeZonesError(name) from None
        raise ValueError(f"unknown time zone {name}") from None
    except ValueError:
        raise ValueError("malformed time zone information") from None
