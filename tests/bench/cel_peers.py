"""Other CEL packages for Python, timed in an environment that has them. Started by cel_speed.py; reads and writes JSON.

In: {"expressions": {name: text}, "device": …, "rounds": N}. Out: {package: {name: microseconds, or why it cannot}}.
Quantities are whole numbers here, and compareTo a difference: less work than Kubernetes' own.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

Evaluate = Callable[[], object]
_UNITS = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40}


def quantity(text: str) -> int:
    """``80Gi`` as a number."""
    return int(text[:-2]) * _UNITS[text[-2:]] if text[-2:] in _UNITS else int(text)


def cel_python(text: str, device: Mapping[str, Any]) -> Evaluate:
    """celpy: pure Python, an interpreter of the syntax tree."""
    import celpy
    from celpy import celtypes

    def parsed(value: Any) -> Any:
        return celtypes.IntType(quantity(str(value)))

    def compared(left: Any, right: Any) -> Any:
        return celtypes.IntType(left - right)

    environment = celpy.Environment()
    program = environment.program(environment.compile(text), functions={"quantity": parsed, "compareTo": compared})
    return lambda: program.evaluate({"device": celpy.json_to_cel(device)})


def cel_expr_python(text: str, device: Mapping[str, Any]) -> Evaluate:
    """The official C++ runtime behind Python."""
    from cel_expr_python import cel
    from cel_expr_python.ext import ext_optional

    text_type, whole = cel.Type.STRING, cel.Type.INT
    functions = [
        cel.FunctionDecl("quantity", [cel.Overload("quantity_text", whole, [text_type], impl=quantity)]),
        cel.FunctionDecl(
            "compareTo",
            [cel.Overload("compare_to", whole, [cel.Type.DYN, whole], is_member=True, impl=lambda a, b: a - b)],
        ),
    ]
    environment = cel.NewEnv(
        variables={"device": cel.Type.DYN}, extensions=[ext_optional.ExtOptional()], functions=functions
    )
    program = environment.compile(text)
    return lambda: program.eval(data={"device": device}).value()


def microseconds(evaluate: Evaluate, rounds: int) -> float:
    """The least of five means over ``rounds`` evaluations."""
    means = []
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(rounds):
            evaluate()
        means.append((time.perf_counter() - start) / rounds * 1e6)
    return min(means)


def timed(prepare: Callable[[str, Mapping[str, Any]], Evaluate], text: str, asked: Mapping[str, Any]) -> float | str:
    """Microseconds of an evaluation that gives true, or in a few words why there is none."""
    try:
        evaluate = prepare(text, asked["device"])
        if not evaluate():
            return "another answer"
    except Exception as error:  # whatever another package raises, it is why it cannot
        return f"{type(error).__name__}: {' '.join(str(error).split())}"[:60]
    return microseconds(evaluate, asked["rounds"])


def main() -> None:
    """See the top of this file."""
    asked = json.load(sys.stdin)
    packages = {"cel-python": cel_python, "cel-expr-python": cel_expr_python}
    figures = {
        package: {name: timed(prepare, text, asked) for name, text in asked["expressions"].items()}
        for package, prepare in packages.items()
    }
    json.dump(figures, sys.stdout)


if __name__ == "__main__":
    main()
