"""Which modules a command loads, asked of a fresh interpreter."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HEAVY = {"kubernetes", "jinja2", "tabulate", "yaml", "rich", "pydantic", "urllib3", "requests", "re2"}
ASK = """
import sys
from kubectl_llmfit.main import run
status = run(sys.argv[1:])
print(status, *sorted({name.split(".")[0] for name in sys.modules} | {
    name for name in sys.modules if name.startswith("kubectl_llmfit.")}), file=sys.stderr)
"""


def modules(*arguments: str) -> set[str]:
    """The modules that one run loads: top-level names, and ours in full."""
    process = subprocess.run(
        [sys.executable, "-c", ASK, *arguments],
        capture_output=True,
        text=True,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT / "plugin"), "HOME": "/nonexistent"},
        check=True,
    )
    status, *names = process.stderr.splitlines()[-1].split()
    assert status == "0", process.stderr
    return set(names)


@pytest.mark.parametrize("arguments", [["claim", "--help"], ["check-nodes", "--help"], ["version"], ["completion"]])
def test_the_help_of_a_command_loads_nothing_heavy(arguments: list[str]) -> None:
    assert modules(*arguments) & HEAVY == set()


def test_the_programs_own_help_loads_no_command() -> None:
    for arguments in (["--help"], ["-h"]):
        loaded = modules(*arguments)
        assert loaded & HEAVY == set()
        assert {name for name in loaded if name.startswith("kubectl_llmfit.cli.")} == {"kubectl_llmfit.cli.flags"}


def test_the_version_needs_no_typer() -> None:
    assert modules("--version") & {*HEAVY, "typer", "kubectl_llmfit.app"} == set()


def test_the_completion_of_a_model_loads_no_estimator_and_no_cluster_code() -> None:
    asked = "import sys\nfrom kubectl_llmfit.completion import answer\nanswer(['claim', 'meta-llama/Llama-3.1-8'])\n"
    process = subprocess.run(
        [sys.executable, "-c", asked + "print(*sys.modules)"],
        capture_output=True,
        text=True,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT / "plugin"), "HOME": "/nonexistent"},
        check=True,
    )
    loaded = set(process.stdout.split())
    assert "kubectl_llmfit.catalog.packaged" in loaded
    assert {name.split(".")[0] for name in loaded} & {*HEAVY, "tempfile", "zipfile", "random"} == set()
    ours = {name for name in loaded if name.startswith("kubectl_llmfit.")}
    assert {name.split(".")[1] for name in ours} & {"cluster", "dra", "check", "output", "claim", "drivers"} == set()
    assert "kubectl_llmfit.fit.llmfit" not in ours


def test_a_claim_loads_neither_kubernetes_nor_the_cluster_code() -> None:
    loaded = modules("claim", "meta-llama/Llama-3.1-8B-Instruct")
    assert loaded & (HEAVY - {"jinja2", "yaml"}) == set()
    ours = {name.split(".")[1] for name in loaded if name.startswith("kubectl_llmfit.")}
    assert ours & {"cluster", "dra", "check", "output"} == set()


def test_a_check_of_a_snapshot_loads_no_kubernetes() -> None:
    snapshot = str(ROOT / "examples" / "cluster.yaml")
    loaded = modules("check-nodes", "meta-llama/Llama-3.1-8B-Instruct", "--snapshot", snapshot)
    assert loaded & (HEAVY - {"jinja2", "yaml", "tabulate"}) == set()
