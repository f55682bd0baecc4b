"""What every run must keep to, whatever it was given; and changes to an input that may not change the answer."""

from __future__ import annotations

import json
import random
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from live.program import Answer, run_here
from safety.fuzzing.cases import ROOT, Case
from safety.sinks import document, lines

SECONDS = 60  # a run that takes longer hangs; the slowest that does not takes a few
LARGEST_MIB = 2048  # of the whole process, with everything that a thousand runs have left in memory
_STATUSES = range(5)


class FaultError(AssertionError):
    """A run that does what none may do."""


def judge(case: Case, folder: Path) -> int:
    """Run a case; its exit status. Raises FaultError."""
    done = _run(case, case.content, folder)
    try:
        _require_answer(case, done)
        _require_the_same_of_a_twin(case, done, folder)
    except (AssertionError, ValueError, jsonschema.ValidationError) as fault:
        raise FaultError(f"{fault}\n{case}\nstatus {done.code}\n{done.stdout[:1500]}{done.stderr[:1500]}") from fault
    return done.code


def _run(case: Case, content: bytes, folder: Path) -> Answer:
    file = folder / case.name
    file.write_bytes(content)
    words = [word.replace("FILE", str(file)).replace("FOLDER", str(folder)) for word in case.words]
    with _alarm(case):
        done = run_here(*words)
    return Answer(done.code, done.stdout.replace(str(file), "FILE"), done.stderr.replace(str(file), "FILE"))


@contextmanager
def _alarm(case: Case) -> Iterator[None]:
    def hangs(*_: object) -> None:
        raise FaultError(f"it hangs: {case}")

    signal.signal(signal.SIGALRM, hangs)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)


def _require_answer(case: Case, done: Answer) -> None:
    assert done.code in _STATUSES
    said = lines(done.stderr)
    assert not any("fault of kubectl-llmfit" in line or "Traceback" in line for line in said)
    refusals = sum(line.startswith(("error: ", "The ", "Error from", "Unable to")) for line in said)
    assert refusals == (done.code in (2, 4)) or (done.code in (1, 3) and refusals == 1)
    if refusals:
        assert done.stdout == ""
    else:
        _require_document(case, done)
    peak_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    assert peak_mib < LARGEST_MIB, f"{peak_mib} MiB of memory"


def _require_document(case: Case, done: Answer) -> None:
    if case.form in ("json", "yaml"):
        found = document(done.stdout, case.form)
        if case.words[0] == "check-nodes":
            jsonschema.validate(found, _schema())
    else:
        lines(done.stdout)


@cache
def _schema() -> Any:
    return json.loads((ROOT / "docs" / "node-check.schema.json").read_text(encoding="utf-8"))


def _require_the_same_of_a_twin(case: Case, done: Answer, folder: Path) -> None:
    """The same objects, written otherwise and in another order, among others that matter to nobody."""
    is_check = case.words[0] == "check-nodes" and "--snapshot" in case.words and case.form in ("json", "yaml")
    if not is_check or not done.stdout or case.words[case.words.index("--snapshot") + 1] != "FILE":
        return
    twin = _twin(case.content)
    if twin is not None:
        other = _run(case, twin, folder)
        assert other.code == done.code, f"a twin has status {other.code}: {other.stderr[-800:]}"
        assert _verdicts(other, case.form) == _verdicts(done, case.form), "a twin has other verdicts"


def _twin(content: bytes) -> bytes | None:
    try:
        whole = json.loads(content)
    except ValueError:
        try:
            whole = yaml.safe_load(content)
        except (yaml.YAMLError, ValueError):
            return None
    items = whole.get("items") if isinstance(whole, dict) else None
    if not isinstance(items, list):
        return None
    draw = random.Random(len(content))
    mixed = [_reordered(item, draw) for item in items]
    first = [item for item in mixed if isinstance(item, dict) and item.get("kind") == "ClusterSnapshot"]
    mixed = [item for item in mixed if item not in first]
    draw.shuffle(mixed)
    mixed = [*first, *mixed]
    mixed.append({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "of-no-interest"}, "data": {"a": "b"}})
    try:
        return json.dumps({**whole, "items": mixed}).encode("utf-8", "surrogatepass")
    except (TypeError, ValueError):  # what only YAML can write
        return None


def _reordered(value: Any, draw: random.Random) -> Any:
    """With the keys of every map in another order; the order of a list may mean something."""
    if isinstance(value, dict):
        keys = list(value)
        draw.shuffle(keys)
        return {key: _reordered(value[key], draw) for key in keys}
    return [_reordered(each, draw) for each in value] if isinstance(value, list) else value


def _verdicts(done: Answer, form: str) -> Any:
    found = document(done.stdout, form)
    return sorted((node["name"], node["verdict"], node["scheduler"]) for node in found["nodes"])
