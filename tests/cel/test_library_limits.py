"""What the libraries do with too much, and whether the record of answers leaves one of their functions out."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from cel.devices import environment
from kubectl_llmfit.cel import CelCompileError
from kubectl_llmfit.cel.duration import Duration
from kubectl_llmfit.cel.errors import CelRuntimeError, CostLimitError
from kubectl_llmfit.cel.libraries import functions
from kubectl_llmfit.cel.libraries.lists import distinct, number_range, sort
from kubectl_llmfit.cel.libraries.sets import contains_all
from kubectl_llmfit.cel.timestamp import MAX_UNIX_S, MIN_UNIX_S, Timestamp
from kubectl_llmfit.cel.zones import offset_seconds

RECORDS = ("kubernetes_answers.json", "library_answers.json")


def test_every_function_with_a_name_is_in_the_record() -> None:
    text = "\n".join(
        answer["expression"]
        for name in RECORDS
        for answer in json.loads((Path(__file__).parent / name).read_text(encoding="utf-8"))["answers"]
    )
    named = {name for name in functions(stored=True) if re.fullmatch(r"[A-Za-z][\w.]*", name) and "@" not in name}
    assert not {name for name in named if not re.search(rf"(?<!\w){re.escape(name)}\(", text)}


def test_only_includes_is_kept_from_new_expressions() -> None:
    assert set(functions(stored=True)) - set(functions(stored=False)) == {"includes"}


# Comparing all pairs costs 2 each and 1,000,000 are allowed: 707 * 707 pairs still are, 708 * 708 are not.
def test_what_costs_too_much_is_not_begun() -> None:
    assert len(distinct(list(range(707)))) == 707
    many: list[object] = list(range(708))
    for call in (distinct, sort):
        with pytest.raises(CostLimitError, match="actual cost limit exceeded"):
            call(many)
    with pytest.raises(CostLimitError):
        contains_all(many, many)


def test_a_range_has_at_most_a_million_numbers() -> None:
    assert len(number_range(1_000_000)) == 1_000_000
    with pytest.raises(CelRuntimeError, match="size 1000001 exceeds maximum allowed"):
        number_range(1_000_001)


@pytest.mark.parametrize("unix_s", [MIN_UNIX_S, -1, 0, 951_782_400, MAX_UNIX_S])
def test_a_timestamp_is_read_back_from_its_text(unix_s: int) -> None:
    for offset_s in (0, -19_800, 3600):
        moment = Timestamp(unix_s, 5, offset_s)
        if moment.civil(offset_s).year <= 9999:  # there is no text for year 10000
            assert Timestamp.parse(str(moment)) == moment


def test_zones_reach_beyond_the_years_that_datetime_knows() -> None:
    # New York was 4:56:02 behind before it had a standard time, and is 5:00 behind in winter.
    assert offset_seconds("America/New_York", MIN_UNIX_S) == -(4 * 3600 + 56 * 60 + 2)
    assert offset_seconds("America/New_York", MAX_UNIX_S) == -5 * 3600


def test_a_duration_ends_with_int64() -> None:
    assert Duration.parse("-9223372036854775808ns").nanoseconds == -(2**63)
    with pytest.raises(OverflowError, match="integer overflow"):
        Duration.checked(2**63)


@pytest.mark.parametrize(
    "text",
    [
        "'a'.split('').distinct() == ['a']",
        "'%.1000000f'.format([0.1]).size() > 0",
        "lists.range(1000000).size() == 1000000",
        "duration('" + "9" * 5000 + "s') == duration('0')",
        "timestamp(0).getHours('" + "9" * 5000 + ":00') == 0",
        "ip('" + "1:" * 2000 + "') == ip('::')",
        "cidr('1.2.3.4/" + "9" * 5000 + "').prefixLength() == 1",
        "isURL('http://" + "a" * 5000 + "/')",
    ],
)
def test_large_texts_are_answered(text: str) -> None:
    try:
        program = environment(stored=True).compile(text)
    except CelCompileError as error:
        assert str(error)  # noqa: PT017 -- either answer is one
        return
    try:
        assert isinstance(program.evaluate({}), bool)
    except CelRuntimeError as error:
        assert str(error)  # noqa: PT017 -- as above
