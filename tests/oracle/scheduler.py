"""The program ``allocator-oracle``: the allocator of kube-scheduler, asked over a pipe.

Owns the process and its JSON. Must not know how answers are compared.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from threading import Thread
from types import TracebackType
from typing import Any, Literal

from controlplane.build import MODULES, Module, programs
from kubectl_llmfit.cel.quantity import Quantity

VERSIONS = ("1.34", "1.35", "1.36", "1.37")
NEWEST = VERSIONS[-1]
Scenario = Mapping[str, Any]  # the program's own: see tests/oracle/allocator/scenario.go


def module(kubernetes: str = NEWEST) -> Module:
    """The module of the oracle for a minor version of Kubernetes."""
    return MODULES["allocator-oracle" if kubernetes == NEWEST else f"allocator-oracle-{kubernetes}"]


@dataclass(frozen=True, slots=True)
class TakenDevice:
    """One device of an allocation; ``claim`` is its place among those asked."""

    claim: int
    request: str
    driver: str
    pool: str
    device: str
    admin_access: bool = False
    shared: bool = False
    consumed: tuple[tuple[str, Quantity], ...] = ()
    binding_conditions: tuple[str, ...] = ()
    binding_failure_conditions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NodeAnswer:
    """What the DynamicResources filter makes of one node; ``devices`` are in the order of the allocation."""

    node: str
    outcome: Literal["Allocates", "Refuses", "Fails", "TimedOut"]
    message: str
    devices: tuple[TakenDevice, ...]


class SchedulerOracle:
    """A running oracle; a context manager, which ends it."""

    def __init__(self, kubernetes: str = NEWEST) -> None:
        made_by = module(kubernetes)
        program = programs(made_by.name)[made_by.programs[0]]
        self._process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )

    def __enter__(self) -> SchedulerOracle:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._process.kill()
        self._process.communicate()

    def ask(self, scenarios: Sequence[Scenario]) -> Iterator[tuple[NodeAnswer, ...]]:
        """The answers for the nodes of each scenario, in order, while the program works on the next ones.

        All of them have to be taken before anything else is asked.
        """
        text = "".join(json.dumps(scenario) + "\n" for scenario in scenarios)
        writer = Thread(target=self._write, args=(text,), daemon=True)  # or both sides wait on a full pipe
        writer.start()
        return self._answers(len(scenarios), writer)

    def _answers(self, count: int, writer: Thread) -> Iterator[tuple[NodeAnswer, ...]]:
        assert self._process.stdout is not None
        for _ in range(count):
            line = self._process.stdout.readline()
            if not line:
                raise RuntimeError(f"allocator-oracle ended with status {self._process.wait()}")
            yield tuple(map(_answer, json.loads(line)))
        writer.join()

    def _write(self, text: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(text)
        self._process.stdin.flush()


def _answer(fields: Mapping[str, Any]) -> NodeAnswer:
    devices = tuple(
        TakenDevice(
            claim,
            taken["request"],
            taken["driver"],
            taken["pool"],
            taken["device"],
            taken.get("adminAccess", False),
            taken.get("shared", False),
            tuple((name, Quantity.parse(text)) for name, text in sorted(taken.get("consumedCapacity", {}).items())),
            tuple(taken.get("bindingConditions", ())),
            tuple(taken.get("bindingFailureConditions", ())),
        )
        for claim, allocation in enumerate(fields.get("allocations", ()))
        for taken in allocation["devices"]
    )
    return NodeAnswer(fields["node"], fields["outcome"], fields.get("message", ""), devices)
