"""Templates of a user's own that want more than to arrange: they get no further than their document and their share."""

from __future__ import annotations

import os
import resource
import signal
import sys
from pathlib import Path

import pytest

from claim.needs import llama
from kubectl_llmfit.claim import bounds
from kubectl_llmfit.claim.ask import make_ask
from kubectl_llmfit.claim.documents import document
from kubectl_llmfit.claim.render import render
from kubectl_llmfit.errors import UsageError
from safety.strings import HOSTILE, obeyed

ASK = make_ask(llama())
MAIN = "resourceclaim.yaml.j2"
WHOLE = "{% include 'whole.j2' %}\n"
LOOPS = "{% for a in range(99999) %}{% for b in range(99999) %}xxxxxxxx{% endfor %}{% endfor %}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    own = Path(__file__).parents[2] / "templates" / MAIN
    (tmp_path / "whole.j2").write_text(own.read_text())
    return tmp_path


def refused(folder: Path, text: str) -> str:
    (folder / MAIN).write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(UsageError) as caught:
        render(document(ASK), (), [folder])
    assert caught.value.message.isprintable()
    assert caught.value.message.startswith(f"template {folder / MAIN}")
    return caught.value.message


@pytest.mark.parametrize(
    "text",
    [
        LOOPS,
        f"{{% set kept %}}{LOOPS}{{% endset %}}",
        f"{{% filter indent(2) %}}{LOOPS}{{% endfilter %}}",
        "{{ 9 ** (9 ** 9) }}",  # folded while it is compiled, if that were not bounded too
        "{% for a in range(9) %}{{ (a * 9 + 9) ** (9 ** 9) }}{% endfor %}",
        "{{ lipsum(n=100000) }}",
        "{% set ns = namespace(x=1) %}" + LOOPS.replace("xxxxxxxx", "{% set ns.x = ns.x + 1 %}"),
    ],
)
def test_a_template_without_end_is_ended(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(bounds, "CPU_SECONDS", 0.2)
    assert "takes more than" in refused(folder, text)


@pytest.mark.skipif(sys.platform != "linux", reason="RLIMIT_AS is Linux's")
@pytest.mark.parametrize(
    "text",
    [
        "{{ 'x' * 10 ** 10 }}",
        "{{ [0] * 10 ** 9 }}",
        "{{ 'x' | center(10000000000) }}",
        "{{ 'x' | indent(10 ** 10, first=true) }}",
        "{{ '%09999999999d' % 1 }}",
        "{{ '{:>9999999999}'.format(1) }}",
        "{{ 'x'.ljust(10 ** 10) }}",
        "{% set a = 'x' * 1000 %}" + "{% set a = a ~ a %}" * 40,
        "{{ range(99999) | list | join('x' * 99999) }}",
        "{{ ('x' * 99999) | replace('x', 'x' * 99999) | length }}",
    ],
)
def test_a_template_that_takes_memory_gets_a_gigabyte_and_no_more(folder: Path, text: str) -> None:
    limits = resource.getrlimit(resource.RLIMIT_AS)
    assert "takes more than 1024 MiB of memory" in refused(folder, text)
    assert resource.getrlimit(resource.RLIMIT_AS) == limits


def test_the_bounds_are_gone_when_the_template_is_done(folder: Path) -> None:
    before = signal.getsignal(signal.SIGPROF), resource.getrlimit(resource.RLIMIT_AS)
    (folder / MAIN).write_text(WHOLE)
    render(document(ASK), (), [folder])
    assert (signal.getsignal(signal.SIGPROF), resource.getrlimit(resource.RLIMIT_AS)) == before
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x" * (1 << 20) + "x", "is larger than 1048576 bytes"),
        ("{% for a in range(99999) %}# 4567890\n{% endfor %}" * 2, "renders more than 1048576 characters"),
        ("".join(f"k{number}: 1\n" for number in range(60_000)) + "k59999: 1\n", "key 'k59999' twice"),
        ("[" * 5000 + "\n", "renders no valid YAML"),
        ("{% if 1 %}" * 5000, "RecursionError"),
        ("{{" + "(" * 50_000 + "1" + ")" * 50_000 + "}}", "RecursionError"),
        ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "RecursionError"),
        ("{{ 999999999 ** 9999 }}", "ValueError"),
    ],
)
def test_a_template_that_is_too_much_is_refused(folder: Path, text: str, words: str) -> None:
    assert words in refused(folder, text)


@pytest.mark.parametrize(
    "text",
    [
        "{{ ''.__class__.__mro__ }}",
        "{{ self.__init__.__globals__ }}",
        "{{ cycler.__init__.__globals__.os.system('touch pwned') }}",
        "{{ joiner.__init__.__globals__ }}",
        "{{ namespace.__init__.__globals__ }}",
        "{{ lipsum.__globals__['os'].system('touch pwned') }}",
        "{{ ('a' | attr('__class__')).__base__ }}",
        "{{ '{0.__class__.__init__.__globals__}'.format(document) }}",
        "{{ document.items.__self__.__class__.__base__.__subclasses__() }}",
        "{{ document.update({'kind': 'Secret'}) }}",
        "{{ document.clear() }}",
        "{% import 'os' as os %}{{ os.system('touch pwned') }}",
    ],
)
def test_a_template_reaches_nothing_but_its_document(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.chdir(folder)
    message = refused(folder, text)
    assert any(word in message for word in ("unsafe", "UndefinedError", "TemplateNotFound", "safely callable")), message
    assert not (folder / "pwned").exists()


@pytest.mark.parametrize("name", ["/etc/passwd", "../secret", "sub/../../secret", "./../secret", "../folder/whole.j2"])
@pytest.mark.parametrize("tag", ["{{% include '{}' %}}", "{{% import '{}' as x %}}", "{{% extends '{}' %}}"])
def test_a_template_reads_no_file_outside_of_its_folder(tmp_path: Path, name: str, tag: str) -> None:
    """Not even into a comment, which the comparison with the document does not see."""
    (tmp_path / "secret").write_text("s3cret")
    inside = tmp_path / "folder"
    inside.mkdir()
    (inside / "sub").mkdir()
    (inside / "whole.j2").write_text("s3cret")
    message = refused(inside, "# " + tag.format(name) + "\n")
    assert "TemplateNotFound" in message
    assert "s3cret" not in message


def test_a_template_may_be_a_link_or_in_a_folder_below_as_volumes_of_pods_have_them(folder: Path) -> None:
    (folder / "..data").mkdir()
    (folder / "..data" / MAIN).write_text("{% include 'below/part.j2' %}\n")
    (folder / MAIN).symlink_to(f"..data/{MAIN}")
    (folder / "below").mkdir()
    (folder / "below" / "part.j2").write_text("# a part\n" + WHOLE)
    assert render(document(ASK), (), [folder]).startswith("# a part\n")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_string_that_a_template_prints_into_a_comment_is_seen_or_refused(folder: Path, name: str) -> None:
    text = HOSTILE[name]
    (folder / "text.j2").write_bytes(text.encode("utf-8", "surrogatepass"))
    (folder / MAIN).write_text("# {% include 'text.j2' %}\n" + WHOLE)
    try:
        rendered = render(document(ASK), (), [folder])
    except UsageError as error:
        problem = error.message
    else:
        problem = ""
        assert obeyed(rendered) == []
    assert problem.isprintable()
    assert bool(problem) or obeyed(text) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_template_that_may_not_be_read_is_refused(folder: Path) -> None:
    (folder / MAIN).write_text(WHOLE)
    (folder / MAIN).chmod(0)
    with pytest.raises(UsageError, match="cannot be read: PermissionError"):
        render(document(ASK), (), [folder])
