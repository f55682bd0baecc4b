"""Tables look as kubectl's, and no cell can leave its place."""

from __future__ import annotations

import pytest

from kubectl_llmfit.output.table import render_table


def test_columns_are_three_spaces_apart_and_headers_upper_case() -> None:
    text = render_table(("node", "verdict"), [("gpu-a", "Fits"), ("b", "NoFit")])
    assert text == "NODE    VERDICT\ngpu-a   Fits\nb       NoFit\n"


def test_numbers_stay_as_they_are_written() -> None:
    assert render_table(("a", "b"), [("1.10", "1e5")], no_headers=True) == "1.10   1e5\n"


def test_what_is_missing_is_none() -> None:
    assert render_table(("a", "b", "c"), [(None, "", "x")], no_headers=True) == "<none>   <none>   x\n"


def test_no_rows_leave_the_headers() -> None:
    assert render_table(("a", "b"), []) == "A   B\n"


def test_no_rows_and_no_headers_leave_nothing() -> None:
    assert render_table(("a", "b"), [], no_headers=True) == ""


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("a\nb", "a\\u000ab"),
        ("\x1b[31mred", "\\u001b[31mred"),
        ("a\u202eb", "a\\u202eb"),
        ("a\u2066b\u2069", "a\\u2066b\\u2069"),
        ("a\u2028b", "a\\u2028b"),
        ("a\x85b", "a\\u0085b"),
        ("a\u200bb", "a\\u200bb"),
        ("a\ud800b", "a\\ud800b"),
        ("größe", "größe"),
    ],
)
def test_no_cell_can_add_a_line_an_escape_or_turn_its_text_around(cell: str, shown: str) -> None:
    assert render_table(("a",), [(cell,)], no_headers=True) == f"{shown}\n"
