"""A thousand command lines on damaged files: an answer or a refusal, one document, never a fault, never a hang."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from live.program import Answer, run_here
from safety.fuzzing import judging
from safety.fuzzing.cases import MODEL, ROOT, Case
from safety.fuzzing.driving import fuzz
from safety.fuzzing.judging import FaultError, judge

SEED, SIZE = 20261201, 1000
CHECK = Case(
    ("check-nodes", MODEL, "--snapshot", "FILE", "-o", "json"), (ROOT / "examples" / "cluster.yaml").read_bytes()
)


def test_a_thousand_damaged_inputs_are_answered_or_refused() -> None:
    findings = fuzz(SEED, SIZE)
    assert findings.fault is None, findings.fault
    assert findings.statuses.total() >= SIZE
    assert min(findings.statuses[code] for code in (0, 1, 2, 4)) > SIZE / 40


def test_the_judge_accepts_a_good_answer(tmp_path: Path) -> None:
    assert judge(CHECK, tmp_path) == 0


def _raises(_: Answer) -> Answer:
    raise ZeroDivisionError("escaped")


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (_raises, "ZeroDivisionError: escaped"),
        (lambda done: replace(done, code=5), "a status that does not exist"),
        (lambda done: replace(done, code=3, stdout="", stderr="error: a fault of kubectl-llmfit\n"), "a fault"),
        (lambda done: replace(done, code=2, stderr="error: wrong\n"), "an answer to what is refused"),
        (lambda done: replace(done, code=2, stdout=""), "0 lines that refuse"),
        (lambda done: replace(done, stdout=done.stdout + "{}\n"), "Extra data"),
        (lambda done: replace(done, stdout='{"kind": "NodeCheck"}\n'), "required property"),
        (lambda done: replace(done, stderr="\x1b[31mred\n"), "red"),
    ],
)
def test_the_judge_finds(
    change: Callable[[Answer], Answer], complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "run_here", lambda *words: change(run_here(*words)))
    with pytest.raises(FaultError) as found:
        judge(CHECK, tmp_path)
    assert complaint in str(found.value)


@pytest.mark.parametrize(
    ("code", "verdict", "complaint"), [(0, "NoFit", "written otherwise it has other"), (1, "Fits", "has status 1")]
)
def test_the_judge_finds_that_a_twin_is_answered_otherwise(
    code: int, verdict: str, complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = []

    def once_right(*words: str) -> Answer:
        done = run_here(*words)
        runs.append(done)
        found = json.loads(done.stdout)
        for node in found["nodes"] if len(runs) > 1 else ():
            node["verdict"] = verdict
        return Answer(code if len(runs) > 1 else done.code, json.dumps(found) + "\n", done.stderr)

    monkeypatch.setattr(judging, "run_here", once_right)
    with pytest.raises(FaultError, match=complaint):
        judge(CHECK, tmp_path)


def test_the_judge_finds_a_verdict_that_must_not_be_told_from_a_cluster_seen_in_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever answers from the whole although nothing says so any more; of ten sizes, so that each kind is left out."""
    runs = []

    def as_if_all_were_seen(*words: str) -> Answer:
        done = run_here(*words)
        found = json.loads(done.stdout)
        if len(runs) % 3 == 2:
            for node in found["nodes"]:
                node["verdict"] = "InUse" if node["verdict"] == "NoFit" else "NoFit"
        runs.append(done)
        return Answer(done.code, json.dumps(found) + "\n", done.stderr)

    monkeypatch.setattr(judging, "run_here", as_if_all_were_seen)
    with pytest.raises(FaultError, match=r"seen in part, gpu-. is \w+, not"):
        judge(CHECK, tmp_path)
