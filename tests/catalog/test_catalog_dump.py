"""``--catalog FILE``: what is read, and the one line that every unusable file gets."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import Any

import pytest

from kubectl_llmfit.catalog import Catalog, open_catalog
from kubectl_llmfit.errors import UsageError

Entry = dict[str, Any]


def open_text(tmp_path: Path, text: str | bytes) -> Catalog:
    path = tmp_path / "models.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return open_catalog(str(path))


def refusal(tmp_path: Path, text: str | bytes) -> str:
    """What the error says after the file's name."""
    with pytest.raises(UsageError) as caught:
        open_text(tmp_path, text)
    message = caught.value.message
    assert message.isprintable()
    assert message.startswith(f"{tmp_path}/models.json: ")
    return message.partition("models.json: ")[2]


def test_the_least_that_llmfit_writes_is_enough(tmp_path: Path, entry: Entry) -> None:
    model = open_text(tmp_path, json.dumps([entry])).find("zebra-9b")
    assert model.name == "my-org/Zebra-9B"
    assert (model.parameters_raw, model.min_vram_gb, model.format, model.is_moe) == (None, None, "gguf", False)


def test_unknown_fields_capabilities_and_formats_are_kept(tmp_path: Path, entry: Entry) -> None:
    newer = entry | {"kv_lora_rank": 512, "capabilities": ["telepathy"], "format": "exl3"}
    model = open_text(tmp_path, json.dumps([newer])).find("my-org/Zebra-9B")
    assert model.unknown == {"kv_lora_rank": 512}
    assert (model.capabilities, model.format) == (("telepathy",), "exl3")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_list_written_by_powershell_is_read(tmp_path: Path, entry: Entry, encoding: str) -> None:
    assert open_text(tmp_path, json.dumps([entry]).encode(encoding)).find("zebra-9b").provider == "my-org"


def test_the_users_own_models_stay_out_of_a_given_list(
    tmp_path: Path, entry: Entry, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own.json"
    own.write_text(json.dumps([entry | {"name": "me/Mine"}]))
    monkeypatch.setenv("LLMFIT_CUSTOM_MODELS", str(own))
    assert open_text(tmp_path, json.dumps([entry])).names() == ["my-org/Zebra-9B"]


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        open_catalog(f"{tmp_path}/none.json")
    assert caught.value.message == f'the path "{tmp_path}/none.json" does not exist'


def test_a_folder(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=f"cannot read {tmp_path}: Is a directory"):
        open_catalog(str(tmp_path))


def test_a_file_without_end() -> None:
    with pytest.raises(UsageError, match="/dev/zero: line 1: not a text file"):
        open_catalog("/dev/zero")


def test_the_data_is_called_as_its_file_whatever_bytes_that_name_has(tmp_path: Path, entry: Entry) -> None:
    path = tmp_path / os.fsdecode(b"my\xff.json")  # no UTF-8: YAML cannot hold it
    path.write_text(json.dumps([entry]))
    assert open_catalog(str(path)).name == "my\\udcff.json"


def test_standard_input_is_a_list_too(entry: Entry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps([entry]).encode())))
    catalog = open_catalog("-")
    assert (catalog.name, catalog.find("zebra-9b").source) == ("stdin", "stdin")


def test_a_broken_list_on_standard_input_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"[")))
    with pytest.raises(UsageError, match=r"^standard input: the JSON is cut off"):
        open_catalog("-")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the file is empty"),
        (" \n", "the file is empty"),
        (b"\x7fELF\x02\x01\x01\x00\xff\xfe\x00\x00", "not text in UTF-8 (byte 8)"),
        ('[{"name": "a/b", "provi', "the JSON is cut off at line 1 column 18"),
        ('[{"name": "a/b"', "the JSON is cut off at line 1 column 16"),
        ("[", "the JSON is cut off at line 1 column 2"),
        ("name: a/b\n", "not JSON: expecting value at line 1 column 1"),
        ("[] x", "not JSON: extra data at line 1 column 4"),
        ("{}", "no list of models as `llmfit list --json` prints it"),
        ('{"models": []}', "no list of models as `llmfit list --json` prints it"),
        ("null", "no list of models as `llmfit list --json` prints it"),
        ("[]", "the list has no models"),
        ("[1]", "entry 1 of 1: is 1, not an object"),
        ("[" * 100_000, "nested too deeply"),
        ('[{"name": "a/b", "name": "a/c"}]', 'not usable JSON: key "name" already set in map'),
        ('[{"provider": "p"}]', "entry 1 of 1: a model without a name: name is missing"),
    ],
)
def test_what_is_no_list_of_models(tmp_path: Path, text: str | bytes, words: str) -> None:
    assert refusal(tmp_path, text) == words


def test_a_number_of_thousands_of_digits(tmp_path: Path) -> None:
    assert refusal(tmp_path, "[" + "9" * 5000 + "]").startswith("not usable JSON: a number of thousands of digits")


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_what_python_calls_a_number_and_json_does_not(tmp_path: Path, entry: Entry, word: str) -> None:
    text = json.dumps([entry]).replace("5.0", word)
    assert refusal(tmp_path, text) == f"not usable JSON: {word} is no JSON number"


@pytest.mark.parametrize(
    "field",
    [
        "provider",
        "parameter_count",
        "min_ram_gb",
        "recommended_ram_gb",
        "quantization",
        "context_length",
        "use_case",
    ],
)
def test_a_field_that_llmfit_always_writes_is_missing(tmp_path: Path, entry: Entry, field: str) -> None:
    del entry[field]
    assert refusal(tmp_path, json.dumps([entry])) == f'entry 1 of 1: model "my-org/Zebra-9B": {field} is missing'


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("name", "", 'is "", not a name'),
        ("name", 5, "is 5, not a string"),
        ("name", "a\u001b[31m", "not printable text"),
        ("name", "a\nb", "not printable text"),
        ("provider", None, "is null, not a string"),
        ("provider", "p" * 1001, "not a string of at most 1000 characters"),
        ("quantization", ["Q4_K_M"], 'is ["Q4_K_M"], not a string'),
        ("parameters_raw", "9", 'is "9", not a whole number from 0 to 1,000,000,000,000,000'),
        ("parameters_raw", 9e9, "is 9000000000.0, not a whole number"),
        ("parameters_raw", -1, "is -1, not a whole number"),
        ("parameters_raw", 10**16, "not a whole number from 0 to 1,000,000,000,000,000"),
        ("parameters_raw", True, "is true, not a whole number"),
        ("active_parameters", "3B", 'is "3B", not a whole number'),
        ("min_ram_gb", "5", 'is "5", not a number from 0 to 1,000,000'),
        ("min_ram_gb", None, "is null, not a number"),
        ("min_ram_gb", -0.1, "is -0.1, not a number"),
        ("recommended_ram_gb", True, "is true, not a number"),
        ("min_vram_gb", 1e308, "is 1e+308, not a number from 0 to 1,000,000"),
        ("min_vram_gb", -5, "is -5, not a number"),
        ("context_length", 1.5, "is 1.5, not a whole number from 0 to 4,294,967,295"),
        ("context_length", 2**32, "is 4294967296, not a whole number"),
        ("num_experts", -1, "is -1, not a whole number"),
        ("is_moe", None, "is null, not true or false"),
        ("is_moe", 1, "is 1, not true or false"),
        ("capabilities", None, "is null, not a list of strings"),
        ("languages", [1], "is [1], not a list of strings"),
        ("gguf_sources", [{"repo": "x"}], "not a list of objects with repo and provider"),
        ("format", None, "is null, not a string"),
        ("license", 5, "is 5, not a string"),
    ],
)
def test_values_that_llmfit_never_writes(tmp_path: Path, entry: Entry, field: str, value: object, words: str) -> None:
    said = refusal(tmp_path, json.dumps([entry | {"name": "a/first"}, entry | {field: value}]))
    assert said.startswith("entry 2 of 2: model ")
    assert f": {field} is " in said
    assert words in said


@pytest.mark.parametrize("second", ["my-org/Zebra-9B", "MY-ORG/zebra-9b"])
def test_a_model_that_is_there_twice(tmp_path: Path, entry: Entry, second: str) -> None:
    said = refusal(tmp_path, json.dumps([entry, entry | {"name": second}]))
    expected = "my-org/Zebra-9B" if second == "my-org/Zebra-9B" else "my-org/Zebra-9B and MY-ORG/zebra-9b"
    assert said == f"a model twice: {expected}"
