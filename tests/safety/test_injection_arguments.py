"""Every string in every flag and argument: the answer holds it as it is, or one line refuses it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kubectl_llmfit.dra.environment import selector
from safety.inputs import ENTRY
from safety.sinks import document, leaves, lines, refusal
from safety.strings import HOSTILE
from safety.worlds import world

pytestmark = pytest.mark.usefixtures("_app_made_once")

ROOT = Path(__file__).parents[2]
SNAPSHOT = str(ROOT / "examples" / "cluster.yaml")
MODEL = "meta-llama/Llama-3.1-8B-Instruct"
CLAIM = ["claim", MODEL]
CHECK = ["check-nodes", MODEL, "--snapshot", SNAPSHOT]

# The command line, {} where the string stands; what its statuses may be beside 2.
ARGUMENTS: dict[str, tuple[list[str], tuple[int, ...]]] = {
    "command": (["{}"], (2, 0)),
    "unknown flag": (["claim", "--{}"], (2, 0)),
    "model": (["claim", "--catalog", "models.json", "--", "{}"], (2,)),
    "model checked": (["check-nodes", "--catalog", "models.json", "--snapshot", SNAPSHOT, "--", "{}"], (2,)),
    "claim's name": (["check-nodes", "resourceclaim/{}", "--snapshot", SNAPSHOT], (2,)),
    "template's name": (["check-nodes", "resourceclaimtemplates.resource.k8s.io/{}", "--snapshot", SNAPSHOT], (2,)),
    "quantisation": ([*CLAIM, "--quant", "{}"], (2,)),
    "name": ([*CLAIM, "--name", "{}"], (2, 0)),
    "template's own name": ([*CLAIM, "--template", "--name", "{}"], (2, 0)),
    "namespace": ([*CLAIM, "-n", "{}"], (2, 0)),
    "class": ([*CLAIM, "--device-class", "{}"], (2,)),
    "class of a driver": ([*CLAIM, "--device-class", "{}", "--driver", "gpu.nvidia.com"], (2, 0)),
    "class checked": ([*CHECK, "--device-class", "{}"], (2, 1)),
    "driver": ([*CLAIM, "--device-class", "x", "--driver", "{}"], (2,)),
    "health": ([*CLAIM, "--require-health", "{}"], (2,)),
    "speed": ([*CLAIM, "--min-tps", "{}"], (2, 0)),
    "efficiency": ([*CLAIM, "--efficiency", "{}"], (2, 0)),
    "memory": ([*CLAIM, "--min-memory", "{}"], (2, 0)),
    "bandwidth": ([*CLAIM, "--min-bandwidth", "{}"], (2, 0)),
    "version": ([*CLAIM, "--api-version", "{}"], (2,)),
    "format": ([*CLAIM, "-o", "{}"], (2,)),
    "dry run": ([*CLAIM, "--apply", "--dry-run", "{}"], (2,)),
    "field manager": ([*CLAIM, "--field-manager", "{}"], (2,)),
    "boolean": ([*CLAIM, "--template={}"], (2, 0)),
    "ModelFit file": (["claim", "--fit", "{}"], (2,)),
    "catalogue file": ([*CLAIM, "--catalog", "{}"], (2,)),
    "accelerators file": ([*CLAIM, "--accelerators", "{}"], (2,)),
    "templates": ([*CLAIM, "--template-dir", "{}"], (2,)),
    "claim file": (["check-nodes", "-f", "{}", "--snapshot", SNAPSHOT], (2,)),
    "snapshot": (["check-nodes", MODEL, "--snapshot", "{}"], (2,)),
    "added file": ([*CHECK, "--with", "{}"], (2,)),
    "assumed": ([*CHECK, "--assume", "{}"], (2,)),
    "assumed product": ([*CHECK, "--assume", "2x {}"], (2,)),
    "node": ([*CHECK, "--node", "{}"], (2,)),
    "labels": ([*CHECK, "-l", "{}"], (2, 0, 1)),
    "labels' value": ([*CHECK, "-l", "a={}"], (2, 1)),
    "Kubernetes version": ([*CHECK, "--kubernetes-version", "{}"], (2, 0)),
    "gates": ([*CHECK, "--feature-gates", "{}"], (2, 0)),
    "gate": ([*CHECK, "--feature-gates", "{}=true"], (2, 0)),
    "gate's value": ([*CHECK, "--feature-gates", "DRAAdminAccess={}"], (2, 0)),
    "check's format": ([*CHECK, "-o", "{}"], (2,)),
    "expression": (["eval", "--snapshot", SNAPSHOT, "--", "{}"], (2, 1)),
    "evaluated node": (["eval", "true", "--snapshot", SNAPSHOT, "--node", "{}"], (2, 1)),
    "evaluated device": (["eval", "true", "--snapshot", SNAPSHOT, "--device", "{}"], (2, 1)),
    "evaluated class": (["eval", "true", "--snapshot", SNAPSHOT, "--device-class", "{}"], (2, 1)),
    "search": (["models", "--catalog", "models.json", "--limit", "1", "--", "{}"], (0,)),
    "limit": (["models", "--limit", "{}"], (2, 0)),
    "known driver": (["drivers", "--", "{}"], (2,)),
    "devices' labels": (["devices", "--snapshot", SNAPSHOT, "-l", "{}"], (2, 0)),
    "kubeconfig": (["devices", "--kubeconfig", "{}"], (2, 4)),
    "context": (["devices", "--context", "{}"], (4,)),
    "cluster": (["devices", "--cluster", "{}"], (4,)),
    "user": (["devices", "--user", "{}"], (4,)),
    "timeout": (["devices", "--request-timeout", "{}"], (2, 4)),
    "extra": (["devices", "--as-user-extra", "{}"], (2, 4)),
    "shell": (["completion", "{}"], (2,)),
}


@pytest.fixture(autouse=True)
def _a_small_catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To look for the nearest name among thousands takes a fifth of a second."""
    monkeypatch.chdir(tmp_path)
    Path("models.json").write_text(json.dumps([ENTRY]))


@pytest.mark.parametrize("argument", ARGUMENTS)
def test_an_argument_is_taken_as_it_is_or_refused_in_one_line(llmfit, argument: str) -> None:
    words, statuses = ARGUMENTS[argument]
    for name, text in HOSTILE.items():
        outcome = llmfit(*(word.replace("{}", text) for word in words))
        assert outcome.status in statuses, (name, outcome)
        if outcome.status in (2, 4):
            refusal(outcome.status, outcome.stdout, outcome.stderr, statuses)
            assert len(outcome.stderr) < 10_000, name
        else:
            lines(outcome.stdout)
            lines(outcome.stderr)


@pytest.mark.parametrize("flag", ["--name", "-n"])
@pytest.mark.parametrize("form", ["yaml", "json"])
def test_a_name_that_yaml_could_take_for_a_number_or_a_word_stays_a_name(llmfit, flag: str, form: str) -> None:
    taken = set()
    for text in HOSTILE.values():
        outcome = llmfit(*CLAIM, flag, text, "-o", form)
        if outcome.status == 0:
            metadata = document(outcome.stdout, form)["metadata"]
            assert metadata["name" if flag == "--name" else "namespace"] == text
            taken.add(text)
    assert taken >= {"null", "yes", "n", "1e3", "0x10", "0o17", "2001-01-01", "007"}


def test_a_search_says_what_it_did_not_find_on_one_line(llmfit) -> None:
    outcome = llmfit("models", "--", HOSTILE["forged-line"])
    assert lines(outcome.stderr) == ['No models found for "x\\u000aerror: all nodes fit\\u000anode/evil"']


@pytest.mark.parametrize("name", ["surrogate", "invalid-utf-8", "forged-line", "long", "nul"])
def test_a_model_that_the_shipped_list_cannot_have_is_not_found(llmfit, name: str) -> None:
    for command in (["claim"], ["check-nodes", "--snapshot", SNAPSHOT]):
        outcome = llmfit(*command, HOSTILE[name])
        refusal(outcome.status, outcome.stdout, outcome.stderr)
        assert "not found" in outcome.stderr


@pytest.mark.parametrize("name", [name for name in HOSTILE if name not in ("long", "wide")])  # 10 KiB at most
def test_a_literal_of_an_expression_is_compared_as_that_text(llmfit, tmp_path: Path, name: str) -> None:
    """The device has the string and the selector asks for it: it matches, and another text does not."""
    text = HOSTILE[name]
    escaped = "".join(f"\\U{ord(each):08x}" for each in text)
    if any("\ud800" <= each <= "\udfff" for each in text):
        return  # CEL has no literal for half of a pair: test_agreement knows what Kubernetes says
    expression = f'device.attributes["gpu.example.net"].odd == "{escaped}"'
    assert selector(expression, stored=False).compile_error is None
    (tmp_path / "world.json").write_text(json.dumps(world("attribute value", [text, f"{text}x"])))
    for form in ("json", "yaml"):
        outcome = llmfit("eval", expression, "--snapshot", f"{tmp_path}/world.json", "-o", form)
        answer = document(outcome.stdout, form)
        assert [item["result"] for item in answer["items"]] == ["true", "false"]
        assert expression in set(leaves(answer))
    table = llmfit("eval", expression, "--snapshot", f"{tmp_path}/world.json")
    assert len(lines(table.stdout)) == 3
