"""Add Kubernetes' answers to a record of the tests: expressions from standard input, one a line.

python tests/agree/record.py tests/cel/rare_answers.json < expressions

The devices are those of the record. Expressions that it has keep their place and get today's answer; one that chance
decides is not recorded. Exit status: 0 done, 1 the oracle is not built, or some expressions are left to chance.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.remove(str(Path(__file__).parent))  # its own folder would hide the package this file is in
sys.path.insert(0, str(Path(__file__).parents[1]))

from controlplane.build import NotBuiltError
from oracle.program import Answer, Oracle, Question

_TIMES = 30
Entry = dict[str, Any]


def main() -> int:
    """Ask, and write the record anew."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("record", type=Path)
    path = parser.parse_args().record
    record = json.loads(path.read_text(encoding="utf-8"))
    known = {entry["expression"]: entry for entry in record["answers"]}
    asked = list(dict.fromkeys(line.rstrip("\n") for line in sys.stdin if line.strip()))
    try:
        answers = given(asked, record["devices"])
    except NotBuiltError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    chance = [expression for expression, entry in answers.items() if entry is None]
    known |= {expression: entry for expression, entry in answers.items() if entry is not None}
    path.write_text(written(record, list(known.values())), encoding="utf-8")
    for expression in chance:
        print(f"left to chance: {expression}", file=sys.stderr)
    print(f"{path.name}: {len(asked) - len(chance)} recorded, {len(known)} in all")
    return 1 if chance else 0


def given(expressions: Sequence[str], devices: Sequence[Mapping[str, Any]]) -> dict[str, Entry | None]:
    """The entry for each expression; None where the same question had different answers."""
    pool = [{**device, "allowMultipleAllocations": device.get("multi")} for device in devices]
    places = tuple(range(len(pool)))
    entries: dict[str, Entry | None] = {}
    with Oracle() as oracle:
        oracle.set_pool(pool)
        questions = [Question(text, stored, places, _TIMES) for text in expressions for stored in (False, True)]
        answers = list(oracle.ask(questions))
    for number, expression in enumerate(expressions):
        new, stored = answers[2 * number], answers[2 * number + 1]
        if len(new) > 1 or len(stored) > 1:
            entries[expression] = None
            continue
        entry = {"expression": expression, **told(new[0])}
        entries[expression] = entry if told(new[0]) == told(stored[0]) else {**entry, "stored": told(stored[0])}
    return entries


def told(answer: Answer) -> Entry:
    """An answer as records have it: the first complaint, or a result for each device."""
    if answer.compile_error:
        return {"error": answer.compile_error.removeprefix("compilation failed: ").split("\n")[0]}
    return {"results": [one.value if one.value != "error" else f"error: {one.error}" for one in answer.results]}


def written(record: Mapping[str, Any], answers: Sequence[Entry]) -> str:
    """The record as text, an answer a line."""
    head = "".join(
        f" {json.dumps(key)}: {json.dumps(record[key], ensure_ascii=False)},\n" for key in ("source", "devices")
    )
    lines = ",\n".join(f"  {json.dumps(answer, ensure_ascii=False)}" for answer in answers)
    return f'{{\n{head} "answers": [\n{lines}\n ]\n}}\n'


if __name__ == "__main__":
    sys.exit(main())
