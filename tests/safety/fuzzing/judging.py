"""What every run must keep to, whatever it was given; and changes to an input that may not change the answer."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import jsonschema

from kubectl_llmfit.completion import answer
from live.program import Answer, run_here
from safety.fuzzing.cases import COMPLETE, ROOT, Case
from safety.fuzzing.twins import blinded, rewritten
from safety.sinks import document, lines

SECONDS = 60  # a run that takes longer hangs; the slowest that does not takes a few
LARGEST_MIB = 2048  # of the whole process, with everything that a thousand runs have left in memory
A_PROCESS_OF_ITS_OWN = 100  # has one case in so many
_STATUSES = range(5)


class FaultError(AssertionError):
    """A run that does what none may do."""


def judge(case: Case, folder: Path) -> int:
    """Run a case; its exit status. Raises FaultError."""
    try:
        done = _run(case, case.content, folder)
    except Exception as escaped:
        raise FaultError(f"{type(escaped).__name__}: {escaped}\n{case}") from escaped
    try:
        _require_answer(case, done)
        _require_the_same_of_a_process(case, done, folder)
        _require_the_same_of_twins(case, done, folder)
    except (AssertionError, ValueError, jsonschema.ValidationError, subprocess.TimeoutExpired) as fault:
        raise FaultError(
            f"{str(fault)[:2000]}\n{case}\nstatus {done.code}\n{done.stdout[:1500]}{done.stderr[:1500]}"
        ) from fault
    return done.code


def _run(case: Case, content: bytes, folder: Path) -> Answer:
    file = folder / case.name
    file.write_bytes(content)
    words = _words(case, folder)
    with _alarm(case):
        done = _completed(words[1:]) if words[0] == COMPLETE else run_here(*words)
    return Answer(done.code, done.stdout.replace(str(file), "FILE"), done.stderr.replace(str(file), "FILE"))


def _completed(words: list[str]) -> Answer:
    """Candidates, each with a tab before what is said of it, which is the only tab in its line; the directive."""
    *candidates, directive = answer(words).split("\n")[:-1]
    assert directive[:1] == ":", directive
    return Answer(0, "".join(each.replace("\t", " ", 1) + "\n" for each in candidates), "")


def _words(case: Case, folder: Path) -> list[str]:
    file = str(folder / case.name)
    return [word.replace("FILE", file).replace("FOLDER", str(folder)) for word in case.words]


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
    assert done.code in _STATUSES, "a status that does not exist"
    said = lines(done.stderr)
    assert not any("fault of kubectl-llmfit" in line or "Traceback" in line for line in said), "a fault"
    refusals = sum(line.startswith(("error: ", "The ", "Error from", "Unable to")) for line in said)
    right = refusals == (done.code in (2, 4)) or (done.code in (1, 3) and refusals == 1)
    assert right, f"{refusals} lines that refuse"
    if refusals:
        assert done.stdout == "", "an answer to what is refused"
    else:
        _require_document(case, done)
    peak_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    assert peak_mib < LARGEST_MIB, f"{peak_mib} MiB of memory"


def _require_document(case: Case, done: Answer) -> None:
    if case.form in ("json", "yaml"):
        found = document(done.stdout, case.form)
        if case.words[0] == "check-nodes":
            _schema().validate(found)
    else:
        lines(done.stdout)


@cache
def _schema() -> jsonschema.Draft202012Validator:
    schema = json.loads((ROOT / "docs" / "node-check.schema.json").read_text(encoding="utf-8"))
    return jsonschema.Draft202012Validator(schema)


def _require_the_same_of_twins(case: Case, done: Answer, folder: Path) -> None:
    """What is written otherwise has the same answer; what was seen in part, the same or none."""
    is_check = case.words[0] == "check-nodes" and "--snapshot" in case.words and case.form in ("json", "yaml")
    if not is_check or not done.stdout or case.words[case.words.index("--snapshot") + 1] != "FILE":
        return
    known = _verdicts(done, case.form)
    if (content := rewritten(case.content)) is not None:
        twin = _run(case, content, folder)
        assert twin.code == done.code, f"written otherwise it has status {twin.code}: {twin.stderr[-800:]}"
        found = _verdicts(twin, case.form)
        assert {name: found.get(name) for name in known} == known, "written otherwise it has other verdicts"
    if (content := blinded(case.content)) is not None:
        twin = _run(case, content, folder)
        assert done.code == 3 or twin.code not in {0, 1} - {done.code}, f"seen in part it has status {twin.code}"
        for name, verdict in _verdicts(twin, case.form).items() if twin.stdout else ():
            may_be = {"Unknown", known.get(name, verdict)}
            assert verdict in may_be or known[name] == "Unknown", (
                f"seen in part, {name} is {verdict}, not {known[name]}"
            )


def _verdicts(done: Answer, form: str) -> dict[str, str]:
    return {node["name"]: node["verdict"] for node in document(done.stdout, form)["nodes"]}


def _require_the_same_of_a_process(case: Case, done: Answer, folder: Path) -> None:
    """One in a hundred in a process of its own, as users run it, that may not use more memory than is its due."""
    try:
        words = [os.fsencode(word) for word in _words(case, folder)]
    except UnicodeEncodeError:  # no command line can say it
        return
    if case.words[0] == COMPLETE or zlib.crc32(b"\0".join((*words[1:2], case.content))) % A_PROCESS_OF_ITS_OWN:
        return
    (folder / case.name).write_bytes(case.content)
    limit = f'ulimit -v {LARGEST_MIB << 10}; exec "$@"'
    alone = subprocess.run(
        ["bash", "-c", limit, "bash", str(ROOT / "kubectl-llmfit"), *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )
    stdout, stderr = (text.decode().replace(str(folder / case.name), "FILE") for text in (alone.stdout, alone.stderr))
    assert (alone.returncode, stdout, stderr) == (done.code, done.stdout, done.stderr), (
        f"a process of its own has status {alone.returncode}: {stdout[:800]}{stderr[:800]}"
    )
