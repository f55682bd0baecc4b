"""Recorded answers of the real allocator's CEL package, and the engine's answers in the same form.

A file says which version answered and for which devices. Every entry has the first compile error, or one
result per device; ``stored`` where stored expressions differ.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from cel.devices import environment, variables
from kubectl_llmfit.cel import CelCompileError, CelRuntimeError

_ENVIRONMENTS = {stored: environment(stored) for stored in (False, True)}


class Record:
    """One file of answers beside this one."""

    def __init__(self, name: str) -> None:
        recorded = json.loads((Path(__file__).parent / name).read_text(encoding="utf-8"))
        self.answers: list[dict[str, Any]] = recorded["answers"]
        self._devices = [variables(device) for device in recorded["devices"]]

    def ours(self, answer: dict[str, Any], stored: bool) -> dict[str, Any]:
        """What the engine says."""
        try:
            program = _ENVIRONMENTS[stored].compile(answer["expression"])
        except CelCompileError as error:
            return {"error": _comparable(str(error).split("\n")[0])}
        results: list[str] = []
        for device in self._devices:
            try:
                results.append("true" if program.matches(device) else "false")
            except CelRuntimeError as error:
                results.append(f"error: {error}")
        return {"results": results}

    def theirs(self, answer: dict[str, Any], stored: bool) -> dict[str, Any]:
        """What Kubernetes said."""
        if stored:
            answer = answer.get("stored", answer)
        if "error" in answer:
            return {"error": _comparable(answer["error"])}
        return {"results": answer["results"]}


def _comparable(message: str) -> str:
    """Type variables are numbered in the order of the checker's inner workings; of a syntax error the place
    counts, not the grammar tool's list of what it expected.
    """
    return re.sub(r"_var\d+", "_var", re.sub(r"(Syntax error): .*", r"\1", message))
