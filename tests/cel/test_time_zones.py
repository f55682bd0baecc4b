"""Names of time zones, which are the machine's: one without a database gives no answer, instead of a wrong one."""

from __future__ import annotations

import sys
import zoneinfo
from collections.abc import Iterator

import pytest

from cel.devices import device, environment
from kubectl_llmfit.cel import CelRuntimeError, NoTimeZonesError, zones

NOON_IN_WINTER = "timestamp('2026-01-01T12:00:00Z')"


def hours(zone: str) -> bool:
    return environment().compile(f"{NOON_IN_WINTER}.getHours('{zone}') == 13").matches(device())


@pytest.fixture
def no_database(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Neither the system's nor the package's."""
    for name in {"tzdata", *(name for name in sys.modules if name.startswith("tzdata."))}:
        monkeypatch.setitem(sys.modules, name, None)
    zoneinfo.reset_tzpath(to=())
    zoneinfo.ZoneInfo.clear_cache()
    zones._load.cache_clear()
    yield
    zoneinfo.reset_tzpath()
    zoneinfo.ZoneInfo.clear_cache()
    zones._load.cache_clear()


@pytest.mark.usefixtures("no_database")
def test_without_a_database_the_time_in_a_zone_cannot_be_told() -> None:
    with pytest.raises(NoTimeZonesError) as lacking:
        hours("Europe/Berlin")
    assert str(lacking.value) == "cannot tell the time in Europe/Berlin: this machine has no time zone database"
    assert not isinstance(lacking.value, CelRuntimeError)


@pytest.mark.usefixtures("no_database")
def test_without_a_database_offsets_and_utc_are_still_known() -> None:
    assert hours("+01:00")
    assert not hours("UTC")


def test_with_a_database_a_zone_that_it_lacks_is_an_error_as_in_go() -> None:
    with pytest.raises(CelRuntimeError) as unknown:
        hours("Nowhere/Land")
    assert str(unknown.value) == "unknown time zone Nowhere/Land"
