"""The answers of this program to the questions that Kubernetes is asked.

Owns the way through the program's own device environment, memo included. Must not compare.
"""

from __future__ import annotations

from collections.abc import Iterable

from kubectl_llmfit.api.values import DeviceShape
from kubectl_llmfit.dra.environment import Selector, SelectorError, device_values
from oracle.program import Answer, Result

CRASH = "crash: "
_HINT = ". consider using CEL optional chaining"  # EnhanceRuntimeError adds it, outside of the package that is asked

EngineDevice = tuple[str, DeviceShape]  # with its driver


def answer(text: str, stored: bool, devices: Iterable[EngineDevice]) -> Answer:
    """As Kubernetes' own; a crash is told as a compile error that no other can be equal to."""
    try:
        return _answer(Selector(text, stored), devices)
    except Exception as error:  # what must never happen is what is looked for
        return Answer(compile_error=f"{CRASH}{error!r}")


def _answer(selector: Selector, devices: Iterable[EngineDevice]) -> Answer:
    results: list[Result] = []
    for driver, shape in devices:
        try:
            value, words = ("true" if selector.matches(driver, shape) else "false"), ""
        except SelectorError as error:
            kind, _, words = str(error).partition(": ")
            if kind == "CEL compile error":
                return Answer(compile_error=words)
            value, words = "error", words.split(_HINT)[0]
        assert selector.program is not None
        results.append(Result(value, words, selector.program.actual_cost({"device": device_values(driver, shape)})))
    assert selector.program is not None
    return Answer(max_cost=selector.program.max_cost, results=tuple(results))
