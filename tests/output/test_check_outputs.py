"""What check-nodes prints, against golden files (KUBECTL_LLMFIT_UPDATE_GOLDEN=1 writes them anew)."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from check.card_worlds import any_of, asks, carded, partition
from check.check_worlds import allocated, check, claim, gpu, on, world
from kubectl_llmfit.api.values import Unread
from kubectl_llmfit.check.choice import Choice
from kubectl_llmfit.check.document import to_document
from kubectl_llmfit.check.values import Copies
from kubectl_llmfit.output.check_table import copies_cell, fitting_names, node_table, summary_line
from kubectl_llmfit.output.device_table import device_table
from kubectl_llmfit.output.document import to_json, to_yaml
from kubectl_llmfit.output.table import render_table
from output.sample_check import sample

GOLDEN = Path(__file__).parent / "golden"

OUTPUTS: dict[str, Callable[[], str]] = {
    "table.txt": lambda: render_table(*node_table(sample())),
    "table-error.txt": lambda: render_table(*node_table(sample(fails=True))),
    "wide.txt": lambda: render_table(*node_table(sample(), wide=True)),
    "devices.txt": lambda: render_table(*device_table(sample())),
    "check.yaml": lambda: to_yaml(to_document(sample())),
}


@pytest.mark.parametrize("name", OUTPUTS)
def test_output_is_the_golden_file(name: str) -> None:
    golden, text = GOLDEN / name, OUTPUTS[name]()
    if os.environ.get("KUBECTL_LLMFIT_UPDATE_GOLDEN") == "1":
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


def test_wide_has_the_same_rows_and_starts_with_the_same_columns() -> None:
    headers, rows = node_table(sample())
    wide_headers, wide_rows = node_table(sample(), wide=True)
    assert wide_headers[: len(headers)] == headers
    assert [row[: len(headers)] for row in wide_rows] == list(rows)


def test_json_and_yaml_are_one_document() -> None:
    document = to_document(sample())
    assert json.loads(to_json(document)) == yaml.safe_load(to_yaml(document)) == document


def test_the_names_are_those_of_candidates_that_fit() -> None:
    assert fitting_names(sample()) == ("node/gpu-a",)


def test_there_are_no_names_when_a_node_fails_the_pod() -> None:
    assert fitting_names(sample(fails=True)) == ()


def test_the_summary_line() -> None:
    assert summary_line(sample()) == "Yes: 1 of 5 nodes fits (1 in use, 3 no fit; 1 cordoned)"
    assert summary_line(sample(fails=True)) == (
        "No: 1 of 6 nodes fits (1 in use, 3 no fit, 1 error: the scheduler fails the whole pod)"
    )
    unguarded = claim("device.attributes['llmfit.ai'].vram > 5")
    state = world(on("a", gpu("gpu-0", vram=8)), on("b", gpu("gpu-0")))
    assert summary_line(check(state, unguarded, choice=Choice(names=("a",)))) == (
        "No: 1 of 2 nodes fits (1 error: the scheduler fails the whole pod; the error is on b, not asked about)"
    )
    assert summary_line(check(world(nodes=("a",)))) == "No: 0 of 0 nodes fit"


def test_copies_beyond_99_and_those_that_cannot_be_told() -> None:
    assert copies_cell(Copies(99, 100)) == "99/99+"
    unread = world(on("a", gpu("gpu-0")), unread=(Unread("resourceclaims", "forbidden"),))
    ((_, _, match, copies, *_),) = node_table(check(unread))[1]
    assert (match, copies) == ("1/1", "<unknown>")


def test_match_is_unknown_without_classes_and_none_for_a_claim_that_is_allocated() -> None:
    unread = world(on("a", gpu("gpu-0")), classes=(), unread=(Unread("deviceclasses", "forbidden"),))
    ((_, _, match, copies, *_),) = node_table(check(unread))[1]
    assert (match, copies) == ("<unknown>", "<unknown>")
    ((_, _, match, copies, *_),) = node_table(check(world(on("a", gpu("gpu-0"))), allocated("mine", "a", "gpu-0")))[1]
    assert (match, copies) == (None, None)


def test_no_name_that_a_driver_publishes_can_leave_its_cell() -> None:
    named = claim("device.attributes['llmfit.ai'].model == 'x'")
    state = world(on("a", gpu("gpu-0", model="\x1b[2Jx\nb   Fits\u202e")))
    text = render_table(*node_table(check(state, named)))
    assert len(text.splitlines()) == 2
    assert not any(character in text for character in "\x1b\u202e")


def test_a_column_says_what_devices_are_short_of_only_where_some_are() -> None:
    card = carded("a", partition("whole", "40Gi"), partition("half", "20Gi"), card="40Gi")
    free, held = (check(world(*card, claims=held), asks(any_of())) for held in ((), (allocated("one", "a", "half"),)))
    assert "SHORT-OF" not in device_table(free)[0]
    headers, rows = device_table(held)
    place = headers.index("SHORT-OF")
    assert [(row[1], row[4], row[place], row[-1]) for row in rows] == [
        ("half", "InUse", "", "team-a/one"),
        ("whole", "InUse", "memory 20Gi left < 40Gi needed of counter set card", "team-a/one"),
    ]


def test_one_node_fits_or_does_not() -> None:
    assert summary_line(check(world(on("a", gpu("gpu-0", "1Gi"))))) == "No: 0 of 1 node fits (1 no fit)"
