"""Every string that a cluster can hold, in every place, in every output: it stays in its place, and is that string."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest

from kubectl_llmfit.cluster.snapshot import read_snapshot
from kubectl_llmfit.errors import UsageError
from safety.sinks import document, leaves, lines, refusal, shape, written
from safety.strings import HOSTILE
from safety.worlds import CLASS, PLACES, world

pytestmark = pytest.mark.usefixtures("_app_made_once")

CLAIM = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceClaim",
    "metadata": {"name": "claim"},
    "spec": {
        "devices": {
            "requests": [
                {
                    "name": "gpu",
                    "exactly": {
                        "deviceClassName": CLASS,
                        "selectors": [{"cel": {"expression": "device.attributes[device.driver].productName != 'B'"}}],
                    },
                }
            ]
        }
    },
}
EXPRESSION = "device.attributes[device.driver].odd == 'a' || device.attributes[device.driver].productName != ''"
COMMANDS = {
    "check-nodes": ["check-nodes", "-f", "claim.json", "--all-nodes"],
    "devices": ["devices"],
    "eval": ["eval", EXPRESSION],
}
TABLES = [  # whether the devices are held: what is held is not among the names
    ("check-nodes", "wide", True),
    ("check-nodes", "wide", False),
    ("check-nodes", "--show-devices", True),
    ("check-nodes", "name", False),
    ("devices", "wide", True),
    ("devices", "name", True),
    ("eval", "wide", False),
]
DOCUMENTS = [("check-nodes", "json"), ("check-nodes", "yaml"), ("devices", "yaml"), ("eval", "json")]
SHORT = [text for name, text in HOSTILE.items() if name not in ("long", "wide")]


@cache
def accepted(place: str) -> tuple[str, ...]:
    """The strings that no reader refuses in that place; ``test_a_string_that_is_refused`` looks at the others."""
    found = []
    for text in SHORT:
        try:
            read_snapshot("-", BytesIO(json.dumps(world(place, [text])).encode()))
        except UsageError:
            continue
        found.append(text)
    assert len(found) > len(SHORT) // 2
    return tuple(found)


@pytest.fixture
def answer(llmfit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """``answer(place, texts, command, form)``: what a command says of the world with ``texts`` at ``place``."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "claim.json").write_text(json.dumps(CLAIM))

    def call(place: str, texts: Sequence[str], command: str, form: str, *, held: bool = True):
        (tmp_path / "world.json").write_text(json.dumps(world(place, texts, held=held)))
        form_flags = [form] if form.startswith("--") else ["-o", form]
        outcome = llmfit(*COMMANDS[command], "--snapshot", "world.json", *form_flags)
        assert outcome.status in (0, 1, 3), outcome.stderr
        return outcome

    return call


@pytest.mark.parametrize("place", PLACES)
def test_a_document_holds_the_very_string_where_a_harmless_one_would_stand(answer, place: str) -> None:
    texts = [text for text in accepted(place) if text or place != "product"]  # "" says no product
    plain = [f"plain-{index}" for index in range(len(texts))]
    expected = {command: document(answer(place, plain, command, "json").stdout, "json") for command in COMMANDS}
    for command, form in DOCUMENTS:
        found = document(answer(place, texts, command, form).stdout, form)
        assert shape(found, [*texts, *map(written, texts)]) == shape(expected[command], plain), command
        usual = Counter(leaves(expected[command]))
        odd = Counter(written(leaf) for leaf in leaves(found) if isinstance(leaf, str))
        for text, harmless in zip(texts, plain, strict=True):
            assert odd[written(text)] >= usual[harmless], (command, form, text)


@pytest.mark.parametrize("place", PLACES)
def test_a_table_has_one_line_a_row(answer, place: str) -> None:
    texts = accepted(place)
    plain = [f"plain-{index}" for index in range(len(texts))]
    for command, form, held in TABLES:
        expected = answer(place, plain, command, form, held=held)
        found = answer(place, texts, command, form, held=held)
        assert len(lines(found.stdout)) == len(lines(expected.stdout)), (command, form)
        assert len(lines(found.stderr)) == len(lines(expected.stderr)), (command, form)


@pytest.mark.parametrize("place", PLACES)
def test_a_string_that_is_refused_is_refused_in_one_line(llmfit, tmp_path: Path, place: str) -> None:
    taken = accepted(place)
    path = tmp_path / "world.json"
    for text in SHORT:
        if text not in taken:
            path.write_text(json.dumps(world(place, [text])))
            outcome = llmfit("devices", "--snapshot", str(path))
            refusal(outcome.status, outcome.stdout, outcome.stderr)
            assert outcome.stderr.startswith(f"error: {path}: ")


@pytest.mark.parametrize("place", ["product", "attribute value", "attribute values"])
def test_an_attribute_longer_than_any_server_holds_is_refused(llmfit, tmp_path: Path, place: str) -> None:
    path = tmp_path / "world.json"
    path.write_text(json.dumps(world(place, [HOSTILE["long"]])))
    outcome = llmfit("devices", "--snapshot", str(path))
    refusal(outcome.status, outcome.stdout, outcome.stderr)
    assert "a text of 70000 characters, at most 10000 are read" in outcome.stderr


@pytest.mark.parametrize("digits", ["9" * 9000, "0" * 9000, "1" + "0" * 5000])
@pytest.mark.parametrize("place", PLACES)
def test_digits_beyond_every_integer_are_text(answer, place: str, digits: str) -> None:
    for command, form, held in TABLES:
        rows = lines(answer(place, ["5"], command, form, held=held).stdout)
        assert len(lines(answer(place, [digits], command, form, held=held).stdout)) == len(rows)


@pytest.mark.parametrize("name", ["long", "wide"])
@pytest.mark.parametrize("place", sorted(PLACES.keys() - {"product", "attribute value", "attribute values"}))
def test_a_string_without_end_is_whole_in_the_document_and_on_one_line_in_the_table(
    answer, place: str, name: str
) -> None:
    texts = [HOSTILE[name]]
    for command in COMMANDS:
        expected = document(answer(place, ["plain"], command, "json").stdout, "json")
        found = document(answer(place, texts, command, "json").stdout, "json")
        assert shape(found, texts) == shape(expected, ["plain"])
        assert Counter(leaves(found))[texts[0]] == Counter(leaves(expected))["plain"]
        rows = lines(answer(place, ["plain"], command, "wide").stdout)
        assert len(lines(answer(place, texts, command, "wide").stdout)) == len(rows)
