"""A thousand command lines on damaged files: an answer or a refusal, one document, never a fault, never a hang."""

from __future__ import annotations

from safety.fuzzing.driving import fuzz

SEED, SIZE = 20261201, 1000


def test_a_thousand_damaged_inputs_are_answered_or_refused() -> None:
    findings = fuzz(SEED, SIZE)
    assert findings.fault is None, findings.fault
    assert findings.statuses.total() >= SIZE
    assert findings.statuses.keys() == {0, 1, 2, 3, 4}
    assert min(findings.statuses[code] for code in (0, 1, 2)) > SIZE / 20
