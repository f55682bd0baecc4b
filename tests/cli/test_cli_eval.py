"""``eval``: a selector on every published device, what it says, and its exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from kubectl_llmfit.cel import NoTimeZonesError

ROOT = Path(__file__).parents[2]
SNAPSHOT = str(ROOT / "examples" / "cluster.yaml")
MEMORY = "device.capacity['llmfit.ai'].memory.compareTo(quantity('6Gi')) >= 0"


def evaluate(llmfit, expression: str, *arguments: str):
    return llmfit("eval", expression, *arguments, "--snapshot", SNAPSHOT)


def test_a_row_per_device_shows_both_sides(llmfit) -> None:
    outcome = evaluate(llmfit, MEMORY)
    rows = {tuple(line.split("   ")[i].strip() for i in (0, 2)): line for line in outcome.stdout.splitlines()[1:]}
    assert outcome.status == 0
    assert "true     memory 24564Mi >= 6Gi" in rows["gpu-a", "gpu-0000-01-00-0"]
    assert "false    memory 4Gi < 6Gi" in rows["gpu-c", "gpu-0000-04-00-0"]
    assert "5 of 6 devices match" in outcome.stderr


def test_no_match_and_a_raising_device_are_1(llmfit) -> None:
    assert evaluate(llmfit, "device.driver == 'nobody'").status == 1
    outcome = evaluate(llmfit, "device.attributes['llmfit.ai'].healthy")
    assert outcome.status == 1
    assert "1 raise an error" in outcome.stderr
    assert "no such key: healthy" in outcome.stdout


def test_node_and_device_choose(llmfit) -> None:
    outcome = evaluate(llmfit, "true", "--node", "gpu-a", "--device", "gpu-0000-02-00-0", "--no-headers")
    assert [line.split()[:3] for line in outcome.stdout.splitlines()] == [["gpu-a", "llmfit.ai", "gpu-0000-02-00-0"]]


def test_a_class_is_asked_first(llmfit) -> None:
    outcome = evaluate(llmfit, "true", "--device-class", "llmfit.ai", "--node", "gpu-c")
    assert outcome.status == 0
    assert "false    class: unhealthy" in outcome.stdout
    assert evaluate(llmfit, "true", "--device-class", "missing").status == 2


@pytest.mark.parametrize("output", ["json", "yaml"])
def test_the_document_has_every_part(llmfit, output: str) -> None:
    document = yaml.safe_load(evaluate(llmfit, f"device.driver == 'llmfit.ai' && {MEMORY}", "-o", output).stdout)
    assert document["kind"] == "Evaluation"
    assert document["reads"] == [
        {"kind": "capacity", "domain": "llmfit.ai", "name": "memory", "guarded": False},
        {"kind": "driver", "domain": None, "name": None, "guarded": True},
    ]
    assert [part["result"] for part in document["items"][0]["parts"]] == ["true", "true"]
    assert document["items"][0]["parts"][1]["observed"] == "24564Mi"


def test_check_only_compiles_and_lists_what_is_read(llmfit) -> None:
    outcome = llmfit("eval", MEMORY, "--check")  # no cluster, no snapshot
    assert outcome.status == 0
    assert outcome.stdout.splitlines()[1].split() == ["capacity", "llmfit.ai", "memory", "no"]
    assert "estimated cost at most" in outcome.stderr
    assert json.loads(llmfit("eval", MEMORY, "--check", "-o=json").stdout)["maxCost"] > 0


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("device.capacity['d'].m >= quantity('1Gi')", "<input>:1:24: found no matching overload for '_>=_'"),
        ("device.nope", "undefined field 'nope'"),
        ("1", "must evaluate to bool"),
        ("device.driver ==", "Syntax error"),
        ("", "Syntax error"),
        ("'" + "a" * 10_241 + "' == ''", "10"),
    ],
)
def test_what_does_not_compile_is_2_with_its_place(llmfit, expression: str, words: str) -> None:
    outcome = llmfit("eval", expression, "--check")
    assert (outcome.status, outcome.stdout) == (2, "")
    assert words in outcome.stderr


def test_a_hint_stands_below_what_does_not_compile(llmfit) -> None:
    outcome = llmfit("eval", "device.capacity['d'].m >= quantity('1Gi')", "--check")
    assert outcome.stderr.splitlines()[-1] == "hint: quantities have no >=: write x.compareTo(quantity('1Gi')) >= 0"


def test_a_hint_names_what_the_devices_publish(llmfit) -> None:
    outcome = evaluate(llmfit, "device.attributes['llmfit.ai'].memory == 1")
    assert "hint: llmfit.ai/memory is a capacity: read device.capacity['llmfit.ai'].memory" in outcome.stderr
    assert "hint:" not in evaluate(llmfit, MEMORY).stderr


def test_check_marks_what_is_read_without_a_guard(llmfit) -> None:
    guarded = f"'memory' in device.capacity['llmfit.ai'] && {MEMORY} && device.attributes['llmfit.ai'].healthy"
    outcome = llmfit("eval", guarded, "--check")
    rows = [line.split() for line in outcome.stdout.splitlines()]
    assert rows == [
        ["READS", "DOMAIN", "NAME", "GUARDED"],
        ["attributes", "llmfit.ai", "healthy", "no"],
        ["capacity", "llmfit.ai", "memory", "yes"],
    ]
    reads = json.loads(llmfit("eval", guarded, "--check", "-o=json").stdout)["reads"]
    assert [read["guarded"] for read in reads] == [False, True]


def test_a_zone_that_this_machine_does_not_know_cannot_be_told(llmfit, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_database(zone: str, _: int) -> int:
        raise NoTimeZonesError(zone)

    monkeypatch.setattr("kubectl_llmfit.cel.libraries.timestamps.offset_seconds", no_database)
    outcome = evaluate(llmfit, "timestamp('2026-01-01T12:00:00Z').getHours('Mars/Base') == 13")
    assert (outcome.status, outcome.stdout) == (3, "")
    assert outcome.stderr.startswith("error: selector")
    assert "cannot tell the time in Mars/Base: this machine has no time zone database" in outcome.stderr
    read = "timestamp('2026-01-01T12:00:00Z').getHours(device.driver) == 13"
    assert evaluate(llmfit, read).status == 3
    assert evaluate(llmfit, f"device.driver == 'nobody' && {read}").status == 1  # nothing asks for the zone
