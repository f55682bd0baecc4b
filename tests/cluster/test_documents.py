"""Files of objects: YAML and JSON as Kubernetes reads them, everything else refused in one line."""

from __future__ import annotations

import io
import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest

from kubectl_llmfit.cluster.documents import load_documents
from kubectl_llmfit.errors import ExitCode, UsageError

POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n"


def load(text: str | bytes) -> list[dict[str, Any]]:
    data = text.encode() if isinstance(text, str) else text
    return load_documents("-", io.BytesIO(data))


def refusal(text: str | bytes) -> str:
    with pytest.raises(UsageError) as caught:
        load(text)
    assert caught.value.exit_code == ExitCode.USAGE
    assert "\n" not in caught.value.message
    return caught.value.message


def one(fields: str) -> dict[str, Any]:
    return load(f"apiVersion: v1\nkind: Thing\n{fields}")[0]


def test_a_file_and_standard_input_give_the_same(tmp_path: Path) -> None:
    (tmp_path / "pod.yaml").write_text(POD)
    assert load_documents(str(tmp_path / "pod.yaml"), io.BytesIO()) == load(POD)


def test_several_documents_come_in_their_order_without_the_empty_ones() -> None:
    found = load(f"---\n---\n{POD}---\n# nothing\n---\n{POD.replace('a}', 'b}')}")
    assert [document["metadata"]["name"] for document in found] == ["a", "b"]


def test_json_documents_may_follow_each_other() -> None:
    pod = json.dumps({"apiVersion": "v1", "kind": "Pod"})
    assert len(load(f"{pod}\n{pod}\n---\n{pod}")) == 3


def test_yaml_may_begin_with_a_brace() -> None:
    assert load("{apiVersion: v1, kind: Pod}") == [{"apiVersion": "v1", "kind": "Pod"}]


def test_lists_are_taken_apart_at_any_depth() -> None:
    pod = {"apiVersion": "v1", "kind": "Pod"}
    inner = {"apiVersion": "v1", "kind": "List", "items": [pod, pod]}
    assert load(json.dumps({"apiVersion": "v1", "kind": "List", "items": [inner, pod]})) == [pod] * 3


def test_items_of_a_typed_list_get_the_kind_it_leaves_out() -> None:
    text = json.dumps({"apiVersion": "v1", "kind": "NodeList", "items": [{"metadata": {"name": "n"}}]})
    assert load(text) == [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}}]


def test_a_kind_that_only_ends_in_list_is_an_object() -> None:
    assert load("apiVersion: v1\nkind: AllowList\nspec: {}")[0]["kind"] == "AllowList"


def test_scalars_are_read_as_kubernetes_reads_them() -> None:
    found = one("a: 1e3\nb: 012\nc: 1:30\nd: 2026-01-01T00:00:00Z\ne: yes\nf: 0x1f\ng: ~\nh: 'yes'\n089: x")
    assert found["a"] == 1000.0
    assert found["b"] == 10  # octal: 1*8 + 2
    assert found["c"] == "1:30"  # not 90: no base 60
    assert found["d"] == "2026-01-01T00:00:00Z"  # a string, no date
    assert found["e"] is True
    assert found["f"] == 31
    assert found["g"] is None
    assert found["h"] == "yes"
    assert found["89"] == "x"


def test_merge_keys_and_aliases_work() -> None:
    found = one("base: &b {c: 1, d: 1}\nmine: {<<: *b, d: 2}")
    assert found["mine"] == {"c": 1, "d": 2}


def test_utf_16_with_its_mark_and_utf_8_with_a_mark_are_read() -> None:
    assert load(POD.encode("utf-16")) == load(POD)
    assert load(POD.encode("utf-8-sig")) == load(POD)


def test_a_named_pipe_is_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text(POD))
    writer.start()
    assert load_documents(str(pipe), io.BytesIO()) == load(POD)
    writer.join()


def test_yaml_tags_build_nothing() -> None:
    assert "could not determine a constructor" in refusal("a: !!python/object/apply:os.getcwd []")


def test_an_alias_bomb_is_refused() -> None:
    # Ten levels of ten: 10^11 nodes if written out.
    lines = ["a0: &a0 [x,x,x,x,x,x,x,x,x,x]"]
    lines += [f"a{level}: &a{level} [{','.join([f'*a{level - 1}'] * 10)}]" for level in range(1, 11)]
    assert refusal("\n".join(lines)) == "standard input: excessive aliasing"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "standard input: the file is empty"),
        (" \n\t\n", "standard input: the file is empty"),
        ("# only a comment\n", "standard input: no objects in it"),
        ('{"apiVersion": "v1", "kind": "List", "items": []}', "standard input: no objects in it"),
        (b"\x7fELF\x02\x01\xff", "standard input: not text in UTF-8 (byte 6)"),
        (b"kind: \0", "standard input: line 1: not a text file (it has a NUL byte)"),
        ("just words", "standard input: not a Kubernetes object but a string"),
        ("5", "standard input: not a Kubernetes object but a number"),
        ("- a", "standard input: not a Kubernetes object but a list"),
        ("[1]", "standard input: not a Kubernetes object but a list"),
        ("apiVersion: v1", "standard input: an object without kind"),
        ("kind: Pod", "standard input: an object without apiVersion"),
        ("kind: [Pod]\napiVersion: v1", "standard input: an object without apiVersion"),
        ('{"kind": "List", "apiVersion": "v1", "items": 5}', "standard input: the items of a List are no list"),
        ('{"kind": "List", "apiVersion": "v1", "items": [5]}', "not a Kubernetes object but a number"),
        ('{\n"kind": "Pod",\n"apiVer', "standard input: line 3: not complete JSON"),
        ("kind: Pod\nkind: Node\n", 'standard input: line 2: key "kind" already set in map'),
        ('{"kind": "Pod", "kind": "Node"}', 'standard input: key "kind" already set in map'),
        ("a: [1,\nb", "standard input: line 3: did not find expected ',' or ']'"),
        ("a: &a [*a]", "standard input: line 1: found unconstructable recursive node"),
        ('{"a": NaN}', "standard input: NaN is no JSON number"),
        ("[" * 100_000, "standard input: nested too deeply"),
        ("- " * 100_000, "standard input: line 1: exceeded maximum nesting depth"),
        ('{"a": ' + "9" * 5000 + "}", "standard input: a number of thousands of digits"),
        ("? [a]\n: b", "standard input: line 1: a key that is no string"),
    ],
)
def test_what_is_no_object_is_refused_in_one_line(text: str | bytes, words: str) -> None:
    assert words in refusal(text)


def test_a_missing_file_a_folder_and_a_secret_one_are_refused(tmp_path: Path) -> None:
    for path, words in (
        (f"{tmp_path}/gone", f'the path "{tmp_path}/gone" does not exist'),
        (str(tmp_path), f"cannot read {tmp_path}: Is a directory"),
        ("bad\0name", "cannot read bad\\u0000name: not a file name"),
    ):
        with pytest.raises(UsageError) as caught:
            load_documents(path, io.BytesIO())
        assert caught.value.message == words
