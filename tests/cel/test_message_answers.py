"""Literals of protobuf's messages against recorded answers of the real allocator's CEL package."""

from __future__ import annotations

from typing import Any

import pytest

from cel.devices import device, environment
from cel.recorded import Record
from kubectl_llmfit.cel import CelRuntimeError

RECORD = Record("message_answers.json")


@pytest.mark.parametrize("answer", RECORD.answers, ids=lambda answer: answer["expression"])
def test_a_message_in_a_new_expression_means_what_it_means_to_kubernetes(answer: dict[str, Any]) -> None:
    assert RECORD.ours(answer, stored=False) == RECORD.theirs(answer, stored=False)


@pytest.mark.parametrize("answer", RECORD.answers, ids=lambda answer: answer["expression"])
def test_a_message_in_a_stored_expression_means_what_it_means_to_kubernetes(answer: dict[str, Any]) -> None:
    assert RECORD.ours(answer, stored=True) == RECORD.theirs(answer, stored=True)


def test_a_value_that_holds_itself_many_times_over_ends_in_an_error() -> None:
    # 2^40 ones, which Kubernetes charges nothing for.
    text = "google.protobuf.ListValue{values: [l40]}.size() == 1"
    for depth in range(40, 0, -1):
        text = f"cel.bind(l{depth}, [l{depth - 1}, l{depth - 1}], {text})"
    program = environment().compile(f"cel.bind(l0, 1, {text})")
    with pytest.raises(CelRuntimeError, match="cost limit exceeded"):
        program.matches(device())
