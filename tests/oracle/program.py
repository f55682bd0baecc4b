"""The program ``cel-oracle``: Kubernetes' own CEL for device selectors, asked over a pipe.

Owns the process and its JSON. Must not know how answers are compared.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import Any

from controlplane.build import MODULES, programs

MODULE = MODULES["cel-oracle"]
Device = Mapping[str, Any]  # as the API writes one, with its driver


def executable() -> Path:
    """The built program; NotBuiltError where there is none."""
    return programs(MODULE.name)[MODULE.name]


@dataclass(frozen=True, slots=True)
class Question:
    """An expression, the environment that compiles it, and on which devices of the pool it is evaluated."""

    expression: str
    stored: bool
    devices: tuple[int, ...] = ()
    times: int = 1  # all of it so often, since Go leaves the order of a map to chance

    def line(self) -> str:
        """As the program reads it."""
        fields = {"expression": self.expression, "stored": self.stored, "devices": self.devices, "times": self.times}
        return json.dumps(fields) + "\n"


@dataclass(frozen=True, slots=True)
class Result:
    """One evaluation: ``value`` is "true", "false" or "error"; ``cost`` is None where it panicked."""

    value: str
    error: str = ""
    cost: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """One compilation and one result for each device asked for; none of them where it does not compile."""

    compile_error: str = ""
    max_cost: int = 0
    results: tuple[Result, ...] = ()


class Oracle:
    """A running ``cel-oracle selectors``; a context manager, which ends it."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [executable(), "selectors"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )

    def __enter__(self) -> Oracle:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._process.kill()
        self._process.communicate()

    def set_pool(self, devices: Sequence[Device]) -> None:
        """The devices that later questions speak of."""
        self._write(json.dumps({"pool": devices}) + "\n")

    def ask(self, questions: Sequence[Question]) -> Iterator[tuple[Answer, ...]]:
        """The distinct answers to each question, in order, while the program works on the next ones.

        All of them have to be taken before anything else is asked.
        """
        text = "".join(question.line() for question in questions)
        writer = Thread(target=self._write, args=(text,), daemon=True)  # or both sides wait on a full pipe
        writer.start()
        return self._answers(len(questions), writer)

    def _answers(self, count: int, writer: Thread) -> Iterator[tuple[Answer, ...]]:
        assert self._process.stdout is not None
        for _ in range(count):
            line = self._process.stdout.readline()
            if not line:
                raise RuntimeError(f"cel-oracle ended with status {self._process.wait()}")
            yield tuple(map(_answer, json.loads(line)))
        writer.join()

    def _write(self, text: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(text)
        self._process.stdin.flush()


def _answer(fields: Mapping[str, Any]) -> Answer:
    results = tuple(Result(**result) for result in fields.get("results", ()))
    return Answer(fields.get("compileError", ""), fields.get("maxCost", 0), results)


def conformance_cases() -> list[dict[str, Any]]:
    """Every case of the CEL specification in the version that Kubernetes' module requires; needs ``go``."""
    command = ["go", "mod", "download", "-json", "cel.dev/expr"]
    module = subprocess.run(command, cwd=MODULE.root, capture_output=True, text=True, check=True)
    folder = Path(json.loads(module.stdout)["Dir"]) / "tests" / "simple" / "testdata"
    return _lines("conformance", str(folder))


def overloads(stored: bool) -> list[dict[str, Any]]:
    """The signature of every function that an expression may call."""
    return _lines("functions", "stored" if stored else "new")


def _lines(*arguments: str) -> list[dict[str, Any]]:
    done = subprocess.run([executable(), *arguments], capture_output=True, text=True, encoding="utf-8", check=True)
    # splitlines would also split at characters that JSON leaves as they are
    return [json.loads(line, parse_int=_number) for line in done.stdout.split("\n") if line]


def _number(text: str) -> float:
    """Protobuf's JSON writes the double -0.0 as -0."""
    return -0.0 if text == "-0" else int(text)
