"""Files that no one means well with, for every flag that reads one: one line that names the file, and no answer."""

from __future__ import annotations

import codecs
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from kubectl_llmfit.cluster import documents
from safety.contents import CLAIM_CONTENTS, CONTENTS, YAML_CONTENTS
from safety.inputs import CLAIM, ENTRY, FILES, INPUTS, MODEL, WORLD, fill, words
from safety.sinks import lines, refusal
from safety.worlds import Cell

pytestmark = pytest.mark.usefixtures("_app_made_once")

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-m", "kubectl_llmfit"]
MEMORY_BYTES = 1 << 30
# What some readers take: a template may be a comment, a kubeconfig may be empty.
TAKEN = {
    *(("--kubeconfig", content) for content in ("empty", "blank", "nothing but a mark", "comments", "a null")),
    ("--kubeconfig", "a key twice among 300,000"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    fill(tmp_path)
    return tmp_path


def put(path: Path, content: str | bytes) -> None:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


@pytest.mark.parametrize("flag", INPUTS)
def test_a_good_file_is_taken_in_every_encoding(llmfit, folder: Path, flag: str) -> None:
    of = INPUTS[flag]
    answers = set()
    encodings = [of.good.encode()]
    if flag != "--template-dir":
        encodings += [
            codecs.BOM_UTF8 + of.good.encode(),
            of.good.encode("utf-16"),
            of.good.replace("\n", "\r\n").encode(),
        ]
    for content in encodings:
        put(folder / of.name, content)
        outcome = llmfit(*words(of, folder))
        assert outcome.status == of.accepted, outcome.stderr
        answers.add(outcome.stdout)
    assert len(answers) == 1


@pytest.mark.parametrize("flag", INPUTS)
def test_what_is_no_such_file_is_refused_by_its_name(llmfit, folder: Path, flag: str) -> None:
    of = INPUTS[flag]
    contents = CONTENTS | (YAML_CONTENTS if of.is_yaml else {})
    for name, content in contents.items():
        put(folder / of.name, content())
        outcome = llmfit(*words(of, folder))
        if (flag, name) in TAKEN:
            assert outcome.status == of.accepted, (name, outcome.stderr)
            assert outcome.stdout == ""
            continue
        refusal(outcome.status, outcome.stdout, outcome.stderr, (of.refused,))
        assert str(folder / of.name) in outcome.stderr, (name, outcome.stderr)
        assert len(outcome.stderr) < 1000, name
    assert not (folder / "pwned").exists()


@pytest.mark.parametrize("content", CLAIM_CONTENTS)
def test_a_claim_whose_class_is_no_name_is_refused(llmfit, folder: Path, content: str) -> None:
    put(folder / "input", CLAIM_CONTENTS[content]())
    outcome = llmfit(*words(INPUTS["-f"], folder))
    refusal(outcome.status, outcome.stdout, outcome.stderr)
    assert str(folder / "input") in outcome.stderr


@pytest.mark.parametrize("flag", INPUTS)
def test_what_is_not_there_or_no_file_is_refused_by_its_name(llmfit, folder: Path, flag: str) -> None:
    of = INPUTS[flag]
    path = folder / of.name
    kinds = {
        "a folder": path.mkdir,
        "a broken link": lambda: path.symlink_to("nowhere"),
        "a link to itself": lambda: path.symlink_to(path.name),
        "zeros without end": lambda: path.symlink_to("/dev/zero"),
        "noise without end": lambda: path.symlink_to("/dev/urandom"),
        "always full": lambda: path.symlink_to("/dev/full"),
    }
    if flag != "--template-dir":
        kinds["missing"] = lambda: None
    for kind, make in kinds.items():
        make()
        outcome = llmfit(*words(of, folder))
        refusal(outcome.status, outcome.stdout, outcome.stderr, (of.refused,))
        assert str(path) in outcome.stderr, (kind, outcome.stderr)
        if path.is_symlink():
            path.unlink()
        elif path.is_dir():
            path.rmdir()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
@pytest.mark.parametrize("flag", INPUTS)
def test_a_file_that_may_not_be_read_is_refused_by_its_name(llmfit, folder: Path, flag: str) -> None:
    of = INPUTS[flag]
    put(folder / of.name, of.good)
    (folder / of.name).chmod(0)
    outcome = llmfit(*words(of, folder))
    refusal(outcome.status, outcome.stdout, outcome.stderr, (of.refused,))
    assert "ermission denied" in outcome.stderr


def test_a_fifo_is_no_template(llmfit, folder: Path) -> None:
    os.mkfifo(folder / "resourceclaim.yaml.j2")
    outcome = llmfit(*words(INPUTS["--template-dir"], folder))
    refusal(outcome.status, outcome.stdout, outcome.stderr)
    assert "resourceclaim.yaml.j2 is no file" in outcome.stderr


def write_slowly(path: Path, content: bytes) -> threading.Thread:
    """Open a FIFO for writing and write in small pieces, as a program does that is at work."""

    def write() -> None:
        with open(path, "wb", buffering=0) as stream:
            for start in range(0, len(content), 100):
                stream.write(content[start : start + 100])

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    return thread


@pytest.mark.parametrize("flag", FILES)
def test_a_link_a_fifo_and_a_process_substitution_are_read_as_the_file(llmfit, folder: Path, flag: str) -> None:
    of = INPUTS[flag]
    put(folder / "input", of.good)
    (folder / "link").symlink_to("input")
    usual = llmfit(*words(of, folder))
    by_link = llmfit(*words(of, folder, folder / "link"))
    os.mkfifo(folder / "fifo")
    writer = write_slowly(folder / "fifo", of.good.encode())
    by_fifo = llmfit(*words(of, folder, folder / "fifo"))
    writer.join()
    read_end, write_end = os.pipe()
    os.write(write_end, of.good.encode())
    os.close(write_end)
    by_number = llmfit(*words(of, folder, f"/dev/fd/{read_end}"))
    os.close(read_end)
    assert [each.status for each in (usual, by_link, by_fifo, by_number)] == [of.accepted] * 4
    if flag not in ("--catalog", "--accelerators"):  # whose files' names are annotations
        assert {each.stdout for each in (by_link, by_fifo, by_number)} == {usual.stdout}


@pytest.mark.parametrize("flag", FILES)
def test_who_waits_for_a_fifo_that_nobody_writes_to_can_be_interrupted(folder: Path, flag: str) -> None:
    os.mkfifo(folder / "fifo")
    process = start(words(INPUTS[flag], folder, folder / "fifo"), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    waits_in_open(process.pid)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode in (130, -signal.SIGINT)
    assert stdout == b""
    assert b"Traceback" not in stderr


def waits_in_open(pid: int) -> None:
    """Return when the process sleeps in the kernel's opening of a FIFO."""
    end = time.monotonic() + 60
    while "wait_for_partner" not in Path(f"/proc/{pid}/wchan").read_text() and time.monotonic() < end:
        time.sleep(0.05)


def start(arguments: list[str], **settings: Any) -> subprocess.Popen[bytes]:
    environment = {"PATH": os.defpath, "PYTHONPATH": str(ROOT / "plugin"), "HOME": "/nonexistent"}
    return subprocess.Popen([*PROGRAM, *arguments], env=environment, cwd="/", **settings)


@pytest.mark.parametrize("flag", ["--fit", "--catalog", "--accelerators", "--snapshot"])
def test_standard_input_without_end_is_refused_at_the_limit(
    llmfit, folder: Path, monkeypatch: pytest.MonkeyPatch, flag: str
) -> None:
    monkeypatch.setattr(documents, "LARGEST_SNAPSHOT", 3 << 20)  # the real one takes a second to reach
    yes = subprocess.Popen(["yes", '{"a": "b"}'], stdout=subprocess.PIPE)
    monkeypatch.setattr(sys, "stdin", os.fdopen(os.dup(yes.stdout.fileno())))
    try:
        outcome = llmfit(*words(INPUTS[flag], folder, "-"))
    finally:
        yes.kill()
        yes.wait()
    refusal(outcome.status, outcome.stdout, outcome.stderr)
    assert outcome.stderr == f"error: standard input: larger than {3 if flag == '--snapshot' else 64} MiB\n"


def test_a_file_that_grows_while_it_is_read_is_refused_at_the_limit(
    llmfit, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "LARGEST_SNAPSHOT", 3 << 20)
    path = folder / "input"
    path.write_text("# a line\n")
    end = threading.Event()

    def grow() -> None:
        with open(path, "ab", buffering=0) as stream:
            while not end.is_set() and stream.tell() < 32 << 20:
                stream.write(b"# a line\n" * 100_000)

    writer = threading.Thread(target=grow)
    writer.start()
    try:
        while path.stat().st_size < 4 << 20:
            time.sleep(0.001)
        outcome = llmfit(*words(INPUTS["--snapshot"], folder))
    finally:
        end.set()
        writer.join()
    refusal(outcome.status, outcome.stdout, outcome.stderr)
    assert "larger than 3 MiB" in outcome.stderr


def test_json_of_more_values_than_any_cluster_has_is_refused(
    llmfit, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "_MOST_VALUES", 1000)  # the real ones take gigabytes
    put(folder / "input", '{"apiVersion": "v1", "kind": "List", "items": [' + "{}," * 1000 + "{}]}")
    outcome = llmfit(*words(INPUTS["--snapshot"], folder))
    refusal(outcome.status, outcome.stdout, outcome.stderr)
    assert outcome.stderr == f"error: {folder}/input: more than 1000 values\n"


@pytest.mark.parametrize("field", ["tokenFile", "client-certificate", "certificate-authority"])
def test_a_file_that_a_kubeconfig_names_may_be_endless(llmfit, folder: Path, field: str) -> None:
    config = json.loads(INPUTS["--kubeconfig"].good)
    entry = config["clusters"][0]["cluster"] if field == "certificate-authority" else config["users"][0]["user"]
    entry[field] = "/dev/zero"
    if field == "client-certificate":
        entry["client-key"] = "/dev/zero"
    if field == "tokenFile":
        del entry["token"]
    put(folder / "input", json.dumps(config))
    outcome = llmfit(*words(INPUTS["--kubeconfig"], folder))
    refusal(outcome.status, outcome.stdout, outcome.stderr, (4,))


BOMBS = ["a bomb of aliases", "a bomb of merge keys", "a wide merge", "flows in flows", "33 MiB"]


@pytest.mark.skipif(sys.platform != "linux", reason="RLIMIT_AS is Linux's")
@pytest.mark.parametrize(
    ("flag", "content"),
    [(flag, name) for flag in ("--snapshot", "--kubeconfig") for name in BOMBS]
    + [(flag, "/dev/zero") for flag in FILES]
    + [("--fit", "a string of 10 MB"), ("--catalog", "lists without end"), ("--snapshot", "a key twice among 300,000")],
)
def test_a_gigabyte_is_enough_to_refuse(folder: Path, flag: str, content: str) -> None:
    """The process may map 1 GiB in all, its own 100 MB among them: who tries to take more gets no further."""
    of = INPUTS[flag]
    path = folder / "input"
    if content in CONTENTS or content in YAML_CONTENTS:
        put(path, (CONTENTS | YAML_CONTENTS)[content]())
    else:
        path.symlink_to(content)
    process = start(
        words(of, folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES)),
    )
    stdout, stderr = process.communicate(timeout=240)
    refusal(process.returncode, stdout.decode(), stderr.decode(), (of.refused,))
    assert str(path) in stderr.decode()


def test_no_memory_at_all_is_one_line_and_no_answer(llmfit, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def take(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(documents, "_parse", take)
    put(folder / "input", INPUTS["--snapshot"].good)
    outcome = llmfit(*words(INPUTS["--snapshot"], folder))
    assert (outcome.status, outcome.stdout, outcome.stderr) == (3, "", "error: not enough memory\n")


LARGE = "device.capacity['gpu.example.net'].memory.isGreaterThan(quantity('80Gi'))"
LESS = LARGE.replace("isGreaterThan", "isLessThan")
QUANTITIES = [
    "1e1000000",
    "1E999999999",
    "1e-999999999",
    "9" * 9000,
    "1" + "0" * 9000,
    f"0.{'0' * 9000}1",
    "9Ei",
    "-1e400",
]


@pytest.mark.parametrize("quantity", QUANTITIES, ids=lambda quantity: quantity[:12])
def test_a_quantity_without_measure_is_read_as_the_api_reads_it_or_refused(llmfit, folder: Path, quantity: str) -> None:
    put(folder / "input", with_memory(quantity))
    outcome = llmfit("eval", LARGE, "--snapshot", "input", "-o", "json")
    assert outcome.status == (0 if quantity[0] in "19" and "-" not in quantity else 1), outcome.stderr
    json.loads(outcome.stdout)
    claim = json.loads(INPUTS["-f"].good)
    claim["spec"]["devices"]["requests"][0]["exactly"]["selectors"] = [{"cel": {"expression": LESS}}]
    put(folder / "asking.json", json.dumps(claim))
    commands = [["devices", "-o", "wide"], ["eval", LARGE], ["eval", f"!{LARGE}"], ["eval", LESS]]
    for command in (*commands, ["check-nodes", "-f", "claim.json"], ["check-nodes", "-f", "asking.json"]):
        assert len(lines(llmfit(*command, "--snapshot", "input").stdout)) == 2


@pytest.mark.parametrize("quantity", ["9" * 1_000_000, f"0.{'0' * 1_000_000}1", "nan", "1e", "١", "1_000", "0x10", ""])
def test_what_the_api_takes_for_no_quantity_and_what_takes_minutes_to_read_is_refused(
    llmfit, folder: Path, quantity: str
) -> None:
    put(folder / "input", with_memory(quantity))
    outcome = llmfit("devices", "--snapshot", "input")
    refusal(outcome.status, outcome.stdout, outcome.stderr)
    assert "spec.devices[0].capacity.memory.value: " in outcome.stderr


def with_memory(quantity: str) -> str:
    """A cluster with one device of that much memory."""
    cell = Cell(0)
    cell.device["capacity"]["memory"]["value"] = quantity
    return json.dumps({**WORLD, "items": [*WORLD["items"][:2], *cell.objects()[:2]]})


@pytest.mark.parametrize(
    ("value", "words_"),
    [
        ({"int": 2**63}, "int: 9223372036854775808 is beyond a 64-bit integer"),
        ({"int": 1e30}, "int: must be an integer"),
        ({"int": "5"}, "int: must be an integer"),
        ({"string": 5}, "string: must be a string"),
        ({"bools": [True, 1]}, "bools[1]: must be a boolean"),
        (5, "odd: must be an object"),
    ],
)
def test_an_attribute_that_no_api_server_holds_is_refused(llmfit, folder: Path, value: object, words_: str) -> None:
    cell = Cell(0)
    cell.device["attributes"]["odd"] = value
    put(folder / "input", json.dumps({**WORLD, "items": [*WORLD["items"][:2], *cell.objects()[:2]]}))
    outcome = llmfit(*words(INPUTS["--snapshot"], folder))
    refusal(outcome.status, outcome.stdout, outcome.stderr)
    assert words_ in outcome.stderr


@pytest.mark.parametrize("depth", [50, 300, 480, 520, 700, 950, 990, 5000])
@pytest.mark.parametrize("form", ["lists", "maps", "Lists", "YAML lists", "YAML maps"])
def test_any_depth_of_nesting_is_ignored_or_refused(llmfit, folder: Path, form: str, depth: int) -> None:
    """In a field that nothing reads, by readers that stop at different depths."""
    opening, closing = {"lists": ("[", "]"), "maps": ('{"a":[', "]}")}.get(form.removeprefix("YAML "), ("", ""))
    if form == "Lists":
        opening, closing = '{"apiVersion":"v1","kind":"List","items":[', "]}"
    deep = opening * depth + closing * depth
    for flag in ("--snapshot", "--with", "-f"):
        of = INPUTS[flag]
        text = of.good.replace('"metadata": {', f'"metadata": {{"deep": {deep}, ')
        if form == "Lists":
            text = f"{of.good}\n{deep}"
        put(folder / "input", ("# YAML\n" if "YAML" in form else "") + text)
        outcome = llmfit(*words(of, folder))
        if outcome.status != of.accepted:
            refusal(outcome.status, outcome.stdout, outcome.stderr)
            assert str(folder / "input") in outcome.stderr


def test_a_list_of_models_with_figures_beyond_all_measure_is_refused(llmfit, folder: Path) -> None:
    for field, value in (
        ("parameters_raw", 2**70),
        ("min_ram_gb", 1e300),
        ("context_length", -1),
        ("num_experts", 1.5),
        ("is_moe", "yes"),
        ("gguf_sources", {"repo": "x"}),
        ("name", "x" * 5000),
        ("name", None),
        ("capabilities", ["\x1b[31m"]),
    ):
        put(folder / "input", json.dumps([{**ENTRY, field: value}]))
        outcome = llmfit("claim", MODEL, "--catalog", "input")
        refusal(outcome.status, outcome.stdout, outcome.stderr)
        assert "input: entry 1 of 1: model" in outcome.stderr


def test_yaml_is_read_as_kubernetes_reads_it_where_readers_differ(llmfit, folder: Path) -> None:
    """Merge keys are taken, the mapping's own key wins; a second document, and a third that is empty, are read."""
    text = json.dumps({**CLAIM, "metadata": "NAME"})
    merged = "{<<: [{name: first, labels: {a: b}}, {name: second}], name: own}"
    documents_ = [text.replace('"NAME"', name) for name in (merged, "{<<: {name: other}}")]
    put(folder / "input", "# YAML\n" + "\n---\n".join(documents_) + "\n---\n# nothing\n...\n")
    outcome = llmfit(*words(INPUTS["-f"], folder), "-o", "json")
    assert outcome.status == 1, outcome.stderr  # the one device cannot be given to both
    assert [claim["name"] for claim in json.loads(outcome.stdout)["claims"]] == ["own", "other"]


def test_a_label_beyond_every_integer_is_no_integer(llmfit, folder: Path) -> None:
    cell = Cell(0)
    cell.node["metadata"]["labels"]["size"] = "9" * 9000
    put(folder / "input", json.dumps({**WORLD, "items": [*WORLD["items"][:2], *cell.objects()[:2]]}))
    outcome = llmfit("check-nodes", "-f", "claim.json", "--snapshot", "input", "-l", "size>5")
    assert (outcome.status, outcome.stdout) == (1, "")
