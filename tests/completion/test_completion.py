"""Which candidates there are for which words, from the program's own data and from a cluster's answers."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.api_server import FakeServer, Reply, forbidden
from fakes.worlds import answers, lists
from kubectl_llmfit.app import COMMANDS, group
from kubectl_llmfit.completion import answer, candidates, live
from kubectl_llmfit.completion.answer import Answer
from kubectl_llmfit.completion.sources import has_source

ROOT = Path(__file__).parents[2]
LLAMA = "meta-llama/Llama-3.1-8B"
CLASSES = "/apis/resource.k8s.io/v1/deviceclasses"


def texts(*words: str) -> list[str]:
    """The candidates without their descriptions."""
    return [one if isinstance(one, str) else one[0] for one in candidates(words).candidates]


def directive(*words: str) -> int:
    return int(candidates(words).directive)


@pytest.mark.parametrize("words", [(), ("",)])
def test_every_command_is_offered_with_what_it_does(words: tuple[str, ...]) -> None:
    lines = answer(words).splitlines()
    assert lines.pop() == ":4"
    described = dict(line.split("\t") for line in lines)
    assert set(described) == set(COMMANDS)
    assert described["version"].startswith("Print the version")


def test_a_command_is_completed_by_its_beginning() -> None:
    assert texts("ch") == ["check-nodes"]
    assert texts("nothing") == []
    assert texts("--v") == ["--version"]


def test_flags_of_the_command_but_those_given_and_those_hidden() -> None:
    assert {"--quant", "--min-tps", "--device-class", "--help"} <= set(texts("claim", "--"))
    assert "--token" not in texts("claim", "--")
    assert texts("claim", "--quant", "Q8_0", "--qu") == []
    assert texts("claim", "--quant=Q8_0", "--qu") == []
    assert texts("check-nodes", "--node", "a", "--nod") == ["--node"]  # may be repeated
    assert texts("claim", "--tok") == ["--token"]  # kubectl's own, for who knows it
    assert texts("devices", "--quant") == []


@pytest.mark.parametrize("before", [["claim"], ["-n", "team-a", "claim"], ["--namespace=team-a", "claim"]])
def test_flags_may_stand_before_the_command(before: list[str]) -> None:
    assert texts(*before, "--quan") == ["--quant"]


def test_the_value_of_a_flag_before_the_command_is_no_command() -> None:
    assert texts("-n", "claim", "version", "-o", "te") == ["text"]


@pytest.mark.parametrize("words", [["--quant", "q4_k"], ["--quant=q4_k"]])
def test_a_value_is_completed_in_both_spellings(words: list[str]) -> None:
    # the shell's own scripts keep what is before the = themselves
    assert texts("claim", *words) == ["Q4_K_M", "Q4_K_S"]


def test_formats_are_the_commands_own_in_their_order() -> None:
    assert texts("claim", "-o", "") == ["yaml", "json", "name"]
    assert texts("check-nodes", "-o=") == ["table", "wide", "json", "yaml", "name"]
    assert texts("version", "--output", "y") == ["yaml"]
    assert directive("claim", "-o", "") == 36  # 4 no file names, 32 keep the order


def test_api_versions_dry_runs_and_drivers() -> None:
    assert texts("claim", "--api-version", "v1b") == ["v1beta2", "v1beta1"]
    assert texts("claim", "--apply", "--dry-run", "s") == ["server"]
    assert texts("drivers", "gpu.nv") == ["gpu.nvidia.com"]
    assert texts("drivers", "gpu.nvidia.com", "") == []


def test_files_and_folders_are_the_shells_to_complete() -> None:
    assert answer(["check-nodes", "-f", ""]) == ":0\n"
    assert answer(["claim", "--template-dir", ""]) == ":16\n"
    assert answer(["claim", "--name", ""]) == ":4\n"  # any text: no candidates, no files


def test_models_by_the_beginning_of_their_names_in_any_case() -> None:
    assert LLAMA in texts("claim", "meta-llama/Llama-3.1-8")
    assert LLAMA in texts("check-nodes", "META-LLAMA/llama-3.1-8")
    assert texts("models", "no-such-publisher/") == []
    assert texts("claim", LLAMA, "") == []  # there is one already
    assert texts("claim", "--", "meta-llama/Llama-3.1-8B-") == ["meta-llama/Llama-3.1-8B-Instruct"]


def test_publishers_come_first_where_there_are_too_many_models() -> None:
    found = texts("claim", "m")
    assert "meta-llama/" in found
    assert all(one.endswith("/") for one in found)
    assert directive("claim", "m") == 6  # 4 no file names, 2 no space behind it
    assert "meta-llama/" in texts("claim", "")
    assert len(texts("claim", "")) < 200


def test_types_of_objects_stand_beside_models() -> None:
    assert texts("check-nodes", "resourceclaimt") == ["resourceclaimtemplate/"]
    assert "resourceclaim/" not in texts("claim", "resourceclaim")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_value_is_completed_or_is_a_text_of_the_users(name: str) -> None:
    free = {
        *("F", "N", "QUANTITY", "GBS", "NAME", "SELECTOR", "EXPRESSION", "GATE=true|false,…", "VERSION"),
        *("LEVEL", "DEVICE", "PRODUCT", "KEY=VALUE", "'8x PRODUCT'"),
    }
    for parameter in group(name).commands[name].params:
        if not parameter.hidden and not getattr(parameter, "is_flag", False):
            assert has_source(parameter, name) or parameter.metavar in free, parameter.opts


def test_what_a_shell_would_take_for_several_words_is_left_out() -> None:
    found = Answer.of("", ["good", "two words", "two\nlines", "tab\there", "\x1b[31mred"])
    assert found.text() == "good\n:4\n"


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeServer]:
    """A cluster that the kubeconfig names, in a context beside another."""
    table = answers()
    namespaces = [{"metadata": {"name": name}} for name in ("default", "team-a", "team-b")]
    table["/api/v1/namespaces"] = {"kind": "NamespaceList", "apiVersion": "v1", "metadata": {}, "items": namespaces}
    with FakeServer(table) as made:
        config = tmp_path / "config"
        cluster = {"server": made.url, "insecure-skip-tls-verify": True}
        config.write_text(
            json.dumps(
                {
                    "apiVersion": "v1",
                    "kind": "Config",
                    "current-context": "here",
                    "contexts": [
                        {"name": name, "context": {"cluster": "c", "user": "jane"}} for name in ("here", "there")
                    ],
                    "clusters": [{"name": "c", "cluster": cluster}],
                    "users": [{"name": "jane", "user": {"token": "t"}}],
                }
            )
        )
        monkeypatch.setenv("KUBECONFIG", str(config))
        monkeypatch.setattr(live, "SECONDS", 60.0)  # a test machine may be as slow as it likes
        yield made


def test_contexts_clusters_and_users_come_from_the_kubeconfig(server: FakeServer) -> None:
    assert texts("check-nodes", "--context", "") == ["here", "there"]
    assert texts("check-nodes", "--context=th") == ["there"]
    assert texts("check-nodes", "--cluster", "") == ["c"]
    assert texts("check-nodes", "--user", "j") == ["jane"]
    assert server.asked("/api/v1/namespaces") == []


def test_namespaces_and_classes_come_from_the_cluster(server: FakeServer) -> None:
    assert texts("claim", "-n", "") == ["default", "team-a", "team-b"]
    assert texts("check-nodes", "--namespace=team") == ["team-a", "team-b"]
    assert texts("claim", "--device-class", "llm") == ["llmfit.ai"]
    assert texts("check-nodes", "--node", "") == [node["metadata"]["name"] for node in lists()["nodes"]]


def test_the_last_of_a_list_is_completed(server: FakeServer) -> None:
    assert texts("claim", "--device-class", "gpu.nvidia.com,llm") == ["gpu.nvidia.com,llmfit.ai"]


def test_a_cluster_without_the_newest_version_is_asked_for_the_older(server: FakeServer) -> None:
    older = server.answers.pop(CLASSES)
    server.answers[CLASSES.replace("v1", "v1beta2")] = older | {"apiVersion": "resource.k8s.io/v1beta2"}
    assert texts("claim", "--device-class", "") == ["llmfit.ai"]


@pytest.mark.parametrize(
    "fault",
    [
        forbidden("deviceclasses"),
        Reply(500),
        Reply(200, b"no JSON"),
        Reply(200, b"[]"),
        Reply(200, b'{"items": [{}]}'),
        Reply(drop=True),
    ],
    ids=["403", "500", "no JSON", "a list", "no names", "dropped"],
)
def test_whatever_the_server_does_wrong_there_are_no_candidates(server: FakeServer, fault: Reply) -> None:
    server.always(CLASSES, fault)
    assert answer(["claim", "--device-class", ""]) == ":4\n"


def test_a_server_that_does_not_answer_is_not_waited_for(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "SECONDS", 2.0)
    server.always(CLASSES, Reply(200, b'{"items": []}', wait=60))
    start = time.monotonic()
    assert answer(["claim", "--device-class", ""]) == ":4\n"
    assert time.monotonic() - start < 30  # no measure of speed: it would be 60 if it waited


def test_a_credential_plugin_that_hangs_is_not_waited_for(
    server: FakeServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "SECONDS", 2.0)
    config = json.loads((tmp_path / "config").read_text())
    command = {"apiVersion": "client.authentication.k8s.io/v1", "command": "sleep", "args": ["60"]}
    config["users"][0]["user"] = {"exec": {**command, "interactiveMode": "Never"}}
    (tmp_path / "config").write_text(json.dumps(config))
    start = time.monotonic()
    assert answer(["claim", "--device-class", ""]) == ":4\n"
    assert time.monotonic() - start < 30


def test_a_snapshot_has_no_live_names(server: FakeServer) -> None:
    assert texts("check-nodes", "--snapshot", "cluster.json", "resourceclaim/") == []
    assert texts("check-nodes", "--snapshot", "cluster.json", "--node", "") == []
    assert server.asked("/api/v1/nodes") == []


def test_without_a_kubeconfig_there_are_no_contexts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "none"))
    assert answer(["check-nodes", "--context", ""]) == ":4\n"
    (tmp_path / "none").write_text("{no yaml")
    assert answer(["check-nodes", "--context", ""]) == ":4\n"


def test_the_second_name_of_the_checkout_answers_and_keeps_silent(tmp_path: Path) -> None:
    (tmp_path / "config").write_text("{no yaml")
    done = subprocess.run(
        [ROOT / "kubectl_complete-llmfit", "claim", "--namespace", ""],
        env={"PATH": "/usr/bin:/bin", "KUBECONFIG": str(tmp_path / "config"), "HOME": "/nonexistent"},
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, ":4\n", "")


@pytest.mark.parametrize("words", [["cla"], ["claim", "--q"], ["claim", "--quant", "Q"], ["claim", "meta-llama/Ll"]])
def test_local_candidates_load_nothing_heavy(words: list[str]) -> None:
    script = (
        "import sys; from kubectl_llmfit.completion import answer; answer(sys.argv[1:]);"
        "print(*{name.split('.')[0] for name in sys.modules})"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *words],
        env={"PYTHONPATH": str(ROOT / "plugin"), "HOME": "/nonexistent"},
        capture_output=True,
        text=True,
        check=True,
    )
    heavy = {"kubernetes", "jinja2", "tabulate", "yaml", "rich", "pydantic", "urllib3", "requests", "re2"}
    assert heavy.isdisjoint(done.stdout.split())
