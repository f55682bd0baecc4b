"""Where this program and Kubernetes differ, and the smallest expression that shows it.

Owns what counts as a difference, and its shrinking.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from agree import engine
from agree.cases import Case
from agree.devices import Device, shape_of
from agree.pieces import Piece, with_spans_left_out
from kubectl_llmfit.api.values import DeviceShape
from oracle.program import Answer, Oracle, Question, Result

# k8s.io/api/resource/v1: CELSelectorExpressionMaxCost.
MAX_COST = 1_000_000
# Go goes over a map in any order: so often is it asked before an answer counts as not given, the second time because
# one order in twelve is never seen in a hundred times once in 6,000 expressions.
_TRIES = (100, 2000)
# So often does this program take another order.
_ORDERS = 40
_MOST_CANDIDATES = 600
_BATCH = 200


@dataclass(frozen=True, slots=True)
class Difference:
    """One expression that the two sides answer differently; ``kind`` says in what."""

    kind: str
    case: Case
    stored: bool
    ours: Answer
    theirs: Answer

    def report(self, pool: Sequence[Device]) -> str:
        """For a person: the expression, what each side says, and the devices it was tried on."""
        environment = "stored" if self.stored else "new"
        lines = [f"{self.kind}, {environment} expression: {self.case.text}"]
        if self.kind == "estimated cost":
            return f"{lines[0]}\n  ours: {self.ours.max_cost}, Kubernetes': {self.theirs.max_cost}"
        if self.ours.compile_error or self.theirs.compile_error:
            return "\n".join([*lines, f"  ours:        {_told(self.ours)}", f"  Kubernetes': {_told(self.theirs)}"])
        for place, ours, theirs in zip(self.case.devices, self.ours.results, self.theirs.results, strict=True):
            if ours != theirs:
                lines += [f"  ours:        {ours}", f"  Kubernetes': {theirs}"]
                lines += [f"  on {_published(pool[place], self.case.text)}"]
                break  # one device is enough
        return "\n".join(lines)


def _told(answer: Answer) -> str:
    return answer.compile_error or f"compiles; {', '.join(result.value for result in answer.results)}"


def _published(device: Device, text: str) -> str:
    """What of the device the text can mean."""
    shown = {
        group: {name: value for name, value in device[group].items() if name.rpartition("/")[2] in text}
        for group in ("attributes", "capacity")
    }
    return json.dumps({"driver": device["driver"], **shown}, ensure_ascii=False)


def kind_of_difference(ours: Answer, theirs: Sequence[Answer]) -> str | None:
    """What an answer differs in from all that were given, the gravest first; None where it agrees with one.

    On which device chance decided what, is of no account: each result counts alone.
    """
    if ours.compile_error.startswith(engine.CRASH):
        return "crash"
    alike = [one for one in theirs if bool(one.compile_error) == bool(ours.compile_error)]
    if not alike:
        return "compiles"
    if ours.compile_error:
        return (
            None if comparable(ours.compile_error) in {comparable(one.compile_error) for one in alike} else "complaint"
        )
    given = list(zip(*(one.results for one in alike), strict=True))
    for name, agrees in (("result", _value), ("words of the error", _words), ("actual cost", _cost)):
        if not all(agrees(mine, each) for mine, each in zip(ours.results, given, strict=True)):
            return name
    return None if ours.max_cost in {one.max_cost for one in alike} else "estimated cost"


def _value(ours: Result, given: Sequence[Result]) -> bool:
    return any(ours.value == one.value for one in given)


def _words(ours: Result, given: Sequence[Result]) -> bool:
    return any((ours.value, _steady(ours.error)) == (one.value, _steady(one.error)) for one in given)


def _steady(words: str) -> str:
    """Without what Go prints of a message and of a named format: where they lie in memory."""
    words = re.sub(r"&\{0x[0-9a-f x]+\}|google\.protobuf\.(Empty|Struct\.FieldsEntry)\{.*?\}", "MESSAGE", words)
    return re.sub(r"(\{\w+ 0x)[0-9a-f]+ ", r"\1 ", words)


def _cost(ours: Result, given: Sequence[Result]) -> bool:
    """A loop that ends early over a map costs what chance decides: anything from the least to the most.

    What was counted before a panic, and by how much the limit is exceeded, is of no account.
    """
    if ours.error.endswith("actual cost limit exceeded") or ours.error.startswith("internal error"):
        return True
    costs = [one.cost for one in given if one.cost is not None]
    return ours.cost is not None and bool(costs) and min(costs) <= ours.cost <= max(costs)


def _admitted(answer: Answer) -> Answer:
    """What the API server makes of an answer for a new expression (validation.go: validateCELSelector)."""
    return Answer(compile_error="too complex, exceeds cost limit") if answer.max_cost > MAX_COST else answer


def comparable(complaint: str) -> str:
    """The first complaint, or of a text that is not of the language the place where it stops being so.

    Type variables are numbered in the order of the checker's inner workings. The grammar tool that Kubernetes uses
    lists what it expected, and may go on behind a syntax error and find others.
    """
    lines = complaint.removeprefix("compilation failed: ").split("\n")
    syntax = next((line for line in lines if "Syntax error: " in line), None)
    return syntax.split("Syntax error: ")[0] if syntax else re.sub(r"_var\d+", "_var", lines[0])


def _in_any_order(shape: DeviceShape, draw: random.Random) -> DeviceShape:
    attributes = draw.sample([*shape.attributes.items()], len(shape.attributes))
    capacity = draw.sample([*shape.capacity.items()], len(shape.capacity))
    return replace(shape, attributes=dict(attributes), capacity=dict(capacity))


class Comparison:
    """Asks both sides about cases over one pool of devices."""

    def __init__(self, oracle: Oracle, pool: Sequence[Device]) -> None:
        self._oracle = oracle
        self._shapes = [(device["driver"], shape_of(device)) for device in pool]
        self.left_to_chance = 0
        oracle.set_pool(pool)

    def differences(self, cases: Iterable[Case]) -> Iterator[Difference]:
        """The differences in both environments, case by case."""
        remaining = iter(cases)
        while batch := list(islice(remaining, _BATCH)):
            yield from self._of_batch([(case, stored) for case in batch for stored in (False, True)])

    def shrunk(self, difference: Difference) -> Difference:
        """The smallest found expression with a difference of the same kind in the same environment."""
        for next_round in (self._smaller_tree, self._smaller_text):
            while (smaller := next_round(difference)) is not None:
                difference = smaller
        return difference

    def _of_batch(self, batch: Sequence[tuple[Case, bool]], times: int = 1) -> list[Difference]:
        answers = self._oracle.ask([Question(case.text, stored, case.devices, times) for case, stored in batch])
        found = []
        for (case, stored), theirs in zip(batch, answers, strict=True):
            ours = engine.answer(case.text, stored, self._devices_of(case))
            admitted = [one if stored else _admitted(one) for one in theirs]
            kind = kind_of_difference(ours, admitted)
            if kind is not None:
                found.append(Difference(kind, case, stored, ours, admitted[0]))
        if times > 1:
            return found
        confirmed = found
        for often in _TRIES:
            confirmed = self._of_batch([(one.case, one.stored) for one in confirmed], often) if confirmed else []
        confirmed = [one for one in confirmed if not self._depends_on_order(one)]
        self.left_to_chance += len(found) - len(confirmed)
        return confirmed

    def _depends_on_order(self, difference: Difference) -> bool:
        """Whether this program itself would agree, went it over a device's entries in another order.

        Of a dozen entries Go will hardly ever take them in the order of their names, which is this program's.
        """
        draw = random.Random(0)
        for _ in range(_ORDERS):
            shapes = [(driver, _in_any_order(shape, draw)) for driver, shape in self._devices_of(difference.case)]
            ours = engine.answer(difference.case.text, difference.stored, shapes)
            if kind_of_difference(ours, [difference.theirs]) is None:
                return True
        return False

    def _devices_of(self, case: Case) -> list[engine.EngineDevice]:
        return [self._shapes[place] for place in case.devices]

    def _smaller_tree(self, difference: Difference) -> Difference | None:
        tree = difference.case.tree
        return None if tree is None else self._smallest(difference, ((str(one), one) for one in tree.smaller()))

    def _smaller_text(self, difference: Difference) -> Difference | None:
        return self._smallest(difference, ((text, None) for text in with_spans_left_out(difference.case.text)))

    def _smallest(self, difference: Difference, candidates: Iterable[tuple[str, Piece | None]]) -> Difference | None:
        """The shortest candidate that still shows it."""
        limit = len(difference.case.text)
        shorter = {text: tree for text, tree in islice(candidates, 20 * _MOST_CANDIDATES) if len(text) < limit}
        ordered = sorted(shorter, key=len)[:_MOST_CANDIDATES]
        for start in range(0, len(ordered), 50):
            batch = [
                (Case(text, shorter[text], difference.case.devices), difference.stored)
                for text in ordered[start : start + 50]
            ]
            for found in self._of_batch(batch):
                if found.kind == difference.kind:
                    return found
        return None
