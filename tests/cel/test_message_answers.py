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


def test_an_any_within_an_any_many_times_over_ends_in_an_error() -> None:
    # Each level: field 1 has the type, field 2 the rest.
    name = b"google.protobuf.Any"
    packed = b""
    for _ in range(150):
        length = len(packed)
        packed = b"\x0a" + bytes([len(name)]) + name + b"\x12" + _varint(length) + packed
    escaped = "".join(f"\\x{octet:02x}" for octet in packed)
    program = environment(stored=True).compile(
        f"google.protobuf.Any{{type_url: '{name.decode()}', value: b'{escaped}'}} == 1"
    )
    with pytest.raises(CelRuntimeError, match="unsupported conversion to ref"):
        program.matches(device())


def _varint(number: int) -> bytes:
    octets = bytearray()
    while number > 0x7F:
        octets.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*octets, number])
