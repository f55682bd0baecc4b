"""Every case of the CEL specification: the engine does as Kubernetes does, and as the specification says.

Where those two differ Kubernetes counts, and REASONS says why they do.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from oracle.conformance import Outcome, UnreachableError, agree, by_engine, by_kubernetes, meets_specification, name_of

Case = Mapping[str, Any]

FILES = (
    *("basic", "bindings_ext", "block_ext", "comparisons", "conversions", "dynamic", "encoders_ext", "enums"),
    *("fields", "fp_math", "integer_math", "lists", "logic", "macros", "macros2", "math_ext", "namespace"),
    *("optionals", "parse", "plumbing", "proto2", "proto2_ext", "proto3", "string", "string_ext", "timestamps"),
    *("type_deductions", "wrappers"),
)
NOT_ENABLED = ("block_ext", "encoders_ext", "math_ext", "proto2_ext")


def _says(pattern: str) -> Callable[[Case, Outcome], bool]:
    """Whether the first complaint of Kubernetes reads so."""
    complaint = re.compile(rf"(ERROR: <input>:\d+:\d+: )?{pattern}")
    return lambda _, theirs: complaint.match(theirs.words) is not None


def _named(pattern: str) -> Callable[[Case, Outcome], bool]:
    return lambda case, _: re.fullmatch(pattern, name_of(case)) is not None


# Why Kubernetes does not do what a case wants; the first that applies counts.
REASONS: dict[str, Callable[[Case, Outcome], bool]] = {
    "a library that Kubernetes does not enable": lambda case, _: case["file"] in NOT_ENABLED,
    "messages and enums of the case's own: a selector cannot name them": _says(
        r"undeclared reference to '(\S*TestAllTypes|TestRequired|GlobalEnum)'"
    ),
    "a variable that is a message of the case's own": _says(
        r"unexpected failed resolution of 'cel\.expr\.conformance\.|expected type 'cel\.expr\.conformance\."
    ),
    "cel-go gives all milliseconds of a duration, not those beyond the seconds": _named(
        r"timestamps/duration_converters/get_milliseconds"
    ),
    "a message of the case's own in an Any": _says(r"unknown type: 'cel\.expr\.conformance\."),
    "names relative to a container: a selector has none": lambda case, theirs: (
        case["test"].get("container") == "google.protobuf" and "undeclared reference" in theirs.words
    ),
    "Kubernetes checks every expression, this one is written not to be": lambda case, theirs: (
        case["test"].get("disableCheck", False) and theirs.kind == "compile error"
    ),
    "Kubernetes wants one type for all elements of a literal": _says(r"expected type '.*' but found '.*'"),
    "Kubernetes enables version 2 of the string functions: format writes 1.5×10⁰³, ∞ and 3.140000": _named(
        r"string_ext/format(_errors)?/.*"
    ),
    "Kubernetes enables version 2 of the string functions: a search from behind the end finds nothing": _named(
        r"string_ext/value_errors/(last)?indexof_out_of_range"
    ),
    "a constant key of a type that no map can have: cel-go makes no program of it": _says("invalid qualifier type"),
    "of a key written twice the later value counts in cel-go": _named(r"fields/.*/map_value_repeat_key"),
    "a field of an optional that is no map is absent in cel-go": _named(
        r"optionals/.*/(map_null_entry_no_such_key|map_present_key_invalid_field)"
    ),
}


@pytest.mark.parametrize("file", FILES)
def test_every_case_of_the_specification_is_decided_as_kubernetes_decides_it(
    file: str, cases_of_the_specification: list[Case]
) -> None:
    faults = [
        f"{name_of(case)}: {case['test']['expr']}\n  {fault}"
        for case in cases_of_the_specification
        if case["file"] == file and (fault := _fault(case)) is not None
    ]
    assert not faults, f"{len(faults)} of {file}\n" + "\n".join(faults)


def test_no_file_and_no_reason_is_left_over(cases_of_the_specification: list[Case]) -> None:
    assert {case["file"] for case in cases_of_the_specification} == set(FILES)
    verdicts = Counter(map(_verdict, cases_of_the_specification))
    print(*(f"{count:5} {verdict}" for verdict, count in verdicts.most_common()), sep="\n")
    assert set(REASONS) <= set(verdicts)
    assert verdicts["passes"] > 1300


def _fault(case: Case) -> str | None:
    """What is wrong with the engine's answer, if anything is."""
    try:
        ours = by_engine(case)
    except UnreachableError:
        return None
    theirs = by_kubernetes(case)
    if not agree(ours, theirs):
        return f"ours: {ours}\n  Kubernetes': {theirs}"
    return None if _verdict(case) else f"Kubernetes does not do what the case wants, and no reason is known: {theirs}"


def _verdict(case: Case) -> str | None:
    """ "passes", why it cannot, or None where that is not known."""
    try:
        ours = by_engine(case)
        if meets_specification(case, ours):
            return "passes"
    except UnreachableError as reason:
        return f"{reason}: a selector's only variable is `device`"
    theirs = by_kubernetes(case)
    return next((reason for reason, applies in REASONS.items() if applies(case, theirs)), None)
