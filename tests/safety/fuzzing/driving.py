"""So many cases of one seed, by hypothesis, which makes the first fault small."""

from __future__ import annotations

import tempfile
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from unittest.mock import patch

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from kubectl_llmfit import app
from safety.fuzzing.cases import case
from safety.fuzzing.judging import FaultError, judge
from safety.fuzzing.mutating import Choice


@dataclass
class Findings:
    """Exit statuses with how often they came, and the fault, made small, if there was one."""

    statuses: Counter[int] = field(default_factory=Counter)
    fault: str | None = None


def fuzz(number: int, size: int) -> Findings:
    """Judge ``size`` command lines of a seed, until the first fault."""
    findings = Findings()
    # to make Typer's commands takes 10 ms, most of a command line that is refused; nothing in them changes
    with tempfile.TemporaryDirectory() as name, patch.object(app, "group", cache(app.group)):
        folder = Path(name)

        @seed(number)
        @settings(
            max_examples=size,
            derandomize=False,
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            phases=(Phase.generate, Phase.shrink),
        )
        @given(st.data())
        def each(data: st.DataObject) -> None:
            made = case(Choice(lambda below: data.draw(st.integers(0, below - 1))))
            findings.statuses[judge(made, folder)] += 1

        try:
            each()
        except FaultError as fault:
            findings.fault = str(fault)
        except BaseExceptionGroup as several:
            findings.fault = "\n\n".join(map(str, several.exceptions))
    return findings
