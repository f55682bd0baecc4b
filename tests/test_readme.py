"""README's commands are run as they stand there, and must print what README shows.

A ``console`` block is one command and its output, stdout and stderr as a terminal shows them. The environment
variable KUBECTL_LLMFIT_UPDATE_GOLDEN=1 rewrites the outputs instead.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from kubectl_llmfit.app import group

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
UPDATE = bool(os.environ.get("KUBECTL_LLMFIT_UPDATE_GOLDEN"))
BLOCK = re.compile(r"```console\n\$ (?P<command>[^\n]+)\n(?P<output>.*?)```", re.DOTALL)
COMMANDS = [match["command"] for match in BLOCK.finditer(README.read_text(encoding="utf-8"))]


def printed(command: str) -> str:
    """What a terminal shows of a command run in the checkout: both streams, in their order."""
    program = command.replace("kubectl llmfit", str(ROOT / "kubectl-llmfit"), 1)
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}
    process = subprocess.run(
        program, shell=True, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    return process.stdout.decode("utf-8")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_prints_what_readme_shows(command: str) -> None:
    text = README.read_text(encoding="utf-8")
    block = next(match for match in BLOCK.finditer(text) if match["command"] == command)
    output = printed(command)
    if UPDATE:
        README.write_text(text[: block.start("output")] + output + text[block.end("output") :], encoding="utf-8")
    else:
        assert output == block["output"]


def test_both_main_commands_are_shown() -> None:
    assert any(command.startswith("kubectl llmfit claim ") for command in COMMANDS)
    assert any(command.startswith("kubectl llmfit check-nodes ") for command in COMMANDS)


@pytest.mark.parametrize("name", sorted(group().commands))
def test_every_command_is_in_readme(name: str) -> None:
    assert re.search(rf"`?{name}\b", README.read_text(encoding="utf-8"))


def test_make_demo_runs_the_main_job_and_leaves_the_tree_clean() -> None:
    before = subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True, check=True)
    demo = subprocess.run(["make", "demo"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert demo.returncode == 0, demo.stderr
    assert "kind: ResourceClaim" in demo.stdout
    verdicts = {line.split()[1] for line in demo.stdout.splitlines() if line.startswith("gpu-")}
    assert verdicts == {"Fits", "InUse", "NoFit", "Error,SchedulingDisabled"}
    after = subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert after.stdout == before.stdout
