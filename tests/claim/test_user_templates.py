from __future__ import annotations

from pathlib import Path

import pytest

from claim.needs import llama
from kubectl_llmfit.claim.ask import make_ask
from kubectl_llmfit.claim.documents import document
from kubectl_llmfit.claim.header import header
from kubectl_llmfit.claim.render import render
from kubectl_llmfit.errors import UsageError

ASK = make_ask(llama())
MAIN = "resourceclaim.yaml.j2"


def with_template(folder: Path, text: str, name: str = MAIN) -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return render(document(ASK), header(ASK), [folder])


def test_a_users_template_is_used_and_missing_names_fall_through(tmp_path: Path) -> None:
    text = with_template(tmp_path, "# team a: {{ document.metadata.name }}\n", "_header.yaml.j2")
    assert text.startswith("# team a: meta-llama-llama-3-1-8b-instruct-fit\napiVersion: ")


def test_the_first_folder_that_has_a_name_wins(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
        (folder / "_header.yaml.j2").write_text(f"# {folder.name}\n")
    assert render(document(ASK), (), [first, second]).startswith("# first\n")


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a: 1\n{% if %}\n", 2, "TemplateSyntaxError"),
        ("a: 1\nb: {{ document.nope.nope }}\n", 2, "UndefinedError"),
        ("\n\n{{ 1 // 0 }}\n", 3, "ZeroDivisionError"),
        ("{{ document | nofilter }}\n", 1, "nofilter"),
        ("{% include 'missing.j2' %}\n", 1, "missing.j2"),
        ("{% for i in range(10 ** 9) %}x{% endfor %}\n", 1, "Range too big"),
        ("{{ ().__class__.__base__.__subclasses__() }}\n", 1, "unsafe"),
        ("{% set _ = document.update({'kind': 'Secret'}) %}\n", 1, "unsafe"),
    ],
)
def test_a_template_that_fails_is_an_error_with_its_file_and_line(
    tmp_path: Path, text: str, line: int, words: str
) -> None:
    with pytest.raises(UsageError) as raised:
        with_template(tmp_path, text)
    assert raised.value.message.startswith(f"template {tmp_path / MAIN}:{line}: ")
    assert words in raised.value.message
    assert raised.value.message.isprintable()


def test_a_template_that_includes_itself_ends(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="RecursionError"):
        with_template(tmp_path, "{% include 'resourceclaim.yaml.j2' %}")


FRAME = """apiVersion: resource.k8s.io/v1
kind: ResourceClaim
{% include "_metadata.yaml.j2" %}
spec:
{% set spec = document.spec %}
{% filter indent(2, first=true) %}
{% include "_spec.yaml.j2" %}
{% endfilter %}
"""


def test_a_frame_of_the_users_own_may_print_the_same_document(tmp_path: Path) -> None:
    assert with_template(tmp_path, FRAME).startswith("apiVersion: resource.k8s.io/v1\n")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (FRAME.replace("kind: ResourceClaim", "kind: Secret"), 'kind: want "ResourceClaim", got "Secret"'),
        (FRAME + "status: {}\n", "status: want nothing, got {}"),
        ("apiVersion: resource.k8s.io/v1\n", 'kind: want "ResourceClaim", got nothing'),
        (FRAME + "---\na: 1\n", "expected a single document"),
        ("# nothing\n", "no document"),
        ("a: [\n", "renders no valid YAML"),
        (FRAME + "kind: ResourceClaim\n", "key 'kind' twice"),
        (FRAME.replace("kind:", "kind: &a"), None),
        ("a: &a [1]\nb: *a\n", "an alias"),
        ("kind: y\n", "'y' without quotes"),
        ("a: 1e3\n", "'1e3' without quotes"),
        ("kind: \x07\n", "a control character"),
        (FRAME.rstrip() + "{{ '' }}", None),
        ("kind: a", "no newline at the end"),
        ("- a\n", "the document: want"),
    ],
)
def test_text_that_is_not_the_document_is_refused_with_the_file(tmp_path: Path, text: str, words: str | None) -> None:
    if words is None:  # an anchor that nothing refers to, an empty end: the same document
        with_template(tmp_path, text)
        return
    with pytest.raises(UsageError) as raised:
        with_template(tmp_path, text)
    assert raised.value.message.startswith(f"template {tmp_path / MAIN}: ")
    assert words in raised.value.message


def test_an_included_template_of_the_users_is_the_one_blamed(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"template .*_metadata\.yaml\.j2: renders something else"):
        with_template(tmp_path, "metadata:\n  name: other\n", "_metadata.yaml.j2")


def test_a_binary_template_and_a_missing_folder_are_named(tmp_path: Path) -> None:
    (tmp_path / MAIN).write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match=r"resourceclaim\.yaml\.j2 cannot be read: UnicodeDecodeError"):
        render(document(ASK), (), [tmp_path])
    with pytest.raises(UsageError, match="is no directory"):
        render(document(ASK), (), [tmp_path / "nowhere"])
