"""Semantic versions as Kubernetes reads and orders them (blang/semver v4)."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_llmfit.cel.semver import Semver


@pytest.mark.parametrize(
    "text",
    ["0.0.0", "1.2.3", "1.2.3-alpha", "1.2.3-alpha.1", "1.2.3-0a.--", "1.2.3+build.01", "1.0.0-rc.1+exp.sha-5114f85"],
)
def test_a_version_prints_as_it_was_written(text: str) -> None:
    assert str(Semver.parse(text)) == text


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "Version string empty"),
        ("1.2", "No Major.Minor.Patch elements found"),
        ("v1.2.3", 'Invalid character\\(s\\) found in major number "v1"'),
        ("1.02.3", 'Minor number must not contain leading zeroes "02"'),
        ("1.2.3 ", 'Invalid character\\(s\\) found in patch number "3 "'),
        ("1.2.3.4", "Invalid character\\(s\\) found in patch number"),
        ("1..3", 'strconv.ParseUint: parsing "": invalid syntax'),
        ("1.2.٣", "Invalid character\\(s\\) found in patch number"),
        ("18446744073709551616.0.0", "value out of range"),
        ("1.2.3-", "Prerelease is empty"),
        ("1.2.3-01", "Numeric PreRelease version must not contain leading zeroes"),
        ("1.2.3-a_b", "Invalid character\\(s\\) found in prerelease"),
        ("1.2.3+", "Build meta data is empty"),
        ("1.2.3+a..b", "Build meta data is empty"),
        ("1.2.3-a\n", "Invalid character\\(s\\) found in prerelease"),
    ],
)
def test_what_is_no_version_is_refused(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        Semver.parse(text)


def test_versions_follow_the_precedence_of_the_specification() -> None:
    ordered = [
        "0.9.9", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11",
        "1.0.0-rc.1", "1.0.0", "1.0.1", "1.2.0", "1.10.0", "2.0.0", "18446744073709551615.0.0",
    ]  # fmt: skip
    for lower, higher in pairwise(map(Semver.parse, ordered)):
        assert lower < higher
        assert higher > lower
        assert lower != higher


def test_build_metadata_counts_nothing_but_stays_in_the_text() -> None:
    one, other = Semver.parse("1.0.0+a"), Semver.parse("1.0.0+b")
    assert one == other
    assert hash(one) == hash(other)
    assert one.compare(other) == 0
    assert str(one) != str(other)


def test_a_version_is_no_text() -> None:
    assert Semver.parse("1.0.0") != "1.0.0"


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("v1.0", "1.0.0"),
        ("v1", "1.0.0"),
        ("01.01.01", "1.1.1"),
        ("1.00.0", "1.0.0"),
        ("1.2.003-alpha+001", "1.2.3-alpha+001"),
        ("1.2.00-alpha", "1.2.0-alpha"),
        ("1.2.3", "1.2.3"),
    ],
)
def test_the_normalising_reading_fills_in_and_strips(text: str, version: str) -> None:
    assert str(Semver.parse_normalized(text)) == version


@pytest.mark.parametrize("text", ["", "v", "vv1.0.0", "1.0-alpha", "1+build", "V1.0.0", " 1.0.0", "a.b.c"])
def test_the_normalising_reading_is_still_a_reading(text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        Semver.parse_normalized(text)


NUMBERS = st.integers(0, 2**64 - 1) | st.integers(0, 3)
NUMERIC = NUMBERS.map(str)
ALPHANUMERIC = st.from_regex(r"\A[0-9A-Za-z-]{0,5}[A-Za-z-][0-9A-Za-z-]{0,5}\Z")
PRERELEASES = st.lists(NUMERIC | ALPHANUMERIC, max_size=3).map(tuple)
BUILDS = st.lists(st.from_regex(r"\A[0-9A-Za-z-]{1,6}\Z"), max_size=3).map(tuple)
VERSIONS = st.builds(Semver, NUMBERS, NUMBERS, NUMBERS, PRERELEASES, BUILDS)


@given(VERSIONS)
def test_printing_and_reading_again_gives_the_same_version(version: Semver) -> None:
    again = Semver.parse(str(version))
    assert again == version
    assert (again.prerelease, again.build) == (version.prerelease, version.build)
    assert str(Semver.parse_normalized(f"v{version}")) == str(version)


@given(st.lists(VERSIONS, min_size=3, max_size=3))
def test_the_order_is_total(versions: list[Semver]) -> None:
    first, second, third = sorted(versions)
    assert first <= second <= third
    assert first <= third
    assert first.compare(third) == -third.compare(first)
    if first == second:
        assert hash(first) == hash(second)
